// The diff of the project's git repository, as material for a question.
import { CouncilError } from '../../base/errors.ts';
import type { App } from '../app.ts';
import { createGitRunner, findIrregularGitFile, CANNOT_SWITCH_OFF, disableFilters } from '../git-calls.ts';
import type { GitRunner } from '../git-calls.ts';
import { toSizeAndHash } from './context-item.ts';
import type { ContextItem } from './context-item.ts';
import type { FileScope } from './file-scope.ts';

/**
 * Runs no program from the repository's settings, and makes the output independent of them. Git never enters
 * a submodule, which has settings of its own.
 */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all', '--relative'];

/**
 * Returns the output of `git diff RANGE` for the project's folder; empty, with a note, if there is no
 * difference. Throws `usage` without git, outside a repository, and for an unknown range.
 */
export async function readGitDiff(
  { env, note }: App,
  { root }: FileScope,
  range: string,
): Promise<ContextItem[]> {
  const git = createGitRunner(root, env);
  if (!git) throw createDiffError('git is not installed', 'Install git, or leave out --diff.');
  const unread = findIrregularGitFile(root, []);
  if (unread) throw unread;
  const inside = await git('rev-parse', '--is-inside-work-tree');
  // It did not exit by itself: it waited for something.
  if (inside.failed && inside.exitCode === undefined) throw createDiffError(inside.why, 'git status');
  if (inside.stdout.trim() !== 'true')
    throw createDiffError(
      `${root} is in no git repository`,
      'Run git init there, or give files with --file.',
    );
  // "git diff --output=…" would write a file.
  const known = range.startsWith('-')
    ? undefined
    : await git('rev-parse', '--revs-only', '--end-of-options', range);
  if (!known || known.failed || known.stdout.trim() === '') throw createUnknownRangeError(range);
  await requireTrees(git, known.stdout.trim().split('\n'), range);
  const quiet = await disableFilters(git, (off) => createGitRunner(root, env, off));
  if (typeof quiet === 'string') throw createDiffError(quiet, CANNOT_SWITCH_OFF);
  const said = await quiet('diff', ...PLAIN, '--end-of-options', range, '--', '.');
  if (said.failed)
    throw createDiffError(`git diff ${range} failed: ${said.why.trim()}`, 'Run it by hand to see more.');
  const name = `git diff ${range}`;
  if (said.stdout === '') {
    note(
      `${name} shows no difference: nothing of it stands in the brief. Files that git does not track are not in it.`,
    );
    return [];
  }
  const text = `${said.stdout.replaceAll('\0', '�')}\n`;
  return [{ name, ...toSizeAndHash(Buffer.from(text)), text, language: 'diff' }];
}

/** Refuses a single file of a commit, which has no difference to the folder. */
async function requireTrees(git: GitRunner, objects: string[], range: string): Promise<void> {
  for (const object of objects.slice(0, 3)) {
    const tree = await git('rev-parse', '--quiet', '--verify', `${object.replace(/^\^/, '')}^{tree}`);
    if (tree.failed) throw createUnknownRangeError(range);
  }
}

const createUnknownRangeError = (range: string): CouncilError =>
  createDiffError(
    `git knows no range ${JSON.stringify(range)} here`,
    `For example --diff main..HEAD; --diff alone is what differs from the last commit${range === 'HEAD' ? ', and there is none yet' : ''}. A question that follows --diff is taken for its range: put it first.`,
  );

const createDiffError = (why: string, hint: string): CouncilError =>
  new CouncilError('usage', `There is no diff to give: ${why}.`, { hint });
