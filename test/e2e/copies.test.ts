// What programs that sync, editors and clouds leave beside council's own files.
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { addSpeaker } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const CONFLICT = 'sync-conflict-20261126-201500-ABCDEFG';

describe.concurrent('copies of agents, modes and archives', () => {
  it('launches the file that is named like the id, and every command that looks says so once', async () => {
    const project = await newProject();
    await project.council(['agents', 'add', 'ada', '--', 'echo', 'Position: OLD']);
    const copy = `agents/ada.${CONFLICT}.md`;
    project.write(copy, project.read('agents/ada.md'));
    project.write('agents/ada.md', project.read('agents/ada.md').toString().replace('OLD', 'NEW'));
    project.write('agents/.#ada.md', project.read(copy));
    for (const args of [['agents', 'list'], ['agents', 'check'], ['trust', '--list'], ['status'], ['tick']]) {
      const { stderr } = await project.council(args);
      expect(stderr.split('is a copy of'), args.join(' ')).toHaveLength(2);
      expect(stderr).toContain(`mv ${project.root}/${copy}`);
    }
    expect((await project.council(['doctor'])).stdout).toContain(`${copy} is a copy of`);
    const run = await project.council(['run', 'Which?', '--agents', 'ada', '--coordinator', 'none', '--yes']);
    expect(
      project
        .archives()
        .map((path) => project.read(path).toString())
        .join(),
    ).toContain('NEW');
    expect(run.stdout + run.stderr).not.toContain('OLD');
    expect(run.stderr).toContain('is a copy of');
  });

  long('does not launch a copy in place of a file that is damaged or that a cloud has put away', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', {});
    project.write('agents/ada 2.md', project.read('agents/ada.md'));
    project.write('agents/ada.md', 'council: {');
    expect((await project.council(['start', 'Who?', '--agents', 'ada'])).stderr).toContain('ada.md');
    fs.rmSync(`${project.root}/agents/ada.md`);
    project.write('agents/.ada.md.icloud', '');
    const { code, stderr } = await project.council(['start', 'Who?', '--agents', 'ada']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('was put away by iCloud');
  });

  long('takes no copy of a mode for a mode, and no mode of its own for one that is put away', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', {});
    const { stdout: debate } = await project.council(['modes', 'debate']);
    project.write('modes/debate.md', debate);
    project.write('modes/debate (1).md', debate);
    const listed = await project.council<{ modes: { name: string }[] }>(['modes', '--json']);
    expect(listed.json.modes.filter(({ name }) => name.startsWith('debate'))).toHaveLength(1);
    expect(listed.stderr).toContain('debate (1).md is a copy of');
    fs.renameSync(`${project.root}/modes/debate.md`, `${project.root}/modes/.debate.md.icloud`);
    const start = await project.council(['start', 'Who?', '--mode', 'debate']);
    expect(start.code).not.toBe(0);
    expect(start.stderr).toContain('put away by iCloud');
  });
});
