import { setTimeout as wait } from 'node:timers/promises';
import { CouncilError } from '../base/errors.ts';
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
export async function applyChange(
  key: string,
  change: Change,
  look: () => Base,
  commit: (text: string, expected: number) => number,
): Promise<Updated> {
  for (let attempt = 1; attempt <= MOST_CONFLICTS; attempt++) {
    const { live, revision } = look();
    const text = await change(live, revision + 1);
    if (text === undefined) return { revision, committed: false };
    try {
      return { revision: commit(text, revision), committed: true };
    } catch (error) {
      if (!(error instanceof CouncilError && error.code === 'conflict')) throw error;
    }
    await wait(Math.random() * Math.min(attempt, LONGEST_WAIT_MS));
  }
  throw new CouncilError('conflict', `"${key}" was changed by others ${MOST_CONFLICTS} times in a row.`, {
    hint: 'Run the same command again in a moment.',
  });
}
