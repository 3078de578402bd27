// A council on PostgreSQL, where a client's clock is wrong or a tick was ended in the middle of a closing.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project, RunOptions } from '../helpers/cli.ts';
import type { Status, Ticked } from '../helpers/documents.ts';
import { connected, migratedSchema, sharedPostgres } from '../helpers/postgres/shared.ts';
import { withWorkers } from '../helpers/scripted-workers.ts';
import { machine } from '../helpers/set-clock.ts';

const server = await sharedPostgres();
const DAY = 86_400_000;
interface Refused {
  error: { code: string; kept?: string };
}

describe.skipIf(!server)('a council on PostgreSQL', async () => {
  if (!server) return;
  const { schema, appUrl } = await migratedSchema(server);
  const database = { COUNCIL_DATABASE_URL: appUrl };

  async function opened(name: string): Promise<Project> {
    const project = await newProject();
    for (const id of ['ana', 'ben'])
      await project.council(['agents', 'add', id, '--runner', 'human'], { env: database });
    const args = ['start', 'Do we move?', '--name', name, '--agents', 'ana,ben', '--json'];
    const { code, stderr } = await project.council(args, { env: database });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return project;
  }
  const on = (options: RunOptions = {}): RunOptions => ({ ...options, env: { ...database, ...options.env } });

  it('goes by the clock of the server, however wrong that of a client is', async () => {
    const project = await opened('clock');
    const begun = Date.now();
    for (const ahead of [DAY, -DAY]) {
      const wrong = on(machine({ CLOCK_AHEAD: ahead }));
      const { json } = await project.council<Ticked>(['tick', '--name', 'clock', '--json'], wrong);
      expect(json.councils).toMatchObject([
        { name: 'clock', from: 'COLLECT', to: 'COLLECT', transitions: [] },
      ]);
    }
    const spoken = await project.council(['respond', 'ana', '--name', 'clock'], {
      ...on(machine({ CLOCK_AHEAD: DAY })),
      input: 'I would stay.',
    });
    expect(spoken.code).toBe(0);
    const { json } = await project.council<Status>(['status', '--name', 'clock', '--json'], on());
    const { lastAction } = json.councils[0]!.participants.ana!;
    expect(Math.abs(Date.parse(lastAction!) - begun)).toBeLessThan(DAY / 2);
  });

  it('has its tasks played by a tick, where no file tells that there are any', async () => {
    const project = await withWorkers({ ada: { steps: [{ stay: true }, { say: 'done' }] } });
    project.env.COUNCIL_DATABASE_URL = appUrl;
    const running = project.launch(['task', 'run', 'count']);
    await until('ada is launched', () => project.prompts('ada').length === 1);
    running.child.kill('SIGKILL');
    await running.ended;
    expect((await project.council(['tick', '--until-idle'])).code).toBe(0);
    const { json } = await project.council<{ tasks: unknown[] }>(['task', 'list', '--all', '--json']);
    expect(json.tasks).toMatchObject([{ state: 'D', attempts: 2, result: 'done' }]);
  });

  it('goes on from a round that a dead tick has closed, in which nobody is heard any more', async () => {
    const project = await opened('closed');
    const said = await project.council(['respond', 'ana', '--name', 'closed'], {
      ...on(),
      input: 'CANARY I would stay.',
    });
    expect(said.code).toBe(0);
    const { json } = await project.council<Status>(['status', '--name', 'closed', '--json'], on());
    await connected(appUrl, (client) =>
      client.query(`SELECT "${schema}_sealed".seal_close($1, 1, 'timeout')`, [
        json.councils[0]!.conversationId,
      ]),
    );
    await project.council(['extend', '2h', '--name', 'closed'], on());

    const late = await project.council<Refused>(['respond', 'ben', '--name', 'closed', '--json'], {
      ...on(),
      input: 'too late',
    });
    expect(late.code).toBe(1);
    expect(late.json.error.code).toBe('phase_closed');
    expect(readFileSync(late.json.error.kept!, 'utf8')).toBe('too late');

    const ticked = await project.council<Ticked>(['tick', '--name', 'closed', '--json'], on());
    expect(ticked.json.councils[0]!.transitions).toMatchObject([{ from: 'COLLECT', to: 'CHALLENGE' }]);
    const view = await project.council(['view', 'ben', '--name', 'closed'], on());
    expect(view.stdout).toContain('CANARY I would stay.');
    const back = await project.council<Refused>(['restore', '2', '--name', 'closed', '--json'], on());
    expect(back.json.error.code).toBe('phase_closed');
  });
});
