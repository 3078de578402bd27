// Another build to compare with: a folder that was built, or a commit of this repository, built from git in a temp folder.
import { execFileSync } from 'node:child_process';
import type { ExecFileSyncOptions } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** What is needed to run a build. */
const BUILT = ['dist', 'templates', 'package.json'];

/** The build that the goals are judged against. */
export const BASE = '41ea8bb';

/** What a build is called in a table. */
export const titleOf = (build: string): string => `the build of ${isBuilt(build) ? basename(build) : build}`;

/** The folder of a build. A commit is built with the packages of its own lockfile, once: what came of it is kept. */
export function folderOf(build: string): string {
  if (isBuilt(build)) return resolve(build);
  const commit = commitOf(build);
  const kept = join(ROOT, 'node_modules', '.cache', 'council-bench', commit);
  if (!isBuilt(kept)) buildFromGit(commit, kept);
  return kept;
}

const isBuilt = (folder: string): boolean => fs.existsSync(join(folder, 'dist', 'council.js'));

function commitOf(build: string): string {
  try {
    const args = ['rev-parse', '--verify', '--quiet', `${build}^{commit}`];
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    throw new Error(
      `${build} is neither a folder with a build nor a commit of this clone. A clone that is cut short gets its commits with: git fetch --unshallow`,
    );
  }
}

function buildFromGit(commit: string, kept: string): void {
  process.stderr.write(`building ${commit.slice(0, 7)} from git …\n`);
  const folder = fs.mkdtempSync(join(tmpdir(), 'council-base-'));
  const options: ExecFileSyncOptions = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] };
  try {
    const tar = join(folder, 'base.tar');
    execFileSync('git', ['archive', `--output=${tar}`, commit], { ...options, cwd: ROOT });
    execFileSync('tar', ['-xf', tar], options);
    // Its scripts would build as well, and fetch what only tests need.
    const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', npm, { ...options, shell: process.platform === 'win32' });
    execFileSync(process.execPath, ['scripts/build.ts', '--no-types'], options);
    const copy = `${kept}-${process.pid}`;
    for (const name of BUILT) fs.cpSync(join(folder, name), join(copy, name), { recursive: true });
    fs.renameSync(copy, kept);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
