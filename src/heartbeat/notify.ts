import { notifyRunnable } from '../agents/runnable.ts';
import { printableJson } from '../base/terminal.ts';
import type { Effect } from '../council/machine/close.ts';
import { awaited, seat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { HeartbeatPorts, Progress } from './ports.ts';

/** What the notify command gets on stdin, as one JSON document. */
export interface Notice {
  event: 'phase_opened' | 'absent' | 'deadline_moved' | 'synthesis_wanted' | 'archived';
  name: string;
  conversationId: string;
  topic: string;
  phase: string;
  tour: number;
  participant?: string;
  reason?: string;
  path?: string;
  /** By how many milliseconds the deadline moved. */
  ms?: number;
  deadline: string;
  /** The people who are asked now: nothing else reaches them. */
  people: string[];
}

/**
 * Tells the effects of a commit to `onProgress` and to the notify command of COUNCIL.md, if its owner trusts it. A notice
 * that cannot be delivered is a warning: the council does not depend on it. `signal` ends the command.
 */
export async function notifyEffects(
  ports: Pick<HeartbeatPorts, 'notify' | 'mayRun' | 'root' | 'env'>,
  state: CouncilState,
  effects: Effect[],
  { onProgress, signal }: { onProgress(progress: Progress): void; signal: AbortSignal },
): Promise<void> {
  for (const effect of effects) onProgress({ type: 'effect', council: state.name, effect });
  const { notify } = ports;
  if (!notify || effects.length === 0) return;
  const what = notifyRunnable(notify);
  if (!ports.mayRun(what)) {
    onProgress({ type: 'untrusted', council: state.name, runs: what.runs });
    return;
  }
  const { root: cwd, env } = ports;
  const { deliver } = await import('./notify-command.ts');
  await Promise.all(
    effects.map(async (effect) => {
      const input = printableJson(noticeOf(state, effect));
      const why = await deliver({ command: notify, input, cwd, env, signal });
      if (why === undefined) return;
      const message = `The notify command failed (${why}).`;
      onProgress({ type: 'warning', council: state.name, message });
    }),
  );
}

function noticeOf(state: CouncilState, effect: Effect): Notice {
  const common = {
    name: state.name,
    conversationId: state.conversationId,
    topic: state.topic,
    phase: state.currentPhase,
    tour: state.tour,
    deadline: state.timeoutAt,
    people: awaited(state).filter((id) => seat(state, id).runner === 'human'),
  };
  switch (effect.type) {
    case 'phase_opened':
      return { event: 'phase_opened', ...common, phase: effect.phase, tour: effect.tour };
    case 'absent':
      return {
        event: 'absent',
        ...common,
        phase: effect.phase,
        tour: effect.tour,
        participant: effect.participant,
        reason: effect.reason,
      };
    case 'deadline_moved':
      return { event: 'deadline_moved', ...common, ms: effect.ms, reason: effect.why };
    case 'synthesis_wanted':
      return { event: 'synthesis_wanted', ...common, participant: effect.coordinator };
    case 'archive':
      return { event: 'archived', ...common, path: effect.path };
  }
}
