import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CLI, newProject } from '../helpers/cli.ts';
import { addAgent } from '../helpers/speakers.ts';
import { HAS_TERMINAL } from '../helpers/look.ts';
import type { Failed } from '../helpers/documents.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

describe('the help', () => {
  it('shows the commands that most people need on one screen, with exit 2 where none was named', async () => {
    const project = await newProject({ init: false });
    const { code, stdout, stderr } = await project.council([]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines[0]).toBe('Usage: council COMMAND [options]');
    const [first = ''] = stdout.split('\nMore:\n');
    const commands = [...first.matchAll(/^ {2}council (\w+)/gm)].map(([, name]) => name);
    expect(commands).toEqual('ask review run respond status watch show list agents doctor open'.split(' '));
    expect(stdout).toContain('council help all ');
    for (const help of ['help', '--help', '-h'])
      expect(await project.council([help])).toMatchObject({ code: 0, stdout, stderr: '' });
  });

  long('understands other names, or says what to do for them', async () => {
    const project = await newProject();
    expect((await project.council(['ls'])).stdout).toBe((await project.council(['list'])).stdout);
    expect((await project.council(['help', 'ls'])).stdout).toMatch(/^Usage: council list/);
    for (const word of ['config', 'reopen', 'stop', 'vote', 'answer', 'new', 'delete', 'dissent']) {
      const { code, stderr } = await project.council([word]);
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/: council \w|council init/) as string,
      });
    }
    addAgent(project, 'ana');
    expect((await project.council(['agents', 'delete', 'ana', '--yes'])).stdout).toContain('Removed ');
    expect((await project.council(['ask', 'Why?', '--model=opus'])).stderr).toContain('--agents claude:opus');
    expect((await project.council(['agents', 'add', 'Ana Maria'])).stderr).toContain(
      'Ids have no spaces or capitals. Try: council agents add ana-maria --title "Ana Maria"\n',
    );
  });

  it('leads a question to ask: piped in without a word, behind an unknown command, in a file that is not there', async () => {
    const { root, env, council } = await newProject();
    const piped = spawnSync('sh', ['-c', `echo Why? | '${process.execPath}' '${CLI}'`], { cwd: root, env });
    expect(String(piped.stderr)).toContain('Nobody at this table can answer a question');
    expect((await council(['brainstorm', 'Which name?'])).stderr).toContain("council ask 'Which name?'\n");
    expect((await council(['ask', 'nofile.md'])).stderr).toContain('There is no file ');
    expect((await council(['export', 'last', 'page.html'])).stderr).toContain(
      'export last --output page.html\n',
    );
    expect((await council(['ask', 'Is the plan good?', 'nofile.md'])).stderr).toContain(
      'There is no file "nofile.md".\n',
    );
    expect((await council(['ask', 'Should', 'we', 'use', 'node.js'])).stderr).toContain(
      'Put the question in quotes',
    );
    expect((await council(['mcp', 'install'])).stderr).toContain('claude mcp add council -- council mcp\n');
    expect((await council(['list', 'flags'])).stderr).toContain('council search flags\n');
  });

  it('puts every command into a group, and says the exit codes', async () => {
    const { stdout } = await (await newProject({ init: false })).council(['help', 'all']);
    const titles = [...stdout.matchAll(/^([A-Z].*):$/gm)].map(([, title]) => title);
    expect(titles).toEqual([
      'Options',
      'Hold a council',
      'Take part',
      'Follow it, and keep it going',
      'Step in',
      'Look back',
      'Write to each other',
      'Have work done',
      'Share the files',
      'Allow and check',
      'Set up',
      'For agents and shells',
      'Examples',
    ]);
    expect(stdout).toContain('Exit codes: 0 done');
  });

  it('names a command that does not exist', async () => {
    const project = await newProject({ init: false });
    const { code, stderr } = await project.council(['help', 'nope']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "council: unknown command 'nope'\nSee: council help\n",
    });
    const { json } = await project.council<Failed>(['nope', '--json']);
    expect(json.error.code).toBe('usage');
    // What somebody looks for under another name, and where another command takes it.
    expect((await project.council(['pause'])).stderr).toBe(
      "council: unknown command 'pause'\nA council waits by itself when council run is interrupted (Ctrl-C). A task: council task pause ID\n",
    );
    expect((await project.council(['excuse', 'ana', 'billing'])).stderr).toContain(
      'Name a council with --name.',
    );
    expect((await project.council(['status', 'billing', '--name', 'tea'])).stderr).toContain(
      'Two councils are named: billing, and tea with --name.',
    );
    expect((await project.council(['respond', 'ana', 'Buy it.'])).stderr).toContain(
      'The text goes on standard input or with --file: council respond ana --file answer.md',
    );
    expect((await project.council(['run', 'Build', 'or', 'buy?'])).stderr).toContain(
      'Put the question in quotes, seats behind --agents and files behind --file: council run "Build or buy?" ',
    );
  });

  it.skipIf(!HAS_TERMINAL).each([40, 80, 160])('fits a terminal of %i columns', async (columns) => {
    const { root, env } = await newProject({ init: false });
    const command = `stty cols ${columns}; '${process.execPath}' '${CLI}'`;
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { cwd: root, env });
    const lines = stdout.toString().replaceAll('\r', '').split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines).toContain(
      '  council ask "QUESTION"' +
        (columns < 80 ? '' : '  what each agent says, where they agree and differ'),
    );
  });

  it.skipIf(!HAS_TERMINAL)('stands below each option where a terminal is narrow', async () => {
    const { root, env } = await newProject({ init: false });
    const command = `stty cols 40; '${process.execPath}' '${CLI}' wait --help`;
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { cwd: root, env });
    const options = stdout.toString().replaceAll('\r', '').split('Options:\n')[1]!.split('\n\n')[0]!;
    expect(options).toContain('  --timeout <duration>\n      give up after this long (exit 124)\n');
    expect(options.split('\n').filter((line) => line.length > 40)).toEqual([]);
  });
});

describe('output that nobody reads to its end', () => {
  it('ends the command quietly', async () => {
    const child = spawn(process.execPath, [CLI, 'help', 'run'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, said }).toEqual({ code: 0, said: '' });
  });
});
