// Reads the change to review: a pull request, what is new since the last review, or another change.
import type { App } from '../core/app/app.ts';
import type { GitRunner } from '../core/app/git-calls.ts';
import { fill } from '../core/base/words/words.ts';
import type { ReviewWords } from './words.ts';
import { createWholeHunk, parseDiff } from './change.ts';
import type { Change } from './change.ts';
import { readGitChange } from './git-change.ts';
import type { ChangeSpan } from './git-change.ts';
import { createReadError, openRepository, requireCommit } from './repository.ts';
import type { GuardedRepository } from './repository.ts';
import { createGitHubCaller } from './github/call-gh.ts';
import {
  describePullRequest,
  listThreads,
  readPullRequest,
  fetchPullRequest,
} from './github/pull-request.ts';

import type { ReviewInput } from './input.ts';
import { findLastReview } from './last-review.ts';
import { leaveOutUnwritten } from './leave-out.ts';
import type { Review } from './report.ts';
import fs from 'node:fs';
import { resolve } from 'node:path';
import { findFiles, formatProjectPath, resolveFileScope } from '../core/app/context/find-files.ts';

import { CouncilError } from '../core/base/errors.ts';
import { READ_LIMITS } from '../core/base/limits.ts';
import { readBytes } from '../core/store/local/read.ts';

type TitleWords = ReviewWords['reviewTitle'];

export interface Subject {
  change: Change;
  /** All lines that GitHub shows for a pull request, including those reviewed before. */
  shown: Change['files'];
  /** The previous review, which this one continues. */
  last?: { review: Review; git: GitRunner };
}

/** The requested commits; for a pull request also its title and description. */
interface WantedChange {
  range: string;
  title?: string;
  about?: string;
}

/** Throws `usage` if there is nothing to review, and like `readChange`, `readPullRequest` and `fetchPullRequest`. */
export async function readSubject(
  app: App,
  asked: Pick<ReviewInput, 'what' | 'staged' | 'fromDiff' | 'pr' | 'since'>,
  say: TitleWords,
): Promise<Subject> {
  refuseTwo(app, asked);
  const { pr, since, what, staged, fromDiff } = asked;
  if (pr === undefined && since === undefined) return toSubject(await readChange(app, asked, say));
  if (since !== undefined && (staged || fromDiff))
    throw createReadError(
      '--since last is about commits',
      'Give a range such as main..HEAD, --pr, or nothing.',
    );
  const repository = await openRepository(app);
  const wanted =
    pr === undefined ? { range: what[0] } : await readWantedPullRequest(app, repository, pr, say);
  if (since !== undefined) return readNews(app, repository, wanted, say);
  return toSubject(await readRange(repository, wanted as WantedChange, say));
}

async function readWantedPullRequest(
  app: App,
  { top }: GuardedRepository,
  number: number,
  say: TitleWords,
): Promise<WantedChange> {
  const call = createGitHubCaller(top, app.env);
  const pull = await readPullRequest(call, number);
  const base = await fetchPullRequest(top, app.env, pull);
  return {
    range: `${base}..${pull.head}`,
    title: fill(say.pull, { number, repository: pull.repository }),
    about: describePullRequest(pull, await listThreads(call, pull)),
  };
}

async function readRange(
  repository: GuardedRepository,
  { range, ...told }: WantedChange,
  say: TitleWords,
): Promise<Change> {
  const change = await readGitChange(repository, { kind: 'range', range }, say);
  return leaveOutUnwritten(repository, { ...change, ...told, ...joinDescriptions(told, change) });
}

/** Reads what is new since the last review of these commits; without one, all commits, with a note. */
async function readNews(
  app: App,
  repository: GuardedRepository,
  { range, ...told }: Partial<WantedChange>,
  say: TitleWords,
): Promise<Subject> {
  const { git } = repository;
  const whole = range === undefined ? undefined : await readRange(repository, { range, ...told }, say);
  const head = whole?.head ?? (await requireCommit(git, 'HEAD', 'HEAD'));
  const review = await findLastReview(app, git, { base: whole?.base ?? null, head });
  if (!review) {
    if (whole) app.note('There is no earlier review of these commits: all of them are reviewed.');
    if (whole) return toSubject(whole);
    throw createReadError('there is no earlier review of HEAD', 'For example: council review main..HEAD');
  }
  const news = await readGitChange(repository, { kind: 'range', range: `${review.head!}..${head}` }, say);
  const title = fill(say.since, {
    title: told.title ?? range ?? 'HEAD',
    commit: review.head!.slice(0, 12),
  });
  // The base of the whole change decides what is left out: commits in between belong to the change's author.
  const base = whole?.base ?? review.base;
  const change = await leaveOutUnwritten(repository, {
    ...news,
    ...told,
    ...joinDescriptions(told, news),
    title,
    base,
  });
  return {
    change: { ...change, base: review.head, since: review.archives[0]! },
    shown: whole?.files ?? change.files,
    last: { review, git },
  };
}

/** Joins the descriptions in the pull request and in its commits. */
const joinDescriptions = (...said: Pick<Change, 'about'>[]): Pick<Change, 'about'> => ({
  about: said.flatMap(({ about }) => about || []).join('\n\n'),
});

const toSubject = (change: Change): Subject => ({ change, shown: change.files });

type SubjectInput = Pick<ReviewInput, 'what' | 'staged' | 'fromDiff'>;

/** Throws `usage` if there is nothing to review, and like reading files. */
async function readChange(app: App, asked: SubjectInput, say: ReviewWords['reviewTitle']): Promise<Change> {
  const { what, staged, fromDiff } = asked;
  if (fromDiff) {
    const text = Buffer.from(await fromDiff.bytes()).toString('utf8');
    const title = fromDiff.from === '-' ? say.stdin : fill(say.diff, { path: fromDiff.from });
    return leaveOutUnwritten(undefined, { base: null, head: null, title, ...parseDiff(text) });
  }
  if (what.length > 0 && what.every((name) => fs.existsSync(resolve(app.cwd, name))))
    return readFiles(app, what);
  const repository = await openRepository(app);
  const [range] = what;
  const span: ChangeSpan =
    range === undefined ? { kind: staged ? 'staged' : 'uncommitted' } : { kind: 'range', range };
  return leaveOutUnwritten(repository, await readGitChange(repository, span, say));
}

/** Throws `usage` if more than one change is requested. */
function refuseTwo(
  { cwd }: Pick<App, 'cwd'>,
  { what, staged, fromDiff, pr }: SubjectInput & Pick<ReviewInput, 'pr'>,
): void {
  const given = [
    ...(what.length > 0 ? [what.join(' ')] : []),
    ...(staged ? ['--staged'] : []),
    ...(fromDiff ? ['--from-diff'] : []),
    ...(pr === undefined ? [] : [`--pr ${pr}`]),
  ];
  if (given.length > 1)
    throw new CouncilError('usage', `These are ${given.length} changes: ${given.join(', ')}.`, {
      hint: 'Give one of them: a range, files, --staged, --from-diff or --pr.',
    });
  if (what.length > 1 && what.some((name) => !fs.existsSync(resolve(cwd, name))))
    throw new CouncilError('usage', `Not all of these are files: ${what.join(' ')}.`, {
      hint: 'Give one range, such as main..HEAD, or files that exist.',
    });
}

/** Reads files as they are, with every line to be reviewed. */
function readFiles(app: App, names: readonly string[]): Change {
  const place = resolveFileScope(app);
  const { files, leftOut } = findFiles(names, place);
  const change: Change = { base: null, head: null, title: names.join(', '), files: [], leftOut: [] };
  for (const { path } of leftOut)
    change.leftOut.push({ path: formatProjectPath(path, place), reason: 'noText' });
  for (const { path } of files) {
    const name = formatProjectPath(path, place);
    const bytes = readBytes(path, { limit: READ_LIMITS.own });
    if (!bytes || bytes.length === 0) change.leftOut.push({ path: name, reason: 'empty' });
    else if (bytes.includes(0)) change.leftOut.push({ path: name, reason: 'binary' });
    else change.files.push({ path: name, change: 'added', hunks: [createWholeHunk(bytes.toString('utf8'))] });
  }
  return change;
}
