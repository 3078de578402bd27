// Which awaited agents are paused after failures or by a provider's rate limit.
import type { AgentHealth } from '../store/agent-health.ts';
import { awaited, listRunnerIds, seat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';

/** Agents that are not launched for a while, by id: too many launches failed, or a provider asked to wait. */
export type Paused = Record<string, { until: string; reason: string; isLimit?: true }>;

/** Awaited participants that are paused. Agent health is not read if only people are awaited. */
export async function findPausedAgents(
  book: Pick<AgentHealth, 'read'>,
  state: CouncilState,
): Promise<Paused> {
  const launchable = awaited(state).filter((id) => seat(state, id).runner !== 'human');
  if (launchable.length === 0) return {};
  const health = await book.read();
  return Object.fromEntries(
    launchable.flatMap((id): [string, Paused[string]][] => {
      const { retryAt } = seat(state, id);
      if (retryAt !== undefined) return [[id, { until: retryAt, reason: 'rate limit', isLimit: true }]];
      const resting = listRunnerIds(state, id).map(
        (one) => (Object.hasOwn(health, one) && health[one]) || undefined,
      );
      // A seat that may borrow several runners waits for the first that is free.
      const [first] = resting.toSorted((a, b) => ((a?.until ?? '') < (b?.until ?? '') ? -1 : 1));
      if (!first?.until) return [];
      const { until, reason, isLimit } = first;
      return [[id, { until, reason, ...(isLimit && { isLimit }) }]];
    }),
  );
}

/**
 * Whether nobody else is awaited than agents that are paused because launches failed: a minute of everybody's time is worth more
 * than one more try. A limit of a provider is waited for, because its answer comes after it, and so is the synthesis.
 */
export const awaitsBrokenAlone = (state: CouncilState, paused: Paused): boolean =>
  state.currentPhase !== 'SYNTHESIZE' &&
  awaited(state).length > 0 &&
  awaited(state).every((id) => paused[id] !== undefined && !paused[id].isLimit);

const LOOK_AGAIN_MS = 60_000;
const SHORTEST_WAIT_MS = 100;

/**
 * When the first paused agent may be retried. Another process may retry it earlier, without notice.
 */
export function computeRetryTime(paused: Paused, now: number): number {
  const ends = Object.values(paused).map(({ until }) => Date.parse(until));
  if (ends.length === 0) return Infinity;
  return Math.max(now + SHORTEST_WAIT_MS, Math.min(...ends, now + LOOK_AGAIN_MS));
}
