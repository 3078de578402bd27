// PostgreSQL driver: documents as rows, with a history of versions.
import { CouncilError } from '../../core/base/errors.ts';
import { requireId, sha256 } from '../../core/base/ids.ts';
import { runInSpan } from '../../core/base/trace.ts';
import { isKept, isThinned, KEPT_VERSIONS } from '../../core/store/documents.ts';
import type { Change, Documents, Stored, Updated } from '../../core/store/documents.ts';
import { retryConflicts } from '../../core/store/update.ts';
import { commitAlone, sendRevision, createRevision, settleFailedCommit } from './commit.ts';
import { SOON, TIME } from './database.ts';
import { asStoreError, classifyDatabaseError } from './failures.ts';
import type { RevisionDraft, Room } from './commit.ts';

/** Old texts are pruned once in this many commits; those of a large document at every commit. */
const PRUNED_EVERY = 10;
/** Once in this many commits, pruning also covers what killed processes left. */
const SWEPT_EVERY = 100;

/** Documents of a room. `watch` is the room's own: see hints.ts. */
export function createPostgresDocuments(room: Room, watch: Documents['watch']): Documents {
  const { database } = room;
  const [heads, versions] = [database.name('heads'), database.name('versions')];
  return {
    async read(key) {
      const [row] = await database.read<HeadRow>(
        `SELECT h.revision, v.text, v.hash, ${TIME} FROM ${heads} h JOIN ${versions} v USING (project, key, revision)
WHERE h.project = $1 AND h.key = $2 AND h.live`,
        [room.name, requireDocumentKey(key)],
      );
      return row && verifyHeadRow(key, row);
    },
    async revision(key) {
      const [row] = await database.read<{ revision: number }>(
        `SELECT revision, ${TIME} FROM ${heads} WHERE project = $1 AND key = $2`,
        [room.name, requireDocumentKey(key)],
      );
      return row?.revision ?? 0;
    },
    // Async, so that an invalid key rejects as in every other driver instead of throwing.
    commit: async (key, text, expected) => commit(room, requireDocumentKey(key), text, expected),
    async list(prefix = '') {
      const rows = await database.read<{ key: string }>(
        `SELECT key FROM ${heads} WHERE project = $1 AND live AND starts_with(key, $2) ORDER BY key`,
        [room.name, prefix],
      );
      return rows.map(({ key }) => key);
    },
    watch,
    async versions(key) {
      const rows = await database.read<{ revision: number; at: Date; bytes: number }>(
        `SELECT v.revision, v.at, coalesce(octet_length(v.text), 0) AS bytes
FROM ${heads} h JOIN ${versions} v USING (project, key)
WHERE h.project = $1 AND h.key = $2 AND v.revision <= h.revision ORDER BY v.revision`,
        [room.name, requireDocumentKey(key)],
      );
      const newest = rows.at(-1) ?? { revision: 0, bytes: 0 };
      // Revisions that are due for pruning count as gone.
      return rows.map(({ revision, at, bytes }) => ({
        revision,
        at: at.toISOString(),
        bytes: isKept(revision, newest.revision, newest.bytes) ? bytes : 0,
      }));
    },
    readVersion: async (key, revision) => readVersion(room, requireDocumentKey(key), revision),
    remove: async (key, expected) => commit(room, requireDocumentKey(key), null, expected),
    update: async (key, change) =>
      runInSpan('council.commit', { 'council.document': requireDocumentKey(key) }, async (tell) => {
        const updated = await update(room, key, change);
        tell({ 'council.revision': updated.revision, 'council.committed': updated.committed });
        return updated;
      }),
  };
}

interface HeadRow {
  revision: number;
  text: string | null;
  hash: string;
}

const requireDocumentKey = (key: string): string => requireId(key, 'council name');

/** Returns the text with its revision. Throws `corrupt` if it differs from what was committed. */
function verifyHeadRow(key: string, { revision, text, hash }: HeadRow): Stored {
  if (text !== null && sha256(text) === hash) return { text, revision };
  throw new CouncilError('corrupt', `Revision ${revision} of "${key}" is damaged in the database.`, {
    hint: `See what else is kept: council history --name ${key}. Then: council restore REVISION --name ${key}`,
  });
}

async function readVersion(room: Room, key: string, revision: number): Promise<string | undefined> {
  if (!Number.isSafeInteger(revision) || revision < 1 || revision > 2 ** 31 - 1) return undefined;
  const { database } = room;
  const [row] = await database.read<HeadRow & { newest: number; bytes: number | null }>(
    `SELECT v.revision, v.text, v.hash, h.revision AS newest, octet_length(n.text) AS bytes
FROM ${database.name('heads')} h JOIN ${database.name('versions')} v USING (project, key)
JOIN ${database.name('versions')} n ON n.project = h.project AND n.key = h.key AND n.revision = h.revision
WHERE h.project = $1 AND h.key = $2 AND v.revision = $3 AND v.revision <= h.revision AND v.text IS NOT NULL`,
    [room.name, key, revision],
  );
  return row && isKept(revision, row.newest, row.bytes ?? 0) ? verifyHeadRow(key, row).text : undefined;
}

async function commit(room: Room, key: string, text: string | null, expected: number): Promise<number> {
  requireOutside(room, key);
  const wanted = createRevision(key, text, expected);
  if (text === null && expected === 0) throw createMissingKeyError(key);
  return acknowledgeRevision(room, wanted, await commitAlone(room, wanted)).revision;
}

const createMissingKeyError = (key: string): CouncilError =>
  new CouncilError('conflict', `There is no "${key}" to remove.`, { hint: 'Run the same command again.' });

async function update(room: Room, key: string, change: Change): Promise<Updated> {
  requireOutside(room, key);
  return retryConflicts(key, () => attempt(room, key, change));
}

/** A commit in the middle of another change would wait for its lock forever. */
function requireOutside({ database }: Room, key: string): void {
  if (database.isInside()) throw new Error(`"${key}" is written to in the middle of a change`);
}

/** Locks, reads, changes and commits. A connection lost before the commit has changed nothing, and is retried. */
async function attempt(room: Room, key: string, change: Change): Promise<Updated> {
  const { database } = room;
  const under: { way?: RevisionDraft; thrown?: unknown } = {};
  try {
    const revision = await database.transaction(
      buildHeadLock(room, key),
      async ([head]: LockedHead[], commit) => {
        const newest = head?.revision ?? 0;
        const live = head?.live ? verifyHeadRow(key, head) : undefined;
        const text = await runChange(under, () => change(live, newest + 1));
        if (text === undefined) return newest;
        under.way = createRevision(key, text, newest);
        return sendRevision(room, under.way, commit);
      },
    );
    // Outside the transaction, so that listeners see the committed state.
    return under.way ? acknowledgeRevision(room, under.way, revision) : { revision, committed: false };
  } catch (error) {
    if ('thrown' in under) throw under.thrown;
    if (under.way)
      return acknowledgeRevision(room, under.way, await settleFailedCommit(room, under.way, error));
    const told = asStoreError(error, database.place.displayName);
    if (classifyDatabaseError(error) !== 'lost' || told.details.system === 'ECONNREFUSED') throw told;
    throw new CouncilError('conflict', told.message, { hint: told.hint, cause: told });
  }
}

/** An error thrown by the change is the caller's, not the server's. */
async function runChange<T>(under: { thrown?: unknown }, change: () => T | Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    under.thrown = error;
    throw error;
  }
}

interface LockedHead extends HeadRow {
  live: boolean;
}

/** Returns a statement that locks a head and reads it with its text. Both names are plain and need no escaping. */
const buildHeadLock = ({ database, name }: Room, key: string): string =>
  `SELECT *, ${TIME} FROM ${database.name('locked_head')}('${name}', '${key}')`;

function acknowledgeRevision(room: Room, { key, bytes }: RevisionDraft, revision: number): Updated {
  room.onCommit(key, revision);
  const isDue = isThinned(bytes) || (revision > KEPT_VERSIONS && revision % PRUNED_EVERY === 0);
  if (isDue) void pruneVersions(room, key, revision, bytes).catch(() => undefined);
  return { revision, committed: true };
}

/** Prunes in a separate statement, so that no commit is slowed down. What is missed now is pruned later. */
async function pruneVersions(
  { database, name }: Room,
  key: string,
  newest: number,
  bytes: number,
): Promise<void> {
  const gone: number[] = [];
  const behind = newest % SWEPT_EVERY === 0 ? 2 * SWEPT_EVERY : PRUNED_EVERY;
  for (let revision = Math.max(1, newest - KEPT_VERSIONS - behind + 1); revision < newest; revision++)
    if (!isKept(revision, newest, bytes)) gone.push(revision);
  if (gone.length === 0) return;
  await database.write(
    `UPDATE ${database.name('versions')} SET text = NULL FROM (SELECT ${SOON}) AS soon
WHERE project = $1 AND key = $2 AND revision = ANY ($3::integer[]) AND text IS NOT NULL`,
    [name, key, gone],
  );
}
