// The verdict: computed by a fail-closed rule from findings, confirmations and rejections.
import type { ErrorCode } from '../core/base/errors.ts';
import { countNeeded } from '../core/council/vote/quorum.ts';
import { computeMedian } from './merge-findings.ts';
import type { FoundFinding } from './merge-findings.ts';
import { SEVERITIES, STANDINGS } from './report.ts';
import type { Finding, Judgement, Review, Reviewer, Severity, Standing } from './report.ts';

/** Decides a finding's severity and standing. `judgements` contains none by its finders. */
export function decideFinding(
  found: Omit<FoundFinding, 'said'>,
  judgements: Judgement[],
  failOn: Severity,
): Finding {
  const { id, fingerprint, category, title, file, place, quote, wordings } = found;
  const finders = [...new Set(wordings.map(({ by }) => by))];
  const severity = computeMedian([
    ...wordings.map((one) => one.severity),
    // A confirmation counts as a vote for the severity that was shown.
    ...judgements.flatMap((one) =>
      one.kind === 'severity' ? one.severity! : one.kind === 'confirm' ? found.severity : [],
    ),
  ]);
  return {
    ...{ id, fingerprint, severity, category, title, quote },
    ...(place ? { place } : file !== null && { file }),
    standing: findStanding(found, { severity, finders, judgements, failOn }),
    finders,
    wordings,
    judgements,
  };
}

function findStanding(
  { kind }: Pick<FoundFinding, 'kind'>,
  {
    severity,
    finders,
    judgements,
    failOn,
  }: Pick<Finding, 'severity' | 'finders' | 'judgements'> & { failOn: Severity },
): Standing {
  if (kind === 'outside' || kind === 'refuted') return kind;
  const holders = finders.length + judgements.filter((one) => one.kind !== 'reject').length;
  const rejecters = judgements.filter((one) => one.kind === 'reject' && one.counted).length;
  if (rejecters > holders) return 'rejected';
  const isSevere = SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn);
  if (kind === 'placed' && isSevere && holders >= 2 && rejecters < holders) return 'blocking';
  return rejecters > 0 ? 'contested' : 'open';
}

/** Returns how many reviewers must have a readable answer: more than half of them, and at least two. */
export const countReadersNeeded = (reviewers: number): number => Math.max(2, countNeeded(0.5, reviewers));

/** Returns `none` if too few reviewers could be read, else `block` if a finding blocks, or `pass`. */
export function decideVerdict(
  reviewers: readonly Reviewer[],
  findings: readonly Finding[],
): Review['verdict'] {
  const read = reviewers.filter(({ status }) => status === 'read').length;
  if (read < countReadersNeeded(reviewers.length)) return 'none';
  return findings.some(({ standing }) => standing === 'blocking') ? 'block' : 'pass';
}

/** The error code of a command that ends with a verdict. */
export const FAILURES: Readonly<Record<Review['verdict'], ErrorCode | undefined>> = {
  pass: undefined,
  block: 'failed',
  none: 'no_verdict',
};

/** Sorts contested findings first, then blocking ones, then by severity. */
export const sortFindings = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted(
    (a, b) =>
      STANDINGS.indexOf(a.standing) - STANDINGS.indexOf(b.standing) ||
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      a.id.localeCompare(b.id, 'en', { numeric: true }),
  );
