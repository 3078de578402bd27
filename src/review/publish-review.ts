// Posts a review to its pull request after confirmation, without duplicates and pinned to the reviewed commit;
// falls back to the job summary or the output if GitHub refuses.

import fs from 'node:fs';
import { listKeyVariables, PROVIDER_NAMES } from '../core/agents/providers.ts';
import { presets } from '../core/agents/runners/presets/preset-table.ts';
import { redact } from '../core/agents/runners/redact.ts';
import type { App } from '../core/app/app.ts';
import { loadAgents } from '../core/app/load-agents.ts';
import { openWorkspaceHere } from '../core/app/workspace.ts';
import { CouncilError } from '../core/base/errors.ts';
import { fill, isYes } from '../core/base/words/words.ts';
import type { Language } from '../core/base/words/words.ts';
import { openRepository } from './repository.ts';
import { createGitHubCaller, requireAnswer } from './github/call-gh.ts';
import type { CallGitHub } from './github/call-gh.ts';
import type { ReviewInput } from './input.ts';
import { describeVerdict } from './render-review.ts';
import type { Review, Finding, Hunk, Place } from './report.ts';
import { listComments, listThreads, readPullRequest } from './github/pull-request.ts';
import type { Comment, ReviewThread } from './github/pull-request.ts';
import { renderForeignLine, renderComment, renderFindingBody } from './output/markdown.ts';

import { loadReviewWords } from './words.ts';
import type { ReviewWords } from './words.ts';

type PublishRequest = Pick<ReviewInput, 'pr' | 'yes'>;

/** Throws `usage` if posting would be impossible, before anything is paid for. */
export function requirePostable({ ask }: Pick<App, 'ask'>, { pr, yes }: PublishRequest): void {
  if (pr === undefined)
    throw new CouncilError('usage', '--post posts to a pull request, and none is named.', {
      hint: 'For example: council review --pr 12 --post',
    });
  if (!ask && !yes)
    throw new CouncilError('usage', 'There is no terminal here to ask whether the review may be posted.', {
      hint: `Post it without asking: council review --pr ${pr} --post --yes`,
    });
}

/** Posts a review if the user agrees. Returns the outcome in lines of text. Throws like `postReview`. */
export async function publishReview(
  app: App,
  { pr, yes }: PublishRequest,
  review: Review,
  lang: Language,
): Promise<string[]> {
  const number = pr!;
  const words = loadReviewWords(lang);
  const say = words.comment;
  const question = `${describeVerdict(review, words)}\n${fill(say.mayPost, { number })}`;
  if (!yes && !isYes((await app.ask?.(question)) ?? '')) return [say.unposted];
  const { top } = await openRepository(app);
  const secrets = await listSecrets(app);
  const { summary, lines, refused, body } = await postReview(createGitHubCaller(top, app.env), review, {
    ...{ number, words },
    clean: (text) => redact(text, secrets),
  });
  const told = fill(say.posted, { number, done: say[summary], count: lines });
  if (refused === null) return [told];
  const page = app.env.GITHUB_STEP_SUMMARY;
  if (page) fs.appendFileSync(page, `${body}\n`);
  return [told, fill(say.refusedBy, { why: refused }), page ? say.onPage : body];
}

/** Lists the values of the environment variables that agents and `gh` authenticate with. */
async function listSecrets(app: App): Promise<string[]> {
  const agents = (await loadAgents(app, openWorkspaceHere(app))).listOwn();
  const names = [
    ...agents.flatMap((agent) => [...agent.env, ...listKeyVariables(agent)]),
    ...PROVIDER_NAMES.flatMap((provider) => listKeyVariables({ model: `${provider}/`, apiKey: null })),
    ...Object.values(presets).flatMap(({ secrets }) => secrets),
    ...['GH_TOKEN', 'GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'],
  ];
  return [...new Set(names)].flatMap((name) => app.env[name] ?? []);
}

export interface PostResult {
  summary: 'created' | 'edited' | 'unchanged' | 'refused';
  /** How many findings got a comment on their lines. */
  lines: number;
  /**
   * Why GitHub refused a part: the token of a fork may not write (403), or a line is not in the change (422).
   */
  refused: string | null;
  /** The summary, to be shown elsewhere if GitHub refused a part. */
  body: string;
}

/**
 * Posts a review: one summary, edited in place, and one review with comments on the lines of blocking
 * findings. Posting again adds nothing. Throws `conflict` before posting if the head of the pull request is
 * not the reviewed commit.
 */
export async function postReview(
  call: CallGitHub,
  review: Review,
  { number, words, clean }: { number: number; words: ReviewWords; clean: (text: string) => string },
): Promise<PostResult> {
  const pull = await readPullRequest(call, number);
  if (pull.head !== review.head)
    throw new CouncilError(
      'conflict',
      `Pull request ${number} has moved on: ${review.head} was reviewed, and its head is ${pull.head}. Nothing was posted.`,
      { hint: `Review it again: council review --pr ${number} --post` },
    );
  const comments = await listComments(call, pull);
  const threads = await listThreads(call, pull);
  const { summary, lines } = planPost(review, words, { comments, threads, clean });
  const refused = summary.isSame ? null : await postSummary(call, pull.repository, number, summary);
  if (refused !== null) return { summary: 'refused', lines: 0, refused, body: summary.body };
  const done = summary.isSame ? 'unchanged' : summary.id === undefined ? 'created' : 'edited';
  if (lines.length === 0) return { summary: done, lines: 0, refused: null, body: summary.body };
  const refusedLines = await send(call, `repos/${pull.repository}/pulls/${number}/reviews`, 'POST', {
    commit_id: review.head,
    event: 'COMMENT',
    body: words.comment.elsewhere,
    comments: lines,
  });
  return {
    summary: done,
    lines: refusedLines === null ? lines.length : 0,
    refused: refusedLines,
    body: summary.body,
  };
}

const postSummary = (
  call: CallGitHub,
  repository: string,
  number: number,
  { id, body }: { id: number | undefined; body: string },
): Promise<string | null> =>
  id === undefined
    ? send(call, `repos/${repository}/issues/${number}/comments`, 'POST', { body })
    : send(call, `repos/${repository}/issues/comments/${id}`, 'PATCH', { body });

/** Returns why GitHub refused the request, or null on success. */
async function send(
  call: CallGitHub,
  endpoint: string,
  method: 'POST' | 'PATCH',
  body: unknown,
): Promise<string | null> {
  const answer = await call(endpoint, { method, body });
  if (!answer.ok && (answer.status === 403 || answer.status === 422)) return answer.why;
  requireAnswer(answer, 'what was to be posted');
  return null;
}

/** The first line of council's summary, invisible on GitHub. */
const SUMMARY = '<!-- council-review -->';
/** GitHub accepts 65,536 characters. */
const MAX_LINE_COMMENT = 60_000;
const markFinding = (fingerprint: string): string => `<!-- council-finding ${fingerprint} -->`;

/** A comment on lines, in the format of GitHub's API. */
interface LineComment {
  path: string;
  body: string;
  line: number;
  side: 'RIGHT' | 'LEFT';
  start_line?: number;
  start_side?: 'RIGHT' | 'LEFT';
}

interface PostPlan {
  /** `id`: of council's existing summary; `isSame`: its text is unchanged. */
  summary: { id: number | undefined; body: string; isSame: boolean };
  lines: LineComment[];
}

/**
 * Plans what to post. A finding that already has a thread by council gets no second one: threads that people
 * resolved stay closed. `clean` redacts secrets in every text.
 */
function planPost(
  review: Review,
  words: ReviewWords,
  {
    comments,
    threads,
    clean,
  }: { comments: readonly Comment[]; threads: readonly ReviewThread[]; clean: (text: string) => string },
): PostPlan {
  const body = clean(`${SUMMARY}\n${renderComment(review, words)}`);
  const own = comments.find((comment) => comment.isOwn && comment.body.startsWith(SUMMARY));
  const posted = threads.flatMap(({ comments: [first] }) => (first?.isOwn ? [first.body] : []));
  const isPosted = ({ fingerprint }: Finding): boolean =>
    posted.some((text) => text.startsWith(markFinding(fingerprint)));
  const lines = review.findings
    .filter((finding) => finding.standing === 'blocking' && !isPosted(finding))
    .flatMap((finding) => {
      const at = finding.place && findLines(finding.place, review);
      if (!at) return [];
      const { id, severity, title, fingerprint } = finding;
      const text = `**${id}**, ${severity}: ${renderForeignLine(title)}\n\n${renderFindingBody(finding, words)}`;
      const body = clean(`${markFinding(fingerprint)}\n${text}`)
        .slice(0, MAX_LINE_COMMENT)
        .toWellFormed();
      return [{ ...at, body }];
    });
  return { summary: { id: own?.id, body, isSame: own?.body === body }, lines };
}

/** Restricts a place to the lines in one hunk: GitHub refuses the whole review for any other line. */
function findLines(
  { file, side, start, end }: Place,
  { files }: Review,
): Omit<LineComment, 'body'> | undefined {
  for (const hunk of files.find(({ path }) => path === file)?.hunks ?? []) {
    const [first, last] = findEnds(hunk, side);
    const [from, to] = [Math.max(start, first), Math.min(end, last)];
    if (from > to) continue;
    const at = side === 'new' ? 'RIGHT' : 'LEFT';
    return { path: file, line: to, side: at, ...(from < to && { start_line: from, start_side: at }) };
  }
  return undefined;
}

const findEnds = (hunk: Hunk, side: Place['side']): [number, number] =>
  side === 'new'
    ? [hunk.newStart, hunk.newStart + hunk.newLines - 1]
    : [hunk.oldStart, hunk.oldStart + hunk.oldLines - 1];
