// PostgreSQL driver: who watches hears of commits: at once by a hint of the server's, and in a second by looking.
import type { Documents } from '../documents.ts';
import type { Database } from './database.ts';
import type { Listener } from './listener.ts';

const LOOK_MS = 1000;

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

/** The hints of one room. */
export function hintsIn(room: string, database: Database, listener: Listener): Hints {
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

/** Looks at the revisions each second, and at every hint. Keeps the process alive until it is stopped. */
function startLooking(
  room: string,
  database: Database,
  listener: Listener,
  tell: (key: string) => void,
): () => void {
  const known = new Map<string, number>();
  let since: number | undefined;
  let isLooking = false;
  let isStopped = false;
  const look = async (): Promise<void> => {
    if (isLooking || isStopped) return;
    isLooking = true;
    try {
      const rows = await revisionsIn(room, database);
      if (isStopped) return;
      for (const { key, revision, fresh } of rows) {
        // At the first look only what has just changed is told: it may have been while this one began.
        const isNew = since === undefined ? fresh : known.get(key) !== revision;
        known.set(key, revision);
        if (isNew) tell(key);
      }
      since ??= database.now();
    } catch {
      // The server is away: the next look tells what has changed meanwhile.
    } finally {
      isLooking = false;
    }
  };
  const unhear = listener.hear((hint) => {
    if (hint === undefined) void look();
    else if (hint.startsWith(`${room}/`)) void look();
  });
  const timer = setInterval(() => void look(), LOOK_MS);
  void look();
  return () => {
    isStopped = true;
    clearInterval(timer);
    unhear();
  };
}

interface Seen {
  key: string;
  revision: number;
  fresh: boolean;
}

const revisionsIn = (room: string, database: Database): Promise<Seen[]> =>
  database.read<Seen>(
    `SELECT h.key, h.revision, v.at > now() - interval '5 seconds' AS fresh
FROM ${database.name('heads')} h JOIN ${database.name('versions')} v USING (project, key, revision) WHERE h.project = $1`,
    [room],
  );
