// Finds the previous review, updates the places of its open findings, and finds the parts of an interrupted review.
import type { App } from '../core/app/app.ts';
import type { GitRunner } from '../core/app/git-calls.ts';
import { findWorkspace } from '../core/app/workspace.ts';
import { toSaid } from '../core/archive/archive.ts';
import type { Archive } from '../core/archive/archive.ts';
import { listArchives, readArchiveFile } from '../core/archive/read.ts';
import { fill } from '../core/base/words/words.ts';
import { parseBrief } from './brief.ts';
import type { Assignment } from './brief.ts';
import type { Change } from './change.ts';
import { composeParts, joinParts } from './compose-review.ts';
import { decideVerdict, decideFinding, sortFindings } from './decide-findings.ts';
import type { Review, Finding, Place, Severity } from './report.ts';
import { readCouncil } from '../core/council/use/council-access.ts';
import { loadReviewWords } from './words.ts';
import type { ReviewWords } from './words.ts';
import { createWholeHunk } from './change.ts';
import { computeMedian, numberFindings } from './merge-findings.ts';
import { placeFinding } from './place-finding.ts';

interface PartArchive {
  path: string;
  archive: Archive;
  assignment: Assignment;
}

/**
 * Returns the newest complete review with a verdict of commits between `base` and `head`, or undefined.
 * Without a base, all commits before `head` count. A review without a verdict is ignored, as the change was
 * not really reviewed.
 */
export async function findLastReview(
  app: App,
  git: GitRunner,
  { base, head }: Pick<Change, 'base'> & { head: string },
): Promise<Review | undefined> {
  const isAncestor = async (earlier: string, later: string): Promise<boolean> =>
    !(await git('merge-base', '--is-ancestor', earlier, later)).failed;
  const parts = await listPartArchives(app);
  for (const { assignment, path } of parts) {
    const { head: reviewed } = assignment.change;
    if (reviewed === null || reviewed === base || !(await isAncestor(reviewed, head))) continue;
    if (base !== null && !(await isAncestor(base, reviewed))) continue;
    const review = await composeArchived(git, parts, path);
    if (review && review.verdict !== 'none') return review;
  }
  return undefined;
}

/** Lists the readable archives of reviews, newest first. */
export async function listPartArchives(app: App): Promise<PartArchive[]> {
  const files = findWorkspace(app)?.ports.archives;
  if (!files) return [];
  const { archives } = await listArchives(files);
  const read = archives
    .filter(({ mode }) => mode === 'code')
    .map(async ({ path }) => {
      const archive = (await readArchiveFile(files, path))?.archive;
      const assignment = archive && parseBrief(archive.brief);
      return assignment ? [{ path, archive, assignment }] : [];
    });
  return (await Promise.all(read)).flat();
}

/** Recomposes a review as it was reported, including those it continues; undefined if a part is missing. */
async function composeArchived(
  git: GitRunner,
  archives: readonly PartArchive[],
  path: string,
): Promise<Review | undefined> {
  const one = archives.find((archive) => archive.path === path);
  if (!one) return undefined;
  const { change, parts: count } = one.assignment;
  const parts = Array.from({ length: count }, (_, at) =>
    archives.find(
      ({ assignment: { change: other, part, parts } }) =>
        part === at + 1 && parts === count && other.head === change.head && other.base === change.base,
    ),
  ).filter((part) => part !== undefined);
  if (parts.length < count) return undefined;
  const files = parts.flatMap(({ assignment }) => assignment.change.files);
  const review = joinParts(composeParts(parts.map(({ archive }) => toSaid(archive))), {
    change: { ...change, files },
    archives: parts.map((part) => part.path),
    notes: [],
  });
  const last = change.since === undefined ? undefined : await composeArchived(git, archives, change.since);
  return last ? addLastFindings(git, review, last, one.archive.meta.lang) : review;
}

export const addLastFindings = async (
  git: GitRunner,
  review: Review,
  last: Review,
  lang: Archive['meta']['lang'],
): Promise<Review> =>
  carryFindings(review, last, await readTextsNow(git, review, last), loadReviewWords(lang));

async function readTextsNow(git: GitRunner, { head, files }: Review, last: Review): Promise<TextsNow> {
  const paths = new Set(last.findings.flatMap(({ place }) => place?.file ?? []));
  const read = [...paths].map(async (then) => {
    const path = files.find(({ oldPath }) => oldPath === then)?.path ?? then;
    const said = await git('cat-file', 'blob', `${head}:${path}`);
    return [then, said.failed ? null : { path, text: said.stdout }] as const;
  });
  return new Map(await Promise.all(read));
}

/** A started part of a review: the name of its active council, or its archive. */
export type BegunPart = { name: string } | { archive: Archive; path: string };

/** Finds the council or archive of each part by its brief. If all are archived, there is nothing to resume. */
export async function findBegunParts(
  app: App,
  briefs: readonly string[],
): Promise<(BegunPart | undefined)[]> {
  const workspace = findWorkspace(app);
  if (!workspace) return [];
  const { store } = workspace;
  const active = await Promise.all(
    (await store.list('')).map(async (name) => ({ name, ...(await readCouncil({ store }, name)).council })),
  );
  const archived = (await listPartArchives(app)).filter(({ archive }) => {
    const { reviewers, findings } = composeParts([toSaid(archive)])[0]!;
    return decideVerdict(reviewers, findings) !== 'none';
  });
  const begun = briefs.map((brief): BegunPart | undefined => {
    const going = active.find((council) => council.state.mode === 'code' && council.brief === brief);
    return going ? { name: going.name } : archived.find(({ archive }) => archive.brief === brief);
  });
  return begun.every((part) => part && 'archive' in part) ? [] : begun;
}

/** Current texts of the files with previous findings, by their names at that time; null if a file is gone. */
export type TextsNow = ReadonlyMap<string, { path: string; text: string } | null>;

/** Merges a review of what is new with the open findings of the previous one. Findings keep their ids. */
export function carryFindings(review: Review, last: Review, now: TextsNow, words: ReviewWords): Review {
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
  // If nothing is new, there was no council, and the previous reviewers count.
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
 * Decides a previous finding again with its new wordings and judgements. Silence does not retract what a
 * reviewer said before; only the latest statement of each counts. `failOn` may differ from the previous
 * review.
 */
function decideAgain(old: Finding, now: Finding | undefined, failOn: Severity): Finding {
  const mergeLatest = <One extends { by: string }>(
    before: readonly One[],
    after: readonly One[] = [],
  ): One[] => [...before.filter(({ by }) => after.every((one) => one.by !== by)), ...after];
  const wordings = mergeLatest(old.wordings, now?.wordings);
  const finders = new Set(wordings.map(({ by }) => by));
  const judgements = mergeLatest(old.judgements, now?.judgements).filter(({ by }) => !finders.has(by));
  const { file = old.place?.file ?? null, place } = old;
  // A finding without a known place cannot block.
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
 * Returns the current place of a finding's code; `fixed` if the code is gone, or if code that was wrongly
 * removed is back. Undefined if unknown: for a finding about the whole change, or an ambiguous quote.
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
  { comment }: ReviewWords,
): string[] {
  const ids = (findings: Finding[]): string => findings.map(({ id }) => id).join(', ');
  return [
    ...(fixed.length > 0 ? [fill(comment.fixed, { ids: ids(fixed) })] : []),
    ...(moved.length > 0 ? [fill(comment.moved, { ids: ids(moved) })] : []),
    ...(dropped > 0 ? [fill(comment.settled, { count: dropped })] : []),
  ];
}
