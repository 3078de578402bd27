// A standby that takes over: nothing acknowledged is missing afterwards.
import pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { checkServer } from '../../src/postgres/doctor/database.ts';
import { inspectServer } from '../../src/postgres/store/inspect-server.ts';
import { startPostgres } from '../helpers/postgres/server.ts';
import type { PostgresServer } from '../helpers/postgres/server.ts';
import { connected, runOn, sharedPostgres } from '../helpers/postgres/shared.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';

const there = await sharedPostgres();
const started: PostgresServer[] = [];
afterAll(async () => {
  for (const server of started) await server.stop();
});

async function start(...given: Parameters<typeof startPostgres>): Promise<PostgresServer> {
  const server = await startPostgres(...given);
  started.push(server);
  return server;
}

/** A server, and another one that began as its copy and follows it. */
async function pair(): Promise<{ first: PostgresServer; second: PostgresServer }> {
  const first = await start();
  await first.end();
  const way = `primary_conninfo=host=127.0.0.1 port=${first.port} user=postgres password=${first.password} application_name=second`;
  const second = await start({ copyOf: first.folder, password: first.password, settings: [way] });
  await first.start();
  return { first, second };
}

const said = (server: PostgresServer): Promise<string[]> =>
  connected(server.url, async (client) =>
    checkServer('here', await inspectServer(runOn(client)), []).map(
      ({ level, message }) => `${level}: ${message}`,
    ),
  );

describe.skipIf(!there)('a standby', () => {
  it('that is waited for takes over without losing anything', async () => {
    const { first, second } = await pair();
    const follows = async (state: string) =>
      connected(first.url, async (client) => {
        const { rows } = await client.query('SELECT 1 FROM pg_stat_replication WHERE sync_state = $1', [
          state,
        ]);
        expect(rows).toHaveLength(1);
      });
    await vi.waitFor(() => follows('async'), { timeout: 30_000, interval: 100 });
    expect(await said(second)).toContain('error: here is a replica: nothing can be committed there.');

    await connected(first.url, async (client) => {
      await client.query("ALTER SYSTEM SET synchronous_standby_names = 'second'");
      await client.query('SELECT pg_reload_conf()');
    });
    await vi.waitFor(() => follows('sync'), PATIENCE_MS);

    const acknowledged = await writeUntil(first, 200);
    await connected(second.url, (client) => client.query('SELECT pg_promote()'));
    const { rows } = await connected(second.url, (client) =>
      client.query<{ id: number }>('SELECT id FROM kept'),
    );
    const found = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
    expect((await said(second)).filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('does not help where fsync is off, as the doctor says', async () => {
    const server = await start({ settings: ['fsync=off'] });
    expect((await said(server)).join('\n')).toContain('error: here runs with fsync=off');
  });
});

/** Commits numbers until so many are acknowledged, and kills the server while more are under way. */
async function writeUntil(server: PostgresServer, count: number): Promise<number[]> {
  await connected(server.url, (client) => client.query('CREATE TABLE kept (id integer PRIMARY KEY)'));
  const acknowledged: number[] = [];
  let next = 0;
  const write = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      for (;;) {
        const id = next++;
        await client.query('INSERT INTO kept VALUES ($1)', [id]);
        acknowledged.push(id);
      }
    } catch {
      // The server was killed.
    }
  };
  const writers = Array.from({ length: 4 }, write);
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(count), {
    timeout: 60_000,
    interval: 5,
  });
  await server.kill();
  await Promise.all(writers);
  return acknowledged;
}
