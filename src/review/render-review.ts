// Renders a review as Markdown for people: contested, blocking and other findings, and what was not reviewed.
import { toOneLine } from '../core/base/text.ts';
import { fill } from '../core/base/words/words.ts';
import type { ReviewWords } from './words.ts';
import type { CodeLine, ModeSummary, SummaryItem } from '../core/council/state/mode-reading.ts';
import type { DiffFile, DiffLine } from './change.ts';
import { STANDINGS } from './report.ts';
import type { Finding, Judgement, LeftOut, Place, Review } from './report.ts';

export function renderReview(review: Review, words: ReviewWords): string {
  const { findings } = review;
  const say = words.comment;
  const { before, after } = renderPieces(review, words);
  const sections = STANDINGS.flatMap((standing) => {
    const those = findings.filter((one) => one.standing === standing);
    return those.length === 0
      ? []
      : [`## ${say[standing]}`, ...those.map((one) => renderFinding(one, words))];
  });
  return [before, ...sections, ...(after === '' ? [] : [after])].join('\n\n');
}

/** Returns the text around the findings, and each finding with its lines, standing and severity. */
export function renderPieces(
  review: Review,
  words: ReviewWords,
  files: readonly DiffFile[] = [],
): ModeSummary['pieces'] {
  const { findings, leftOut, notes } = review;
  const say = words.comment;
  return {
    before: [`**${describeVerdict(review, words)}**`, ...renderReviewers(review, words), ...notes].join(
      '\n\n',
    ),
    items: findings.map((one) => ({
      ...renderItem(one, words, files),
      facets: [
        { name: say.standing, value: say[one.standing] },
        { name: say.severityName, value: one.severity },
      ],
    })),
    after:
      leftOut.length === 0 ? '' : `## ${say.notReviewed}\n\n${renderLeftOutLines(leftOut, words).join('\n')}`,
  };
}

/** Renders a finding; if its place is in `files`, with the lines there instead of its quote. */
function renderItem(
  finding: Finding,
  words: ReviewWords,
  files: readonly DiffFile[],
): Pick<SummaryItem, 'text' | 'code'> {
  const lines = finding.place ? listLinesAround(finding.place, files) : [];
  if (lines.length === 0) return { text: renderFinding(finding, words) };
  return {
    text: renderFindingHead(finding),
    code: { lines, said: renderFindingWords(finding, words) },
  };
}

/** Number of context lines before and after, as in a pull request. */
const AROUND = 3;
const MOST_LINES = 40;

function listLinesAround({ file, side, start, end }: Place, files: readonly DiffFile[]): CodeLine[] {
  const isMeant = ({ mark, number }: DiffLine): boolean =>
    (side === 'old' ? mark === '-' : mark !== '-') && number >= start && number <= end;
  const lines = files
    .filter(({ path, oldPath }) => path === file || (side === 'old' && oldPath === file))
    .flatMap(({ hunks }) => hunks)
    .map((hunk) => hunk.lines)
    .find((those) => those.some(isMeant));
  if (!lines) return [];
  const from = Math.max(0, lines.findIndex(isMeant) - AROUND);
  const to = Math.min(lines.findLastIndex(isMeant) + 1 + AROUND, from + MOST_LINES);
  return lines.slice(from, to).map((line) => ({ ...line, isMeant: isMeant(line) }));
}

/** One line each; files left out for the same reason share one if there are many. */
function renderLeftOutLines(leftOut: readonly LeftOut[], words: ReviewWords): string[] {
  const alike = Map.groupBy(leftOut, (one) => (one.files === undefined ? one.reason : one));
  return [...alike.values()].flatMap((group) => {
    const paths = group.map(({ path }) => `\`${formatPath(path)}\``);
    const { reason } = group[0]!;
    if (group.length <= MOST_ALIKE)
      return group.map((one, at) => `- ${paths[at]}: ${explainLeftOut(one, words)}`);
    const named = paths.slice(0, MOST_ALIKE).join(', ');
    return [`- ${explainLeftOut({ path: '', reason, files: group.length }, words)}: ${named}, …`];
  });
}

const MOST_ALIKE = 5;

export const explainLeftOut = (
  { reason, files }: LeftOut,
  { reviewLeaving: leaving }: Pick<ReviewWords, 'reviewLeaving'>,
): string =>
  files === undefined ? leaving[reason] : fill(leaving.files, { count: files, reason: leaving[reason] });

/** Returns the verdict as a sentence: "Blocked: 2 findings block, 1 is contested (from major on)." */
export function describeVerdict(
  { verdict, findings, failOn, reviewers, files }: Review,
  { comment: say }: ReviewWords,
): string {
  if (files.length === 0 && findings.length === 0) return say.nothing;
  if (verdict === 'none') {
    if (reviewers.length === 1) return say.alone;
    const read = reviewers.filter(({ status }) => status === 'read').length;
    return fill(say.tooFew, { read, all: reviewers.length });
  }
  const contested = findings.filter(({ standing }) => standing === 'contested').length;
  const counts = [
    countBlocking(findings, say),
    ...(contested === 0
      ? []
      : [contested === 1 ? say.oneContested : fill(say.someContested, { count: contested })]),
  ].join(', ');
  return fill(verdict === 'block' ? say.blocked : say.passed, { counts, severity: failOn });
}

export function countBlocking(findings: readonly Finding[], say: ReviewWords['comment']): string {
  const count = findings.filter(({ standing }) => standing === 'blocking').length;
  return count === 0 ? say.pass : count === 1 ? say.oneBlocks : fill(say.block, { count });
}

function renderReviewers({ reviewers, findings }: Review, { comment: say }: ReviewWords): string[] {
  if (reviewers.length === 0) return [];
  const names = reviewers.map(({ id, name }) => {
    const count = findings.filter(
      ({ standing, finders }) => standing === 'refuted' && finders.includes(id),
    ).length;
    return count === 0 ? name : fill(count === 1 ? say.oneInvented : say.invented, { who: name, count });
  });
  return [
    fill(say.reviewers, { who: names.join(', ') }),
    ...reviewers.flatMap(({ name, status }) => (status === 'read' ? [] : [fill(say[status], { who: name })])),
  ];
}

const renderFinding = (finding: Finding, words: ReviewWords): string =>
  joinParagraphs([renderFindingHead(finding), renderCode(finding.quote), renderFindingWords(finding, words)]);

const joinParagraphs = (parts: readonly string[]): string =>
  parts.filter((part) => part.trim() !== '').join('\n\n');

const renderFindingHead = ({ id, severity, category, title, file = '', place }: Finding): string =>
  joinParagraphs([
    `### ${id} ${severity}, ${category}: ${title}`,
    place ? formatPlace(place) : formatPath(file),
  ]);

/** Renders the words of finders and judges. */
function renderFindingWords(finding: Finding, words: ReviewWords): string {
  const { wordings, judgements } = finding;
  const say = words.comment;
  return joinParagraphs([
    ...wordings.flatMap(({ by, severity: said, text, fix }) => [
      text === '' ? '' : fill(say.says, { who: by, severity: said, text }),
      fix === undefined ? '' : fill(say.fix, { text: fix }),
    ]),
    renderHolders(finding, say),
    ...judgements
      .filter(({ kind }) => kind !== 'confirm')
      .map((one) => describeJudgement({ ...one, text: toOneLine(one.text, 600) }, words)),
  ]);
}

/** Returns "claude and codex disagree on F4711." for a contested finding; otherwise who found and confirmed it. */
function renderHolders(
  { id, standing, finders, judgements }: Pick<Finding, 'id' | 'standing' | 'finders' | 'judgements'>,
  say: ReviewWords['comment'],
): string {
  const confirming = judgements.filter(({ kind }) => kind !== 'reject').map(({ by }) => by);
  const rejecting = judgements
    .filter(({ kind, counted }) => kind === 'reject' && counted)
    .map(({ by }) => by);
  const list = (names: readonly string[]): string =>
    names.length < 2
      ? names.join('')
      : fill(say.and, { first: names.slice(0, -1).join(', '), last: names.at(-1)! });
  if (standing === 'contested')
    return fill(say.disagree, { who: list([...finders, ...confirming]), others: list(rejecting), id });
  return [
    fill(say.finders, { who: list(finders) }),
    ...(confirming.length > 0 ? [fill(say.confirmedBy, { who: list(confirming) })] : []),
    ...(rejecting.length > 0 ? [fill(say.rejectedBy, { who: list(rejecting) })] : []),
  ].join(' ');
}

export function describeJudgement(
  { by, kind, severity, text, counted }: Judgement,
  { comment: say }: ReviewWords,
): string {
  const what = fill(counted ? say[kind] : say.uncounted, { who: by, severity: severity ?? '' });
  return text === '' ? `${what}.` : fill(say.because, { what, text });
}

/** Returns `src/queue.ts:41-44`, with `(old)` for removed lines. */
export function formatPlace({ file, side, start, end }: Place): string {
  return `${formatPath(file)}:${start}${end === start ? '' : `-${end}`}${side === 'old' ? ' (old)' : ''}`;
}

/** Returns a path on a single line, as JSON if it has special characters. */
export const formatPath = (path: string): string => (/[\p{C}"\\]/u.test(path) ? JSON.stringify(path) : path);

/** Renders code as an indented block, which no content can end. */
const renderCode = (code: string): string => code.replace(/^/gm, '    ').trimEnd();

export const quoteLines = (quote: string): string =>
  quote === ''
    ? ''
    : quote
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
