#!/usr/bin/env node
// The first file that runs, also under an old Node: nothing here may need a new one.
import manifest from '../../package.json' with { type: 'json' };
import { keepCompiled } from './compile-cache.ts';
import { HOT } from './hot-names.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `council needs Node 22.18 or newer; this is ${process.version}. In council's own folder, npx council uses the right one.\n`,
  );
  process.exitCode = 1;
} else if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2] ?? '')) {
  // Scripts ask often, and nothing needs to be loaded to answer.
  process.stdout.write(`${manifest.version}\n`);
} else {
  keepCompiled(process.env);
  const argv = process.argv.slice(2);
  process.exitCode = HOT.includes(argv[0] ?? '')
    ? await (await import('./hot.ts')).main(argv)
    : await (await import('./program.ts')).main(argv);
}
