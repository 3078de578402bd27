// A tick does not read a council again that only waits for people, and misses nothing that makes it due.
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Ticked } from '../helpers/documents.ts';
import { addAgent } from '../helpers/speakers.ts';

const NOTES = 'memory/shared/.versions/.due.json';
const ticked = async (project: Project) =>
  (await project.council<Ticked>(['tick', '--json'])).json.councils.map(({ name, from, to, error }) => ({
    name,
    from,
    to,
    ...(error && { error: error.code }),
  }));

/** Ticks until a council has been noted: its folder has to be at rest for two seconds. */
const noted = (project: Project, name: string): Promise<void> =>
  until(`${name} was noted`, async () => {
    await project.council(['tick']);
    const { noted: all } = JSON.parse(project.read(NOTES).toString()) as { noted: object };
    return Object.hasOwn(all, name);
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
  const project = await newProject();
  for (const id of ['ana', 'ben']) addAgent(project, id);
  await project.council(['start', 'Go?', '--agents', 'ana,ben', '--timeout', '6s', '--mode', 'synthesis']);
  await project.council(['respond', 'ana'], { input: 'position: Yes\n\nYes.' });
  await noted(project, 'active-conversation');
  await until('the phase was closed', async () =>
    (await ticked(project)).some(({ from, to }) => from !== to),
  );
});
