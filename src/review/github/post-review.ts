// Posts a review to its pull request, pinned to the commit that was read.
import { CouncilError } from '../../core/base/errors.ts';
import type { Words } from '../../core/base/words/words.ts';
import type { Review } from '../report.ts';
import { requireAnswer } from './call-gh.ts';
import type { CallGitHub } from './call-gh.ts';
import { planPost } from './plan-post.ts';
import { listComments, listThreads, readPullRequest } from './pull-request.ts';

/** What became of a review at GitHub. */
export interface Posted {
  summary: 'created' | 'edited' | 'unchanged' | 'refused';
  /** How many findings got a comment on their lines. */
  lines: number;
  /** Why GitHub did not take all of it: the token of a fork may not write (403), or a line is not in the change (422). */
  refused: string | null;
  /** The summary, to be shown elsewhere where GitHub did not take all. */
  body: string;
}

/**
 * Posts a review: one summary, edited in place, and one review with comments on the lines of what blocks. Posted again, it adds
 * nothing. Throws `conflict` where the pull request has another head than the one that was read, before anything is posted.
 */
export async function postReview(
  call: CallGitHub,
  review: Review,
  { number, words, clean }: { number: number; words: Words; clean: (text: string) => string },
): Promise<Posted> {
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

/** Why GitHub refused it; null when it was taken. */
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
