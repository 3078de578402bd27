// What all drivers of documents have in common.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { CouncilError } from '../base/errors.ts';
import { MAX_DOCUMENT_BYTES, encodeUtf8 } from '../base/text.ts';
import type { Change, Stored, Updated } from './documents.ts';

/** The base of a change: the live document, and the current revision number. */
interface UpdateBase {
  live: Stored | undefined;
  revision: number;
}

const MOST_CONFLICTS = 40;
const LONGEST_WAIT_MS = 20;

/**
 * Reads, changes and commits until it succeeds; `look` and `commit` are the store's own. Waits randomly
 * between attempts, so that two writers do not collide forever. Throws `conflict` after 40 attempts.
 */
export const applyChange = (
  key: string,
  change: Change,
  look: () => UpdateBase | Promise<UpdateBase>,
  commit: (text: string, expected: number) => number | Promise<number>,
): Promise<Updated> =>
  retryConflicts(key, async () => {
    const { live, revision } = await look();
    const text = await change(live, revision + 1);
    if (text === undefined) return { revision, committed: false };
    return { revision: await commit(text, revision), committed: true };
  });

/** Repeats an attempt until there is no `conflict`. Throws `conflict` after 40 attempts. */
export async function retryConflicts<T>(key: string, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; count <= MOST_CONFLICTS; count++) {
    // Handles pending events before reading: other changes that are ready may be included.
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

/**
 * Encodes a document. Throws `empty_text` (an empty version would be a tombstone), `invalid_text` and
 * `too_large`.
 */
export function toBytes(key: string, text: string): Buffer {
  if (text === '')
    throw new CouncilError('empty_text', `The text of "${key}" is empty.`, {
      hint: 'Remove the document instead.',
    });
  const bytes = encodeUtf8(text);
  if (!bytes)
    throw new CouncilError('invalid_text', `The text of "${key}" contains half of a surrogate pair.`, {
      hint: 'Send whole Unicode characters.',
    });
  if (bytes.length > MAX_DOCUMENT_BYTES)
    throw new CouncilError(
      'too_large',
      `"${key}" would have ${bytes.length} bytes; the limit is ${MAX_DOCUMENT_BYTES} (18 MiB).`,
      { hint: 'Close the phase or archive this council, and go on in a new one.' },
    );
  return bytes;
}
