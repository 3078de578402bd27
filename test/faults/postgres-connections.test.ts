// How many connections council has to a database, and for how long a transaction stays open, while others take their time.
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { connected, migratedSchema, sharedPostgres } from '../helpers/postgres/shared.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { addSpeaker, launches } from '../helpers/speakers.ts';
import { listen } from '../helpers/sse.ts';

const server = await sharedPostgres();

interface Session {
  name: string;
  state: string;
  /** Seconds since its transaction began; null where it has none. */
  open: number | null;
}

describe.skipIf(!server)('connections to PostgreSQL', async () => {
  if (!server) return;

  /** A project in a database of its own, and who is connected to it. */
  async function observed(): Promise<{ project: Project; sessions: () => Promise<Session[]> }> {
    const { app, appUrl } = await migratedSchema(server!);
    const project = await newProject({ init: false });
    project.env.COUNCIL_DATABASE_URL = appUrl;
    expect((await project.council(['init', '--no-detect'])).code).toBe(0);
    const sessions = (): Promise<Session[]> =>
      connected(server!.url, async (root) => {
        const { rows } = await root.query<Session>(
          `SELECT application_name AS name, state, extract(epoch FROM clock_timestamp() - xact_start)::float8 AS open
FROM pg_stat_activity WHERE usename = $1`,
          [app],
        );
        return rows;
      });
    return { project, sessions };
  }

  /** Looks for three seconds: nobody holds a transaction for as long as one of them. Resolves to the most connections seen. */
  async function watched(sessions: () => Promise<Session[]>): Promise<number> {
    let most = 0;
    const end = performance.now() + 3000;
    await until('three seconds have passed', async () => {
      const now = await sessions();
      most = Math.max(most, now.filter(({ name }) => name === 'council').length);
      expect(now.filter(({ open }) => (open ?? 0) > 1)).toEqual([]);
      return performance.now() > end;
    });
    return most;
  }

  it('are two at most while agents work, without an open transaction', async () => {
    const { project, sessions } = await observed();
    const go = join(project.outside, 'go');
    for (const id of ['ada', 'ben', 'cleo'])
      addSpeaker(project, id, { any: { say: `I am ${id}.`, whenThere: go } });
    const args = [
      'run',
      'Do we move?',
      '--agents',
      'ada,ben,cleo',
      '--mode',
      'synthesis',
      '--coordinator',
      'none',
    ];
    const running = project.launch(args);
    await until('all three work', () => launches(project).length === 3);
    const most = await watched(sessions);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
    fs.writeFileSync(go, '');
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(await sessions()).toEqual([]);
  });

  it('are eight at most of a server, whoever reads its answers slowly, and one for what listens', async () => {
    const { project, sessions } = await observed();
    for (const id of ['ada', 'ben'])
      expect((await project.council(['agents', 'add', id, '--runner', 'human'])).code).toBe(0);
    const start = ['start', 'Where?', '--agents', 'ada,ben', '--coordinator', 'none', '--name', 'c'];
    expect((await project.council(start)).code).toBe(0);
    const { url, stop } = await serving(project);
    const stream = await listen(`${url}/api/v1/events?name=c`, {});
    const api = apiOf(url);
    const asked = Promise.all(Array.from({ length: 40 }, () => api.post('status')));
    const most = await watched(sessions);
    const listening = (await sessions()).filter(({ name }) => name === 'council listening');
    expect((await asked).every(({ status }) => [200, 429, 503].includes(status))).toBe(true);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(8);
    expect(listening).toHaveLength(1);
    expect(stream.events.length).toBeGreaterThan(0);
    await stop();
  });

  it('is one of a command', async () => {
    const { project, sessions } = await observed();
    for (const id of ['ada', 'ben'])
      expect((await project.council(['agents', 'add', id, '--runner', 'human'])).code).toBe(0);
    const start = ['start', 'Where?', '--agents', 'ada,ben', '--coordinator', 'none', '--name', 'c'];
    expect((await project.council(start)).code).toBe(0);
    const waiting = project.launch(['wait', '--name', 'c', '--for', 'archived', '--timeout', '6s']);
    await until('it looks', async () => (await sessions()).length > 0);
    expect(await watched(sessions)).toBe(1);
    expect((await waiting.ended).code).toBe(124);
  });
});
