import { describe, expect, it } from 'vitest';
import type { CouncilState } from '../../src/core/council/state/state.ts';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { stateOf } from '../helpers/look.ts';
import { addSpeaker } from '../helpers/speakers.ts';

const BROKEN = '---\nname: gap\ncouncil:\n  command: [cat\n---\nYou look.\n';
const TOLD = /^gap does not sit: the front matter cannot be read/;

async function table(): Promise<Project> {
  const project = await newProject();
  for (const id of ['ada', 'ben']) addSpeaker(project, id, {});
  project.write('agents/gap.agent.md', BROKEN);
  return project;
}

const wholeState = async (project: Project): Promise<CouncilState> =>
  (await stateOf(project)) as unknown as CouncilState;

const gap = [{ id: 'gap', why: expect.stringMatching(/^the front matter cannot be read/) as string }];

describe('an agent whose file cannot be read', () => {
  it('does not sit, and run says so in every mode, in its document and in the archive', async () => {
    const project = await table();
    const loud = await project.council(['run', 'Who?', '--coordinator', '', '--name', 'loud']);
    expect(loud.stderr.split('\n').filter((line) => TOLD.test(line))).toHaveLength(1);
    const quiet = await project.council(['run', 'Who?', '--coordinator', '', '--name', 'quiet', '--quiet']);
    expect(quiet.stdout.split('\n').filter((line) => TOLD.test(line))).toHaveLength(1);
    const args = ['run', 'Who?', '--coordinator', '', '--name', 'json', '--quiet', '--json'];
    const { json } = await project.council<{ outside: unknown; archive: string }>(args);
    expect(json.outside).toEqual(gap);
    expect(project.read(json.archive).toString()).toContain('- gap does not sit: the front matter cannot');
    const plan = await project.council<{ outside: unknown }>(['run', 'Who?', '--dry-run', '--json']);
    expect(plan.json.outside).toEqual(gap);
    const named = await project.council<object>([
      'run',
      'Who?',
      '--agents',
      'ada,ben',
      '--dry-run',
      '--json',
    ]);
    expect(named.json).not.toHaveProperty('outside');
  });

  it('is told by start, kept in the state, and by tick when that changes', async () => {
    const project = await table();
    const start = await project.council<{ outside: unknown }>([
      'start',
      'Who?',
      '--coordinator',
      '',
      '--json',
    ]);
    expect(start.json.outside).toEqual(gap);
    expect((await wholeState(project)).outside).toEqual(gap);
    expect((await wholeState(project)).order).toEqual(['ada', 'ben']);
    const first = await project.council(['tick']);
    expect(first.stderr).not.toContain('gap');
    project.write('agents/gap.agent.md', BROKEN.replace('cat', 'cat]'));
    project.write('agents/hint.md', BROKEN);
    const second = await project.council(['tick']);
    expect(second.stderr).toContain('The file of gap can be read again: the next council has it.');
    expect(second.stderr).toContain('hint does not sit: the front matter cannot be read');
    expect((await wholeState(project)).outside).toMatchObject([{ id: 'hint' }]);
    expect((await project.council(['tick'])).stderr).not.toContain('hint');
  });
});
