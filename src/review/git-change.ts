// Reads a change out of the project's git repository. Nothing of it is executed: git runs without hooks, filters and programs.
import fs from 'node:fs';
import { join } from 'node:path';
import type { App } from '../core/app/app.ts';
import { mayHoldSecrets } from '../core/app/context/find-files.ts';
import { CANNOT_SWITCH_OFF, withoutFilters, createGitRunner, notForGit } from '../core/app/git-calls.ts';
import type { Git } from '../core/app/git-calls.ts';
import { CouncilError } from '../core/base/errors.ts';
import { workTree } from '../core/store/local/git.ts';
import { measureFileSize, readBytes } from '../core/store/local/read.ts';
import { createWholeHunk } from './change.ts';
import type { Change } from './change.ts';
import { parseDiff } from './parse-diff.ts';
import type { NamedFile } from './parse-diff.ts';

/** What of the repository is reviewed. */
export type Span = { kind: 'uncommitted' | 'staged' } | { kind: 'range'; range: string };

const LONGEST_MS = 60_000;
/** The same text whatever the settings of the repository say, and never the inside of a submodule. */
const PLAIN = [
  ...['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty', '--find-renames'],
  ...['--src-prefix=a/', '--dst-prefix=b/', '-O/dev/null'],
];
/** A file that git does not know yet and that has more bytes was hardly written by hand. */
const LARGEST_UNTRACKED = 1024 * 1024;

/** A repository whose own programs are switched off. */
export interface Repository {
  top: string;
  git: Git;
}

/** Throws `usage` without git and outside of a repository. */
export async function openRepository({
  cwd,
  env,
  root = cwd,
}: Pick<App, 'cwd' | 'env' | 'root'>): Promise<Repository> {
  const tree = workTree(root);
  if (!tree)
    throw createReadError(`${root} is in no git repository`, 'Review a document with: council review FILE');
  const { top } = tree;
  const unread = notForGit(top, []);
  if (unread) throw unread;
  const git = createGitRunner(top, env, [], LONGEST_MS);
  if (!git) throw createReadError('git is not installed', 'Install git, or give a diff with --from-diff.');
  const quiet = await withoutFilters(git, (off) => createGitRunner(top, env, off, LONGEST_MS));
  if (typeof quiet === 'string') throw createReadError(quiet, CANNOT_SWITCH_OFF);
  return { top, git: quiet };
}

/** Reads a change, frozen at commit ids. Throws `usage` for a range that git does not know, and `conflict` where files change meanwhile. */
export async function readGitChange(repository: Repository, span: Span): Promise<Change> {
  const { git } = repository;
  const { base, head, title, args } = await resolveSpan(git, span);
  const raw = await diff(git, '--raw', '-z', '--abbrev=40', ...args);
  const patch = await diff(git, '--unified=3', ...args);
  const read = parseDiff(patch, parseRawNames(raw));
  const untracked =
    span.kind === 'uncommitted' ? await readUntracked(repository) : { files: [], leftOut: [] };
  return {
    ...{ base, head, title },
    files: [...read.files, ...untracked.files],
    leftOut: [...read.leftOut, ...untracked.leftOut],
  };
}

async function diff(git: Git, ...args: string[]): Promise<string> {
  const said = await git('diff', ...PLAIN, ...args, '--');
  if (said.failed)
    throw createReadError(`git diff failed: ${said.why.trim()}`, 'Run it by hand to see more.');
  return said.stdout;
}

type Resolved = Pick<Change, 'base' | 'head' | 'title'> & { args: string[] };

async function resolveSpan(git: Git, span: Span): Promise<Resolved> {
  if (span.kind === 'range') return resolveRange(git, span.range);
  const base = await findCommit(git, 'HEAD');
  // Before the first commit everything is new.
  const from = base ?? (await requireText(git, 'hash-object', '-t', 'tree', '/dev/null'));
  const isStaged = span.kind === 'staged';
  return {
    ...{ base: base ?? null, head: null, title: isStaged ? 'what is staged' : 'what is not committed' },
    args: [...(isStaged ? ['--cached'] : []), from],
  };
}

/** `A..B` and `A...B`: what B has that A has not. One commit: what differs from it in the files. */
async function resolveRange(git: Git, range: string): Promise<Resolved> {
  const [, first, second] = /^(.*?)\.{2,3}(.*)$/s.exec(range) ?? [];
  if (first === undefined || second === undefined) {
    const base = await requireCommit(git, range, range);
    return { base, head: null, title: `what is new since ${range}`, args: [base] };
  }
  const [from, head] = [
    await requireCommit(git, first || 'HEAD', range),
    await requireCommit(git, second || 'HEAD', range),
  ];
  const merged = await git('merge-base', from, head);
  const base = merged.failed ? from : merged.stdout.trim();
  return { base, head, title: range, args: [base, head] };
}

export async function requireCommit(git: Git, name: string, range: string): Promise<string> {
  const found = await findCommit(git, name);
  if (found !== undefined) return found;
  throw createReadError(
    `git knows no ${JSON.stringify(name)} here, and there is no such file`,
    `For example: council review main..HEAD. Given was ${JSON.stringify(range)}.`,
  );
}

async function findCommit(git: Git, name: string): Promise<string | undefined> {
  const said = await git('rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`);
  return said.failed ? undefined : said.stdout.trim();
}

async function requireText(git: Git, ...args: string[]): Promise<string> {
  const said = await git(...args);
  if (said.failed) throw createReadError(`git ${args[0]} failed: ${said.why.trim()}`, 'git status');
  return said.stdout.trim();
}

const SUBMODULE = '160000';
const CHANGES: Readonly<Record<string, NamedFile['change']>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  R: 'renamed',
};

/** The files as `git diff --raw -z` names them: `:mode mode id id status`, then one name, or two where it was renamed. */
function parseRawNames(raw: string): NamedFile[] {
  const fields = raw.split('\0');
  const files: NamedFile[] = [];
  while (fields.length > 1) {
    const [oldMode = '', newMode = '', , , status = ''] = fields.shift()!.split(' ');
    const letter = status.charAt(0);
    const first = fields.shift()!;
    const isPair = letter === 'R' || letter === 'C';
    const path = isPair ? fields.shift()! : first;
    const isSubmodule = oldMode === `:${SUBMODULE}` || newMode === SUBMODULE;
    // A merge that is not finished has no diff of its own in this line.
    if (letter === 'U') continue;
    // What turns from a file into a link, git shows as two.
    if (letter === 'T')
      files.push({ path, change: 'deleted', isSubmodule }, { path, change: 'added', isSubmodule });
    else
      files.push({
        path,
        ...(letter === 'R' && { oldPath: first }),
        change: CHANGES[letter] ?? 'modified',
        isSubmodule,
      });
  }
  return files;
}

/** Files that git does not know yet and does not ignore: new ones. */
async function readUntracked({ top, git }: Repository): Promise<Pick<Change, 'files' | 'leftOut'>> {
  const said = await requireText(git, 'ls-files', '--others', '--exclude-standard', '-z');
  const read: Pick<Change, 'files' | 'leftOut'> = { files: [], leftOut: [] };
  for (const path of said.split('\0').filter(Boolean)) {
    const text = readUntrackedText(join(top, path), path);
    if (typeof text === 'string') read.files.push({ path, change: 'added', hunks: [createWholeHunk(text)] });
    else read.leftOut.push({ path, ...text });
  }
  return read;
}

/** The text of a file, or why it is left out. */
function readUntrackedText(file: string, path: string): string | { reason: string } {
  if (mayHoldSecrets(path)) return { reason: 'may hold secrets' };
  if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) return { reason: 'no regular file' };
  if ((measureFileSize(file) ?? 0) > LARGEST_UNTRACKED) return { reason: 'larger than 1 MiB' };
  const bytes = readBytes(file, { limit: LARGEST_UNTRACKED }) ?? Buffer.alloc(0);
  if (bytes.includes(0)) return { reason: 'binary' };
  return bytes.length === 0 ? { reason: 'empty' } : bytes.toString('utf8');
}

export const createReadError = (why: string, hint: string): CouncilError =>
  new CouncilError('usage', `There is nothing that could be reviewed: ${why}.`, { hint });
