#!/usr/bin/env node
// The first file that runs, also under an old Node: nothing here may need a new one.
import manifest from '../../package.json' with { type: 'json' };
import { loadProgram } from './load-program.ts';

/** A command that took no longer has filled little memory. */
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
  // Scripts ask often, and nothing needs to be loaded to answer: not even Node's streams, where the other end takes it at once.
  const line = `${manifest.version}\n`;
  try {
    process.getBuiltinModule('node:fs').writeSync(1, line);
  } catch {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      // A reader that has gone is no fault.
      if (error.code === 'EPIPE') return;
      process.stderr.write(`council: Cannot write to stdout: ${error.message}.\n`);
      process.exitCode = 1;
    });
    process.stdout.write(line);
  }
} else {
  const argv = process.argv.slice(2);
  // When nothing is left to do, the process exits without freeing its memory, which would take 2 ms of 60. One that has run
  // longer ends in the usual way: a compiler thread may still wait for memory, and would keep exit() from returning.
  process.once('beforeExit', () => performance.now() < SHORT_MS && process.exit());
  process.exitCode = await (await loadProgram(argv[0] ?? '')).main(argv);
}
