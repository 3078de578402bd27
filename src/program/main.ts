#!/usr/bin/env node
// The first file that runs, also under an old Node: nothing here may need a new one.
import manifest from '../../package.json' with { type: 'json' };
import { loadProgram } from './load-program.ts';

/** Shorter commands have allocated little memory. */
const SHORT_MS = 1000;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `council needs Node 22.18 or newer; this is ${process.version}. In council's own folder, npx council uses the right one.\n`,
  );
  process.exitCode = 1;
} else if (
  process.argv.length === 3 &&
  ['--version', '-V', '-v', 'version'].includes(process.argv[2] ?? '')
) {
  // Scripts ask often, and nothing needs to be loaded to answer, not even Node's streams if the write succeeds.
  const line = `${manifest.version}\n`;
  try {
    process.getBuiltinModule('node:fs').writeSync(1, line);
  } catch {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      // The reader closed the pipe: not an error.
      if (error.code === 'EPIPE') return;
      process.stderr.write(`council: Cannot write to stdout: ${error.message}.\n`);
      process.exitCode = 1;
    });
    process.stdout.write(line);
  }
} else {
  const argv = process.argv.slice(2);
  // At the end, the process exits without freeing its memory, which would take 2 ms of 60. A longer one ends
  // the usual way: a compiler thread may still wait for memory, and would keep exit() from returning.
  process.once('beforeExit', () => performance.now() < SHORT_MS && process.exit());
  process.exitCode = await (await loadProgram(argv[0] ?? '')).main(argv);
}
