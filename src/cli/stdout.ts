import fs from 'node:fs';
import { systemCode } from '../base/errors.ts';

/**
 * Writes to stdout or stderr as to a file. Node's own streams for them, and the network code below those, are a fifth of a
 * cold start; they are asked for only where the other end takes no more for the moment.
 */
export function writeOut(text: string, fd: 1 | 2 = 1): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(fd, bytes, at);
    } catch (error) {
      if (systemCode(error) === 'EPIPE') leaveWithReader();
      if (systemCode(error) !== 'EAGAIN') throw error;
      const stream = fd === 1 ? process.stdout : process.stderr;
      stream.on('error', leaveWithReader);
      stream.write(bytes.subarray(at));
      return;
    }
  }
}

/** True when stdout is a terminal. */
export const isTerminal = (): boolean => fs.fstatSync(1).isCharacterDevice() && process.stdout.isTTY === true;

/** A reader that has seen enough, such as `head`, is no fault. */
function leaveWithReader(error?: Error): void {
  if (error && systemCode(error) !== 'EPIPE') throw error;
  process.exit();
}
