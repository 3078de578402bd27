// Starts build.ts wherever the clone lies. Node, TypeScript and its bundler take everything below a folder node_modules for
// somebody's finished package: there the build goes through a link from elsewhere.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';

const root = dirname(import.meta.dirname);
const elsewhere = root.split(sep).includes('node_modules')
  ? mkdtempSync(join(tmpdir(), 'council-build-'))
  : undefined;
const from = elsewhere === undefined ? root : join(elsewhere, 'council');
try {
  if (elsewhere !== undefined) symlinkSync(root, from, 'junction');
  const flags = elsewhere === undefined ? [] : ['--preserve-symlinks', '--preserve-symlinks-main'];
  const argv = [...flags, join(from, 'scripts/build.ts'), ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, argv, { stdio: 'inherit' }).status ?? 1;
} finally {
  if (elsewhere !== undefined) rmSync(elsewhere, { recursive: true });
}
