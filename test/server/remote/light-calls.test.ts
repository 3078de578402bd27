import { expect, it } from 'vitest';
import { createLightCallCheck } from '../../../src/server/remote/http-server-host.ts';
import type { UseCaseName } from '../../../src/server/remote/calls.ts';
import { createProcessCli } from '../../../src/core/cli/io.ts';
import { newProject } from '../../helpers/cli.ts';
import { addAgent } from '../../helpers/speakers.ts';

it('a server does in its own process what reads little, and nothing that looks up quotes', async () => {
  const project = await newProject();
  addAgent(project, 'ana', { runner: 'human' });
  addAgent(project, 'ben', { runner: 'human' });
  for (const name of ['large', 'small']) await project.council(['start', 'Where?', '--name', name]);
  const isLight = createLightCallCheck({
    ...createProcessCli({ json: false, root: undefined, features: [] }),
    cwd: project.root,
    env: project.env,
  });
  const say = async (name: string): Promise<void> => {
    const input = `---\nposition: here\n---\n${'What runs at night wakes somebody: é, 🦉.\n'.repeat(14_000)}`;
    for (const by of ['ana', 'ben']) await project.council(['respond', by, '--name', name], { input });
    await project.council(['tick', '--name', name]);
  };
  const asked = (name: UseCaseName, input = {}) => isLight({ name, input, caller: { role: 'admin' } });
  const view = { name: 'large', agent: 'ana' };
  expect(await asked('view', view)).toBe(true);

  await say('large');
  expect(await asked('view', view)).toBe(false);
  expect(await asked('view', { ...view, name: 'small' })).toBe(true);
  expect(await asked('status', { name: 'large' })).toBe(true);
  expect(await asked('status')).toBe(true);
  await say('small');
  expect(await asked('status')).toBe(false);

  expect(await asked('read', { name: 'small', agent: 'ana', text: '> a\n' })).toBe(false);
  expect(await asked('search', { query: 'night' })).toBe(true);
  project.write('memory/reports/w1_20260111_163000.md', 'Night. '.repeat(100_000));
  expect(await asked('search', { query: 'night' })).toBe(false);
  // Whoever asks for them is told so at once.
  expect(await asked('view', { ...view, name: 'nowhere' })).toBe(true);
  expect(await asked('view', { ...view, name: '../..' })).toBe(true);
});
