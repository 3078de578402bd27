// What is posted of a review: one summary, and comments on the lines of what blocks, none of them twice (pure).
import type { Words } from '../../core/base/words/words.ts';
import { renderForeignLine } from '../output/foreign-text.ts';
import { renderComment, renderFindingBody } from '../output/markdown.ts';
import type { Finding, Hunk, Place, Review } from '../report.ts';
import type { Comment, Thread } from './pull-request.ts';

/** The first line of our summary, which GitHub does not show. */
const SUMMARY = '<!-- council-review -->';
/** GitHub takes 65,536 characters. */
const MAX_LINE_COMMENT = 60_000;
const markFinding = (fingerprint: string): string => `<!-- council-finding ${fingerprint} -->`;

/** A comment on lines, as GitHub takes it. */
interface LineComment {
  path: string;
  body: string;
  line: number;
  side: 'RIGHT' | 'LEFT';
  start_line?: number;
  start_side?: 'RIGHT' | 'LEFT';
}

export interface PostPlan {
  /** `id`: of our summary that is there already; `isSame`: it says the same. */
  summary: { id: number | undefined; body: string; isSame: boolean };
  lines: LineComment[];
}

/**
 * Plans what to post. A finding that has a thread of ours gets no second one: those that people have resolved stay closed. `clean`
 * takes secrets out of every text.
 */
export function planPost(
  review: Review,
  words: Words,
  {
    comments,
    threads,
    clean,
  }: { comments: readonly Comment[]; threads: readonly Thread[]; clean: (text: string) => string },
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
      return [{ ...at, body: clean(`${markFinding(fingerprint)}\n${text}`).slice(0, MAX_LINE_COMMENT) }];
    });
  return { summary: { id: own?.id, body, isSame: own?.body === body }, lines };
}

/** The lines of a place as far as they lie in one hunk: for any other line GitHub refuses the whole review. */
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
