// PostgreSQL driver: hints of the server's (LISTEN and NOTIFY) on a connection of their own. Any of them may be lost.
import type { Socket } from 'node:net';
import type { Client } from 'pg';
import { SOON } from './database.ts';
import type { Database } from './database.ts';
import { resolveLogin, findSockets } from './client.ts';
import type { DatabasePlace } from './place.ts';

/** Hints of several commits go out together. */
const TOGETHER_MS = 20;
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
export function listenerOn(database: Database, direct: DatabasePlace): Listener {
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
  const again = (): void => {
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
      again();
      return;
    }
    if (isStopped) return;
    client = own;
    const lost = (): void => {
      if (client !== own) return;
      client = undefined;
      again();
    };
    own.on('error', lost);
    own.on('end', lost);
    own.on('notification', ({ payload }) => onPayload(payload));
    try {
      await own.connect();
      await own.query(`LISTEN "${channel}"`);
      onPayload(undefined);
    } catch {
      lost();
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
