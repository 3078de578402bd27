// Takes the open findings of the last review along into one of what is new since.
import { fill } from '../core/base/words/words.ts';
import type { Words } from '../core/base/words/words.ts';
import { createWholeHunk } from './change.ts';
import { decideFinding, decideVerdict, sortFindings } from './decide-findings.ts';
import { computeMedian, numberFindings } from './merge-findings.ts';
import { placeFinding } from './place-finding.ts';
import type { Finding, Place, Review, Severity } from './report.ts';

/** The files of the newest commit that findings of the last review are about, by their names of then; null where one is gone. */
export type TextsNow = ReadonlyMap<string, { path: string; text: string } | null>;

/**
 * A review of what is new since the last one, together with what that one left open. Findings keep their
 * numbers.
 */
export function carryFindings(review: Review, last: Review, now: TextsNow, words: Words): Review {
  const open = last.findings.filter(isOpen);
  const settled = last.findings.filter(({ standing }) => standing === 'rejected');
  const found = review.findings.filter((one) => !settled.some((old) => isSame(old, one)));
  const again = found.filter((one) => open.some((old) => isSame(old, one)));
  const carried = open.flatMap((old): Finding[] => {
    const same = again.find((one) => isSame(old, one));
    const place = same?.place ?? findPlaceNow(old, now);
    return place === 'fixed' ? [] : [decideAgain({ ...old, ...(place && { place }) }, same, review.failOn)];
  });
  const fixed = open.filter(({ id }) => carried.every((one) => one.id !== id));
  const moved = carried.filter((one) =>
    isMoved(
      one,
      open.find(({ id }) => id === one.id)!,
    ),
  );
  const fresh = numberFindings(
    found.filter((one) => !again.includes(one)),
    last.findings.map(({ id }) => id),
  );
  const findings = sortFindings([...carried, ...fresh]);
  const dropped = review.findings.length - found.length;
  // Nothing new has no reviewers.
  const reviewers = review.files.length > 0 ? review.reviewers : last.reviewers;
  return {
    ...review,
    reviewers,
    findings,
    verdict: decideVerdict(reviewers, findings),
    notes: [...review.notes, ...tellWhatBecame({ fixed, moved, dropped }, words)],
  };
}

/**
 * A finding of the last review with what is said of it now. A reviewer who says nothing of it now has not taken back what it said
 * then; of what each said the latest counts. The severity that blocks may be another one than before.
 */
function decideAgain(old: Finding, now: Finding | undefined, failOn: Severity): Finding {
  const latest = <One extends { by: string }>(before: readonly One[], after: readonly One[] = []): One[] => [
    ...before.filter(({ by }) => after.every((one) => one.by !== by)),
    ...after,
  ];
  const wordings = latest(old.wordings, now?.wordings);
  const finders = new Set(wordings.map(({ by }) => by));
  const judgements = latest(old.judgements, now?.judgements).filter(({ by }) => !finders.has(by));
  const { file = old.place?.file ?? null, place } = old;
  // Where it stands could not be told before, so it cannot block now.
  const kind = place ? 'placed' : 'unquoted';
  const severity = computeMedian(wordings.map((one) => one.severity));
  return decideFinding({ ...old, file, place, kind, severity, wordings }, judgements, failOn);
}

const isOpen = ({ standing }: Finding): boolean =>
  standing === 'blocking' || standing === 'contested' || standing === 'open';

const isSame = (a: Finding, b: Finding): boolean => a.fingerprint === b.fingerprint;

const isMoved = (now: Finding, then: Finding): boolean =>
  now.place !== undefined && (now.place.file !== then.place?.file || now.place.start !== then.place.start);

/**
 * Where the code of a finding stands now; `fixed` where it is gone, or where code is back that it says was wrongly removed.
 * Undefined where that cannot be told: a finding about the whole change, or a quote that stands in several places.
 */
function findPlaceNow({ place, quote, ...finding }: Finding, now: TextsNow): Place | 'fixed' | undefined {
  if (!place) return undefined;
  const file = now.get(place.file);
  const { start, end, side } = place;
  const placed = file
    ? placeFinding(
        {
          ...finding,
          ...{
            file: file.path,
            lines: { start, end },
            side: 'new',
            quotes: [quote],
            text: '',
            fix: undefined,
          },
        },
        { files: [{ path: file.path, change: 'added', hunks: [createWholeHunk(file.text)] }] },
      )
    : undefined;
  const isThere = placed?.kind === 'placed' || placed?.kind === 'tie';
  if (side === 'old') return isThere ? 'fixed' : place;
  if (!isThere) return 'fixed';
  return placed.kind === 'placed' ? placed.place : undefined;
}

function tellWhatBecame(
  { fixed, moved, dropped }: { fixed: Finding[]; moved: Finding[]; dropped: number },
  { comment }: Words,
): string[] {
  const ids = (findings: Finding[]): string => findings.map(({ id }) => id).join(', ');
  return [
    ...(fixed.length > 0 ? [fill(comment.fixed, { ids: ids(fixed) })] : []),
    ...(moved.length > 0 ? [fill(comment.moved, { ids: ids(moved) })] : []),
    ...(dropped > 0 ? [fill(comment.settled, { count: dropped })] : []),
  ];
}
