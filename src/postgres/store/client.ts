// PostgreSQL driver: the pool of connections, and which of them are still good.
import type { Pool, PoolClient } from 'pg';
import { classifyDatabaseError } from './failures.ts';
import { judgeWhileWaiting } from './judge.ts';
import type { DatabasePlace } from './place.ts';
import { findSockets, resolveLogin } from './place.ts';

const CONNECT_MS = 10_000;
/** An answer that takes longer is as good as a lost connection. */
const ANSWER_MS = 30_000;

/** The server has committed here, but a standby that it waits for has not confirmed it. */
export class UnconfirmedError extends Error {}

interface Connection {
  query(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** A statement, and COMMIT behind it without waiting for its answer: where it fails, nothing is committed. */
  queryAndCommit(sql: string, values: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export interface Connections {
  /**
   * Lends a connection; one that is broken afterwards is closed instead of being used again. Rejects with `store_away` as soon as
   * the server is judged to answer nobody, even if the statement has time left.
   */
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
      const stopJudging = judgeWhileWaiting(place);
      try {
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
      } finally {
        stopJudging();
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
