// The output formats of a review as pure functions: text, Markdown, JSON, SARIF 2.1.0 and GitHub annotations.

import { fill } from '../core/base/words/words.ts';
import type { ReviewWords } from './words.ts';
import type { FormatName } from './input.ts';
import { renderComment } from './output/markdown.ts';
import { renderReview, explainLeftOut, formatPlace } from './render-review.ts';
import type { Review, Finding, Severity } from './report.ts';
import type { Log, Notification, ReportingDescriptor, Result } from 'sarif';

/** `token` is the one passed to `stopCommands`, for GitHub Actions. */
export const FORMATS: Readonly<
  Record<FormatName, (review: Review, words: ReviewWords, token: string) => string>
> = {
  text: renderReview,
  markdown: renderComment,
  json: (review) => JSON.stringify(review, null, 2),
  sarif: (review, words) => JSON.stringify(renderSarif(review, words), null, 2),
  github: (review, words, token) =>
    renderAnnotations(review, words, { text: renderReview(review, words), token }),
};

/** Returns the first output, which stops GitHub Actions from executing workflow commands printed later. */
export const renderBeginning = (format: FormatName, token: string): string =>
  format === 'github' ? `${renderStopCommands(token)}\n` : '';

const ENDINGS: readonly [ending: string, format: FormatName][] = [
  ['.sarif', 'sarif'],
  ['.json', 'json'],
  ['.md', 'markdown'],
];

/** Chooses the format of a report file by its extension, or else the printed format. */
export const chooseFileFormat = (path: string, printed: FormatName): FormatName =>
  ENDINGS.find(([ending]) => path.endsWith(ending))?.[1] ?? printed;

/** GitHub shows at most this many results per run. */
const MAX_RESULTS = 5000;

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  blocker: 'error',
  major: 'error',
  minor: 'warning',
  note: 'note',
};

/** Renders actionable findings as results, and files that were not reviewed as notifications. */
export function renderSarif(review: Review, words: ReviewWords): Log {
  const all = listLiveFindings(review);
  const results = all.slice(0, MAX_RESULTS).map((finding) => toResult(finding, words));
  const rules = [...new Set(results.map(({ ruleId }) => ruleId!))].map((id): ReportingDescriptor => ({
    id,
    shortDescription: { text: fill(words.comment.title, { verdict: id }) },
  }));
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'council', rules } },
        automationDetails: { id: 'council-review/' },
        invocations: [
          {
            executionSuccessful: review.verdict !== 'none',
            toolExecutionNotifications: listNotifications(review, all.length - results.length, words),
          },
        ],
        results,
        columnKind: 'utf16CodeUnits',
        properties: {
          base: review.base,
          head: review.head,
          verdict: review.verdict,
          failOn: review.failOn,
          archives: review.archives,
        },
      },
    ],
  };
}

function toResult(finding: Finding, words: ReviewWords): Result {
  const { id, severity, standing, finders, place, fingerprint } = finding;
  return {
    ruleId: finding.category,
    level: LEVELS[severity],
    message: { text: describeFinding(finding, words) },
    ...(place && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: toRelativeUri(place.file), uriBaseId: '%SRCROOT%' },
            // A removed line has no number in the new file.
            ...(place.side === 'new' && { region: { startLine: place.start, endLine: place.end } }),
          },
        },
      ],
    }),
    partialFingerprints: { 'councilFinding/v1': fingerprint },
    properties: { id, severity, standing, finders },
  };
}

/** Converts a git path to a relative URI, with everything escaped that could be read as a scheme, query or escape. */
const toRelativeUri = (path: string): string =>
  path.toWellFormed().split('/').map(encodeURIComponent).join('/');

function listNotifications(review: Review, dropped: number, words: ReviewWords): Notification[] {
  const say = words.comment;
  const warn = (text: string): Notification => ({ level: 'warning', message: { text } });
  return [
    ...review.reviewers.flatMap(({ name, status }) =>
      status === 'read' ? [] : [warn(fill(say[status], { who: name }))],
    ),
    ...review.leftOut.map((one) => warn(`${say.notReviewed}: ${one.path} (${explainLeftOut(one, words)})`)),
    ...(dropped > 0 ? [warn(fill(say.more, { count: dropped, where: say.report }))] : []),
  ];
}

/** GitHub shows at most ten annotations of each kind per step. */
const MAX_OF_A_KIND = 10;

/**
 * The first line of a step: until `renderAnnotations`, the runner executes no printed workflow commands,
 * whatever agents or the change print. `token` must be random and secret.
 */
export const renderStopCommands = (token: string): string => `::stop-commands::${token}`;

/** Renders the review for people (`text`), then blocking findings as errors, contested or open ones as warnings. */
export function renderAnnotations(
  review: Review,
  words: ReviewWords,
  { text, token }: { text: string; token: string },
): string {
  const findings = listLiveFindings(review);
  const errors = findings.filter(({ standing }) => standing === 'blocking');
  const warnings = findings.filter(({ standing }) => standing !== 'blocking');
  return [
    text,
    `::${token}::`,
    ...errors.slice(0, MAX_OF_A_KIND).map((finding) => renderCommand('error', finding, words)),
    ...warnings.slice(0, MAX_OF_A_KIND).map((finding) => renderCommand('warning', finding, words)),
  ].join('\n');
}

function renderCommand(kind: 'error' | 'warning', finding: Finding, words: ReviewWords): string {
  const { place, id, severity, title } = finding;
  const properties = {
    ...(place && { file: place.file }),
    // Removed lines have other numbers than those that GitHub shows.
    ...(place?.side === 'new' && { line: place.start, endLine: place.end }),
    title: `${id} ${severity}: ${title}`,
  };
  const listed = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${kind} ${listed.join(',')}::${escapeData(describeFinding(finding, words))}`;
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Lists the actionable findings: located in the change, and not rejected by the reviewers. */
const listLiveFindings = ({ findings }: Review): Finding[] =>
  findings.filter(({ standing }) => ['contested', 'blocking', 'open'].includes(standing));

function describeFinding({ title, wordings, place, finders }: Finding, words: ReviewWords): string {
  const say = words.comment;
  const first = wordings[0];
  return [
    title,
    ...(first ? [first.text] : []),
    ...(first?.fix === undefined ? [] : [fill(say.fix, { text: first.fix })]),
    ...(place?.side === 'old' ? [formatPlace(place)] : []),
    fill(say.finders, { who: finders.join(', ') }),
  ].join('\n');
}
