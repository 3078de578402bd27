// The last review of what is reviewed again, where its findings stand now, and what an interrupted one has left.
import type { App } from '../core/app/app.ts';
import type { Git } from '../core/app/git-calls.ts';
import { findWorkspace } from '../core/app/workspace.ts';
import { toSaid } from '../core/archive/archive.ts';
import type { Archive } from '../core/archive/archive.ts';
import { listArchives, readArchiveFile } from '../core/archive/read.ts';
import { loadWords } from '../core/base/words/words.ts';
import { parseBrief } from './brief.ts';
import type { Assignment } from './brief.ts';
import { carryFindings } from './carry-findings.ts';
import type { TextsNow } from './carry-findings.ts';
import type { Change } from './change.ts';
import { composeParts, joinParts } from './compose-review.ts';
import { decideVerdict } from './decide-findings.ts';
import type { Review } from './report.ts';
import { readCouncil } from '../core/council/use/update-council.ts';

/** The archive of one part of a review. */
interface PartArchive {
  path: string;
  archive: Archive;
  assignment: Assignment;
}

/**
 * The newest whole review of commits between `base` and `head` that came to a verdict; undefined where there is none. Without a base
 * all before `head` count. What too few could be read of was not reviewed.
 */
export async function findLastReview(
  app: App,
  git: Git,
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

/** Every archive of a review that can be read, the newest first. */
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

/** A review as it was told, with what it went on from; undefined where one of its parts is not there. */
async function composeArchived(
  git: Git,
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

/** A review together with what the last one left open. */
export const addLastFindings = async (
  git: Git,
  review: Review,
  last: Review,
  lang: Archive['meta']['lang'],
): Promise<Review> => carryFindings(review, last, await readTextsNow(git, review, last), loadWords(lang));

async function readTextsNow(git: Git, { head, files }: Review, last: Review): Promise<TextsNow> {
  const paths = new Set(last.findings.flatMap(({ place }) => place?.file ?? []));
  const read = [...paths].map(async (then) => {
    const path = files.find(({ oldPath }) => oldPath === then)?.path ?? then;
    const said = await git('cat-file', 'blob', `${head}:${path}`);
    return [then, said.failed ? null : { path, text: said.stdout }] as const;
  });
  return new Map(await Promise.all(read));
}

/** A part of a review that was begun: its active council by name, or its archive. */
export type BegunPart = { name: string } | { archive: Archive; path: string };

/** What there is of each of these parts, told by its brief. Where all are archived, that review is over: nothing goes on. */
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
