// File driver: tombstones, which end a document.
import { toUnknownRecord } from '../../base/unknown-record.ts';
import { sha256 } from '../../base/ids.ts';
import { parseJsonSafely } from '../../base/text.ts';

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
  try {
    const { conversationId } = toUnknownRecord(parseJsonSafely(line));
    return conversationId === null || typeof conversationId === 'string' ? conversationId : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
