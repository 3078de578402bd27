// Prints more than a pipe holds, says so by a first file, waits until there is a second one, and prints a last line.
import fs from 'node:fs';
import { writeOut } from '../../src/core/cli/stdout.ts';

const [printed = '', released = ''] = process.argv.slice(2);
writeOut(`${'first '.repeat(50_000)}\n`);
fs.writeFileSync(printed, '');
// Nothing that Node does by itself comes between.
while (!fs.existsSync(released)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
writeOut('last\n');
