import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { identifyProcess } from '../../src/core/store/local/liveness.ts';
import { CLI, newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { overStdio } from '../helpers/mcp.ts';
import { beginTurn, openTurn } from '../helpers/in-turn.ts';
import { addAgent } from '../helpers/speakers.ts';

interface Reservation {
  id: string;
  by: string;
  patterns: string[];
  mode: string;
  why: string | null;
  until: string;
}
interface Reserved {
  reservation: Reservation;
  renewed: boolean;
}
interface Refused {
  error: { code: string; message: string; hint: string; conflicts: Reservation[]; asked: string[] };
}
interface Listed {
  reservations: Reservation[];
}

const listed = async ({ council }: Project): Promise<Reservation[]> =>
  (await council<Listed>(['reservations', '--json'])).json.reservations;

describe('reservations', () => {
  it('are taken, told, renewed and released', async () => {
    const project = await newProject();
    const { council } = project;
    const first = await council([
      'reserve',
      'src/**',
      'docs',
      '--as',
      'ana',
      '--for',
      '2h',
      '--why',
      'the queue',
    ]);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('council release r1 --as ana');
    const refused = await council(['reserve', 'test', 'src/queue.ts', '--as', 'ben']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /"src\/queue\.ts" meets "src": ana has it for 2h more \("the queue"\), as r1/,
    );
    expect(refused.stderr).toContain("council reserve 'test' 'src/queue.ts' --as ben --ask");
    // Nothing of several is taken when one is refused.
    expect(await listed(project)).toEqual([
      {
        id: 'r1',
        by: 'ana',
        patterns: ['src', 'docs'],
        mode: 'exclusive',
        why: 'the queue',
        until: expect.stringMatching(/Z$/) as string,
      },
    ]);
    const again = await council<Reserved>(['reserve', 'docs', 'src', '--as', 'ana', '--shared', '--json']);
    expect(again.json).toMatchObject({ renewed: true, reservation: { id: 'r1', mode: 'shared', why: null } });
    expect((await council(['reserve', 'src', '--as', 'ben', '--shared'])).code).toBe(0);
    const foreign = await council<Refused>(['release', 'r1', 'r2', '--as', 'ben', '--json']);
    expect(foreign).toMatchObject({ code: 1, json: { error: { code: 'forbidden' } } });
    expect((await listed(project)).map(({ id }) => id)).toEqual(['r1', 'r2']);
    expect((await council(['release', 'r2', '--as', 'ben'])).stdout).toContain('Released r2: src');
    expect((await council(['release', 'r2', '--as', 'ben'])).code).toBe(1);
    expect((await council(['release', '--as', 'ana'])).stdout).toContain('Released r1: docs, src');
    expect((await council(['reservations'])).stdout).toBe('Nothing is reserved.\n');
  });

  it('ask their holder in a message', async () => {
    const { council } = await newProject();
    for (const id of ['ana', 'ben']) await council(['agents', 'add', id, '--runner', 'human']);
    await council(['reserve', 'src', '--as', 'ana']);
    const asked = await council<Refused>([
      'reserve',
      'src/x.ts',
      '--as',
      'ben',
      '--why',
      'a fix',
      '--ask',
      '--json',
    ]);
    expect(asked).toMatchObject({ code: 1, json: { error: { code: 'reserved', asked: ['ana'] } } });
    expect(asked.json.error.conflicts).toMatchObject([{ wanted: 'src/x.ts', id: 'r1', by: 'ana' }]);
    const inbox = (await council(['inbox', 'ana'])).stdout;
    expect(inbox).toContain('ben asks for src/x.ts (exclusive): a fix');
    expect(inbox).toContain('council release r1 --as ana');
  });

  it('end with their time, and with their process', async () => {
    const project = await newProject();
    const { council } = project;
    const process = spawn('sleep', ['600']);
    await council(['reserve', 'src', '--as', 'ana', '--pid', String(process.pid)]);
    await council(['reserve', 'docs', '--as', 'ana', '--for', '1ms']);
    expect((await listed(project)).map(({ id }) => id)).toEqual(['r1']);
    const gone = new Promise((done) => process.once('exit', done));
    process.kill('SIGKILL');
    await gone;
    expect(await listed(project)).toEqual([]);
    const late = await council<Refused>([
      'reserve',
      'src',
      '--as',
      'ana',
      '--pid',
      String(process.pid),
      '--json',
    ]);
    expect(late).toMatchObject({ code: 2, json: { error: { code: 'usage' } } });
  });

  it('end with the session of a client of the tool server', async () => {
    const project = await newProject();
    const client = await overStdio('v2', project);
    const taken = await client.call<Reserved>('reserve', { patterns: ['src'], as: 'ana' });
    expect(taken.json).toMatchObject({ renewed: false, reservation: { id: 'r1' } });
    const refused = await client.call<Refused>('reserve', { patterns: ['src/x.ts'], as: 'ben' });
    expect(refused).toMatchObject({ isError: true, json: { error: { code: 'reserved' } } });
    expect((await listed(project)).length).toBe(1);
    await client.close();
    await expect.poll(() => listed(project)).toEqual([]);
  });

  it('end with the program of the turn in which they were made, however that ends', async () => {
    const project = await newProject();
    addAgent(project, 'ada');
    const script = `process.stdin.once('data', () =>
      require('node:child_process').spawnSync(process.execPath, ${JSON.stringify([CLI, 'reserve', 'src', '--root', project.root])}));`;
    const program = spawn(process.execPath, ['-e', script], { detached: true, env: project.env });
    beginTurn(project, 'ada').setGroup(identifyProcess(program.pid!));
    program.stdin.write('go');
    await expect.poll(() => listed(project)).toMatchObject([{ by: 'ada' }]);
    const gone = new Promise((done) => program.once('exit', done));
    program.kill('SIGKILL');
    await gone;
    expect(await listed(project)).toEqual([]);
  });

  it('are refused for what is no path of the project', async () => {
    const project = await newProject();
    const { council } = project;
    for (const pattern of ['/etc', '../x', 'a/../../b', '', 'a\u001b[2J', '!a', 'a\\b']) {
      const run = await council<Refused>(['reserve', pattern, '--as', 'ana', '--json']);
      expect({ pattern, code: run.code }).toEqual({ pattern, code: 2 });
    }
    expect((await council(['reserve', 'src'])).stderr).toContain('--as');
    expect((await council(['reserve', 'src', '--as', 'ana', '--shared', '--exclusive'])).code).toBe(2);
    const turn = openTurn(project, 'ana');
    expect((await council(['reserve', 'src', '--as', 'ben'], { env: turn })).code).toBe(1);
  });

  it('of 32 processes that ask at once for what overlaps, one gets it', async () => {
    const project = await newProject();
    const patterns = ['src/**', 'src/queue.ts', '**/queue.*', '{src,test}/queue.ts'];
    const runs = await Promise.all(
      Array.from({ length: 32 }, (_, at) =>
        project.council<Refused>([
          'reserve',
          `own-${at}`,
          patterns[at % patterns.length]!,
          '--as',
          `agent-${at}`,
          '--json',
        ]),
      ),
    );
    expect(runs.filter(({ code }) => code === 0)).toHaveLength(1);
    const refused = runs.filter(({ code }) => code === 1);
    expect(refused.map(({ json }) => json.error.code)).toEqual(Array.from({ length: 31 }, () => 'reserved'));
    expect(await listed(project)).toHaveLength(1);
  });
});

describe('the pre-commit hook', () => {
  const git = ({ root, env }: Project, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
      cwd: root,
      env: { ...env, PATH: process.env.PATH },
      encoding: 'utf8',
      stdio: 'pipe',
    });

  it('refuses what somebody else has exclusively, also in commit -a', async () => {
    const project = await newProject();
    const { council } = project;
    git(project, 'init', '-q');
    project.write('src/a file "x".ts', '1');
    project.write('docs/y.md', '1');
    git(project, 'add', 'src', 'docs');
    const check = (as: string) => council<Refused>(['reserve', '--check', '--as', as, '--json']);
    expect(await check('ben')).toMatchObject({
      code: 0,
      json: { checked: ['docs/y.md', 'src/a file "x".ts'] },
    });
    git(project, 'commit', '-qm', 'x');
    await council(['reserve', 'src', '--as', 'ana', '--why', 'mine']);
    await council(['reserve', 'docs', '--as', 'ana', '--shared']);
    project.write('src/a file "x".ts', '2');
    project.write('docs/y.md', '2');
    expect((await check('ben')).code).toBe(0);
    const hook = `#!/bin/sh\nexec "${process.execPath}" "${CLI}" reserve --check --as "$WHO"\n`;
    project.write('.git/hooks/pre-commit', hook);
    execFileSync('chmod', ['+x', '.git/hooks/pre-commit'], { cwd: project.root });
    const commit = (who: string): string =>
      git({ ...project, env: { ...project.env, WHO: who } }, 'commit', '-qam', 'y');
    expect(() => commit('ben')).toThrow(/is reserved: ana has it .*"mine"/);
    commit('ana');
    // Who renames a file takes it away as well.
    git(project, 'mv', 'src/a file "x".ts', 'moved.ts');
    const moved = await check('ben');
    expect(moved).toMatchObject({ code: 1, json: { error: { code: 'reserved' } } });
    expect(moved.json.error.conflicts).toMatchObject([{ file: 'src/a file "x".ts', by: 'ana' }]);
    expect((await council(['reserve', '--check'])).code).toBe(1);
  });

  it('says what it needs outside of a repository', async () => {
    const { council } = await newProject();
    const run = await council(['reserve', '--check', '--as', 'ana']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('git');
    expect((await council(['reserve', 'src', '--check', '--as', 'ana'])).code).toBe(2);
  });
});

describe.concurrent('reservations of paths with several names', () => {
  it('are one where a link, or another case, leads to the same file', async () => {
    const project = await newProject();
    for (const id of ['ada', 'ben']) addAgent(project, id);
    fs.mkdirSync(join(project.root, 'real/deep'), { recursive: true });
    fs.symlinkSync('real', join(project.root, 'lib'));
    fs.symlinkSync('/tmp', join(project.root, 'away'));
    const reserve = async (pattern: string, as: string) =>
      (await project.council(['reserve', pattern, '--as', as])).code;
    const isFree = [
      await reserve('real/x.ts', 'ada'),
      await reserve('lib/x.ts', 'ben'),
      await reserve('lib/**', 'ben'),
      await reserve('lib/new/file.ts', 'ben'),
      await reserve('real/new/file.ts', 'ada'),
      await reserve('away/x.ts', 'ben'),
      await reserve('docs/straße.md', 'ada'),
      await reserve('docs/STRASSE.md', 'ben'),
      await reserve('İx', 'ada'),
      await reserve('ix', 'ben'),
    ].map((code) => code === 0);
    expect(isFree).toEqual([true, false, false, true, false, true, true, false, true, false]);
  });

  it('are given back by what was reserved, too', async () => {
    const project = await newProject();
    for (const id of ['ada', 'ben']) addAgent(project, id);
    await project.council(['reserve', 'src/a.ts', 'src/b.ts', '--as', 'ada']);
    await project.council(['reserve', 'docs', '--as', 'ben']);
    expect((await project.council(['release', './src/a.ts', '--as', 'ada'])).code).toBe(0);
    const left = await project.council<{ reservations: { patterns: string[] }[] }>([
      'reservations',
      '--json',
    ]);
    expect(left.json.reservations.map(({ patterns }) => patterns)).toEqual([['src/b.ts'], ['docs']]);
    expect((await project.council(['release', 'docs', '--as', 'ada'])).code).not.toBe(0);
    expect((await project.council(['release', 'src/b.ts', '--as', 'ada'])).code).toBe(0);
  });

  it('are shared by the linked worktrees of one project, and so is mail', async () => {
    const project = await newProject();
    for (const id of ['ada', 'ben']) addAgent(project, id);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
        cwd: project.root,
      });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'base');
    const other = `${project.root}-linked`;
    git('worktree', 'add', '-q', other);
    expect((await project.council(['reserve', 'src', '--as', 'ada'])).code).toBe(0);
    const refused = await project.council(['reserve', 'src/x.ts', '--as', 'ben'], { cwd: other });
    expect([refused.code, refused.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('ada has it'),
    ]);
    await project.council(['send', 'ben', 'from the linked one', '--from', 'ada'], { cwd: other });
    expect((await project.council(['inbox', 'ben'])).stdout).toContain('from the linked one');
    expect(fs.existsSync(join(other, 'memory/shared/channels'))).toBe(false);
  });
});
