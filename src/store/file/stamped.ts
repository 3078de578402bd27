// File driver: checks the stamps and hashes of document texts.
import { isUtf8 } from 'node:buffer';
import { CouncilError } from '../../base/errors.ts';
import type { Layout } from './layout.ts';
import type { Stamp } from '../documents.ts';

/** Where a state file names its revision, near its start. */
const REVISION = /"revision"\s*:\s*(\d{1,9})\b/;
export const STAMP_BYTES = 400;

/** Bytes as text; undefined when they are not UTF-8. */
export function toText(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** The stamp of a file's bytes, undefined when it has none that can be read. */
export function stampOf(layout: Layout, bytes: Buffer): Stamp | undefined {
  const text = toText(bytes);
  return text === undefined ? undefined : layout.readStamp(text);
}

/** The stamp of a text that is exactly what the engine wrote as that revision. */
export function soundStamp(layout: Layout, text: string | undefined, revision: number): Stamp | undefined {
  const stamp = text === undefined ? undefined : layout.readStamp(text);
  return stamp?.intact && stamp.revision === revision ? stamp : undefined;
}

/** Refuses a text whose stamp does not fit: once committed it would pass for damaged, and be undone. */
export function requireStamped(layout: Layout, key: string, text: string, revision: number): void {
  const stamp = layout.readStamp(text);
  if (stamp?.intact && stamp.revision === revision) return;
  const found = stamp ? `revision ${stamp.revision}${stamp.intact ? '' : ', hash wrong'}` : 'none';
  throw new CouncilError(
    'corrupt',
    `The text for revision ${revision} of "${key}" does not carry the stamp of that revision (found: ${found}).`,
    {
      hint: 'Nothing was written. This is a fault of the program: please report it.',
    },
  );
}

/** The revision that a state file says it has, unchecked; 0 when it says none. Good enough to start a search at. */
export function claimedRevision(bytes: Buffer | undefined): number {
  return Number(REVISION.exec(bytes?.toString('latin1', 0, STAMP_BYTES) ?? '')?.[1] ?? 0);
}
