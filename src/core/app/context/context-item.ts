// One part of what is given with a question: a file or a diff, with size and hash.
import { sha256 } from '../../base/ids.ts';
import { printableJson } from '../../base/terminal.ts';

/** One file, or the diff. */
export interface ContextItem {
  /** Its path relative to the project, or the command that made it. */
  name: string;
  /** Of the file as it is, which may be encoded otherwise than its text here. */
  bytes: number;
  sha256: string;
  text: string;
  /** The language tag of its code fence. */
  language: string;
  /** Only listed by path: agents that can read the project open it themselves. */
  isPicture?: true;
}

/** What was given, without the texts: for `--json`. */
export type Listed = Pick<ContextItem, 'name' | 'bytes' | 'sha256'>;
export const toListedItem = ({ name, bytes, sha256: hash }: ContextItem): Listed => ({
  name,
  bytes,
  sha256: hash,
});

/** Of the text or the bytes of something. */
export const toSizeAndHash = (bytes: Uint8Array): Pick<ContextItem, 'bytes' | 'sha256'> => ({
  bytes: bytes.length,
  sha256: sha256(bytes),
});

/** A name as it is told: as it is where it is plain, else as JSON writes it. */
export function shownName(name: string): string {
  const quoted = printableJson(name);
  return quoted === `"${name}"` ? name : quoted;
}
