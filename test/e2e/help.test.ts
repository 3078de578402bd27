import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CLI, newProject } from '../helpers/cli.ts';
import { HAS_TERMINAL } from '../helpers/look.ts';
import type { Failed } from '../helpers/documents.ts';

describe('the help', () => {
  it('shows who names no command the five of a first hour, with exit 2 and nothing else', async () => {
    const { code, stdout, stderr } = await (await newProject({ init: false })).council([]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines[0]).toBe('Usage: council COMMAND [options]');
    const first = stdout.split('In the first hour:\n')[1]!.split('\n\n')[0]!;
    const commands = [...first.matchAll(/^ {2}council (\w+)/gm)].map(([, name]) => name);
    expect(commands).toEqual(['demo', 'doctor', 'run', 'status', 'show']);
    expect(stdout).toContain('council --help ');
  });

  it('puts every command into a group, and says the exit codes', async () => {
    const { stdout } = await (await newProject({ init: false })).council(['--help']);
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
      stderr: "council: unknown command 'nope'\nSee: council --help\n",
    });
    const { json } = await project.council<Failed>(['nope', '--json']);
    expect(json.error.code).toBe('usage');
    // What somebody looks for under another name, and where another command takes it.
    expect((await project.council(['resume'])).stderr).toBe(
      "council: unknown command 'resume'\nA council that was interrupted goes on with: council run --resume. A task: council task resume ID\n",
    );
    expect((await project.council(['status', 'billing'])).stderr).toContain('Name a council with --name.');
    expect((await project.council(['run', 'Build', 'or', 'buy?'])).stderr).toContain(
      'Put the question in quotes: council run "Build or buy?"',
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
