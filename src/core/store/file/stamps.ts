// File driver: checks the stamps and hashes of document texts, and of tombstones.
import { isUtf8 } from 'node:buffer';
import { CouncilError } from '../../base/errors.ts';
import type { Content, Layout } from './layout.ts';
import type { Stamp } from '../documents.ts';
import { toUnknownRecord, tryParseJson } from '../../base/text.ts';
import { sha256 } from '../../base/ids.ts';

/** Matches the revision of a state file, near its start. */
const REVISION = /"revision"\s*:\s*(\d{1,9})\b/;
export const STAMP_BYTES = 400;

/** Decodes bytes; undefined if they are not UTF-8. */
export function toText(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/**
 * Parses bytes, caching the last result. Within one process many reads of the same revision follow each
 * other, mostly of one it has written: comparing the bytes takes a tenth of the time for parsing and hashing.
 */
export function parseContentCached(layout: Layout, bytes: Buffer): Content {
  if (layout.content?.bytes.equals(bytes)) return layout.content;
  const text = toText(bytes);
  const stamp = text === undefined ? undefined : layout.readStamp(text, bytes);
  // A copy, because the buffer may be reused for the next file.
  return (layout.content = { bytes: Buffer.from(bytes), text, stamp });
}

/** Returns the stamp of a file's bytes; undefined if there is none that can be read. */
export const readStampOfBytes = (layout: Layout, bytes: Buffer): Stamp | undefined =>
  parseContentCached(layout, bytes).stamp;

/** Returns the stamp of bytes that are exactly what the engine wrote as that revision. */
export function readSoundStamp(layout: Layout, bytes: Buffer, revision: number): Stamp | undefined {
  const stamp = readStampOfBytes(layout, bytes);
  return stamp?.intact && stamp.revision === revision ? stamp : undefined;
}

/** Refuses a text with a wrong stamp: once committed, it would look damaged and be reverted. */
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

/** Returns the revision that a state file claims, unchecked; 0 if none. Good enough as the start of a search. */
export function readClaimedRevision(bytes: Buffer | undefined): number {
  return Number(REVISION.exec(bytes?.toString('latin1', 0, STAMP_BYTES) ?? '')?.[1] ?? 0);
}

/** The end of a document: revision, name and identity. */
interface Tombstone {
  key: string;
  revision: number;
  /** The identity of the ended document; null if its text could not be read. */
  id: string | null;
}

/** Maximum size of a tombstone: a larger version need not be read to rule it out. */
export const TOMBSTONE_BYTES = 512;
const PLAIN_ID = /^[\w-]{1,64}$/;

/** Formats a tombstone as one line with its own hash; an empty file could also come from a damaged disk. */
export function renderTombstone({ key, revision, id }: Tombstone): Buffer {
  const conversationId = id !== null && PLAIN_ID.test(id) ? id : null;
  const facts = { tombstone: 1, key, revision, conversationId };
  return Buffer.from(`${JSON.stringify({ ...facts, sha256: sha256(JSON.stringify(facts)) })}\n`);
}

/**
 * Returns the tombstone in a version's bytes; undefined unless they are exactly what the engine wrote for
 * this key and revision.
 */
export function readTombstone(bytes: Buffer, key: string, revision: number): Tombstone | undefined {
  if (bytes.length === 0 || bytes.length > TOMBSTONE_BYTES) return undefined;
  const id = parseTombstoneLine(bytes.toString('utf8'));
  return id !== undefined && bytes.equals(renderTombstone({ key, revision, id }))
    ? { key, revision, id }
    : undefined;
}

function parseTombstoneLine(line: string): string | null | undefined {
  const { conversationId } = toUnknownRecord(tryParseJson(line));
  return conversationId === null || typeof conversationId === 'string' ? conversationId : undefined;
}
