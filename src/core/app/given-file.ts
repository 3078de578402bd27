// Reads a file that the user names on the command line.
import { resolve } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import { findPathKind } from '../store/local/project.ts';
import { readBytes } from '../store/local/read.ts';

/** Whether a word of the command line is the name of a regular file. */
export const isGivenFile = (cwd: string, word: string): boolean =>
  word.trim() !== '' && findPathKind(resolve(cwd, word)) === 'file';

/**
 * Reads a file that the command line names. Throws `usage` if it cannot be read, `not_a_file` for anything but a regular
 * file, and `too_large` beyond `limit` bytes. `hint` says how to mend it.
 */
export function readGivenFile(
  cwd: string,
  file: string,
  limit: number,
  hint = 'Give the path of a text file.',
): Uint8Array {
  const path = resolve(cwd, file);
  try {
    const bytes = readBytes(path, { limit });
    if (bytes) return bytes;
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    const code = error.code === 'io' ? 'usage' : error.code;
    throw new CouncilError(code, error.message, { hint, details: error.details, cause: error });
  }
  throw new CouncilError('usage', `There is no file ${path}.`, { hint });
}
