// File driver: checks the stamps and hashes of document texts, and of tombstones, which end a document.
import { isUtf8 } from 'node:buffer';
import { CouncilError } from '../../base/errors.ts';
import type { Content, Layout } from './layout.ts';
import type { Stamp } from '../documents.ts';
import { toUnknownRecord, tryParseJson } from '../../base/text.ts';
import { sha256 } from '../../base/ids.ts';

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

/** What ends a document: the revision, the name, and the document that was ended. */
interface Tombstone {
  key: string;
  revision: number;
  /** The identity of the document that was ended; null when its text could not be read. */
  id: string | null;
}

/** No tombstone is larger, so a larger version is none without a look at its bytes. */
export const TOMBSTONE_BYTES = 512;
const PLAIN_ID = /^[\w-]{1,64}$/;

/**
 * The bytes of a tombstone: one line that carries its own hash. An empty file would do as well, if only disks and people
 * never left files empty that had been something else.
 */
export function tombstone({ key, revision, id }: Tombstone): Buffer {
  const conversationId = id !== null && PLAIN_ID.test(id) ? id : null;
  const facts = { tombstone: 1, key, revision, conversationId };
  return Buffer.from(`${JSON.stringify({ ...facts, sha256: sha256(JSON.stringify(facts)) })}\n`);
}

/** The tombstone in a version's bytes; undefined unless they are exactly what the engine wrote for this key and revision. */
export function readTombstone(bytes: Buffer, key: string, revision: number): Tombstone | undefined {
  if (bytes.length === 0 || bytes.length > TOMBSTONE_BYTES) return undefined;
  const id = parseTombstoneLine(bytes.toString('utf8'));
  return id !== undefined && bytes.equals(tombstone({ key, revision, id }))
    ? { key, revision, id }
    : undefined;
}

function parseTombstoneLine(line: string): string | null | undefined {
  const { conversationId } = toUnknownRecord(tryParseJson(line));
  return conversationId === null || typeof conversationId === 'string' ? conversationId : undefined;
}
