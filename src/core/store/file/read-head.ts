// File driver: reads the newest revision of a document.
import { CouncilError, ignoreRefusal } from '../../base/errors.ts';
import { requireOwnPlace } from './misplaced.ts';
import { fillBuffer, readStart, measureFileSize } from '../local/read.ts';
import { importHistory, putBackLost, repairHead } from './recover.ts';
import type { Layout } from './layout.ts';
import {
  readClaimedRevision,
  parseContentCached,
  readSoundStamp,
  STAMP_BYTES,
  TOMBSTONE_BYTES,
} from './stamps.ts';
import { readState, resolveStateFile } from './layout.ts';
import type { Head } from './versions.ts';
import { closeGaps, findHead, readHead, readVersionStamp } from './versions.ts';

/** The newest revision of a key, and the content of its state file. */
export interface KeyState {
  head: Head;
  /** The head's text; undefined after a removal and for a key that never existed. */
  text: string | undefined;
  shown: Buffer | undefined;
}

/** Repairs need two rounds; more only if others commit in between. */
const MOST_ROUNDS = 20;

/**
 * Fast path for the common case: the state file names its revision and equals that version, and no newer one
 * exists. Undefined means unknown, not missing: use `readRepairedHead`.
 */
export function tryReadHead(layout: Layout, key: string): { text: string; revision: number } | undefined {
  const seen = readShownHead(layout, key);
  if (!seen) return undefined;
  const { bytes, revision } = seen;
  const stamp = readSoundStamp(layout, bytes, revision);
  const { text } = parseContentCached(layout, bytes);
  // Both files may be damaged the same way, and a copied history is as readable as its original.
  return text === undefined || !stamp || (stamp.name ?? key) !== key ? undefined : { text, revision };
}

/** Returns the newest version if the state file equals it, unchecked; its bytes are valid until the next call. */
export function readShownHead(layout: Layout, key: string): { bytes: Buffer; revision: number } | undefined {
  scratch ??= [Buffer.allocUnsafeSlow(SMALL_BYTES), Buffer.allocUnsafeSlow(SMALL_BYTES)];
  const [shown, version] = scratch;
  const length = fillBuffer(shown, resolveStateFile(layout, key));
  const revision = length === undefined ? 0 : readClaimedRevision(shown);
  if (length === undefined || revision === 0) return undefined;
  const isShown =
    fillBuffer(version, layout.version(key, revision)) === length &&
    version.compare(shown, 0, length, 0, length) === 0;
  if (!isShown || measureFileSize(layout.version(key, revision + 1)) !== undefined) return undefined;
  return { bytes: version.subarray(0, length), revision };
}

/** Nearly all state files are smaller. */
const SMALL_BYTES = 2 * 1024 * 1024;
let scratch: [Buffer, Buffer] | undefined;

/** Reads the head, after importing or repairing it if needed. Throws `hand_edit`, `corrupt`, `io`. */
export function readRepairedHead(layout: Layout, key: string): KeyState {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // Read before finding the head: in the other order a state file could be newer without any loss.
    const shown = readState(layout, key);
    const found = readHead(layout, key, readClaimedRevision(shown));
    const head = shown?.equals(found.bytes) ? found : checkForGaps(layout, key, found);
    if (head.revision === 0 && shown) {
      importHistory(layout, key, shown);
      continue;
    }
    if (shown && putBackLost(layout, key, head, shown)) continue;
    if (head.revision === 0 || head.removed) return { head, text: undefined, shown };
    const stamp = readVersionStamp(layout, key, head);
    if (stamp) {
      requireOwnPlace(layout, key, stamp);
      return { head, text: parseContentCached(layout, head.bytes).text, shown };
    }
    // Another process may repair it first.
    ignoreRefusal(() => repairHead(layout, key, head, shown), 'conflict');
  }
  throw new CouncilError(
    'conflict',
    `"${key}" could not be read: it was repaired ${MOST_ROUNDS} times and is not sound yet.`,
    {
      hint: 'Run the same command again, and check the disk.',
    },
  );
}

/** Without a state file for the newest revision, checks once per process for gaps; later ones were all seen. */
function checkForGaps(layout: Layout, key: string, found: Head): Head {
  if (layout.checked.has(key) && !layout.isShown(found.bytes)) return found;
  layout.checked.add(key);
  return closeGaps(layout, key, found);
}

/**
 * Returns the newest revision, after importing a state file without a history; `live`: not a tombstone,
 * though it may be damaged. Throws like `readRepairedHead`.
 */
export function readImportedHead(layout: Layout, key: string): { revision: number; live: boolean } {
  // The state file's revision leads to the head in two steps; searching takes many.
  const start = layout.seen.has(key) ? undefined : readStart(resolveStateFile(layout, key), STAMP_BYTES);
  const found = findHead(layout, key, readClaimedRevision(start));
  if (found.revision > 0 && found.size > TOMBSTONE_BYTES) return { revision: found.revision, live: true };
  const head = closeGaps(layout, key, readHead(layout, key, found.revision));
  if (head.revision > 0) return { revision: head.revision, live: !head.removed };
  const imported = readRepairedHead(layout, key);
  return { revision: imported.head.revision, live: imported.text !== undefined };
}
