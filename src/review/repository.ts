// Opens the project's git repository. Git runs without hooks, filters and programs, so nothing in it is executed.
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../core/app/app.ts';
import {
  CANNOT_SWITCH_OFF,
  createGitRunner,
  findIrregularGitFile,
  disableFilters,
} from '../core/app/git-calls.ts';
import type { GitRunner } from '../core/app/git-calls.ts';
import { CouncilError } from '../core/base/errors.ts';
import { findWorkTree } from '../core/store/local/git.ts';

const LONGEST_MS = 60_000;

/** A repository whose configured programs are switched off. */
export interface GuardedRepository {
  top: string;
  git: GitRunner;
  env: NodeJS.ProcessEnv;
}

/** Throws `usage` without git and outside a repository. */
export async function openRepository({
  cwd,
  env,
  root = cwd,
}: Pick<App, 'cwd' | 'env' | 'root'>): Promise<GuardedRepository> {
  const tree = findWorkTree(root);
  if (!tree)
    throw createReadError(
      `${root} is in no git repository`,
      'A document that exists can be reviewed anywhere: council review FILE',
    );
  const { top } = tree;
  const unread = findIrregularGitFile(top, []);
  if (unread) throw unread;
  const git = createGitRunner(top, env, [], LONGEST_MS);
  if (!git) throw createReadError('git is not installed', 'Install git, or give a diff with --from-diff.');
  const quiet = await disableFilters(git, (off) => createGitRunner(top, env, off, LONGEST_MS));
  if (typeof quiet === 'string') throw createReadError(quiet, CANNOT_SWITCH_OFF);
  return { top, git: quiet, env };
}

/**
 * Calls `use` with a git that uses the attributes of `base`, not those of checked-out files, so that a change
 * cannot hide itself. A temporary index contains them, since git 2.39 cannot read them from a commit
 * otherwise.
 */
export async function runAtBase<Read>(
  { top, git: own, env }: GuardedRepository,
  base: string,
  use: (git: GitRunner) => Promise<Read>,
): Promise<Read> {
  const folder = fs.mkdtempSync(join(tmpdir(), 'council-review-'));
  const index = join(folder, 'index');
  try {
    const call = createGitRunner(top, { ...env, GIT_INDEX_FILE: index }, [], LONGEST_MS)!;
    const folders = [
      `--git-dir=${await requireText(own, 'rev-parse', '--absolute-git-dir')}`,
      `--work-tree=${folder}`,
    ];
    const git: GitRunner = (...args) => call('-C', folder, ...folders, ...args);
    await requireText(git, 'read-tree', base);
    return await use(git);
  } finally {
    fs.rmSync(index, { force: true });
    fs.rmdirSync(folder);
  }
}

/** Returns the hash of a commit. Throws `usage` if git knows no such commit; `range` is the user's input. */
export async function requireCommit(git: GitRunner, name: string, range: string): Promise<string> {
  const found = await findCommit(git, name);
  if (found !== undefined) return found;
  throw createReadError(
    `git knows no commit ${JSON.stringify(name)} here, and there is no such file`,
    /^#?\d{1,6}$/.test(range)
      ? `A pull request is named by: council review --pr ${range.replace('#', '')}`
      : `Given was ${JSON.stringify(range)}. See git branch --all; a shallow clone has few commits: git fetch --unshallow`,
  );
}

/** Returns the hash of a commit, or undefined if git knows no such commit. */
export async function findCommit(git: GitRunner, name: string): Promise<string | undefined> {
  const said = await git('rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`);
  return said.failed ? undefined : said.stdout.trim();
}

/** Returns the trimmed output of a git command. Throws `usage` if it fails. */
export async function requireText(git: GitRunner, ...args: string[]): Promise<string> {
  const said = await git(...args);
  if (said.failed) throw createReadError(`git ${args[0]} failed: ${said.why.trim()}`, 'git status');
  return said.stdout.trim();
}

export const createReadError = (why: string, hint: string): CouncilError =>
  new CouncilError('usage', `Nothing can be reviewed: ${why}.`, { hint });
