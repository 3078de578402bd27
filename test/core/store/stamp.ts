import { sha256 } from '../../../src/core/base/ids.ts';
import type { Stamp } from '../../../src/core/store/documents.ts';

interface FirstLine {
  id: string;
  revision: number;
  sha256: string;
  /** As the state of a council has them. */
  name?: string;
  previous?: string;
}

const stamped = (line: FirstLine, body: string): string => `${JSON.stringify(line)}\n${body}`;

/** A test document: one line of JSON with id, revision and hash, then the body. */
export function doc(
  id: string,
  revision: number,
  body: string,
  more: Pick<FirstLine, 'name' | 'previous'> = {},
): string {
  const line = { id, revision, sha256: '', ...more };
  return stamped({ ...line, sha256: sha256(stamped(line, body)) }, body);
}

export const bodyOf = (text: string): string => text.slice(text.indexOf('\n') + 1);

export function readStamp(text: string): Stamp | undefined {
  let line: FirstLine;
  try {
    line = JSON.parse(text.slice(0, text.indexOf('\n'))) as FirstLine;
  } catch {
    return undefined;
  }
  if (typeof line?.id !== 'string' || typeof line.revision !== 'number') return undefined;
  const { id, revision, sha256: hash, ...more } = line;
  return { id, revision, hash, intact: doc(id, revision, bodyOf(text), more) === text, ...more };
}
