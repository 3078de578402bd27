// What Node compiles of a command is kept for the next start, and nothing depends on it.
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const kept = (project: Project): string[] =>
  fs
    .readdirSync(join(project.env.XDG_CACHE_HOME!, 'council', 'compile-cache'), {
      recursive: true,
      withFileTypes: true,
    })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name));

/** A project, and the file of what was compiled for its first hot command. */
async function withCode(): Promise<{ project: Project; path: string; said: string }> {
  const project = await newProject({ init: false });
  delete project.env.NODE_COMPILE_CACHE;
  await project.council(['init', '--no-detect']);
  const before = kept(project);
  const { stdout } = await project.council(['status', '--json']);
  const [path, ...others] = kept(project).filter((one) => !before.includes(one));
  expect({ others, isWhole: fs.statSync(path!).size > 100_000 }).toEqual({ others: [], isWhole: true });
  return { project, path: path!, said: stdout };
}

it('is kept for this user alone, and written once', async () => {
  const { project, path } = await withCode();
  expect(fs.statSync(path).mode & 0o077).toBe(0);
  const before = fs.statSync(path, { bigint: true });
  await project.council(['status']);
  expect(fs.statSync(path, { bigint: true })).toMatchObject({ ino: before.ino, mtimeNs: before.mtimeNs });
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

long('may have changed anywhere, and is then made anew', async () => {
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
