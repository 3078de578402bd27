// File driver: brings the state file in line with the newest revision.
import { basename, join } from 'node:path';
import { getCrypto } from '../../base/ids.ts';
import { discard, fsyncDir, linkNew, replacePath } from '../local/disk.ts';
import { readBytes } from '../local/read.ts';
import type { Layout } from './layout.ts';
import type { Stamp } from '../documents.ts';
import type { Head } from './versions.ts';
import { readClaimedRevision, readStampOfBytes } from './stamps.ts';
import { readState, removeState, resolveStateFile } from './layout.ts';
import { readNewerHead, readVersionStamp } from './versions.ts';
import { isKept, KEPT_VERSIONS } from '../documents.ts';

/**
 * A state file compared with the head: the head itself; an older text of this history; an intact text that
 * was never in this history (another clone's); a hand edit (or anything else that the engine did not write);
 * empty, which is damage and no edit, if there is a text to restore; or missing.
 */
type Kind = 'same' | 'stale' | 'diverged' | 'edited' | 'emptied' | 'missing';

/** Classifies a state file, cheapest evidence first. */
export function judgeProjection(layout: Layout, key: string, shown: Buffer | undefined, head: Head): Kind {
  if (!shown) return head.revision === 0 || head.removed ? 'same' : 'missing';
  if (shown.length === 0) return head.revision === 0 || head.removed ? 'edited' : 'emptied';
  if (!head.removed && shown.equals(head.bytes)) return 'same';
  const claimed = readClaimedRevision(shown);
  if (claimed > 0 && claimed <= head.revision && isVersion(layout, key, claimed, shown)) return 'stale';
  const stamp = readStampOfBytes(layout, shown);
  if (!stamp?.intact || stamp.revision > head.revision || !isKnownId(layout, key, stamp.id, head))
    return 'edited';
  const own = readBytes(layout.version(key, stamp.revision));
  // Only pruned revisions cannot be compared any more; a tombstone never had a state file.
  const pruned = own?.length === 0 && !isKept(stamp.revision, head.revision, head.bytes.length);
  return pruned || own?.equals(shown) ? 'stale' : 'diverged';
}

function isVersion(layout: Layout, key: string, revision: number, bytes: Buffer): boolean {
  const path = layout.version(key, revision);
  // Versions never change, so one that was read or written a moment ago need not be read again.
  const version = layout.recent?.path === path ? layout.recent.bytes : readBytes(path);
  return version !== undefined && version.length > 0 && version.equals(bytes);
}

function isKnownId(layout: Layout, key: string, id: string, head: Head): boolean {
  if (readStampOfBytes(layout, head.bytes)?.id === id) return true;
  for (
    let revision = head.revision - 1;
    revision > 0 && revision > head.revision - KEPT_VERSIONS;
    revision--
  ) {
    const bytes = readBytes(layout.version(key, revision));
    if (bytes && bytes.length > 0 && readStampOfBytes(layout, bytes)?.id === id) return true;
  }
  return false;
}

/**
 * Makes the state file a copy of the head, repeatedly until it shows the current head; a tombstone deletes
 * it. `ready` is a temp file with the bytes of `head`, which is consumed. A hand edit is left alone, unless
 * `evict` is set: then it is kept under `.edits/` first. Returns where the replaced file was kept. Throws
 * `io`.
 */
export function projectHead(
  layout: Layout,
  key: string,
  head: Head,
  { ready, evict = false }: { ready?: string; evict?: boolean } = {},
): string | undefined {
  const path = layout.projection(key);
  let temp = ready;
  let kept: string | undefined;
  try {
    for (let known = head; ;) {
      // Read before finding the head: a state file newer than the head would look like a hand edit.
      const shown = readState(layout, key);
      const target = readNewerHead(layout, key, known);
      if (target !== head) temp = discardTempFile(temp);
      // Another process's revision, already damaged: the next look repairs it, perhaps from this state file.
      if (target !== head && !target.removed && !readVersionStamp(layout, key, target)) return kept;
      const kind = judgeProjection(layout, key, shown, target);
      if (kind === 'edited' && !evict) {
        layout.warn(describeEdit(layout, key, shown && readStampOfBytes(layout, shown), target));
        return kept;
      }
      if (kind === 'edited' || kind === 'diverged') kept = preserveStateFile(layout, key, target.revision);
      if (kind !== 'same' && target.removed) removeState(layout, key);
      else if (kind !== 'same') {
        temp ??= layout.temps.write(target.bytes);
        replacePath(temp, resolveStateFile(layout, key));
        temp = undefined;
        if (kind === 'emptied')
          layout.warn(`${path} was found empty and was put back from revision ${target.revision}.`);
      }
      known = readNewerHead(layout, key, target);
      if (known === target) return kept;
    }
  } finally {
    discardTempFile(temp);
  }
}

function discardTempFile(temp: string | undefined): undefined {
  if (temp !== undefined) discard(temp);
}

/** Warning of every command about a state file that is not a copy of the head, and is left alone. */
function describeEdit(layout: Layout, key: string, stamp: Stamp | undefined, head: Head): string {
  const path = layout.projection(key);
  if (head.removed) return formatStrayWarning(key, path);
  if (!stamp) return formatUnreadableWarning(key, path);
  const isAhead = stamp.intact && stamp.revision > head.revision;
  return isAhead
    ? formatAheadWarning(key, path, stamp.revision, head.revision)
    : formatEditWarning(key, path);
}

/** Versions were deleted or restored from an old backup, or the file is another clone's. */
const formatAheadWarning = (key: string, path: string, shown: number, here: number): string =>
  `${path} shows revision ${shown}, and the newest one in the history here is ${here}: newer versions are missing. ` +
  `Go on from the state file with "council adopt --name ${key}", or from revision ${here} with "council restore --name ${key}".`;

/** Warning of every command about a state file that a person has changed. */
const formatEditWarning = (key: string, path: string): string =>
  `${path} was changed by hand, so council no longer updates it. ` +
  `Keep the change with "council adopt --name ${key}", or drop it with "council restore --name ${key}".`;

/** The same if nothing of it can be adopted. */
const formatUnreadableWarning = (key: string, path: string): string =>
  `${path} was changed by hand and holds no state block that can be read, so council no longer updates it. ` +
  `Put it back as council wrote it with "council restore --name ${key}", which keeps a copy.`;

/** Warning of every command about a file at the place of an archived council. */
const formatStrayWarning = (key: string, path: string): string =>
  `${path} stands where no council is active ("${key}" was archived), and council did not write it: it is left alone. ` +
  `Move it away: mv ${path} ${path}.old`;

/** Gives the current state file a second name under `.edits/`, and reports it. Returns that path. */
function preserveStateFile(layout: Layout, key: string, revision: number): string {
  const path = layout.projection(key);
  layout.makeFolder(layout.edits);
  const kept = join(
    layout.edits,
    `${basename(path, '.md')}-${revision}-${getCrypto().randomBytes(4).toString('hex')}.md`,
  );
  if (!linkNew(resolveStateFile(layout, key), kept)) return preserveStateFile(layout, key, revision);
  fsyncDir(layout.edits);
  layout.warn(`The changed ${path} was kept as ${kept}.`);
  return kept;
}
