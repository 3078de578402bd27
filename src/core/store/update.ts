// What every driver of documents does alike.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { CouncilError } from '../base/errors.ts';
import { MAX_DOCUMENT_BYTES, encodeUtf8 } from '../base/text.ts';
import type { Change, Stored, Updated } from './documents.ts';

/** Where a change starts: the live document, and the number that the next revision follows. */
interface Base {
  live: Stored | undefined;
  revision: number;
}

const MOST_CONFLICTS = 40;
const LONGEST_WAIT_MS = 20;

/**
 * Reads, changes and commits until it holds; `look` and `commit` are the store's own. The waits between two attempts are
 * random, so that two writers do not meet for ever. Throws `conflict` after 40 of them.
 */
export const applyChange = (
  key: string,
  change: Change,
  look: () => Base | Promise<Base>,
  commit: (text: string, expected: number) => number | Promise<number>,
): Promise<Updated> =>
  untilItHolds(key, async () => {
    const { live, revision } = await look();
    const text = await change(live, revision + 1);
    if (text === undefined) return { revision, committed: false };
    return { revision: await commit(text, revision), committed: true };
  });

/** Attempts a change until no `conflict` stops it. Throws `conflict` after 40 of them. */
export async function untilItHolds<T>(key: string, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; count <= MOST_CONFLICTS; count++) {
    // What has happened already is heard before the look: other changes that are ready may come along.
    await nextTurn();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CouncilError && error.code === 'conflict')) throw error;
    }
    await wait(Math.random() * Math.min(count, LONGEST_WAIT_MS));
  }
  throw new CouncilError('conflict', `"${key}" was changed by others ${MOST_CONFLICTS} times in a row.`, {
    hint: 'Run the same command again in a moment.',
  });
}

/** A document's bytes. Throws what `sizeOfText` throws. */
export function toBytes(key: string, text: string): Buffer {
  requireText(key, text);
  const bytes = encodeUtf8(text);
  if (!bytes) throw halfPair(key);
  requireSize(key, bytes.length);
  return bytes;
}

/** How many bytes a document has. Throws `empty_text` (an empty version would be a tombstone), `invalid_text` and `too_large`. */
export function sizeOfText(key: string, text: string): number {
  requireText(key, text);
  if (!text.isWellFormed()) throw halfPair(key);
  const bytes = Buffer.byteLength(text);
  requireSize(key, bytes);
  return bytes;
}

function requireText(key: string, text: string): void {
  if (text === '')
    throw new CouncilError('empty_text', `The text of "${key}" is empty.`, {
      hint: 'Remove the document instead.',
    });
}

const halfPair = (key: string): CouncilError =>
  new CouncilError('invalid_text', `The text of "${key}" contains half of a surrogate pair.`, {
    hint: 'Send whole Unicode characters.',
  });

function requireSize(key: string, bytes: number): void {
  if (bytes <= MAX_DOCUMENT_BYTES) return;
  throw new CouncilError(
    'too_large',
    `"${key}" would have ${bytes} bytes; the limit is ${MAX_DOCUMENT_BYTES} (18 MiB).`,
    {
      hint: 'Close the phase or archive this council, and go on in a new one.',
    },
  );
}
