import { expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Listed, Ticked } from '../helpers/documents.ts';
import { addAgent } from '../helpers/speakers.ts';

it('tells of an archive that was cut, altered or edited, by name, wherever it is read', async () => {
  const project = await newProject();
  addAgent(project, 'ana');
  const paths: string[] = [];
  for (const topic of ['Where do logs go?', 'Who reads them?', 'For how long?']) {
    await project.council(['start', topic, '--mode', 'synthesis']);
    await project.council(['respond', 'ana'], { input: `A platypus on "${topic}".\n` });
    const { json } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    paths.push(json.councils[0]!.archive!);
  }
  const [cut, altered, edited] = paths as [string, string, string];
  const whole = project.read(cut).toString();
  expect(whole.split('\n').findIndex((line) => line === '## Decision') + 1).toBe(13);
  project.write(cut, whole.slice(0, -100));
  project.write(altered, project.read(altered).toString().replace('"tours":2', '"tours":3'));
  project.write(edited, project.read(edited).toString().replace('## Decision', '## No decision'));

  const doctor = await project.council(['doctor']);
  for (const told of [
    `${cut} is cut: `,
    `${altered} was altered: `,
    `${edited} is not what was recorded: what stands`,
  ])
    expect(doctor.stdout + doctor.stderr).toContain(told);
  const list = await project.council<Listed>(['list', '--json']);
  expect(list.json.archives.map(({ path }) => path)).toEqual([edited]);
  const search = await project.council<{ results: { path: string }[] }>(['search', 'platypus', '--json']);
  expect(search.json.results.map(({ path }) => path).sort()).toEqual(paths.toSorted());
  const again = await project.council(['search', 'sha256']);
  expect(again.stdout).toContain('Nothing found');
  for (const { stderr } of [list, search, again, await project.council(['cost'])])
    for (const told of [`${cut} is cut: `, `${altered} was altered: `]) expect(stderr).toContain(told);
  for (const command of ['show', 'export', 'ledger', 'metrics']) {
    const refused = await project.council([command, cut]);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain(`${cut} is cut: `);
    const read = await project.council([command, edited]);
    expect(read.code).toBe(0);
    expect(read.stderr).toContain(command === 'show' ? 'what stands around the texts' : '');
  }
});
