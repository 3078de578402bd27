import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';

interface Shown {
  task: {
    state: string;
    result: string | null;
    error: { code: string; text: string } | null;
    branch: string | null;
    diff: string | null;
    patch: string | null;
    report: string | null;
  };
}

/** Does in its folder what the task says, as JavaScript; says where it was. */
const WRITER = `
import fs from 'node:fs';
import { execFileSync } from 'node:child_process';
let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;
const [, code] = /BEGIN([^]*?)END/.exec(prompt.slice(prompt.lastIndexOf('BEGIN')));
const git = (...args) => execFileSync('git', args, { stdio: 'ignore' });
const stay = () => { fs.writeFileSync(process.env.COUNCIL_ROOT + '/../begun', String(process.pid)); setInterval(() => {}, 1000); return new Promise(() => {}); };
await eval('(async () => {' + code + '})()');
console.log('worked in ' + process.cwd());
`;

const git = ({ root }: Pick<Project, 'root'>, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Zoë', '-c', 'user.email=z@example.org', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

async function withWriter(commit = true): Promise<Project> {
  const project = await newProject();
  await project.council(['init', '--no-detect', '--yes']);
  project.write('writer.mjs', WRITER);
  project.write('notes d’été.md', 'un\ndeux\n');
  project.write(
    'agents/ada.md',
    "---\nname: ada\ncouncil:\n  command: ['${NODE}', writer.mjs]\n---\nYou write.\n",
  );
  if (!commit) return project;
  git(project, 'init', '-q', '-b', 'main');
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'begin');
  return project;
}

const run = (project: Project, code: string, ...args: string[]) =>
  project.council<Shown>(['task', 'run', `BEGIN${code}END`, '--isolate', 'worktree', '--json', ...args]);
const worktrees = (project: Project): string[] =>
  git(project, 'worktree', 'list', '--porcelain').split('\n\n');

describe('a task with a worktree of its own', () => {
  it('keeps what its worker wrote in a branch and beside the report, and leaves the project alone', async () => {
    const project = await withWriter();
    const { json, code, stderr } = await run(
      project,
      "fs.appendFileSync('notes d’été.md', 'trois\\n'); fs.writeFileSync('neu.bin', Buffer.from([0, 1, 255])); fs.rmSync('writer.mjs')",
    );
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    const { task } = json;
    expect(task).toMatchObject({ state: 'D', branch: 'council/task-S1-T1' });
    expect(task.result).toContain('.worktrees/s1-t1');
    expect(task.diff).toContain('3 files changed');
    // Nothing of it is in the project.
    expect(git(project, 'status', '--porcelain', '--', 'neu.bin', 'writer.mjs', 'notes d’été.md')).toBe('');
    expect(git(project, 'show', 'council/task-S1-T1:notes d’été.md')).toBe('un\ndeux\ntrois');
    expect(git(project, 'log', '-1', '--format=%an %s', 'council/task-S1-T1')).toMatch(
      /^ada Task S1\/T1: BEGIN/,
    );
    expect(worktrees(project)).toHaveLength(1);
    // The patch makes the same out of the last commit.
    git(project, 'apply', '--check', task.patch ?? '');
    const shown = await project.council(['task', 'show', 'T1']);
    expect(shown.stdout).toContain('branch council/task-S1-T1');
    expect(shown.stdout).toContain(`patch ${task.patch}`);
    expect(project.read(task.report ?? '').toString()).toContain('Branch: council/task-S1-T1');
  });

  it('goes, branch and all, where nothing was written, and keeps commits of the worker', async () => {
    const project = await withWriter();
    const first = await run(project, '1');
    expect(first.json.task).toMatchObject({ state: 'D', branch: null, diff: null, patch: null });
    expect(git(project, 'branch', '--list', 'council/*')).toBe('');
    const own = await run(
      project,
      "fs.writeFileSync('a.txt', 'a'); git('add', '-A'); git('-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-m', 'mine'); git('checkout', '--detach'); fs.writeFileSync('b.txt', 'b')",
    );
    expect(own.json.task.branch).toBe('council/task-S2-T2');
    expect(git(project, 'ls-tree', '--name-only', 'council/task-S2-T2').split('\n')).toEqual(
      expect.arrayContaining(['a.txt', 'b.txt']),
    );
    expect(worktrees(project)).toHaveLength(1);
  });

  it('keeps what a failed worker left, and goes on there when it is tried again', async () => {
    const project = await withWriter();
    const code =
      "if (fs.existsSync('half.txt')) fs.writeFileSync('whole.txt', 'w'); else { fs.writeFileSync('half.txt', 'h'); process.exit(3); }";
    const failed = await run(project, code);
    expect(failed.code).toBe(1);
    expect(failed.json.task).toMatchObject({ state: 'F', branch: 'council/task-S1-T1' });
    const again = await project.council<Shown>(['task', 'retry', 'T1', '--json']);
    expect(again.json.task).toMatchObject({ state: 'D', branch: 'council/task-S1-T1' });
    expect(again.json.task.diff).toContain('2 files changed');
  });

  it.each([
    ['is gone', "const here = process.cwd(); process.chdir('/'); fs.rmSync(here, { recursive: true })"],
    ['is no worktree any more', "fs.rmSync('.git'); fs.writeFileSync('work.txt', 'w')"],
    [
      'was removed as such',
      "const here = process.cwd(); process.chdir(process.env.COUNCIL_ROOT); git('worktree', 'remove', '--force', here)",
    ],
  ])('has failed where it %s at the end, whatever its worker says', async (_, code) => {
    const project = await withWriter();
    const { json, code: exit } = await run(project, code);
    expect(exit).toBe(1);
    expect(json.task).toMatchObject({
      state: 'F',
      result: null,
      error: { text: 'its worktree is gone: nothing of its work was kept' },
    });
    expect(project.read(json.task.report ?? '').toString()).toContain('its worktree is gone');
    expect((await project.council(['task', 'show', 'T1'])).stdout).toContain('its worktree is gone');
    expect(worktrees(project)).toHaveLength(1);
  });

  it('begins with the changes of all tasks before it, or waits for a person who merges them', async () => {
    const project = await withWriter();
    const plan = (second: string) => `- T1: BEGINfs.writeFileSync('a.txt', 'a\\n')END
- T2: BEGIN${second}END
- T3: BEGINfs.appendFileSync('all.txt', fs.readFileSync('a.txt', 'utf8') + fs.readFileSync('b.txt', 'utf8'))END
  - after: T1, T2
`;
    const play = (second: string, file: string) => {
      project.write(file, plan(second));
      return project.launch(['task', 'plan', file, '--isolate', 'worktree']);
    };
    expect((await play("fs.writeFileSync('b.txt', 'b\\n')", 'ONE.md').ended).code).toBe(0);
    expect(git(project, 'show', 'council/task-S1-T3:all.txt')).toBe('a\nb');
    const playing = play(
      "fs.writeFileSync('a.txt', 'other\\n'); fs.writeFileSync('b.txt', 'b\\n')",
      'TWO.md',
    );
    const asks = /T3: asks: council\/task-S2-T1 and council\/task-S2-T2 change the same lines of a\.txt/;
    await expect.poll(() => playing.output()).toMatch(asks);
    expect((await project.council(['task', 'list'])).stdout).toContain('a.txt');
    const merge = `${project.root}-merge`;
    git(project, 'worktree', 'add', '-q', merge, 'council/task-S2-T2');
    git({ root: merge }, 'merge', '-q', '-X', 'ours', '-m', 'both', 'council/task-S2-T1');
    expect((await project.council(['task', 'answer', 'S2/T3', 'merged'])).code).toBe(0);
    expect((await playing.ended).code).toBe(0);
    expect(git(project, 'show', 'council/task-S2-T3:all.txt')).toBe('other\nb');
  });

  it('begins where the task before it ended', async () => {
    const project = await withWriter();
    project.write(
      'PLAN.md',
      "- T1: BEGIN fs.writeFileSync('one.txt', '1') END\n- T2: BEGIN fs.writeFileSync('two.txt', fs.readFileSync('one.txt', 'utf8') + '2') END\n  - after: T1\n",
    );
    const { code, stderr } = await project.council(['task', 'plan', 'PLAN.md', '--isolate', 'worktree']);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(stderr).toContain('Not in it: PLAN.md');
    expect(git(project, 'show', 'council/task-S1-T2:two.txt')).toBe('12');
  });

  it('is found again after everything was killed, with what was written', async () => {
    const project = await withWriter();
    const code =
      "if (fs.existsSync('half.txt')) fs.writeFileSync('whole.txt', 'w'); else { fs.writeFileSync('half.txt', 'h'); await stay(); }";
    const { pid, ended } = project.launch(['task', 'run', `BEGIN${code}END`, '--isolate', 'worktree']);
    await expect.poll(() => fs.existsSync(join(project.root, '..', 'begun'))).toBe(true);
    process.kill(pid, 'SIGKILL');
    await ended;
    const ticked = await project.council(['tick', '--until-idle']);
    expect(ticked.code).toBe(0);
    expect(ticked.stderr).toContain(
      'T1: an earlier launch was ended and has left changes in its worktree: half.txt',
    );
    const { json } = await project.council<Shown>(['task', 'show', 'T1', '--json']);
    expect(json.task).toMatchObject({ state: 'D', branch: 'council/task-S1-T1' });
    expect(project.read(json.task.report ?? '').toString()).toContain('Left by an earlier launch: half.txt');
    expect(json.task.diff).toContain('2 files changed');
    expect(worktrees(project)).toHaveLength(1);
  });

  it('leaves alone what its branch would not hold', async () => {
    const project = await withWriter();
    const { json, stderr } = await run(
      project,
      "fs.mkdirSync('sub'); git('init', 'sub'); fs.writeFileSync('sub/x', 'x'); execFileSync('git', ['-C', 'sub', 'add', '-A']); execFileSync('git', ['-C', 'sub', '-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-qm', 'x'])",
    );
    expect(json.task.state).toBe('D');
    expect(stderr).toContain('is left as it is: it holds a git repository of its own');
    expect(fs.existsSync(join(project.root, 'memory/shared/.versions/.worktrees/s1-t1/sub/x'))).toBe(true);
  });

  it('is refused with what helps where there can be none', async () => {
    const project = await withWriter(false);
    const none = await run(project, '1');
    expect(none.code).toBe(2);
    expect(none.stderr + none.stdout).toContain('is in no git repository');
    git(project, 'init', '-q', '-b', 'main');
    expect((await run(project, '1')).stdout).toContain('has no commit yet');
    git(project, 'add', '-A');
    git(project, 'commit', '-q', '-m', 'begin');
    project.write('notes d’été.md', 'other');
    const changed = await run(project, '1', '--context', 'notes d’été.md');
    expect(changed.code).toBe(2);
    expect(changed.stdout).toContain('has changes that are not committed');
    expect((await run(project, '1', '--read-only')).code).toBe(2);
    expect((await project.council(['task', 'list'])).stdout).toContain('No tasks yet');
  });
});
