// The PostgreSQL server that figures are measured on, with a project in it, and what its processes use up.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openPostgres } from '../src/store/postgres/open.ts';
import type { PostgresStore } from '../src/store/postgres/open.ts';
import { migrate } from '../src/store/postgres/migrate.ts';
import { placeOf } from '../src/store/postgres/place.ts';
import { startPostgres } from '../test/helpers/postgres/server.ts';

export const KB = 1024;
export const MB = KB * KB;

/** What nothing can make smaller, so that every byte is written. */
export const textOf = (bytes: number): string =>
  randomBytes(Math.ceil(bytes / 2))
    .toString('hex')
    .slice(0, bytes);

export interface Bench {
  store: PostgresStore;
  open(project: string): Promise<PostgresStore>;
  client: pg.Client & { url: string };
  /** Milliseconds of processor time of this process and all of the server's; undefined where the system does not tell. */
  cpu(): number | undefined;
}

/** A server of its own, with the tables of a project; `size`: how many connections the project has. */
export async function onServer<T>(measure: (bench: Bench) => Promise<T>, size: number): Promise<T> {
  // What PostgreSQL takes by itself: the servers of the tests are smaller.
  const server = await startPostgres({ settings: ['shared_buffers=128MB'] });
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
    const cpu = (): number | undefined => cpuOf(join(server.folder, 'data', 'postmaster.pid'));
    return await measure({ store: await open('council'), open, client, cpu });
  } finally {
    for (const { database } of opened) await database.end();
    await client.end();
    await server.stop();
  }
}

/** Linux alone tells what every process of the server has used up. */
function cpuOf(pidFile: string): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const own = process.cpuUsage();
  const server = fs.readFileSync(pidFile, 'utf8').split('\n')[0];
  const used = fs.readdirSync('/proc').map((pid) => (/^\d+$/.test(pid) ? usedBy(pid, server) : 0));
  return (own.user + own.system) / 1000 + used.reduce((sum, one) => sum + one, 0);
}

/** Milliseconds of a process, where it is the server or one of its own. */
function usedBy(pid: string, server: string | undefined): number {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    if (pid !== server && parent !== server) return 0;
    return Number(fs.readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
