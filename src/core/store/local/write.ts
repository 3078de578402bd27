// Writes a file where the user said: whole or not at all, and never through a link, into a FIFO or a device.
import fs from 'node:fs';
import { crypto } from '../../base/ids.ts';
import { attempt, discard, replace, writeNew } from './disk.ts';
import { measureFileSize } from './read.ts';

/** Writes a file, in the place of another one if there is one. Throws `not_a_file` for anything else of that name, `io`. */
export function replaceTextFile(path: string, text: string): void {
  const before =
    measureFileSize(path) === undefined ? undefined : attempt('look at', path, () => fs.statSync(path));
  const temp = `${path}.${crypto().randomBytes(4).toString('hex')}.tmp`;
  writeNew(temp, Buffer.from(text), { mode: before?.mode });
  try {
    replace(temp, path);
  } catch (error) {
    discard(temp);
    throw error;
  }
}
