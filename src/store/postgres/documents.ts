// PostgreSQL driver: documents as rows, with a history of versions.
import { CouncilError } from '../../base/errors.ts';
import { requireId, sha256 } from '../../base/ids.ts';
import { traced } from '../../base/trace.ts';
import { KEPT_VERSIONS } from '../documents.ts';
import type { Change, Documents, Stored, Updated } from '../documents.ts';
import { untilItHolds } from '../update.ts';
import { commitAlone, committed, revisionOf, settled } from './commit.ts';
import { SOON, TIME } from './database.ts';
import type { Query } from './database.ts';
import { asStoreError, meaningOf } from './failures.ts';
import type { Revision, Room } from './room.ts';

/** Texts of old revisions go once in so many commits. */
const PRUNED_EVERY = 10;
/** At most so many in one statement. */
const PRUNED_AT_ONCE = 200;

/** Documents of a room. `watch` is the room's own: see hints.ts. */
export function postgresDocuments(room: Room, watch: Documents['watch']): Documents {
  const { database } = room;
  const [heads, versions] = [database.name('heads'), database.name('versions')];
  const documents: Documents = {
    async read(key) {
      const [row] = await database.read<HeadRow>(
        `SELECT h.revision, v.text, v.hash, ${TIME} FROM ${heads} h JOIN ${versions} v USING (project, key, revision)
WHERE h.project = $1 AND h.key = $2 AND h.live`,
        [room.name, named(key)],
      );
      return row && liveIn(key, row);
    },
    async revision(key) {
      const [row] = await database.read<{ revision: number }>(
        `SELECT revision, ${TIME} FROM ${heads} WHERE project = $1 AND key = $2`,
        [room.name, named(key)],
      );
      return row?.revision ?? 0;
    },
    commit: (key, text, expected) => commit(room, named(key), text, expected),
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
        `SELECT v.revision, v.at, CASE WHEN v.revision > h.revision - ${KEPT_VERSIONS} THEN coalesce(octet_length(v.text), 0) ELSE 0 END AS bytes
FROM ${heads} h JOIN ${versions} v USING (project, key) WHERE h.project = $1 AND h.key = $2 ORDER BY v.revision`,
        [room.name, named(key)],
      );
      return rows.map(({ revision, at, bytes }) => ({ revision, at: at.toISOString(), bytes }));
    },
    readVersion: (key, revision) => readVersion(room, named(key), revision),
    remove: (key, expected) => commit(room, named(key), null, expected),
    update: (key, change) =>
      traced('council.commit', { 'council.document': named(key) }, async (tell) => {
        const updated = await update(room, key, change);
        tell({ 'council.revision': updated.revision, 'council.committed': updated.committed });
        return updated;
      }),
  };
  return rejecting(documents);
}

/** A key that is none is a rejection, as from every other driver, and no exception. */
function rejecting(documents: Documents): Documents {
  const { commit, readVersion, remove, update } = documents;
  return {
    ...documents,
    commit: async (...given) => commit(...given),
    readVersion: async (...given) => readVersion(...given),
    remove: async (...given) => remove(...given),
    update: async (...given) => update(...given),
  };
}

interface HeadRow {
  revision: number;
  text: string | null;
  hash: string;
}

const named = (key: string): string => requireId(key, 'council name');

/** The text with its revision. Throws `corrupt` for one that is not what was committed. */
function liveIn(key: string, { revision, text, hash }: HeadRow): Stored {
  if (text !== null && sha256(text) === hash) return { text, revision };
  throw new CouncilError('corrupt', `Revision ${revision} of "${key}" is damaged in the database.`, {
    hint: `See what else is kept: council history --name ${key}. Then: council restore REVISION --name ${key}`,
  });
}

async function readVersion(room: Room, key: string, revision: number): Promise<string | undefined> {
  if (!Number.isSafeInteger(revision) || revision < 1 || revision > 2 ** 31 - 1) return undefined;
  const { database } = room;
  const [row] = await database.read<HeadRow>(
    `SELECT v.revision, v.text, v.hash FROM ${database.name('heads')} h JOIN ${database.name('versions')} v USING (project, key)
WHERE h.project = $1 AND h.key = $2 AND v.revision = $3 AND v.revision > h.revision - ${KEPT_VERSIONS} AND v.text IS NOT NULL`,
    [room.name, key, revision],
  );
  return row && liveIn(key, row).text;
}

async function commit(room: Room, key: string, text: string | null, expected: number): Promise<number> {
  requireOutside(room, key);
  const wanted = revisionOf(key, text, expected);
  if (text === null && expected === 0) throw nothingThere(key);
  return acknowledged(room, key, await commitAlone(room, wanted));
}

const nothingThere = (key: string): CouncilError =>
  new CouncilError('conflict', `There is no "${key}" to remove.`, { hint: 'Run the same command again.' });

async function update(room: Room, key: string, change: Change): Promise<Updated> {
  requireOutside(room, key);
  const updated = await untilItHolds(key, () => attempt(room, key, change));
  if (updated.committed) acknowledged(room, key, updated.revision);
  return updated;
}

/** A commit in the middle of another one's change would wait for that for ever. */
function requireOutside({ database }: Room, key: string): void {
  if (database.isInside()) throw new Error(`"${key}" is written to in the middle of a change`);
}

/** Lock, read, change, commit. What is lost before the commit has changed nothing and is tried again. */
async function attempt(room: Room, key: string, change: Change): Promise<Updated> {
  const { database } = room;
  const under: { way?: Revision; thrown?: unknown } = {};
  try {
    return await database.transaction(async (query, end) => {
      const { live, revision } = await lockedHead(room, key, query);
      const text = await changed(under, () => change(live, revision + 1));
      if (text === undefined) return { revision, committed: false };
      const wanted = revisionOf(key, text, revision);
      const next = await committed(room, wanted, query);
      under.way = wanted;
      await end();
      return { revision: next, committed: true };
    });
  } catch (error) {
    if ('thrown' in under) throw under.thrown;
    if (under.way) return { revision: await settled(room, under.way, error), committed: true };
    const told = asStoreError(error, database.place.told);
    if (meaningOf(error) !== 'lost' || told.details.system === 'ECONNREFUSED') throw told;
    throw new CouncilError('conflict', told.message, { hint: told.hint, cause: told });
  }
}

/** What the change throws is the caller's, and no failure of the server's. */
async function changed<T>(under: { thrown?: unknown }, change: () => T | Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    under.thrown = error;
    throw error;
  }
}

async function lockedHead(
  { database, name }: Room,
  key: string,
  query: Query,
): Promise<{ live: Stored | undefined; revision: number }> {
  const [head] = await query<{ revision: number; live: boolean }>(
    `SELECT revision, live, ${TIME} FROM ${database.name('heads')} WHERE project = $1 AND key = $2 FOR UPDATE`,
    [name, key],
  );
  if (!head) return { live: undefined, revision: 0 };
  if (!head.live) return { live: undefined, revision: head.revision };
  const [row] = await query<HeadRow>(
    `SELECT revision, text, hash FROM ${database.name('versions')} WHERE project = $1 AND key = $2 AND revision = $3`,
    [name, key, head.revision],
  );
  return {
    live: liveIn(key, row ?? { revision: head.revision, text: null, hash: '' }),
    revision: head.revision,
  };
}

function acknowledged(room: Room, key: string, revision: number): number {
  room.committed(key, revision);
  if (revision > KEPT_VERSIONS && revision % PRUNED_EVERY === 0)
    void prune(room, key, revision).catch(() => undefined);
  return revision;
}

/** In a statement of its own, so that no commit is longer for it. What is not pruned now is pruned later. */
async function prune({ database, name }: Room, key: string, revision: number): Promise<void> {
  await database.write(
    `UPDATE ${database.name('versions')} SET text = NULL FROM (SELECT ${SOON}) AS soon
WHERE project = $1 AND key = $2 AND revision <= $3 AND revision > $3 - ${PRUNED_AT_ONCE} AND text IS NOT NULL`,
    [name, key, revision - KEPT_VERSIONS],
  );
}
