// Where the output of a command goes may be full, slow or gone.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI, newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Failed } from '../helpers/documents.ts';
import { addAgent } from '../helpers/speakers.ts';

describe('a stdout that takes nothing', () => {
  /** Runs a command with one of its outputs going to `/dev/full`. */
  function full(project: Project, args: string[], which: 1 | 2 = 1, input = ''): [number | null, string] {
    const fd = fs.openSync('/dev/full', 'w');
    const stdio = which === 1 ? (['pipe', fd, 'pipe'] as const) : (['pipe', 'pipe', fd] as const);
    const { root: cwd, env } = project;
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
      cwd,
      env,
      input,
      encoding: 'utf8',
      stdio: [...stdio],
    });
    fs.closeSync(fd);
    return [status, which === 1 ? stderr : stdout];
  }
  const WHY = 'council: Cannot write to stdout: ENOSPC: no space left on device, write.\n';

  it('is told on stderr, in one sentence', async () => {
    const project = await newProject();
    const done = `${WHY}The command has done what it was asked for; only this output is missing.\n`;
    expect(full(project, ['status'])).toEqual([1, done]);
    expect(full(project, ['status', '--json'])).toEqual([1, done]);
    expect(full(project, ['--version'])).toEqual([1, WHY]);
    for (const args of [[], ['status', '--help']])
      expect(full(project, args)).toEqual([1, `${WHY}Free some space, or send the output elsewhere.\n`]);
    expect(full(project, ['nope', '--json'])).toEqual([
      2,
      expect.stringMatching(/^council: unknown command 'nope'/),
    ]);
  });

  it('loses no answer', async () => {
    const project = await newProject();
    for (const id of ['ana', 'ben']) addAgent(project, id);
    await project.council(['start', 'Build or buy?', '--agents', 'ana,ben']);
    const [code, said] = full(project, ['respond', 'ana', '--json'], 1, 'position: Buy\n\nBecause.');
    expect([code, said]).toEqual([1, expect.stringContaining('has done what it was asked for')]);
    const again = await project.council<Failed>(['respond', 'ana', '--json'], { input: 'Another.' });
    expect(again.json.error.code).toBe('different_text');
  });

  it('as stderr is told to nobody, and changes no exit code', async () => {
    const project = await newProject();
    expect(full(project, ['nope'], 2)).toEqual([2, '']);
  });
});

describe('a stdout that is slow', () => {
  it('gets everything in order', async () => {
    const project = await newProject();
    const [fifo, printed, released] = ['slow', 'printed', 'released'].map((name) =>
      join(project.outside, name),
    );
    execFileSync('mkfifo', [fifo!]);
    const end = fs.openSync(fifo!, fs.constants.O_RDWR);
    const helper = join(import.meta.dirname, '../helpers/print-twice.ts');
    const child = spawn(process.execPath, [helper, printed!, released!], {
      stdio: ['ignore', end, 'inherit'],
    });
    // It makes the pipe one that does not block, also for the child: that is how many programs pass one on.
    const socket = new Socket({ fd: end, readable: false });
    const ended = once(child, 'exit').finally(() => socket.destroy());
    await until('the pipe is full', () => fs.existsSync(printed!));
    let seen = '';
    for await (const chunk of fs.createReadStream(fifo!, 'utf8') as AsyncIterable<string>) {
      seen += chunk;
      // A pipe holds as much; nothing else is on its way until the child goes on.
      if (seen.length === 65_536) fs.writeFileSync(released!, '');
    }
    expect(seen.endsWith(' \nlast\n')).toBe(true);
    expect(seen).toHaveLength(300_006);
    expect(await ended).toEqual([0, null]);
  });

  it('that goes away is no fault', async () => {
    const project = await newProject();
    for (const args of [['--version'], ['status'], ['status', '--json']]) {
      const child = spawn(process.execPath, [CLI, ...args], { cwd: project.root, env: project.env });
      child.stdout.destroy();
      const said: Buffer[] = [];
      child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
      expect([args, await once(child, 'close'), said]).toEqual([args, [0, null], []]);
    }
  });
});

it('fault 18: nothing writes to the terminal but the one function for it', () => {
  const src = join(import.meta.dirname, '../../src');
  const writers = fs
    .readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) =>
      /process\.std(?:out|err)\.write|console\.\w|writeSync\([12]\b|fd: 1 \| 2|stdio: 'inherit'/.test(
        fs.readFileSync(join(src, file), 'utf8'),
      ),
    )
    .map((file) => file.replaceAll('\\', '/'));
  // A person's editor; the version; the function itself; the programs of the panel, whose output is read by council; warnings of the store.
  expect(writers.sort()).toEqual([
    'core/cli/read-text.ts',
    'core/cli/stdout.ts',
    'core/store/local/disk.ts',
    'panel/main.ts',
    'program/main.ts',
  ]);
});
