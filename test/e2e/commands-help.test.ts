import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI, filesIn, newProject } from '../helpers/cli.ts';
import { specs } from '../../src/program/specs.ts';
import { addAgent } from '../helpers/speakers.ts';

const COMMANDS = specs.map(({ name }) => name);

describe.concurrent('the help of every command', () => {
  it('is there, with examples whose options exist', async () => {
    const project = await newProject({ init: false });
    const { code, stdout } = await project.council(['help', 'all']);
    expect(code).toBe(0);
    const listed = [...stdout.matchAll(/^ {2}([a-z-]+) .*\S/gm)].map((m) => m[1]);
    expect(listed.filter((name) => name !== 'help').sort()).toEqual(COMMANDS.toSorted());
    for (const command of COMMANDS) {
      const help = await project.council([command, '--help']);
      expect({ command, code: help.code, stderr: help.stderr }).toEqual({ command, code: 0, stderr: '' });
      expect(help.stdout).toMatch(new RegExp(`^Usage: council ${command}`));
      const [usage = '', examples = ''] = help.stdout.split('Examples:');
      const options = [...usage.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map((m) => m[1]!);
      expect(options).toEqual(expect.arrayContaining(['--json', '--root']));
      // What stands behind " -- " is another program's.
      const calls = [...examples.matchAll(/\$ (.*)/g)].flatMap((m) => m[1]!.split(/\||&&/));
      const ours = calls.filter((call) => new RegExp(`^ *council ${command}( |$)`).test(call));
      expect({ command, examples: ours.length }).not.toEqual({ command, examples: 0 });
      const used = ours.flatMap((call) => call.split(' -- ')[0]!.match(/(?<= )--[\w-]+/g) ?? []);
      expect({ command, unknown: used.filter((name) => !options.includes(name)) }).toEqual({
        command,
        unknown: [],
      });
    }
    expect((await project.council(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(filesIn(project.root)).toEqual([]);
  });
});

describe.concurrent('completion', () => {
  it('comes in scripts that their shells can parse', async () => {
    const project = await newProject({ init: false });
    const scripts = mkdtempSync(join(project.outside, 'shells-'));
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await project.council(['completion', shell]);
      expect(code).toBe(0);
      // What may come next is asked of council itself.
      expect(stdout).toContain('completion');
      const file = join(scripts, shell);
      writeFileSync(file, stdout);
      const parsed = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
      // Only bash is on every machine.
      if (shell !== 'bash' && parsed.error) continue;
      expect({ shell, status: parsed.status, said: parsed.stderr }).toEqual({ shell, status: 0, said: '' });
    }
  });

  it('offers what the project has, and no options where a value is wanted', async () => {
    const project = await newProject();
    for (const id of ['ada', 'ben']) addAgent(project, id);
    await project.council(['start', 'Which one?', '--agents', 'ada,ben', '--name', 'which']);
    const { stdout: source } = await project.council(['completion', 'bash']);
    const complete = (words: string) =>
      `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _council; echo "\${COMPREPLY[@]}"`;
    const lines = [
      `council() { '${process.execPath}' '${CLI}' "$@"; }`,
      source,
      ...["council agents show ''", "council view ''", 'council respond b', 'council excuse a --name w'],
      ...["council run --coordinator ''", "council start --brief ''", "council respond ada --file ''"],
      ...['council help a', 'council run --timeout --', "council modes ''"],
    ].map((line, at) => (at < 2 ? line : complete(line)));
    const { stdout } = spawnSync('bash', ['-c', lines.join('\n')], {
      encoding: 'utf8',
      cwd: project.root,
      env: project.env,
    });
    const offered = stdout.split('\n');
    expect(offered[0]).toMatch(/^ada ben\b/);
    expect(offered[1]).toMatch(/^ada ben\b/);
    expect(offered[2]).toBe('ben');
    expect(offered[3]).toBe('which');
    expect(offered[4]).toMatch(/^ada ben\b/);
    // Files: readline offers them where nothing else is.
    expect(offered.slice(5, 7)).toEqual(['', '']);
    expect(offered[7]).toBe('ask adopt archives ack approvals audit agents');
    expect(offered[8]).toBe('');
  });
});
