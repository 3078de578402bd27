// Finds what earlier launches used up, in archives and active councils.
import { archiveMetas } from '../../archive/read.ts';
import type { UsageRecord } from '../../council/state/state.ts';
import { activeStates } from '../active.ts';
import type { Workspace } from '../workspace.ts';

/** All recorded launches that told their tokens. */
export async function earlierLaunches(workspace: Workspace): Promise<UsageRecord[]> {
  const [{ metas }, { states }] = await Promise.all([
    archiveMetas(workspace.ports.archives),
    activeStates(workspace),
  ]);
  const archived = new Set(metas.map(({ conversationId }) => conversationId));
  const active = states.filter(({ conversationId }) => !archived.has(conversationId));
  return [...metas, ...active]
    .flatMap(({ usage }) => usage ?? [])
    .filter(({ inputTokens }) => inputTokens !== null);
}

/** Those of this agent; where it has none, those of its model. */
export function selectComparableLaunches(
  launches: readonly UsageRecord[],
  { id, model }: { id: string; model: string | null },
): UsageRecord[] {
  const own = launches.filter(({ participant, lender }) => participant === id || lender === id);
  return own.length > 0 || model === null ? own : launches.filter((one) => one.model === model);
}
