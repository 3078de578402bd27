// PostgreSQL driver: tells watchers of commits at once by hints (LISTEN and NOTIFY), and within a second by looking: hints may be lost.

import type { Documents } from '../../core/store/documents.ts';
import { SOON } from './database.ts';
import type { Database } from './database.ts';
import type { Socket } from 'node:net';
import type { Client } from 'pg';
import { resolveLogin, findSockets } from './place.ts';
import type { DatabasePlace } from './place.ts';

const LOOK_MS = 1000;
/** Hints of several commits go out together, and those that come together are followed by one look. */
const TOGETHER_MS = 20;
/** At the first look there is nothing older to tell. */
const MOST_AT_FIRST = 1000;

/** Tells of changes in a room, whichever process commits them. */
interface Hints {
  watch: Documents['watch'];
  /** Tells the watchers of this process, and sends the hint for those of others. */
  tellCommit(key: string): void;
}

interface Watcher {
  prefix: string;
  onChange: (key: string) => void;
}

/** Hints of one room. The first watcher begins the looking, the last one that leaves ends it. */
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
    tellCommit(key) {
      if (watchers.size > 0) setImmediate(() => tell(key));
      listener.hint(`${room}/${key}`);
    },
  };
}

/** Tells of every key that has moved in a room. */
function startLooking(
  room: string,
  database: Database,
  listener: Listener,
  tell: (key: string) => void,
): () => void {
  /** Which transactions were all over at the last look, and what was told of later ones. */
  let seen: { upTo: string; told: ReadonlySet<string> } | undefined;
  const look = async (): Promise<string[]> => {
    const rows = await listMovedVersions(room, database, seen?.upTo).catch(() => []);
    // Without an answer the server is away: the next look tells what has moved meanwhile.
    const [{ upTo } = {}] = rows;
    if (upTo === undefined) return [];
    const moved = rows.flatMap(({ key, revision }) =>
      key === null ? [] : [{ key, at: `${key}/${revision}` }],
    );
    const fresh = moved.filter(({ at }) => seen?.told.has(at) !== true);
    seen = { upTo, told: new Set(moved.map(({ at }) => at)) };
    return fresh.map(({ key }) => key);
  };
  return lookAgain(listener, (hint) => hint.startsWith(`${room}/`), look, tell);
}

/** Looks each second, and soon after every hint that is meant; tells what each look finds. Keeps the process alive until it is stopped. */
export function lookAgain(
  listener: Listener,
  isMeant: (hint: string) => boolean,
  look: () => Promise<string[]>,
  tell: (found: string) => void,
): () => void {
  let soon: NodeJS.Timeout | undefined;
  let isStopped = false;
  const lookNow = async (): Promise<void> => {
    const found = isStopped ? [] : await look();
    if (!isStopped) for (const one of found) setImmediate(tell, one);
  };
  let looking = lookNow();
  // A hint may speak of what the look that is under way does not see any more: it is followed by another one.
  const lookSoon = (): void => {
    soon ??= setTimeout(() => {
      looking = looking.then(() => {
        soon = undefined;
        return lookNow();
      });
    }, TOGETHER_MS);
  };
  const unhear = listener.hear((hint) => {
    if (hint === undefined || isMeant(hint)) lookSoon();
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

/** What one notification may hold, with room to spare: the server takes 8000 bytes. */
const MOST_BYTES = 7000;
const AGAIN_MS = 1000;
const CLOSED_MS = 500;

export interface Listener {
  /** Sends a hint, soon, to the listeners of all processes. */
  hint(what: string): void;
  /** Calls `onHint` with each; undefined when some may have been missed. Returns the stop function. */
  hear(onHint: (what: string | undefined) => void): () => void;
}

/** `direct` is a way to the server past any pooler: through one, nothing would be heard. */
export function createListener(database: Database, direct: DatabasePlace): Listener {
  const channel = `council_${database.place.schema}`;
  const waiting = new Set<string>();
  const hearing = new Set<(what: string | undefined) => void>();
  let close: (() => void) | undefined;
  const send = (): void => {
    const hints = [...waiting];
    waiting.clear();
    const payload = JSON.stringify(hints);
    const said = Buffer.byteLength(payload) > MOST_BYTES ? '' : payload;
    database.write(`SELECT pg_notify($1, $2), ${SOON}`, [channel, said]).catch(() => undefined);
  };
  return {
    hint(what) {
      if (waiting.size === 0) setTimeout(send, TOGETHER_MS);
      waiting.add(what);
    },
    hear(onHint) {
      hearing.add(onHint);
      close ??= listen(direct, channel, (payload) => {
        for (const hint of parseHintPayload(payload)) for (const hear of hearing) hear(hint);
      });
      return () => {
        hearing.delete(onHint);
        if (hearing.size > 0) return;
        close?.();
        close = undefined;
      };
    },
  };
}

function parseHintPayload(payload: string | undefined): (string | undefined)[] {
  try {
    const hints = JSON.parse(payload ?? '') as unknown;
    return Array.isArray(hints) ? hints.map(String) : [undefined];
  } catch {
    return [undefined];
  }
}

/** Listens until it is stopped, and again after a lost connection. */
function listen(
  place: DatabasePlace,
  channel: string,
  onPayload: (payload: string | undefined) => void,
): () => void {
  let client: Client | undefined;
  let socket: Socket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const openLater = (): void => {
    if (!isStopped) timer = setTimeout(() => void open(), AGAIN_MS);
  };
  const open = async (): Promise<void> => {
    let own: Client;
    try {
      const { default: pg } = await import('pg');
      own = new pg.Client({
        connectionString: await resolveLogin(place),
        application_name: 'council listening',
        stream: () => (socket = findSockets(place).open()),
      });
    } catch {
      // Without an address there is nothing to listen to; looking goes on underneath.
      openLater();
      return;
    }
    if (isStopped) return;
    client = own;
    const noteLoss = (): void => {
      if (client !== own) return;
      client = undefined;
      openLater();
    };
    own.on('error', noteLoss);
    own.on('end', noteLoss);
    own.on('notification', ({ payload }) => onPayload(payload));
    try {
      await own.connect();
      await own.query(`LISTEN "${channel}"`);
      onPayload(undefined);
    } catch {
      noteLoss();
      own.end().catch(() => undefined);
    }
  };
  void open();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    client?.end().catch(() => undefined);
    // A server that does not answer never closes its side.
    setTimeout(() => socket?.destroy(), CLOSED_MS).unref();
  };
}
