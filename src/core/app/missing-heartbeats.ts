// Awaited agents without a heartbeat that has their labels.
import type { AgentRegistry } from '../agents/registry.ts';
import { fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { awaited, listRunnerIds, getSeat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import { listAlive } from '../heartbeat/launch/heartbeat-row.ts';
import type { Workspace } from './workspace.ts';
import type { SeenHeartbeat, Heartbeats } from '../store/heartbeats.ts';

/** An awaited agent that no running heartbeat may launch. */
export interface AwaitingHeartbeat {
  participant: string;
  labels: string[];
  reason: 'no_heartbeat';
}

/**
 * Finds awaited agents whose labels no running heartbeat has. Reads no rows if no labels are
 * needed.
 */
export async function findAwaitingHeartbeat(
  agents: () => Promise<AgentRegistry>,
  rows: () => ReturnType<Heartbeats['list']>,
  state: CouncilState,
): Promise<AwaitingHeartbeat[]> {
  const waiting = awaited(state).filter(
    (id) => getSeat(state, id).runner !== 'human' && !getSeat(state, id).lease,
  );
  if (waiting.length === 0) return [];
  const registry = await agents();
  const needs = waiting.flatMap((participant) => {
    const any = listRunnerIds(state, participant).map((id) => registry.find(id)?.['runs-on'] ?? []);
    return any.length > 0 && any.every((labels) => labels.length > 0) ? [{ participant, any }] : [];
  });
  if (needs.length === 0) return [];
  const there = listAlive(await rows());
  return needs.flatMap(({ participant, any: [labels = [], ...others] }) =>
    [labels, ...others].some((one) => hasHeartbeatWithLabels(one, there))
      ? []
      : [{ participant, labels, reason: 'no_heartbeat' as const }],
  );
}

/** Lists awaited participants that another machine runs, or whose labels no running heartbeat has. */
export async function findAwaitedElsewhere(
  { keeping }: Workspace,
  agents: AgentRegistry,
  state: CouncilState,
): Promise<{ elsewhere: string[]; needing: AwaitingHeartbeat[] }> {
  const elsewhere = awaited(state).filter((id) => getSeat(state, id).lease);
  const needing = await findAwaitingHeartbeat(
    async () => agents,
    () => keeping.heartbeats().list(),
    state,
  );
  return { elsewhere, needing };
}

/** Formats labels for people: the label gpu. */
export const formatLabels = (labels: readonly string[]): string =>
  `the ${labels.length === 1 ? 'label' : 'labels'} ${labels.join(', ')}`;

export const hasHeartbeatWithLabels = (
  labels: readonly string[],
  there: readonly Pick<SeenHeartbeat, 'labels'>[],
): boolean => there.some((one) => labels.every((label) => one.labels.includes(label)));

export const suggestHeartbeatCommand = (labels: readonly string[]): string =>
  `council heartbeat --labels ${labels.join()}`;

/** Describes them: a sentence per list of labels, with the command that helps. */
export function explainMissingHeartbeats(
  waiting: readonly Pick<AwaitingHeartbeat, 'participant' | 'labels'>[],
  w: Words,
): { sentence: string; command: string }[] {
  const groups = Map.groupBy(waiting, ({ labels }) => labels.join(', '));
  return [...groups].map(([labels, those]) => {
    const who = those.map(({ participant }) => participant).join(', ');
    return {
      sentence: fill(w.heartbeats.missing, { labels, who }),
      command: suggestHeartbeatCommand(those[0]!.labels),
    };
  });
}
