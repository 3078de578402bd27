import { expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Failed } from '../helpers/documents.ts';
import { addAgent } from '../helpers/speakers.ts';

it('a council that is over is found by its name', async () => {
  const project = await newProject();
  addAgent(project, 'ana');
  await project.council(['start', 'Over?', '--name', 'plan']);
  await project.council(['cancel', '--name', 'plan', '--why', 'enough']);

  const waited = await project.council(['wait', '--for', 'archived', '--name', 'plan', '--json']);
  expect(waited.code).toBe(0);
  expect(JSON.parse(waited.stdout)).toMatchObject({ name: 'plan', archived: true });
  const shown = await project.council(['show', 'plan', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({ meta: { name: 'plan', status: 'CANCELLED' } });

  const status = await project.council(['status', '--name', 'plan', '--json']);
  expect(status.code).toBe(2);
  const { error } = JSON.parse(status.stdout) as Failed;
  expect(error).toMatchObject({
    code: 'unknown_council',
    hint: expect.stringMatching(/council show .*over/),
  });

  const never = await project.council(['wait', '--for', 'archived', '--name', 'never']);
  expect(never.code).toBe(2);
});
