// PostgreSQL driver: the pool of connections, which are still good, their password, and their open sockets.
import { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import { classifyDatabaseError } from './failures.ts';
import type { DatabasePlace } from './place.ts';

const CONNECT_MS = 10_000;
/** An answer that takes longer is as good as a lost connection. */
const ANSWER_MS = 30_000;

/** The server has committed here, but a standby that it waits for has not confirmed it. */
export class UnconfirmedError extends Error {}

/** The connection was closed here because its server does not answer: to try again at once would only wait. */
export class ServerAwayError extends Error {}

/** A connection in use. */
interface Connection {
  query(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** A statement, and COMMIT behind it without waiting for its answer: where it fails, nothing is committed. */
  queryAndCommit(sql: string, values: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export interface Connections {
  /** Lends a connection; one that is broken afterwards is closed instead of being used again. */
  lend<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/**
 * At most `size` connections, each opened when it is first needed. Idle ones keep no process alive. A statement may take `answerMs`
 * milliseconds; 0 is as long as it takes.
 */
export async function createConnectionPool(
  place: DatabasePlace,
  size: number,
  answerMs = ANSWER_MS,
): Promise<Connections> {
  const { default: pg } = await import('pg');
  const pool: Pool = new pg.Pool({
    connectionString: await resolveLogin(place),
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answerMs,
    stream: () => findSockets(place).open(),
    allowExitOnIdle: true,
    // What is asked at once goes out at once; see below for what is.
    pipeline: true,
    application_name: 'council',
  });
  const unconfirmed = new WeakSet<object>();
  // An idle connection that the server ends is no failure of anybody's.
  pool.on('error', () => undefined);
  pool.on('connect', (client) =>
    client.on('notice', ({ code }) => {
      if (code === '01000') unconfirmed.add(client);
    }),
  );
  return {
    async lend(work) {
      const client = await pool.connect();
      const broken = { is: false };
      // Between two statements as well, a connection can go: its next statement says so.
      const onError = (): void => void (broken.is = true);
      client.on('error', onError);
      try {
        return await work(createConnection(client, broken, unconfirmed));
      } finally {
        client.off('error', onError);
        client.release(broken.is);
      }
    },
    end: () => pool.end(),
  };
}

/** Statements of one connection, one after the other. */
function createConnection(
  client: PoolClient,
  broken: { is: boolean },
  unconfirmed: WeakSet<object>,
): Connection {
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]> => {
    try {
      // Without values several statements may stand in one text; the last one's rows are handed back.
      const result = values ? await client.query(sql, [...values]) : await client.query(sql);
      const { rows } = (Array.isArray(result) ? result.at(-1) : result) as {
        rows: Record<string, unknown>[];
      };
      if (unconfirmed.delete(client)) throw new UnconfirmedError();
      return rows;
    } catch (error) {
      broken.is ||= classifyDatabaseError(error) === 'lost';
      throw error;
    }
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    query: (sql, values) => inTurn(() => ask(sql, values)),
    queryAndCommit: (sql, values) =>
      inTurn(async () => {
        const [answer, end] = await Promise.allSettled([ask(sql, values), ask('COMMIT')]);
        for (const one of [answer, end]) if (one.status === 'rejected') throw one.reason;
        return answer.status === 'fulfilled' ? answer.value : [];
      }),
  };
}

/** The driver of the protocol looks there as well, but warns that it will not for long. */
export async function resolveLogin({ url }: DatabasePlace): Promise<string> {
  const address = new URL(url);
  const { hostname: host, port, username, password, pathname } = address;
  if (password !== '' || address.searchParams.has('password') || process.env.PGPASSWORD || username === '')
    return url;
  const { default: pgpass } = await import('pgpass');
  const found = await new Promise<string | undefined>((resolve) =>
    pgpass(
      {
        host,
        port: Number(port || '5432'),
        user: decodeURIComponent(username),
        database: decodeURIComponent(pathname.slice(1)),
      },
      resolve,
    ),
  );
  if (found !== undefined) address.password = encodeURIComponent(found);
  return address.href;
}

interface Sockets {
  open: Set<Socket>;
  isClosed: boolean;
}

const byAddress = new Map<string, Sockets>();

/** The sockets to one server. Closing them has whatever waits for an answer fail at once, also while it connects. */
export function findSockets({ url }: Pick<DatabasePlace, 'url'>) {
  const sockets = byAddress.get(url) ?? { open: new Set(), isClosed: false };
  byAddress.set(url, sockets);
  const drop = (): void => {
    for (const socket of sockets.open) socket.destroy(new ServerAwayError());
  };
  return {
    open(): Socket {
      const socket = new Socket();
      sockets.open.add(socket);
      // The protocol's driver connects it first.
      if (sockets.isClosed) setImmediate(() => socket.destroy());
      return socket.once('close', () => sockets.open.delete(socket));
    },
    /** Closes those that are open; later ones are opened anew. */
    drop,
    /** Closes those that are open, and every later one: this process is about to end. */
    close(): void {
      sockets.isClosed = true;
      drop();
    },
  };
}
