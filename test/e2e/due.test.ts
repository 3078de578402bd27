// Many councils at once: what a tick, a heartbeat and status make of those that wait.
import fs from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, serialize } from '../../src/core/council/document/document.ts';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Ticked } from '../helpers/documents.ts';
import { addAgent } from '../helpers/speakers.ts';

const ticked = async (project: Project) =>
  (await project.council<Ticked>(['tick', '--json'])).json.councils.map(({ name, from, to, error }) => ({
    name,
    from,
    to,
    ...(error && { error: error.code }),
  }));

it.concurrent('a heartbeat passes over councils that wait, and looks when somebody has spoken', async () => {
  const project = await newProject();
  for (const id of ['ana', 'ben']) addAgent(project, id);
  for (const name of ['one', 'two'])
    await project.council(['start', 'Go?', '--agents', 'ana,ben', '--name', name, '--mode', 'synthesis']);
  const beat = project.launch(['heartbeat']);
  await until('the heartbeat stands', () => beat.output().includes('Heartbeat in'));
  for (const id of ['ana', 'ben'])
    await project.council(['respond', id, '--name', 'two'], { input: 'position: Yes\n\nYes.' });
  await until('the phase was closed', async () => {
    const { json } = await project.council<{ currentPhase: string }>(['status', '--name', 'two', '--json']);
    return json.currentPhase !== 'COLLECT';
  });
  beat.child.kill('SIGTERM');
  expect((await beat.ended).code).toBe(0);
});

it.concurrent('closes a phase when its time is up', async () => {
  const began = performance.now();
  const project = await newProject();
  for (const id of ['ana', 'ben']) addAgent(project, id);
  // Long enough for some commands on any machine, by what the first one took.
  const seconds = 4 + Math.ceil((performance.now() - began) / 200);
  const timeout = `${seconds}s`;
  await project.council(['start', 'Go?', '--agents', 'ana,ben', '--timeout', timeout, '--mode', 'synthesis']);
  await project.council(['respond', 'ana'], { input: 'position: Yes\n\nYes.' });
  await until(
    'the phase was closed',
    async () => (await ticked(project)).some(({ from, to }) => from !== to),
    seconds * 1000 + 30_000,
  );
});

/** The only council of a project under many names, as state files that another clone has brought. */
function multiply(project: Project, count: number): void {
  const shared = (name: string): string => `memory/shared/council-${name}.md`;
  const model = parse(project.read(shared('active-conversation')).toString());
  for (let at = 1; at < count; at++) {
    const state = { ...model.state, name: `n-${at}`, conversationId: randomUUID(), revision: 1 };
    project.write(shared(state.name), serialize({ ...model, state }));
  }
}

it.concurrent('tells of very many councils in a line each, and of what is odd among them', async () => {
  const project = await newProject();
  for (const id of ['ana', 'ben']) addAgent(project, id);
  await project.council(['start', 'Go *now*?', '--agents', 'ana,ben', '--mode', 'synthesis']);
  multiply(project, 60);
  const whole = await project.council(['status']);
  expect(whole.code).toBe(0);
  const lines = whole.stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(61);
  expect(lines[0]).toMatch(
    /^active-conversation: COLLECT, round 1; deadline .*; waiting for ana, ben; Go \*now\*\?$/,
  );
  expect(lines.at(-1)).toBe('60 councils are active. More about one: council status --name NAME');
  const ticks = await project.council(['tick']);
  expect(ticks).toMatchObject({ code: 0, stdout: '60 councils are where they were (council status)\n' });

  await project.council(['respond', 'ana', '--name', 'n-1'], { input: 'position: Yes\n\nYes.' });
  fs.appendFileSync(join(project.root, 'memory/shared/council-n-2.md'), 'by hand\n');
  project.write('memory/shared/council-n-3.md', '');
  project.write('memory/shared/.versions/n-3/1.md', 'gone');
  await project.council(['start', 'New?', '--agents', 'ana,ben', '--mode', 'synthesis', '--name', 'n-100']);
  const odd = await project.council(['status']);
  const lineOf = (name: string) => odd.stdout.split('\n').find((line) => line.startsWith(`${name}: `));
  expect(lineOf('n-1')).toContain('waiting for ben;');
  expect(lineOf('n-2')).toContain('edited by hand');
  expect(lineOf('n-4')).toContain('waiting for ana, ben;');
  expect(lineOf('n-100')).toContain('New?');
  expect({ code: odd.code, told: odd.stderr }).toEqual({
    code: 1,
    told: expect.stringContaining('council "n-3"') as string,
  });
  const { json } = await project.council<{ councils: { name: string }[] }>(['status', '--json']);
  expect(json.councils).toHaveLength(60);
});
