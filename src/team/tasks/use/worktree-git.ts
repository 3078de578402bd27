// The git worktrees of tasks: creates or reopens them, keeps their changes in a branch, and removes them.
import { existsSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CouncilError } from '../../../core/base/errors.ts';
import { makeFolders } from '../../../core/store/local/disk.ts';
import { makeOwnFolder, removeEmptyFolder } from '../../../core/store/local/folders.ts';
import type { Project } from '../../../core/store/local/project.ts';
import {
  createGitRunner,
  findIrregularGitFile,
  CANNOT_SWITCH_OFF,
  disableFilters,
} from '../../../core/app/git-calls.ts';
import type { GitRunner, GitResult } from '../../../core/app/git-calls.ts';

/** Timeout; checking out a large repository takes long. */
const LONGEST_MS = 300_000;

export interface Repository {
  git: GitRunner;
  root: string;
  /** The project's folder relative to the top of the work tree: `docs/`, or empty. */
  below: string;
  /** The last commit. */
  head: string;
}

/** A worktree: its folder name, its branch, and the commit that the branch starts from. */
export interface Worktree {
  name: string;
  branch: string;
  base: string;
}

const getWorktreesFolder = (root: string): string =>
  join(root, 'memory', 'shared', '.versions', '.worktrees');
const getWorktreePath = ({ root }: Pick<Project, 'root'>, name: string): string =>
  join(getWorktreesFolder(root), name);
/** Marks a complete worktree: work begins only after it exists. */
const getReadyMarkPath = (path: string): string => `${path}.ready`;

/** Lists the names of all worktrees, complete or not. */
export const listWorktreeNames = ({ root }: Pick<Project, 'root'>): string[] =>
  existsSync(getWorktreesFolder(root))
    ? readdirSync(getWorktreesFolder(root)).filter((name) => !name.endsWith('.ready'))
    : [];

const createWorktreeError = (why: string, hint: string): CouncilError =>
  new CouncilError('usage', `A worktree cannot be made: ${why}.`, { hint });

/** Opens the repository around a project. Throws `usage` without git, a repository, or any commit. */
export async function openRepository(
  { root }: Pick<Project, 'root'>,
  env: NodeJS.ProcessEnv,
): Promise<Repository> {
  // A hook's GIT_INDEX_FILE is that of another work tree.
  const { GIT_INDEX_FILE: _, ...own } = env;
  const open = (off: readonly [string, string][] = []): GitRunner | undefined =>
    createGitRunner(root, own, off, LONGEST_MS);
  const git = open();
  if (!git) throw createWorktreeError('git is not installed', 'Install git, or leave out --isolate.');
  const unread = findIrregularGitFile(root, []);
  if (unread) throw unread;
  const below = await git('rev-parse', '--show-prefix');
  if (below.failed)
    throw createWorktreeError(
      `${root} is in no git repository`,
      'Run git init and commit there, or leave out --isolate: the worker then reads the project as it is.',
    );
  const head = await git('rev-parse', '--quiet', '--verify', 'HEAD^{commit}');
  if (head.failed)
    throw createWorktreeError(
      'the repository has no commit yet',
      'Commit first: a worktree begins at the last commit.',
    );
  const quiet = await disableFilters(git, open);
  if (typeof quiet === 'string') throw createWorktreeError(quiet, CANNOT_SWITCH_OFF);
  return { git: quiet, root, below: below.stdout.trim(), head: head.stdout.trim() };
}

/** Lists files that differ from the last commit, including untracked ones; only those in `paths`. */
export const listUncommittedFiles = (
  { git }: Repository,
  paths: readonly string[] = ['.'],
): Promise<string[]> => listStatusFiles(git('status', '--porcelain', '-z', '--', ...paths));

const listStatusFiles = async (said: Promise<GitResult>): Promise<string[]> =>
  (await requireGitOutput(said)).split('\0').flatMap((entry) => (/^.. /.test(entry) ? [entry.slice(3)] : []));

/** Returns the last commit of a branch; undefined if there is no such branch. */
export async function findBranchTip({ git }: Repository, branch: string): Promise<string | undefined> {
  const said = await git('rev-parse', '--quiet', '--verify', `refs/heads/${branch}^{commit}`);
  return said.failed ? undefined : said.stdout.trim();
}

/** Returns the folder of a worktree: that of an interrupted process, or a new one. Throws `failed`. */
export async function openWorktree(repository: Repository, worktree: Worktree): Promise<string> {
  const { git, root } = repository;
  const path = getWorktreePath(repository, worktree.name);
  if (await isWhole(repository, path)) return path;
  await removeWorktree(repository, worktree.name);
  makeOwnFolder(root, getWorktreesFolder(root));
  const isThere = (await findBranchTip(repository, worktree.branch)) !== undefined;
  const what = isThere ? [path, worktree.branch] : ['-b', worktree.branch, path, worktree.base];
  await requireGitOutput(git('worktree', 'add', ...what));
  writeFileSync(getReadyMarkPath(path), '');
  return path;
}

/** Lists the files that differ from the worktree's last commit: changes left by an interrupted launch. */
export async function listChangedFiles(repository: Repository, name: string): Promise<string[]> {
  const path = getWorktreePath(repository, name);
  if (!(await isWhole(repository, path))) return [];
  return listStatusFiles(repository.git('-C', path, 'status', '--porcelain', '-z'));
}

/** True if a worktree is complete; without its folder, or git's data about it, nothing in it can be saved. */
export const isWorktreeIntact = (repository: Repository, name: string): Promise<boolean> =>
  isWhole(repository, getWorktreePath(repository, name));

/** Returns the commits that are not ancestors of others. */
export async function findIndependentCommits(
  { git }: Repository,
  commits: readonly string[],
): Promise<string[]> {
  const said = await requireGitOutput(git('merge-base', '--independent', ...commits));
  return said.split('\n').filter((one) => one !== '');
}

/** Merges commits without a work tree; returns the files in conflict if that fails. */
export async function mergeCommits(
  { git }: Repository,
  commits: readonly string[],
): Promise<{ commit: string } | { conflicts: string[] }> {
  let [commit = ''] = commits;
  for (const next of commits.slice(1)) {
    const said = await git('merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', commit, next);
    const [tree = '', ...files] = said.stdout.split('\0').filter((one) => one !== '');
    if (said.exitCode === 1) return { conflicts: files };
    await requireGitOutput(Promise.resolve(said));
    const who = ['-c', 'user.name=council', '-c', 'user.email=council@council.invalid'];
    const message = ['-m', `Merge ${next} into ${commit}`];
    commit = (
      await requireGitOutput(git(...who, 'commit-tree', tree, '-p', commit, '-p', next, ...message))
    ).trim();
  }
  return { commit };
}

async function isWhole({ git }: Repository, path: string): Promise<boolean> {
  if (!existsSync(path) || !existsSync(getReadyMarkPath(path))) return false;
  const top = await git('-C', path, 'rev-parse', '--show-toplevel');
  return !top.failed && top.stdout.trim() === realpathSync(path);
}

/**
 * Commits a worktree's changes to its branch. Does nothing if the worktree is missing or unchanged.
 * Throws `failed` if the branch would not contain all changes.
 */
export async function keepWork(
  repository: Repository,
  { name, branch, base }: Worktree,
  { author, message }: { author: string; message: string },
): Promise<void> {
  const path = getWorktreePath(repository, name);
  if (!(await isWhole(repository, path))) return;
  const git = (...args: string[]): Promise<GitResult> => repository.git('-C', path, ...args);
  // A lock left by the worker's git, which has ended.
  const own = (await requireGitOutput(git('rev-parse', '--absolute-git-dir'))).trim();
  rmSync(join(own, 'index.lock'), { force: true });
  await requireGitOutput(git('add', '--all'));
  // For a nested repository, only the id of its commit would be saved.
  const staged = await requireGitOutput(git('diff', '--cached', '--raw', '--no-renames', base));
  if (/^:\d+ 160000 /m.test(staged)) throw createLostError(path, 'it holds a git repository of its own');
  const isSame = await git('diff', '--cached', '--quiet', '--no-ext-diff');
  if (isSame.exitCode === 1)
    await requireGitOutput(
      git(
        ...['-c', `user.name=${author}`, '-c', `user.email=${author}@council.invalid`],
        ...['commit', '--quiet', '--no-verify', '--no-gpg-sign', '-m', message],
      ),
    );
  const head = (await requireGitOutput(git('rev-parse', 'HEAD'))).trim();
  const tip = await findBranchTip(repository, branch);
  if (tip === head) return;
  // The worker has left its branch.
  if (tip !== undefined && (await git('merge-base', '--is-ancestor', tip, head)).failed)
    throw createLostError(path, `it is on another branch than ${branch}`);
  await requireGitOutput(git('update-ref', `refs/heads/${branch}`, head, tip ?? ''));
}

const createLostError = (path: string, why: string): CouncilError =>
  new CouncilError('failed', `The worktree ${path} is left as it is: ${why}.`, {
    hint: 'Take from it what you need, then remove it with: git worktree remove --force PATH',
  });

/** Options that keep user settings from changing the output. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];

/** Writes a branch's diff to `patch` (absolute), and returns a diffstat. Undefined if nothing was changed. */
export async function writeBranchPatch(
  { git }: Repository,
  { branch, base }: Worktree,
  patch: string,
): Promise<string | undefined> {
  const range = [base, `refs/heads/${branch}`, '--'];
  const stat = await requireGitOutput(git('diff', ...PLAIN, '--stat=100', ...range));
  if (stat.trim() === '') return undefined;
  makeFolders(dirname(patch));
  await requireGitOutput(git('diff', ...PLAIN, '--binary', `--output=${patch}`, ...range));
  return stat.trimEnd();
}

/** Removes a worktree, complete or not. */
export async function removeWorktree(repository: Repository, name: string): Promise<void> {
  const path = getWorktreePath(repository, name);
  rmSync(getReadyMarkPath(path), { force: true });
  if (existsSync(path)) {
    await repository.git('worktree', 'remove', '--force', '--force', path);
    // Git does not know it, because its creation was interrupted. Its content is kept.
    if (existsSync(path) && !removeEmptyFolder(path)) renameSync(path, `${path}.left-${Date.now()}`);
  }
  // Also drops worktrees whose folder was removed.
  await repository.git('worktree', 'prune');
}

/** Removes a branch without changes. */
export const dropBranch = async ({ git }: Repository, { branch, base }: Worktree): Promise<void> =>
  void (await git('update-ref', '-d', `refs/heads/${branch}`, base));

/** Returns the output of git. Throws `failed` with its error output. */
async function requireGitOutput(said: Promise<GitResult>): Promise<string> {
  const { failed, stdout, why } = await said;
  if (!failed) return stdout;
  throw new CouncilError('failed', `git: ${why.trim().slice(0, 400) || 'it has failed'}`, {
    hint: 'Look with: git worktree list',
  });
}
