// Figures of the PostgreSQL store: commits over a bare update of the same bytes, what they take on the disk, and a tick's look at
// 100,000 councils.
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresStore } from '../src/store/postgres/open.ts';
import type { Figure, Timings } from './figure.ts';
import { pairwise, played } from './measure.ts';
import { KB, MB, onServer, textOf } from './postgres-server.ts';
import type { Bench } from './postgres-server.ts';

/** Commits of each client in a round. */
const COMMITS = 20;
/** Of 1 MB each. */
const LARGE_COMMITS = 10;
/** Commits of each client before the first round, so that old texts are let go in the middle of a round and count there. */
const BEFORE = 5;
/** Milliseconds after each side: what the last commit leaves to be done does not fall on the other side. */
const PAUSE_MS = 100;
const ROUNDS = 15;

/** What a client does in a round, and what the same bytes cost without council. */
interface Pair {
  committing: (client: number, n: number) => Promise<unknown>;
  updating: (client: number, n: number) => Promise<unknown>;
}

/** `key` of a client: a row of its own, or one for all. */
const pairOn = async (
  { store, client: { url } }: Bench,
  { clients, bytes }: { clients: number; bytes: number },
): Promise<Pair & { bare: pg.Pool }> => {
  const bare = new pg.Pool({ connectionString: url, max: clients });
  bare.on('error', () => undefined);
  await bare.query(`CREATE TABLE bare (key text PRIMARY KEY, rev integer NOT NULL, text text NOT NULL);
ALTER TABLE bare ALTER COLUMN text SET STORAGE EXTERNAL`);
  const text = textOf(bytes);
  const documents = store.documents('council');
  const [heads, revisions] = [new Map<number, number>(), new Map<number, number>()];
  for (let at = 0; at < clients; at++)
    await bare.query('INSERT INTO bare VALUES ($1, 0, $2)', [`k${at}`, text]);
  return {
    bare,
    committing: async (at, n) =>
      heads.set(at, await documents.commit(`k${at}`, `${n} ${text}`, heads.get(at) ?? 0)),
    async updating(at, n) {
      const revision = revisions.get(at) ?? 0;
      revisions.set(at, revision + 1);
      const values = [`k${at}`, `${n} ${text}`, revision];
      await bare.query('UPDATE bare SET rev = rev + 1, text = $2 WHERE key = $1 AND rev = $3', values);
    },
  };
};

/** Both in turns, each client beside the others; processor time is that of client and server together. */
async function inTurns({ cpu }: Bench, pair: Pair, clients: number, times: number): Promise<Timings> {
  const used = { figure: [] as number[], baseline: [] as number[] };
  const each = async (side: keyof typeof used, work: Pair['committing']): Promise<number> => {
    const [before, start] = [cpu(), performance.now()];
    await Promise.all(
      Array.from({ length: clients }, async (_, at) => {
        for (let n = 0; n < times; n++) await work(at, n);
      }),
    );
    const ms = performance.now() - start;
    used[side].push((cpu() ?? NaN) - (before ?? NaN));
    await wait(PAUSE_MS);
    return ms;
  };
  const timings = await pairwise(
    ROUNDS,
    () => each('figure', pair.committing),
    () => each('baseline', pair.updating),
  );
  const counted = (all: number[]): number[] => all.slice(-timings.figure.length);
  if (cpu() === undefined) return timings;
  return { ...timings, cpu: { figure: counted(used.figure), baseline: counted(used.baseline) } };
}

const isLarge = (bytes: number): boolean => bytes > 100 * KB;

const commits = (clients: number, bytes: number): Figure => {
  const times = isLarge(bytes) ? LARGE_COMMITS : COMMITS;
  return {
    name: `postgres-commit-${clients}${isLarge(bytes) ? '-large' : ''}`,
    what: `${times} commits of ${Math.round(bytes / KB)} KB by each of ${clients} clients, PostgreSQL`,
    against: 'a bare UPDATE of the same bytes where the revision is right, same server',
    // 0.85 as many a second.
    goal: 1.18,
    waits: true,
    why: 'A commit writes a row of its history and its indexes beside the text, hashes it, and lets an old text go in a statement of its own.',
    measure: () =>
      onServer(async (bench) => {
        const pair = await pairOn(bench, { clients, bytes });
        for (let at = 0; at < clients; at++) for (let n = 0; n < BEFORE; n++) await pair.committing(at, n);
        const timings = await inTurns(bench, pair, clients, times);
        await pair.bare.end();
        return timings;
      }, clients),
  };
};

/** Both lock, read and write the same row: whoever has it lets the others wait. */
const writers: Figure = {
  name: 'postgres-writers-32',
  what: 'a change by each of 32 writers on one council of 20 KB, PostgreSQL',
  against: 'a transaction that locks, reads and updates one row of the same bytes, same server',
  goal: null,
  waits: true,
  measure: () =>
    onServer(async (bench) => {
      const pair = await pairOn(bench, { clients: 32, bytes: 20 * KB });
      const text = textOf(20 * KB);
      const documents = bench.store.documents('council');
      const updating = async (): Promise<void> => {
        const client = await pair.bare.connect();
        await client.query('BEGIN');
        await client.query("SELECT rev, text FROM bare WHERE key = 'k0' FOR UPDATE");
        await client.query("UPDATE bare SET rev = rev + 1, text = $1 WHERE key = 'k0'", [text]);
        await client.query('COMMIT');
        client.release();
      };
      const committing = () => documents.update('one', (_, revision) => `${revision} ${text}`);
      const timings = await inTurns(bench, { committing, updating }, 32, 1);
      await pair.bare.end();
      return timings;
    }, 32),
};

const HUNDRED = 100;

const wal: Figure = {
  name: 'postgres-wal',
  what: `WAL of ${HUNDRED} commits of 20 KB, old texts that go included, PostgreSQL`,
  against: 'that of as many bare UPDATEs of the same bytes, same server',
  goal: null,
  unit: 'MB',
  measure: () =>
    onServer(async (bench) => {
      const pair = await pairOn(bench, { clients: 1, bytes: 20 * KB });
      const written = async (work: Pair['committing']): Promise<number> => {
        const before = await walOf(bench);
        for (let n = 0; n < HUNDRED; n++) await work(0, n);
        return ((await walOf(bench)) - before) / MB;
      };
      const timings = await pairwise(
        ROUNDS,
        () => written(pair.committing),
        () => written(pair.updating),
      );
      await pair.bare.end();
      return timings;
    }, 1),
};

const walOf = async ({ client }: Bench): Promise<number> => {
  const { rows } = await client.query<{ at: number }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS at",
  );
  return rows[0]?.at ?? 0;
};

const REVISIONS = 120;

/** `held`: texts that are there, or what their tables take on the disk, with the room of those that have gone. */
const history = (name: string, what: string, goal: number | null, sql: string): Figure => ({
  name,
  what: `${what} a council of 1 MB with its history, the most in ${REVISIONS} revisions, PostgreSQL`,
  against: 'its text',
  goal,
  unit: 'MB',
  measure: () =>
    onServer(async ({ store, client }) => {
      const documents = store.documents('council');
      const text = textOf(MB);
      let most = 0;
      for (let revision = 0; revision < Math.min(REVISIONS, played(REVISIONS)); revision++) {
        await documents.commit('one', `${revision} ${text}`, revision);
        const { rows } = await client.query<{ bytes: number }>(sql);
        most = Math.max(most, (rows[0]?.bytes ?? 0) / MB);
      }
      return { figure: [most], baseline: [1] };
    }, 1),
});

const held = history(
  'postgres-history',
  'texts of',
  10,
  'SELECT sum(octet_length(text))::float8 AS bytes FROM "bench".versions',
);
const disk = history(
  'postgres-disk',
  'tables and indexes of',
  null,
  `SELECT (pg_total_relation_size('"bench".versions') + pg_total_relation_size('"bench".heads'))::float8 AS bytes`,
);

const tick: Figure = {
  name: 'postgres-tick-100000',
  what: 'a pass over 100,000 active councils of which 100 are due, PostgreSQL',
  against: 'the same over these 100 alone',
  goal: 1.5,
  measure: () =>
    onServer(async ({ store, client, open }) => {
      const few = await open('few');
      const text = textOf(20 * KB);
      for (const [one, project] of [
        [store, 'council'],
        [few, 'few'],
      ] as const)
        for (let at = 0; at < 100; at++)
          await one.documents('council').commit(`due-${at}`, `${project} ${text}`, 0);
      await client.query(
        `INSERT INTO "bench".heads (project, key, revision, live, due_at) SELECT 'council', 'waits-' || n, 1, true, now() + interval '1 day' FROM generate_series(1, 99900) n;
ANALYZE "bench".heads`,
      );
      const pass = async (one: PostgresStore): Promise<number> => {
        const start = performance.now();
        const look = { list: () => Promise.resolve([]), now: 0, clocks: undefined, claim: true };
        const { due, end } = await one.due.begin(look);
        if (due.length !== 100) throw new Error(`${due.length} are due`);
        for (const name of due) await one.documents('council').read(name);
        await end(new Map());
        return performance.now() - start;
      };
      return pairwise(
        ROUNDS,
        () => pass(store),
        () => pass(few),
      );
    }, 1),
};

export const postgresFigures: Figure[] = [
  commits(1, 20 * KB),
  commits(8, 20 * KB),
  commits(32, 20 * KB),
  commits(1, MB),
  commits(8, MB),
  writers,
  tick,
  wal,
  held,
  disk,
];
