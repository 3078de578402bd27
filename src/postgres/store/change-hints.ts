// PostgreSQL driver: informs watchers of commits by NOTIFY, and by polling every second, since hints may be lost.

import { SOON } from './database.ts';
import type { Database } from './database.ts';
import type { Socket } from 'node:net';
import type { Client } from 'pg';
import { resolveLogin, findSockets } from './place.ts';
import type { DatabasePlace } from './place.ts';

const LOOK_MS = 1000;
/** Hints of several commits are sent together; those received together cause one look. */
const TOGETHER_MS = 20;
/** Maximum number of versions in the first look. */
const MOST_AT_FIRST = 1000;

interface Watcher {
  prefix: string;
  onChange: (key: string) => void;
}

/** Reports changes in one room, by any process. The first watcher starts polling, the last one to leave stops it. */
export function openRoomHints(room: string, database: Database, listener: Listener) {
  const watchers = new Set<Watcher>();
  let stop: (() => void) | undefined;
  const tell = (key: string): void => {
    for (const watcher of watchers) if (key.startsWith(watcher.prefix)) watcher.onChange(key);
  };
  return {
    watch(prefix: string, onChange: (key: string) => void) {
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
    /** Informs this process's watchers, and sends a hint to other processes. */
    tellCommit(key: string): void {
      if (watchers.size > 0) setImmediate(() => tell(key));
      listener.hint(`${room}/${key}`);
    },
  };
}

/** Reports every changed key of a room. */
function startLooking(
  room: string,
  database: Database,
  listener: Listener,
  tell: (key: string) => void,
): () => void {
  /** The transaction id below which all had ended at the last look, and the later versions already reported. */
  let seen: { upTo: string; told: ReadonlySet<string> } | undefined;
  const look = async (): Promise<string[]> => {
    const rows = await listMovedVersions(room, database, seen?.upTo).catch(() => []);
    // No rows: the server is unreachable; the next look reports what changed meanwhile.
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

/** Looks every second, and soon after every matching hint. Keeps the process alive until it is stopped. */
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
  // A hint may announce something that the current look no longer sees.
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

/** The key is null if nothing changed. */
interface MovedRow {
  key: string | null;
  revision: number | null;
  upTo: string;
}

/**
 * Lists the versions of transactions that had not all ended at `upTo`, by an index scan, and the new `upTo`, below
 * which all have ended; a running one is never below it. The first look returns what was just written.
 */
const listMovedVersions = (
  room: string,
  database: Database,
  upTo: string | undefined,
): Promise<MovedRow[]> => {
  const versions = database.name('versions');
  const since =
    upTo === undefined
      ? `SELECT key, revision FROM (SELECT key, revision, at FROM ${versions} WHERE project = $1 AND written IS NOT NULL
  AND written < pg_snapshot_xmax(pg_current_snapshot()) ORDER BY written DESC LIMIT ${MOST_AT_FIRST}) last
  WHERE at > now() - interval '5 seconds' AND $2::text IS NULL`
      : `SELECT key, revision FROM ${versions} WHERE project = $1 AND written >= $2::xid8
  AND written < pg_snapshot_xmax(pg_current_snapshot())`;
  return database.read<MovedRow>(
    `SELECT moved.key, moved.revision, pg_snapshot_xmin(pg_current_snapshot())::text AS "upTo"
FROM (SELECT) one LEFT JOIN (${since}) moved ON true`,
    [room, upTo ?? null],
  );
};

/** Maximum bytes of a notification, with a margin: the server accepts 8000. */
const MOST_BYTES = 7000;
const RECONNECT_MS = 1000;
const CLOSED_MS = 500;

export interface Listener {
  /** Sends a hint to all processes, after a short delay. */
  hint(what: string): void;
  /** Calls `onHint` with each hint, or undefined if some may have been missed. Returns the stop function. */
  hear(onHint: (what: string | undefined) => void): () => void;
}

/** `direct` is the address of the server without a pooler, which would not pass on notifications. */
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

/** Listens until it is stopped; reconnects after a lost connection. */
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
    if (!isStopped) timer = setTimeout(() => void open(), RECONNECT_MS);
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
      // Without a connection there is nothing to listen to; polling continues.
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
    // An unresponsive server never closes its side.
    setTimeout(() => socket?.destroy(), CLOSED_MS).unref();
  };
}
