// Renders a review as Markdown for people: what is contested, what blocks, the rest, and what was not reviewed.
import { oneLine } from '../core/base/text.ts';
import { fill } from '../core/base/words/words.ts';
import type { Words } from '../core/base/words/words.ts';
import type { ModeSummary } from '../core/council/state/mode-reading.ts';
import { STANDINGS } from './report.ts';
import type { Finding, Judgement, LeftOut, Place, Review } from './report.ts';

export function renderReview(review: Review, words: Words): string {
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

/** What stands before and after the findings, and each of them with how it stands and how severe it is. */
export function renderPieces(review: Review, words: Words): ModeSummary['pieces'] {
  const { findings, leftOut, notes } = review;
  const say = words.comment;
  return {
    before: [`**${describeVerdict(review, words)}**`, ...renderReviewers(review, words), ...notes].join(
      '\n\n',
    ),
    items: findings.map((one) => ({
      text: renderFinding(one, words),
      facets: [
        { name: say.standing, value: say[one.standing] },
        { name: say.severityName, value: one.severity },
      ],
    })),
    after:
      leftOut.length === 0 ? '' : `## ${say.notReviewed}\n\n${leftOut.map(renderLeftOut(words)).join('\n')}`,
  };
}

const renderLeftOut =
  (words: Words) =>
  (one: LeftOut): string =>
    `- \`${formatPath(one.path)}\`: ${explainLeftOut(one, words)}`;

export const explainLeftOut = (
  { reason, files }: LeftOut,
  { reviewLeaving: leaving }: Pick<Words, 'reviewLeaving'>,
): string =>
  files === undefined ? leaving[reason] : fill(leaving.files, { count: files, reason: leaving[reason] });

/** The verdict in a sentence: "Blocked: 2 findings block, 1 is contested (from major on)." */
export function describeVerdict(
  { verdict, findings, failOn, reviewers, files }: Review,
  { comment: say }: Words,
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

/** How many findings block, as a sentence. */
export function countBlocking(findings: readonly Finding[], say: Words['comment']): string {
  const count = findings.filter(({ standing }) => standing === 'blocking').length;
  return count === 0 ? say.pass : count === 1 ? say.oneBlocks : fill(say.block, { count });
}

function renderReviewers({ reviewers, findings }: Review, { comment: say }: Words): string[] {
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

function renderFinding(finding: Finding, words: Words): string {
  const { id, severity, category, title, file = '', place, quote, wordings, judgements } = finding;
  const say = words.comment;
  return [
    `### ${id} ${severity}, ${category}: ${title}`,
    place ? formatPlace(place) : formatPath(file),
    renderCode(quote),
    ...wordings.flatMap(({ by, severity: said, text, fix }) => [
      text === '' ? '' : fill(say.says, { who: by, severity: said, text }),
      fix === undefined ? '' : fill(say.fix, { text: fix }),
    ]),
    renderHolders(finding, say),
    ...judgements
      .filter(({ kind }) => kind !== 'confirm')
      .map((one) => describeJudgement({ ...one, text: oneLine(one.text, 600) }, words)),
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n');
}

/** "claude and codex disagree on F4711." for what is contested; else who found and who confirmed it. */
function renderHolders(
  { id, standing, finders, judgements }: Pick<Finding, 'id' | 'standing' | 'finders' | 'judgements'>,
  say: Words['comment'],
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
  { comment: say }: Words,
): string {
  const what = fill(counted ? say[kind] : say.uncounted, { who: by, severity: severity ?? '' });
  return text === '' ? `${what}.` : fill(say.because, { what, text });
}

/** `src/queue.ts:41-44`, with `(old)` for lines that were removed. */
export function formatPlace({ file, side, start, end }: Place): string {
  return `${formatPath(file)}:${start}${end === start ? '' : `-${end}`}${side === 'old' ? ' (old)' : ''}`;
}

/** A name in one line, whatever is in it. */
export const formatPath = (path: string): string => (/[\p{C}"\\]/u.test(path) ? JSON.stringify(path) : path);

/** As Markdown shows code that nothing in it can end. */
const renderCode = (code: string): string => code.replace(/^/gm, '    ').trimEnd();

export const quoteLines = (quote: string): string =>
  quote === ''
    ? ''
    : quote
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
