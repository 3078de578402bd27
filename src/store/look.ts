import { CouncilError } from '../base/errors.ts';
import { readBytes, readInto, sizeOf } from './disk.ts';
import { importHistory, repairHead } from './recover.ts';
import type { Shelf } from './shelf.ts';
import { claimedRevision, isSound, toText } from './stamped.ts';
import type { Head } from './versions.ts';
import { findHead, readHead } from './versions.ts';

/** What stands for a key: its newest revision, and what the state file shows. */
export interface Look {
  head: Head;
  /** The head's text; undefined after a removal and for a key that never existed. */
  text: string | undefined;
  shown: Buffer | undefined;
}

/** Mending needs two rounds; more only when others commit in between. */
const MOST_ROUNDS = 20;

/**
 * The head in the common case, at the least cost: the state file names its revision, shows just that version, and no
 * newer one is there. Undefined says nothing: look properly.
 */
export function glance(shelf: Shelf, key: string): { text: string; revision: number } | undefined {
  scratch ??= [Buffer.allocUnsafeSlow(SMALL_BYTES), Buffer.allocUnsafeSlow(SMALL_BYTES)];
  const [shown, version] = scratch;
  const length = readInto(shown, shelf.projection(key));
  const revision = length === undefined ? 0 : claimedRevision(shown);
  if (length === undefined || revision === 0) return undefined;
  const isShown =
    readInto(version, shelf.version(key, revision)) === length &&
    version.compare(shown, 0, length, 0, length) === 0;
  if (!isShown || sizeOf(shelf.version(key, revision + 1)) !== undefined) return undefined;
  const text = toText(version.subarray(0, length));
  return text === undefined ? undefined : { text, revision };
}

/** Nearly every state file is smaller. */
const SMALL_BYTES = 2 * 1024 * 1024;
let scratch: [Buffer, Buffer] | undefined;

/**
 * Reads the head, after importing or repairing what needs it. A head that equals the state file byte for byte is
 * believed, unless `verify` asks for its stamp. Throws `hand_edit`, `corrupt`, `io`.
 */
export function lookAt(shelf: Shelf, key: string, { verify }: { verify: boolean }): Look {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const shown = readBytes(shelf.projection(key));
    const head = readHead(shelf, key, claimedRevision(shown));
    if (head.revision === 0 && shown) {
      importHistory(shelf, key, shown);
      continue;
    }
    if (head.bytes.length === 0) return { head, text: undefined, shown };
    const text = toText(head.bytes);
    const believed = !verify && text !== undefined && shown?.equals(head.bytes) === true;
    if (believed || isSound(shelf, text, head.revision)) return { head, text, shown };
    repairUnlessOvertaken(shelf, key, head, shown);
  }
  throw new CouncilError(
    'conflict',
    `"${key}" could not be read: it was repaired ${MOST_ROUNDS} times and is not sound yet.`,
    {
      hint: 'Run the same command again, and check the disk.',
    },
  );
}

function repairUnlessOvertaken(shelf: Shelf, key: string, head: Head, shown: Buffer | undefined): void {
  try {
    repairHead(shelf, key, head, shown);
  } catch (error) {
    if (!(error instanceof CouncilError && error.code === 'conflict')) throw error;
  }
}

/** The newest revision and its size, looked for from `hint` on, after importing a state file that has no history yet. Throws like `lookAt`. */
export function importedHead(shelf: Shelf, key: string, hint = 0): { revision: number; size: number } {
  const found = findHead(shelf, key, hint);
  if (found.revision > 0) return found;
  const { head } = lookAt(shelf, key, { verify: false });
  return { revision: head.revision, size: head.bytes.length };
}
