// PostgreSQL driver: statements and transactions, and the server's time.
import type { AsyncLocalStorage } from 'node:async_hooks';
import manifest from '../../../package.json' with { type: 'json' };
import { CouncilError } from '../../core/base/errors.ts';
import { measureUptime } from '../../core/store/local/system.ts';
import { createConnectionPool } from './client.ts';
import type { Connections } from './client.ts';
import { asStoreError, classifyDatabaseError } from './failures.ts';
import type { AppliedMigration } from './migrate.ts';
import type { DatabasePlace } from './place.ts';
import { MIGRATIONS } from './migrations/tables.ts';

export type Row = Record<string, unknown>;
/** Runs one statement and resolves to its rows. */
export type Query = <R extends object = Row>(sql: string, values?: readonly unknown[]) => Promise<R[]>;

/** Runs a statement that ends its transaction. */
export type LastQuery = <R extends object = Row>(sql: string, values: readonly unknown[]) => Promise<R[]>;

export interface Database {
  place: DatabasePlace;
  /** Returns the qualified SQL name of a table or function. */
  name(of: string): string;
  /**
   * Runs one read-only statement in the caller's transaction, or alone: then once again after a lost
   * connection. Rejects with council's errors.
   */
  read: Query;
  /** Runs one statement that may be sent twice with the same effect. Rejects with council's errors. */
  write: Query;
  /** Runs one statement once. Rejects with the errors of `pg`, to be handled by the caller. */
  once: Query;
  /**
   * Runs a transaction, READ COMMITTED, with the settings for writing: it starts with a statement without
   * values, whose rows `work` gets, and is rolled back unless `work` calls `commit` with its last one. `read`
   * reads inside it meanwhile. Rejects with the errors of `work` or `pg`.
   */
  transaction<F extends object, T>(
    first: string,
    work: (rows: F[], commit: LastQuery) => Promise<T>,
  ): Promise<T>;
  /** True inside the work of a transaction. */
  isInside(): boolean;
  /** Returns the server's time in milliseconds since the epoch: as last read, plus the time elapsed here. */
  now(): number;
  end(): Promise<void>;
}

/** Timeout for locks, after which the database counts as busy. */
const LOCK_MS = 10_000;
/** A transaction idle for so long has lost its owner. */
const IDLE_MS = 60_000;

/** Makes a statement durable when it returns, whatever the server's setting; the stricter remote_apply is kept. */
export const DURABLY = `set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)`;
/** In a statement whose loss does no harm: it does not wait for the disk. */
export const SOON = `set_config('synchronous_commit', 'off', true)`;
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = ${LOCK_MS}; SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}; SELECT ${DURABLY}`;

/** The server's time in a reading statement; updates `now`. */
export const TIME = `(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "now"`;

/**
 * Opens a database; throws if it is unreachable, has no tables or those of another version, or is not in UTF-8.
 */
export async function openDatabase(place: DatabasePlace, size: number, answerMs?: number): Promise<Database> {
  const [connections, { AsyncLocalStorage }] = await Promise.all([
    createConnectionPool(place, size, answerMs),
    import('node:async_hooks'),
  ]);
  const database = createDatabase(place, connections, new AsyncLocalStorage());
  const [found] = await database.read<{ encoding: string; done: AppliedMigration[] | null }>(
    `SELECT current_setting('server_encoding') AS encoding, (${buildAppliedSql(place.schema)}) AS done, ${TIME}`,
  );
  requireFit(found?.done ?? [], manifest.version, place.displayName);
  if (found?.encoding === 'UTF8') return database;
  throw new CouncilError('failed', `${place.displayName} keeps texts in ${found?.encoding}.`, {
    hint: 'Council needs UTF-8: CREATE DATABASE … ENCODING UTF8 TEMPLATE template0',
  });
}

function createDatabase(
  place: DatabasePlace,
  connections: Connections,
  inside: AsyncLocalStorage<Query>,
): Database {
  let clock = { at: 0, since: 0 };
  const noteClock = <R extends object>(rows: R[]): R[] => {
    const { now: at } = (rows[0] ?? {}) as Row;
    if (typeof at === 'number') clock = { at, since: measureUptime() };
    return rows;
  };
  const once = (async (sql, values = []) =>
    noteClock(await connections.lend((connection) => connection.query(sql, values)))) as Query;
  const queryWithRetry: Query = (sql, values) =>
    once(sql, values).catch((error: unknown) => {
      if (classifyDatabaseError(error) !== 'lost') throw error;
      return once(sql, values);
    }) as never;
  const throwStoreErrors = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw asStoreError(error, place.displayName);
    }
  };
  return {
    place,
    name: (of) => `"${place.schema}".${of}`,
    read: (sql, values) => throwStoreErrors((inside.getStore() ?? queryWithRetry)(sql, values)) as never,
    write: (sql, values) => throwStoreErrors(queryWithRetry(sql, values)) as never,
    once,
    transaction: (first, work) =>
      connections.lend(async (connection) => {
        const query = (async (sql, values = []) => noteClock(await connection.query(sql, values))) as Query;
        let isOpen = true;
        const commit = ((sql, values) => {
          isOpen = false;
          return connection.queryAndCommit(sql, values);
        }) as LastQuery;
        try {
          const rows = noteClock(await connection.query(`${BEGIN}; ${first}`)) as never[];
          return await inside.run(query, () => work(rows, commit));
        } finally {
          if (isOpen) await connection.query('ROLLBACK').catch(() => undefined);
        }
      }),
    isInside: () => inside.getStore() !== undefined,
    now: () => Math.round(clock.at + measureUptime() - clock.since),
    end: () => connections.end(),
  };
}

// PostgreSQL driver: checks that this council and the tables fit each other.

/** Returns a statement that reads the applied migrations; fails with 42P01 if there are no tables. */
const buildAppliedSql = (schema: string): string =>
  `SELECT json_agg(json_build_object('number', number, 'title', title, 'beside', beside) ORDER BY number) FROM "${schema}".migrations`;

/**
 * Throws `failed` if this council, of `version`, needs tables that are missing, or if a newer one made changes
 * that this one cannot work with.
 */
export function requireFit(done: readonly AppliedMigration[], version: string, displayName: string): void {
  const missing = MIGRATIONS.find(({ number }) => !done.some((one) => one.number === number));
  if (missing)
    throw new CouncilError(
      'failed',
      `${displayName} has the tables of an older council: migration ${missing.number} (${missing.title}) is missing.`,
      {
        hint: 'Its owner brings them up to date with: council store migrate',
      },
    );
  const strange = done.find(
    ({ number, beside }) => !MIGRATIONS.some((one) => one.number === number) && isOlder(version, beside),
  );
  if (strange)
    throw new CouncilError(
      'failed',
      `${displayName} has been through migration ${strange.number} (${strange.title}): council ${strange.beside} or newer is needed, and this is ${version}.`,
      { hint: 'Update council on this machine.', details: { migration: strange.number } },
    );
}

function isOlder(version: string, than: string): boolean {
  const [own, other] = [version, than].map((one) => one.split('.').map((part) => Number.parseInt(part, 10)));
  const at = [0, 1, 2].find((part) => own?.[part] !== other?.[part]);
  return at !== undefined && (own?.[at] ?? 0) < (other?.[at] ?? 0);
}
