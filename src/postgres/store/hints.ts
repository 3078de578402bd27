// PostgreSQL driver: who watches hears of commits: at once by a hint of the server's, and in a second by looking.
import type { Documents } from '../../core/store/documents.ts';
import type { Database } from './database.ts';
import type { Listener } from './listener.ts';

const LOOK_MS = 1000;
/** Hints that come together are followed by one look. */
const TOGETHER_MS = 20;
/** At the first look there is nothing older to tell. */
const MOST_AT_FIRST = 1000;

/** Hears of changes in a room, by whomever. */
export interface Hints {
  watch: Documents['watch'];
  /** Tells the watchers of this process, and sends the hint for those of others. */
  committed(key: string): void;
}

interface Watcher {
  prefix: string;
  onChange: (key: string) => void;
}

export function openRoomHints(room: string, database: Database, listener: Listener): Hints {
  const watchers = new Set<Watcher>();
  let stop: (() => void) | undefined;
  const tell = (key: string): void => {
    for (const watcher of watchers) if (key.startsWith(watcher.prefix)) watcher.onChange(key);
  };
  return {
    watch(prefix, onChange) {
      const watcher = { prefix, onChange };
      watchers.add(watcher);
      stop ??= startLooking(room, database, listener, tell);
      return () => {
        watchers.delete(watcher);
        if (watchers.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
    committed(key) {
      if (watchers.size > 0) setImmediate(() => tell(key));
      listener.hint(`${room}/${key}`);
    },
  };
}

/** Asks each second, and soon after every hint, for what has moved. Keeps the process alive until it is stopped. */
function startLooking(
  room: string,
  database: Database,
  listener: Listener,
  tell: (key: string) => void,
): () => void {
  /** Which transactions were all over at the last look, and what was told of later ones. */
  let seen: { upTo: string; told: ReadonlySet<string> } | undefined;
  let soon: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    const rows = await listMovedVersions(room, database, seen?.upTo).catch(() => []);
    // Without an answer the server is away: the next look tells what has moved meanwhile.
    const [{ upTo } = {}] = rows;
    if (isStopped || upTo === undefined) return;
    const moved = rows.flatMap(({ key, revision }) =>
      key === null ? [] : [{ key, at: `${key}/${revision}` }],
    );
    const fresh = moved.filter(({ at }) => seen?.told.has(at) !== true);
    seen = { upTo, told: new Set(moved.map(({ at }) => at)) };
    for (const { key } of fresh) setImmediate(tell, key);
  };
  let looking = look();
  // A hint may speak of what the look that is under way does not see any more: it is followed by another one.
  const lookSoon = (): void => {
    soon ??= setTimeout(() => {
      looking = looking.then(() => {
        soon = undefined;
        return isStopped ? undefined : look();
      });
    }, TOGETHER_MS);
  };
  const unhear = listener.hear((hint) => {
    if (hint === undefined || hint.startsWith(`${room}/`)) lookSoon();
  });
  const timer = setInterval(lookSoon, LOOK_MS);
  return () => {
    isStopped = true;
    clearInterval(timer);
    clearTimeout(soon);
    unhear();
  };
}

/** The key is null where nothing has moved. */
interface Moved {
  key: string | null;
  revision: number | null;
  upTo: string;
}

/**
 * The versions of transactions that were not all over at `upTo`, by one look into an index; with it, up to where they are all
 * over now. A transaction that is still under way is older than that, whenever it commits. At the first look, what has just
 * been written: it may have been while this one began.
 */
const listMovedVersions = (room: string, database: Database, upTo: string | undefined): Promise<Moved[]> => {
  const versions = database.name('versions');
  const since =
    upTo === undefined
      ? `SELECT key, revision FROM (SELECT key, revision, at FROM ${versions} WHERE project = $1 AND written IS NOT NULL
  AND written < pg_snapshot_xmax(pg_current_snapshot()) ORDER BY written DESC LIMIT ${MOST_AT_FIRST}) last
  WHERE at > now() - interval '5 seconds' AND $2::text IS NULL`
      : `SELECT key, revision FROM ${versions} WHERE project = $1 AND written >= $2::xid8
  AND written < pg_snapshot_xmax(pg_current_snapshot())`;
  return database.read<Moved>(
    `SELECT moved.key, moved.revision, pg_snapshot_xmin(pg_current_snapshot())::text AS "upTo"
FROM (SELECT) one LEFT JOIN (${since}) moved ON true`,
    [room, upTo ?? null],
  );
};
