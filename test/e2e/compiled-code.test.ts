// What is compiled of a command is kept for its next start, and nothing depends on it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const folderOf = (project: Project): string => join(project.env.XDG_CACHE_HOME!, 'council', 'compile-cache');
const kept = (project: Project): string[] =>
  fs.readdirSync(folderOf(project)).filter((name) => name.includes('.code'));

async function withCode(): Promise<{ project: Project; path: string; said: string }> {
  const project = await newProject();
  const { stdout } = await project.council(['status', '--json']);
  const names = kept(project).filter((name) => name.startsWith('status-'));
  expect(names).toHaveLength(1);
  return { project, path: join(folderOf(project), names[0]!), said: stdout };
}

it('is kept by a command that ended well, for this user alone, and written once a day', async () => {
  const { project, path } = await withCode();
  expect(fs.statSync(path).mode & 0o777).toBe(0o600);
  const before = fs.statSync(path, { bigint: true });
  await project.council(['status']);
  expect(fs.statSync(path, { bigint: true }).ino).toBe(before.ino);

  const old = new Date(Date.now() - 2 * DAY_MS);
  fs.utimesSync(path, old, old);
  await project.council(['status']);
  expect(fs.statSync(path).mtimeMs).toBeGreaterThan(Date.now() - DAY_MS);
});

it('is not kept of what failed, only helped, or does not exist', async () => {
  const project = await newProject();
  const before = kept(project);
  for (const args of [['view', '--help'], ['view', 'nobody'], ['no-such-command'], ['../../evil']])
    await project.council(args);
  expect(kept(project)).toEqual(before);
});

it('may be torn, empty, foreign or gone', async () => {
  const { project, path, said } = await withCode();
  const whole = fs.readFileSync(path);
  const odd: (() => void)[] = [
    () => fs.writeFileSync(path, whole.subarray(0, whole.length >> 1)),
    () => fs.writeFileSync(path, ''),
    () => fs.writeFileSync(path, Buffer.alloc(whole.length, 'x')),
    () => fs.rmSync(path),
    () => (fs.rmSync(path, { force: true }), fs.mkdirSync(path)),
  ];
  for (const make of odd) {
    make();
    const { code, stdout } = await project.council(['status', '--json']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: said });
  }
});

it('may have changed anywhere, and is then made anew', async () => {
  const { project, path, said } = await withCode();
  const whole = fs.readFileSync(path);
  for (let place = 200; place < whole.length; place += Math.floor(whole.length / 8)) {
    const changed = Buffer.from(whole);
    changed[place]! ^= 4;
    fs.writeFileSync(path, changed);
    const { code, stdout, stderr } = await project.council(['status', '--json']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: said, stderr: '' });
    expect(fs.readFileSync(path).equals(changed)).toBe(false);
  }
});

it('keeps no command waiting where Node keeps its own', async () => {
  const project = await newProject();
  const run = () => project.council(['mcp'], { input: '' });
  expect((await run()).code).toBe(0);
  const own = fs
    .readdirSync(folderOf(project), { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => parentPath !== folderOf(project) && !name.includes('.code'))
    .map(({ name, parentPath }) => join(parentPath, name));
  expect(own).not.toEqual([]);
  for (const path of own) {
    fs.rmSync(path);
    execFileSync('mkfifo', [path]);
  }
  expect((await run()).code).toBe(0);
});

it('is dropped when it has not been used for a month', async () => {
  const { project, path } = await withCode();
  const old = new Date(Date.now() - 31 * DAY_MS);
  const other = join(folderOf(project), 'tick-v22.18.0-x64-0123456789abcdef.code');
  fs.writeFileSync(other, 'x');
  fs.utimesSync(other, old, old);
  fs.rmSync(path);
  await project.council(['status']);
  expect(kept(project)).not.toContain('tick-v22.18.0-x64-0123456789abcdef.code');
});
