// What people wrote about a pull request, as data for its reviewers (pure).
import { oneLine } from '../../core/base/text.ts';
import type { PullRequest, Thread } from './pull-request.ts';

/** Longer descriptions are generated. */
const MAX_BODY = 4000;
const MAX_COMMENT = 500;
/** The newest conversations. */
const MAX_THREADS = 20;

/** Title, description, and what people said of single lines. What council itself has posted is left out: reviewers are blind. */
export function describePullRequest({ title, body }: PullRequest, threads: readonly Thread[]): string {
  const told = threads
    .filter(({ comments: [first] }) => first && !first.isOwn)
    .slice(-MAX_THREADS)
    .map(({ path, line, isResolved, comments }) =>
      [
        `${path}${line === null ? '' : `:${line}`}${isResolved ? ' (resolved)' : ''}`,
        ...comments.map(({ author, body: said }) => `${author}: ${oneLine(said, MAX_COMMENT)}`),
      ].join('\n'),
    );
  return [oneLine(title), body.trim().slice(0, MAX_BODY), ...told].filter((part) => part !== '').join('\n\n');
}
