// File driver: checks the stamps and hashes of document texts.
import { isUtf8 } from 'node:buffer';
import { CouncilError } from '../../base/errors.ts';
import type { Content, Layout } from './layout.ts';
import type { Stamp } from '../documents.ts';

/** Where a state file names its revision, near its start. */
const REVISION = /"revision"\s*:\s*(\d{1,9})\b/;
export const STAMP_BYTES = 400;

/** Bytes as text; undefined when they are not UTF-8. */
export function toText(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/**
 * What bytes say. Within one process many look at the same revision in a row, mostly one that it has written: that these are
 * the bytes of the last time is told in a tenth of the time that reading and hashing them takes.
 */
export function parseContentCached(layout: Layout, bytes: Buffer): Content {
  if (layout.content?.bytes.equals(bytes)) return layout.content;
  const text = toText(bytes);
  const stamp = text === undefined ? undefined : layout.readStamp(text, bytes);
  // A copy: the bytes may lie where the next file is read to.
  return (layout.content = { bytes: Buffer.from(bytes), text, stamp });
}

/** The stamp of a file's bytes, undefined when it has none that can be read. */
export const readStampOfBytes = (layout: Layout, bytes: Buffer): Stamp | undefined =>
  parseContentCached(layout, bytes).stamp;

/** The stamp of bytes that are exactly what the engine wrote as that revision. */
export function soundStamp(layout: Layout, bytes: Buffer, revision: number): Stamp | undefined {
  const stamp = readStampOfBytes(layout, bytes);
  return stamp?.intact && stamp.revision === revision ? stamp : undefined;
}

/** Refuses a text whose stamp does not fit: once committed it would pass for damaged, and be undone. */
export function requireStamped(
  layout: Layout,
  key: string,
  { bytes, text }: { bytes: Buffer; text: string },
  revision: number,
): void {
  const stamp = layout.readStamp(text, bytes);
  if (stamp?.intact && stamp.revision === revision) {
    layout.content = { bytes, text, stamp };
    return;
  }
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
