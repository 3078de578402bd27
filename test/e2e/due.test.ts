// A tick does not read a council again that only waits for people, and misses nothing that makes it due.
import fs from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, serialize } from '../../src/council/document/document.ts';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Ticked } from '../helpers/documents.ts';
import { addAgent } from '../helpers/speakers.ts';

const NOTES = 'memory/shared/.versions/.due/index';
const ticked = async (project: Project) =>
  (await project.council<Ticked>(['tick', '--json'])).json.councils.map(({ name, from, to, error }) => ({
    name,
    from,
    to,
    ...(error && { error: error.code }),
  }));

/** The names in the notes that have more than a name. */
const waitingIn = (project: Project): string[] =>
  project
    .read(NOTES)
    .toString()
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [name, ...rest] = JSON.parse(line.split('\t')[1] ?? '[]') as string[];
      return name !== undefined && rest.length > 0 ? [name] : [];
    });

/** Ticks until a council has been noted: its folder has to be at rest for two seconds. */
const noted = (project: Project, name: string): Promise<void> =>
  until(`${name} was noted`, async () => {
    await project.council(['tick']);
    return waitingIn(project).includes(name);
  });

it.concurrent('passes over councils that wait, and reads them when somebody has spoken', async () => {
  const project = await newProject();
  for (const id of ['ana', 'ben']) addAgent(project, id);
  await project.council(['start', 'Go?', '--agents', 'ana,ben', '--name', 'one', '--mode', 'synthesis']);
  await noted(project, 'one');
  // Damage within a file is not seen until the council is looked at.
  project.write('memory/shared/.versions/one/1.md', 'gone');
  const quiet = await project.council(['tick']);
  expect({ code: quiet.code, said: quiet.stderr }).toEqual({ code: 0, said: '' });
  expect(await ticked(project)).toEqual([{ name: 'one', from: 'COLLECT', to: 'COLLECT' }]);
  fs.rmSync(join(project.root, NOTES));
  expect((await project.council(['tick'])).stderr).toContain('damaged');

  await project.council(['start', 'Go?', '--agents', 'ana,ben', '--name', 'two', '--mode', 'synthesis']);
  await noted(project, 'two');
  for (const id of ['ana', 'ben'])
    await project.council(['respond', id, '--name', 'two'], { input: 'position: Yes\n\nYes.' });
  const two = (await ticked(project)).find(({ name }) => name === 'two');
  expect(two).toMatchObject({ from: 'COLLECT' });
  expect(two?.to).not.toBe('COLLECT');
});

it.concurrent('closes what was noted when its time is up', async () => {
  const began = performance.now();
  const project = await newProject();
  for (const id of ['ana', 'ben']) addAgent(project, id);
  // Long enough for some commands on any machine, by what the first one took; the folder rests for two seconds besides.
  const seconds = 6 + Math.ceil((performance.now() - began) / 200);
  const timeout = `${seconds}s`;
  await project.council(['start', 'Go?', '--agents', 'ana,ben', '--timeout', timeout, '--mode', 'synthesis']);
  await project.council(['respond', 'ana'], { input: 'position: Yes\n\nYes.' });
  await noted(project, 'active-conversation');
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
  await noted(project, 'n-59');

  // From here on the others are known, and these are looked at.
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

it.concurrent('finds everything again when the notes are deleted', async () => {
  const project = await newProject();
  for (const id of ['ana', 'ben']) addAgent(project, id);
  await project.council(['start', 'Go?', '--agents', 'ana,ben', '--mode', 'synthesis']);
  await noted(project, 'active-conversation');
  const before = await ticked(project);
  fs.rmSync(dirname(join(project.root, NOTES)), { recursive: true });
  expect(await ticked(project)).toEqual(before);
});
