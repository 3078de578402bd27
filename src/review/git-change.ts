// Reads a change from the project's git repository.
import fs from 'node:fs';
import { join } from 'node:path';
import { mayHoldSecrets } from '../core/app/context/find-files.ts';
import type { GitRunner } from '../core/app/git-calls.ts';
import { fill } from '../core/base/words/words.ts';
import type { ReviewWords } from './words.ts';
import { measureFileSize, readBytes } from '../core/store/local/read.ts';
import { createWholeHunk, parseDiff } from './change.ts';
import type { Change, NamedFile } from './change.ts';
import type { LeftOut } from './report.ts';
import { createReadError, findCommit, requireCommit, requireText, runAtBase } from './repository.ts';
import type { GuardedRepository } from './repository.ts';

type TitleWords = ReviewWords['reviewTitle'];
export type ChangeSpan = { kind: 'uncommitted' | 'staged' } | { kind: 'range'; range: string };

/** Characters of commit messages included in a prompt. */
const LONGEST_MESSAGES = 4000;
/** Options for the same output whatever the repository's settings, without the contents of submodules. */
const PLAIN = [
  ...[
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--ignore-submodules=dirty',
    '--submodule=short',
    '--find-renames',
  ],
  ...['--src-prefix=a/', '--dst-prefix=b/', '-O/dev/null'],
];
/** Bytes. A larger untracked file was hardly written by hand. */
const LARGEST_UNTRACKED = 1024 * 1024;

/** Reads a change, pinned to commit ids. Throws `usage` for an unknown range, `conflict` on concurrent changes. */
export async function readGitChange(
  repository: GuardedRepository,
  span: ChangeSpan,
  say: TitleWords,
): Promise<Change> {
  const { args, ...resolved } = await resolveSpan(repository.git, span, say);
  const { base, head } = resolved;
  const read =
    base !== null && head !== null
      ? await runAtBase(repository, base, (git) => readDiff(git, args))
      : await readDiff(repository.git, args);
  const untracked =
    span.kind === 'uncommitted' ? await readUntracked(repository) : { files: [], leftOut: [] };
  return {
    ...resolved,
    files: [...read.files, ...untracked.files],
    leftOut: [...read.leftOut, ...untracked.leftOut],
  };
}

async function readDiff(git: GitRunner, args: readonly string[]): Promise<Pick<Change, 'files' | 'leftOut'>> {
  const raw = await runDiff(git, '--raw', '-z', '--abbrev=40', ...args);
  const patch = await runDiff(git, '--unified=3', ...args);
  const { files, unmerged } = parseRawNames(raw);
  const read = parseDiff(patch, files);
  const conflicts = unmerged.map((path): LeftOut => ({ path, reason: 'conflict' }));
  return { ...read, leftOut: [...read.leftOut, ...conflicts] };
}

async function runDiff(git: GitRunner, ...args: string[]): Promise<string> {
  const said = await git('diff', ...PLAIN, ...args, '--');
  if (said.failed)
    throw createReadError(`git diff failed: ${said.why.trim()}`, 'Run it by hand to see more.');
  return said.stdout;
}

type ResolvedChange = Pick<Change, 'base' | 'head' | 'title' | 'about'> & { args: string[] };

async function resolveSpan(git: GitRunner, span: ChangeSpan, say: TitleWords): Promise<ResolvedChange> {
  if (span.kind === 'range') return resolveRange(git, span.range, say);
  const base = await findCommit(git, 'HEAD');
  // Before the first commit, compare with the empty tree.
  const from = base ?? (await requireText(git, 'hash-object', '-t', 'tree', '/dev/null'));
  const isStaged = span.kind === 'staged';
  return {
    ...{ base: base ?? null, head: null, title: say[span.kind] },
    args: [...(isStaged ? ['--cached'] : []), from],
  };
}

/** Resolves `A..B` and `A...B` to the changes of B since the merge base; a single commit to the diff to the files. */
async function resolveRange(git: GitRunner, range: string, say: TitleWords): Promise<ResolvedChange> {
  const [, first, second] = /^(.*?)\.{2,3}(.*)$/s.exec(range) ?? [];
  if (first === undefined || second === undefined) {
    const base = await requireCommit(git, range, range);
    return { base, head: null, title: fill(say.newSince, { range }), args: [base] };
  }
  const [from, head] = [
    await requireCommit(git, first || 'HEAD', range),
    await requireCommit(git, second || 'HEAD', range),
  ];
  const merged = await git('merge-base', from, head);
  if (merged.failed)
    throw createReadError(
      `git finds no commit that both sides of ${range} come from`,
      'A shallow clone lacks it: git fetch --unshallow. What differs from one commit: council review COMMIT',
    );
  const base = merged.stdout.trim();
  return { base, head, title: range, about: await readMessages(git, base, head), args: [base, head] };
}

/** Reads the newest commit messages, cut to a length suitable for a prompt. */
async function readMessages(git: GitRunner, base: string, head: string): Promise<string> {
  const plain = ['--no-show-signature', '--no-notes', '--encoding=UTF-8', '--format=commit %h: %s%n%n%b'];
  const said = await requireText(git, 'log', ...plain, '--max-count=50', `${base}..${head}`);
  return said
    .replace(/\n{3,}/g, '\n\n')
    .slice(0, LONGEST_MESSAGES)
    .toWellFormed();
}

const SUBMODULE = '160000';
const CHANGES: Readonly<Record<string, NamedFile['change']>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  R: 'renamed',
};

/** Parses `git diff --raw -z`: `:mode mode id id status`, then one name, or two if renamed or copied. */
function parseRawNames(raw: string): { files: NamedFile[]; unmerged: string[] } {
  const fields = raw.split('\0');
  const files: NamedFile[] = [];
  const unmerged: string[] = [];
  while (fields.length > 1) {
    const [oldMode = '', newMode = '', , , status = ''] = fields.shift()!.split(' ');
    const letter = status.charAt(0);
    const first = fields.shift()!;
    const isPair = letter === 'R' || letter === 'C';
    const path = isPair ? fields.shift()! : first;
    const isSubmodule = oldMode === `:${SUBMODULE}` || newMode === SUBMODULE;
    // An unfinished merge has no diff.
    if (letter === 'U') unmerged.push(path);
    // Git shows a file that becomes a link as two changes.
    else if (letter === 'T')
      files.push({ path, change: 'deleted', isSubmodule }, { path, change: 'added', isSubmodule });
    else
      files.push({
        path,
        ...(letter === 'R' && { oldPath: first }),
        change: CHANGES[letter] ?? 'modified',
        isSubmodule,
      });
  }
  return { files, unmerged };
}

/** Reads untracked files that are not ignored, as added ones. */
async function readUntracked({ top, git }: GuardedRepository): Promise<Pick<Change, 'files' | 'leftOut'>> {
  const said = await requireText(git, 'ls-files', '--others', '--exclude-standard', '-z');
  const read: Pick<Change, 'files' | 'leftOut'> = { files: [], leftOut: [] };
  for (const path of said.split('\0').filter(Boolean)) {
    const text = readUntrackedText(join(top, path), path);
    if (typeof text === 'string') read.files.push({ path, change: 'added', hunks: [createWholeHunk(text)] });
    else read.leftOut.push({ path, ...text });
  }
  return read;
}

function readUntrackedText(file: string, path: string): string | Pick<LeftOut, 'reason'> {
  if (mayHoldSecrets(path)) return { reason: 'secrets' };
  if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) return { reason: 'noFile' };
  if ((measureFileSize(file) ?? 0) > LARGEST_UNTRACKED) return { reason: 'large' };
  const bytes = readBytes(file, { limit: LARGEST_UNTRACKED }) ?? Buffer.alloc(0);
  if (bytes.includes(0)) return { reason: 'binary' };
  return bytes.length === 0 ? { reason: 'empty' } : bytes.toString('utf8');
}
