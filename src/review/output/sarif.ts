// A review in SARIF 2.1.0, for code scanning and editors.
import type { Log, Notification, ReportingDescriptor, Result } from 'sarif';
import { fill } from '../../core/base/words/words.ts';
import type { Words } from '../../core/base/words/words.ts';
import type { Finding, Review, Severity } from '../report.ts';
import { explainLeftOut } from '../render-review.ts';
import { describeFinding, listLiveFindings } from './finding.ts';

/** GitHub shows no more of one run. */
const MAX_RESULTS = 5000;

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  blocker: 'error',
  major: 'error',
  minor: 'warning',
  note: 'note',
};

/** Findings to act upon as results; files that were not reviewed as notifications. */
export function renderSarif(review: Review, words: Words): Log {
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

function toResult(finding: Finding, words: Words): Result {
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
            // What was removed has no line in the file that a reader opens.
            ...(place.side === 'new' && { region: { startLine: place.start, endLine: place.end } }),
          },
        },
      ],
    }),
    partialFingerprints: { 'councilFinding/v1': fingerprint },
    properties: { id, severity, standing, finders },
  };
}

/** A path of git as a relative URI: no sign of it can be taken for a scheme, a query or an escape. */
const toRelativeUri = (path: string): string =>
  path.toWellFormed().split('/').map(encodeURIComponent).join('/');

function listNotifications(review: Review, dropped: number, words: Words): Notification[] {
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
