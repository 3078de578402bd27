// Renders a review as Markdown for people: what is contested, what blocks, the rest, and what was not reviewed.
import { formatCount, oneLine } from '../core/base/text.ts';
import type { Finding, Judgement, Place, Review, Standing, Wording } from './report.ts';

const TITLES: [standing: Standing, title: string][] = [
  ['contested', 'Contested'],
  ['blocking', 'Blocking'],
  ['open', 'Other findings'],
  ['rejected', 'Rejected'],
  ['outside', 'Outside the change'],
  ['refuted', 'Refuted: the code that they quote stands nowhere in the change'],
];

export function renderReview(review: Review): string {
  const { findings, leftOut, notes } = review;
  const sections = TITLES.flatMap(([standing, title]) => {
    const those = findings.filter((one) => one.standing === standing);
    return those.length === 0 ? [] : [`## ${title}`, ...those.map(renderFinding)];
  });
  return [
    `**${describeVerdict(review)}**`,
    renderReviewers(review),
    ...notes,
    ...sections,
    ...(leftOut.length === 0 ? [] : ['## Not reviewed', leftOut.map(renderLeftOut).join('\n')]),
  ].join('\n\n');
}

const renderLeftOut = ({ path, reason }: Review['leftOut'][number]): string => `- \`${path}\`: ${reason}`;

/** The verdict in a sentence: "Blocked: 2 findings block, 1 is contested." */
export function describeVerdict({ verdict, findings, failOn, reviewers, files }: Review): string {
  const count = (standing: Standing): number => findings.filter((one) => one.standing === standing).length;
  const contested = count('contested');
  const both = [
    BLOCKING[count('blocking')] ?? `${count('blocking')} findings block`,
    ...(contested === 0 ? [] : [contested === 1 ? '1 is contested' : `${contested} are contested`]),
  ].join(', ');
  if (files.length === 0 && findings.length === 0) return 'Nothing to review.';
  if (verdict !== 'none')
    return `${verdict === 'block' ? 'Blocked' : 'Passed'}: ${both} (from ${failOn} on).`;
  const read = reviewers.filter(({ status }) => status === 'read').length;
  return `No verdict: ${read === 1 ? '1 reviewer' : `${read} reviewers`} of ${reviewers.length} could be read, which is too few.`;
}

const BLOCKING = ['no finding blocks', '1 finding blocks'];

const STATUS = { read: '', unreadable: ' (unreadable)', failed: ' (no answer)' } as const;

function renderReviewers({ reviewers, findings }: Review): string {
  const names = reviewers.map(({ id, name, status }) => {
    const invented = findings.filter(
      ({ standing, finders }) => standing === 'refuted' && finders.includes(id),
    ).length;
    return `${name}${STATUS[status]}${invented === 0 ? '' : ` (${formatCount(invented, 'quote')} found nowhere)`}`;
  });
  return names.length === 0 ? '' : `Reviewers: ${names.join(', ')}.`;
}

function renderFinding(finding: Finding): string {
  const { id, severity, category, title, file = '', place, quote, wordings, judgements } = finding;
  return [
    `### ${id} ${severity}, ${category}: ${title}`,
    place ? formatPlace(place) : file,
    renderCode(quote),
    ...wordings.map(renderWording),
    renderHolders(finding),
    ...judgements.filter(({ kind }) => kind !== 'confirm').map(renderJudgement),
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n');
}

function renderWording({ by, text, fix }: Wording): string {
  const words = [text, fix === undefined ? '' : `Fix: ${fix}`].filter((part) => part !== '').join('\n');
  return words === '' ? '' : `${by}: ${words}`;
}

/** `claude and codex disagree on F3` for what is contested; else who found and who confirmed it. */
function renderHolders({ id, standing, finders, judgements }: Finding): string {
  const confirming = judgements.filter(({ kind }) => kind !== 'reject').map(({ by }) => by);
  const rejecting = judgements
    .filter(({ kind, counted }) => kind === 'reject' && counted)
    .map(({ by }) => by);
  const holders = [...finders, ...confirming];
  if (standing === 'contested') return `${listNames(holders)} and ${listNames(rejecting)} disagree on ${id}.`;
  return [
    `Found by ${listNames(finders)}`,
    ...(confirming.length > 0 ? [`confirmed by ${listNames(confirming)}`] : []),
    ...(rejecting.length > 0 ? [`rejected by ${listNames(rejecting)}`] : []),
  ]
    .join(', ')
    .concat('.');
}

const listNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

function renderJudgement({ by, kind, severity, text, counted }: Judgement): string {
  const what =
    kind === 'severity'
      ? `calls it ${severity}`
      : counted
        ? 'rejects it'
        : 'rejects it without code of the change';
  return withReason(`${by} ${what}`, oneLine(text, 600));
}

const withReason = (what: string, reason: string): string =>
  reason === '' ? `${what}.` : `${what}: ${reason}`;

/** `src/queue.ts:41-44`, with `(old)` for lines that were removed. */
export function formatPlace({ file, side, start, end }: Place): string {
  return `${file}:${start}${end === start ? '' : `-${end}`}${side === 'old' ? ' (old)' : ''}`;
}

/** As Markdown shows code that nothing in it can end. */
const renderCode = (code: string): string => code.replace(/^/gm, '    ').trimEnd();

export const quoteLines = (quote: string): string =>
  quote === ''
    ? ''
    : quote
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
