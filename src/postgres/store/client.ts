// PostgreSQL driver: the pool of connections, and which of them still work.
import type { Pool, PoolClient } from 'pg';
import { classifyDatabaseError } from './failures.ts';
import { checkWhileWaiting } from './find-server-trouble.ts';
import type { DatabasePlace } from './place.ts';
import { findSockets, resolveLogin } from './place.ts';

const CONNECT_MS = 10_000;
/** A slower answer counts as a lost connection. */
const ANSWER_MS = 30_000;

/** The server has committed, but a synchronous standby has not confirmed it. */
export class UnconfirmedError extends Error {}

interface Connection {
  query(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Runs a statement, and COMMIT without waiting for its answer: if it fails, nothing is committed. */
  queryAndCommit(sql: string, values: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export interface Connections {
  /**
   * Lends a connection; a broken one is closed instead of reused. Rejects with `store_away` as soon as the
   * server is found unreachable, even before the statement's timeout.
   */
  lend<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/**
 * Creates a pool of at most `size` connections, opened on demand. Idle ones do not keep the process alive.
 * `answerMs` is the query timeout in milliseconds; 0 for none.
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
    // Sends queries without waiting for earlier answers; see `queryAndCommit`.
    pipeline: true,
    application_name: 'council',
  });
  const unconfirmed = new WeakSet<object>();
  // The server may close an idle connection: not an error.
  pool.on('error', () => undefined);
  pool.on('connect', (client) =>
    client.on('notice', ({ code }) => {
      if (code === '01000') unconfirmed.add(client);
    }),
  );
  return {
    async lend(work) {
      const stopChecking = checkWhileWaiting(place);
      try {
        const client = await pool.connect();
        const broken = { is: false };
        // A connection may be lost between two statements; its next statement fails.
        const onError = (): void => void (broken.is = true);
        client.on('error', onError);
        try {
          return await work(createConnection(client, broken, unconfirmed));
        } finally {
          client.off('error', onError);
          client.release(broken.is);
        }
      } finally {
        stopChecking();
      }
    },
    end: () => pool.end(),
  };
}

/** Runs the statements of one connection one after the other. */
function createConnection(
  client: PoolClient,
  broken: { is: boolean },
  unconfirmed: WeakSet<object>,
): Connection {
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]> => {
    try {
      // Without values, the text may contain several statements; returns the rows of the last one.
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
  const runInTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    query: (sql, values) => runInTurn(() => ask(sql, values)),
    queryAndCommit: (sql, values) =>
      runInTurn(async () => {
        const [answer, end] = await Promise.allSettled([ask(sql, values), ask('COMMIT')]);
        for (const one of [answer, end]) if (one.status === 'rejected') throw one.reason;
        return answer.status === 'fulfilled' ? answer.value : [];
      }),
  };
}
