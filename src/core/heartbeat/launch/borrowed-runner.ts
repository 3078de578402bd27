// Selects the runner to launch for a participant, and checks the trust in its agent.
import { checkAdmission } from '../../agents/circuit-breaker.ts';
import type { CouncilState } from '../../council/state/state.ts';
import { listRunnerIds } from '../../council/state/state.ts';
import type { LaunchPorts } from './ports.ts';
import type { Agent } from '../../agents/agent.ts';
import { buildAgentRunnable } from '../../agents/runnable-trust.ts';
import type { Runnable } from '../../agents/runnable-trust.ts';

/** Returns a participant's runners that match this machine's labels. Unknown ones fail when launched. */
export const listOwnRunners = (
  { agents, labels }: Pick<LaunchPorts, 'agents' | 'labels'>,
  state: CouncilState,
  participant: string,
): string[] =>
  listRunnerIds(state, participant).filter(
    (id) => agents.find(id)?.['runs-on'].every((label) => labels.includes(label)) ?? true,
  );

/**
 * Returns the runner to launch: a participant's own or, for a coordinator that borrows, the first whose circuit
 * is closed; otherwise the first that may be tried, or the first of all.
 */
export async function selectRunner(
  ports: Pick<LaunchPorts, 'agents' | 'health' | 'clock' | 'labels'>,
  state: CouncilState,
  participant: string,
): Promise<string> {
  const { agents, health, clock } = ports;
  const there = listOwnRunners(ports, state, participant).filter((id) => agents.find(id) !== undefined);
  const [first = participant, ...others] = there;
  if (others.length === 0) return first;
  const known = await health.read();
  const admitted = there.map((id) => ({ id, ...checkAdmission(known[id], clock.now()) }));
  const well = admitted.find((one) => one.go && !one.isTrial) ?? admitted.find((one) => one.go);
  return well?.id ?? first;
}

export const WAITS_FOR_TRUST = 'it waits for trust';

/** Returns what launching this agent would run, if it is not trusted yet; undefined if it may be launched. */
export function findUntrustedRunnable(
  { mayRun }: Pick<LaunchPorts, 'mayRun'>,
  agent: Agent,
): Runnable | undefined {
  const what = buildAgentRunnable(agent);
  return what && !mayRun(what) ? what : undefined;
}
