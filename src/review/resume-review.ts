// Finds what an interrupted review has left: councils that go on, and parts that are archived.
import type { App } from '../core/app/app.ts';
import { findWorkspace } from '../core/app/workspace.ts';
import type { Archive } from '../core/archive/archive.ts';
import { readCouncil } from '../core/council/use/update-council.ts';
import { composePart } from './compose-review.ts';
import { decideVerdict } from './decide-findings.ts';
import { listPartArchives, toSaid } from './last-review.ts';

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
    const { reviewers, findings } = composePart(toSaid(archive));
    return decideVerdict(reviewers, findings) !== 'none';
  });
  const begun = briefs.map((brief): BegunPart | undefined => {
    const going = active.find((council) => council.state.mode === 'code' && council.brief === brief);
    return going ? { name: going.name } : archived.find(({ archive }) => archive.brief === brief);
  });
  return begun.every((part) => part && 'archive' in part) ? [] : begun;
}
