// Chooses whose runner is launched for somebody.
import { admission } from '../../agents/health.ts';
import type { CouncilState } from '../../council/state/state.ts';
import { runnersFor } from '../../council/state/state.ts';
import type { LaunchPorts } from './ports.ts';

/**
 * Whose runner is launched: a participant's own, or for a coordinator that borrows the first whose circuit is closed. Where
 * none is, the first that may be tried, then the first of all.
 */
export async function runnerFor(
  { agents, health, clock }: Pick<LaunchPorts, 'agents' | 'health' | 'clock'>,
  state: CouncilState,
  participant: string,
): Promise<string> {
  const there = runnersFor(state, participant).filter((id) => agents.find(id) !== undefined);
  const [first = participant, ...others] = there;
  if (others.length === 0) return first;
  const known = await health.read();
  const admitted = there.map((id) => ({ id, ...admission(known[id], clock.now()) }));
  const well = admitted.find((one) => one.go && !one.probe) ?? admitted.find((one) => one.go);
  return well?.id ?? first;
}
