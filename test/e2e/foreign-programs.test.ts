import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { must } from '../helpers/scenarios.ts';
import { pathWith } from '../helpers/programs.ts';

/** The file that a program of the project leaves behind. */
const ran = (project: Project): string => join(project.outside, 'ran');

const gitIn =
  (project: Project) =>
  (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: project.root,
      env: project.env,
      encoding: 'utf8',
    }).trim();

/** A repository whose `.gitignore` is missing, and would be fetched by a program that its settings name. */
async function lacking(): Promise<Project> {
  const project = await newProject();
  const git = gitIn(project);
  git('init', '-q');
  git('add', '.gitignore', 'COUNCIL.md');
  git('commit', '-qm', 'x');
  git('update-index', '--skip-worktree', '.gitignore');
  const blob = git('rev-parse', 'HEAD:.gitignore');
  fs.rmSync(join(project.root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  fs.rmSync(join(project.root, '.gitignore'));
  fs.appendFileSync(
    join(project.root, '.git/config'),
    `[extensions]\n partialClone = origin\n[core]\n repositoryformatversion = 1\n[remote "origin"]\n url = .\n promisor = true\n uploadpack = "id > '${ran(project)}'; false"\n`,
  );
  return project;
}

/** The same as `git clone` brings it: as a bare repository among the files. */
async function embedded(): Promise<Project> {
  const project = await lacking();
  const git = join(project.root, '.git');
  for (const name of fs.readdirSync(git)) fs.renameSync(join(git, name), join(project.root, name));
  fs.rmdirSync(git);
  fs.appendFileSync(join(project.root, 'config'), '[core]\n worktree = .\n');
  execFileSync('git', ['init', '-q', join(project.root, '..')], { env: project.env });
  return project;
}

describe.concurrent('what council calls itself', () => {
  it('fault 15: git fetches nothing for the doctor, with no program of the repository', async () => {
    for (const project of [await lacking(), await embedded()]) {
      const { stdout } = await project.council(['doctor']);
      expect(stdout).toMatch(/^warning +git /m);
      expect(fs.existsSync(ran(project))).toBe(false);
    }
  });

  it('fault 15: is never a program that lies in the project, or in the work tree around it', async () => {
    const tree = await newProject({ init: false });
    execFileSync('git', ['init', '-q', tree.root], { env: tree.env });
    const project = { ...tree, root: join(tree.root, 'part') };
    const cwd = project.root;
    fs.mkdirSync(cwd);
    await must(project, ['init', '--no-detect', '--root', cwd]);
    for (const folder of ['.', 'part', 'node_modules/.bin'])
      for (const name of ['git', 'crontab', 'systemctl', 'claude']) {
        tree.write(join(folder, name), `#!/bin/sh\necho ${name} >> '${ran(project)}'\necho 2.1.0\n`);
        fs.chmodSync(join(tree.root, folder, name), 0o755);
      }
    const own = pathWith(project, { systemctl: `echo systemctl >> '${join(project.outside, 'own')}'` });
    for (const first of ['.', '', cwd, `${tree.root}/node_modules/.bin`]) {
      const env = { PATH: `${first}:${own}` };
      for (const args of [
        ['doctor'],
        ['install'],
        ['uninstall', '--dry-run'],
        ['install', '--systemd'],
        ['init'],
      ])
        await project.council([...args], { env, cwd });
    }
    expect(fs.existsSync(ran(project))).toBe(false);
    expect(fs.existsSync(join(project.outside, 'own'))).toBe(true);
  });

  it('fault 15: an agent program tells its version outside of the project, without its programs on PATH', async () => {
    const project = await newProject();
    const claude = `pwd >> '${ran(project)}'; echo "$PATH" >> '${ran(project)}'; echo 2.1.0`;
    const bin = join(project.root, 'node_modules/.bin');
    fs.mkdirSync(bin, { recursive: true });
    const own = pathWith(project, { claude });
    expect((await project.council(['init'], { env: { PATH: `${bin}:${own}` } })).stdout).toContain('claude');
    const [cwd, path] = fs.readFileSync(ran(project), 'utf8').split('\n');
    expect({ cwd, path }).toEqual({ cwd: '/', path: own });
  });

  it('fault 15: compiled code comes from a folder that nobody else can write into, or from none', async () => {
    const project = await newProject();
    delete project.env.NODE_COMPILE_CACHE;
    const temp = join(project.outside, 'tmp');
    fs.mkdirSync(temp);
    const cache = join(project.env.XDG_CACHE_HOME!, 'council', 'compile-cache');
    const env = { TMPDIR: temp };
    for (const args of [['status'], ['doctor']]) await project.council(args, { env });
    expect(fs.readdirSync(temp)).toEqual([]);
    expect(fs.statSync(cache).mode & 0o777).toBe(0o700);
    expect(fs.readdirSync(cache)).not.toEqual([]);

    const others = join(project.outside, 'others');
    const odd: (() => void)[] = [
      () => (fs.mkdirSync(cache), fs.chmodSync(cache, 0o777)),
      () => (fs.mkdirSync(others), fs.symlinkSync(others, cache)),
      () => fs.writeFileSync(cache, ''),
      () => (fs.mkdirSync(cache), fs.chmodSync(join(cache, '..'), 0o777)),
    ];
    for (const make of odd) {
      fs.rmSync(cache, { recursive: true });
      make();
      expect((await project.council(['status'], { env })).code).toBe(0);
      expect(fs.statSync(cache).isFile() || fs.readdirSync(cache)).toSatisfy(
        (kept: true | string[]) => kept === true || kept.length === 0,
      );
    }
    expect(fs.readdirSync(temp)).toEqual([]);
  });
});
