// Figures of the PostgreSQL store: commits over a bare update of the same bytes, and a tick's look at 100,000 councils.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openPostgres } from '../src/store/postgres/open.ts';
import type { PostgresStore } from '../src/store/postgres/open.ts';
import { migrate } from '../src/store/postgres/migrate.ts';
import { placeOf } from '../src/store/postgres/place.ts';
import { startPostgres } from '../test/helpers/postgres/server.ts';
import type { Figure, Timings } from './figure.ts';

const KB = 1024;
/** Commits of each client in a round. */
const COMMITS = 20;
const ROUNDS = 15;

const commits = (clients: number, bytes: number): Figure => ({
  name: `postgres-commit-${clients}${bytes > 100 * KB ? '-large' : ''}`,
  what: `${COMMITS} commits of ${Math.round(bytes / KB)} KB by each of ${clients} clients, PostgreSQL`,
  against: 'a bare UPDATE of the same bytes where the revision is right, same server',
  // 0.85 as many a second.
  goal: 1.18,
  measure: () =>
    onServer(async ({ store, client }) => {
      await client.query(`CREATE TABLE bare (key text PRIMARY KEY, rev integer NOT NULL, text text NOT NULL);
ALTER TABLE bare ALTER COLUMN text SET STORAGE EXTERNAL`);
      const bare = new pg.Pool({ connectionString: client.url, max: clients });
      bare.on('error', () => undefined);
      const documents = store.documents('council');
      const heads = new Map<number, number>();
      const text = textOf(bytes);
      for (let at = 0; at < clients; at++)
        await bare.query('INSERT INTO bare VALUES ($1, 0, $2)', [`k${at}`, text]);
      const each = async (work: (at: number) => Promise<void>): Promise<number> => {
        const start = performance.now();
        await Promise.all(Array.from({ length: clients }, (_, at) => work(at)));
        return performance.now() - start;
      };
      const committing = async (at: number): Promise<void> => {
        for (let n = 0; n < COMMITS; n++)
          heads.set(at, await documents.commit(`k${at}`, `${n} ${text}`, heads.get(at) ?? 0));
      };
      let revision = 0;
      const updating = async (at: number): Promise<void> => {
        for (let n = 0; n < COMMITS; n++)
          await bare.query('UPDATE bare SET rev = rev + 1, text = $2 WHERE key = $1 AND rev = $3', [
            `k${at}`,
            `${n} ${text}`,
            revision + n,
          ]);
      };
      const timings: Timings = { figure: [], baseline: [] };
      for (let round = -1; round < ROUNDS; round++) {
        const figure = await each(committing);
        const baseline = await each(updating);
        revision += COMMITS;
        // The first round opens the connections.
        if (round < 0) continue;
        timings.figure.push(figure);
        timings.baseline.push(baseline);
      }
      await bare.end();
      return timings;
    }, clients),
});

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
      const timings: Timings = { figure: [], baseline: [] };
      for (let round = -1; round < ROUNDS; round++) {
        const [figure, baseline] = [await pass(store), await pass(few)];
        if (round < 0) continue;
        timings.figure.push(figure);
        timings.baseline.push(baseline);
      }
      return timings;
    }, 1),
};

export const postgresFigures: Figure[] = [
  commits(1, 20 * KB),
  commits(8, 20 * KB),
  commits(32, 20 * KB),
  commits(1, KB * KB),
  tick,
];

/** What nothing can make smaller, so that every byte is written. */
const textOf = (bytes: number): string =>
  randomBytes(Math.ceil(bytes / 2))
    .toString('hex')
    .slice(0, bytes);

interface Bench {
  store: PostgresStore;
  open(project: string): Promise<PostgresStore>;
  client: pg.Client & { url: string };
}

/** A server of its own, with the tables of a project. */
async function onServer(measure: (bench: Bench) => Promise<Timings>, size: number): Promise<Timings> {
  const server = await startPostgres();
  const client = Object.assign(new pg.Client({ connectionString: server.url }), { url: server.url });
  await client.connect();
  client.on('error', () => undefined);
  const opened: PostgresStore[] = [];
  try {
    const run = async (sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]> => {
      const result: unknown = await (values ? client.query(sql, [...values]) : client.query(sql));
      return ((Array.isArray(result) ? result.at(-1) : result) as pg.QueryResult<Record<string, unknown>>)
        .rows;
    };
    await migrate(run, { schema: 'bench', dryRun: false });
    const place = placeOf(`${server.url}?schema=bench`, 'the bench', { secret: true });
    const options = {
      place,
      direct: place,
      size,
      actor: 'bench',
      factsOf: () => ({}),
      conversationOf: () => undefined,
    };
    const open = async (project: string): Promise<PostgresStore> => {
      const store = await openPostgres(options, project);
      opened.push(store);
      return store;
    };
    return await measure({ store: await open('council'), open, client });
  } finally {
    for (const { database } of opened) await database.end();
    await client.end();
    await server.stop();
  }
}
