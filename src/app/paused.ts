// Which awaited agents are paused after failures or by a provider's rate limit.
import type { AgentHealth } from '../store/agent-health.ts';
import { awaited, runnersFor, seat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';

/** Agents that are not launched for a while, by id: too many launches failed, or a provider asked to wait. */
export type Paused = Record<string, { until: string; reason: string }>;

/** Who of those that a council waits for is paused. The book is not opened where only people are awaited. */
export async function pausedIn(book: Pick<AgentHealth, 'read'>, state: CouncilState): Promise<Paused> {
  const launchable = awaited(state).filter((id) => seat(state, id).runner !== 'human');
  if (launchable.length === 0) return {};
  const health = await book.read();
  return Object.fromEntries(
    launchable.flatMap((id): [string, Paused[string]][] => {
      const { retryAt } = seat(state, id);
      if (retryAt !== undefined) return [[id, { until: retryAt, reason: 'rate limit' }]];
      const resting = runnersFor(state, id).map(
        (one) => (Object.hasOwn(health, one) && health[one]) || undefined,
      );
      // Whoever may borrow from several waits for the first of them.
      const [first] = resting.toSorted((a, b) => ((a?.until ?? '') < (b?.until ?? '') ? -1 : 1));
      return first?.until ? [[id, { until: first.until, reason: first.reason }]] : [];
    }),
  );
}

const LOOK_AGAIN_MS = 60_000;
const SHORTEST_WAIT_MS = 100;

/** When the first paused agent may be tried again. Another process may try it and end the pause earlier, unannounced. */
export function wakeAt(paused: Paused, now: number): number {
  const ends = Object.values(paused).map(({ until }) => Date.parse(until));
  if (ends.length === 0) return Infinity;
  return Math.max(now + SHORTEST_WAIT_MS, Math.min(...ends, now + LOOK_AGAIN_MS));
}
