import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Failed } from '../helpers/documents.ts';
import { aliasBomb } from '../helpers/hostile-yaml.ts';
import { addAgent } from '../helpers/speakers.ts';

describe.concurrent('hostile front matter', () => {
  it('fault 16: agents list names each bad file and lists the others', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    project.write('agents/bomb.md', `---\n${aliasBomb(10)}\ntools: *a9\n---\n`);
    project.write('agents/broken.md', `---\n${'description: a: b\n'.repeat(10_000)}---\n`);
    project.write('agents/deep.md', `---\ntools: ${'['.repeat(30_000)}\n---\n`);
    project.write('agents/self.md', '---\ntools: &a [*a]\n---\n');
    const { code, json, stderr } = await project.council<{
      agents: { id: string }[];
      problems: { path: string; message: string }[];
    }>(['agents', 'list', '--json']);
    expect({ code, stderr: stderr.includes('bug in council') }).toEqual({ code: 0, stderr: false });
    expect(json.agents.map(({ id }) => id)).toContain('ana');
    expect(json.problems.map(({ message }) => message.replace(/^.*agents\//, ''))).toEqual([
      'bomb.md: the front matter cannot be read: its aliases repeat more than 10000 values (line 3).',
      'broken.md: the front matter that opens on line 1 has 180000 bytes; at most 65536 are read.',
      'deep.md: the front matter cannot be read: it is nested too deeply (more than 32 levels) (line 2).',
      'self.md: the front matter cannot be read: an alias repeats what it stands in (line 2).',
    ]);
  });

  it('fault 16: a mode that is an alias bomb is refused by name', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    project.write('modes/boom.md', `---\n${aliasBomb(10)}\nphases: *a9\n---\n`);
    const { code, json } = await project.council<Failed>(['start', 'Why?', '--mode', 'boom', '--json']);
    expect({ code, error: json.error.code }).toEqual({ code: 2, error: 'invalid_mode' });
    expect(json.error.message).toMatch(/boom\.md: .*aliases repeat/);
    const modes = await project.council(['modes']);
    expect(modes.stdout).toContain('debate');
    expect(modes.stderr).toMatch(/boom\.md: .*aliases repeat/);
  });

  it.each([
    [
      '600,000 keys',
      Array.from({ length: 600_000 }, (_, i) => `k${i}: 1`).join('\n'),
      /at most 65536 are read|the limit is \d+/,
    ],
    ['an alias bomb', `${aliasBomb(10)}\nagents: *a9`, /aliases repeat/],
  ])('fault 16: COUNCIL.md with %s is a finding of the doctor', async (_, yaml, reason) => {
    const project = await newProject();
    project.write('COUNCIL.md', `---\n${yaml}\n---\n`);
    const { code, json } = await project.council<{ findings: { check: string; message: string }[] }>([
      'doctor',
      '--json',
    ]);
    expect(code).toBe(1);
    expect(json.findings.find(({ check }) => check === 'config')?.message).toMatch(/COUNCIL\.md(: | has )/);
    expect(json.findings.find(({ check }) => check === 'config')?.message).toMatch(reason);
    const status = await project.council(['status']);
    expect(status.stderr).not.toContain('bug in council');
  });
});
