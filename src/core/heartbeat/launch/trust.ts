// Checks the trust in an agent before it is launched.
import type { Agent } from '../../agents/agent.ts';
import { buildAgentRunnable } from '../../agents/runnable-trust.ts';
import type { Runnable } from '../../agents/runnable-trust.ts';
import type { LaunchPorts } from './ports.ts';

export const WAITS_FOR_TRUST = 'it waits for trust';

/**
 * What launching this agent would run, if it is not trusted yet; undefined if it may be launched.
 */
export function waitingForTrust({ mayRun }: Pick<LaunchPorts, 'mayRun'>, agent: Agent): Runnable | undefined {
  const what = buildAgentRunnable(agent);
  return what && !mayRun(what) ? what : undefined;
}
