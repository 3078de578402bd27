import type { Effect } from '../council/close.ts';
import { awaited, seat } from '../council/state.ts';
import type { CouncilState } from '../council/state.ts';
import type { HeartbeatPorts, Progress } from './ports.ts';

/** What the notify command gets on stdin, as one JSON document. */
export interface Notice {
  event: 'phase_opened' | 'absent' | 'synthesis_wanted' | 'archived';
  name: string;
  conversationId: string;
  topic: string;
  phase: string;
  tour: number;
  participant?: string;
  reason?: string;
  path?: string;
  deadline: string;
  /** The people who are asked now: nothing else reaches them. */
  people: string[];
}

const NOTIFY_TIMEOUT_MS = 30_000;

/**
 * Tells the effects of a commit to `onProgress` and to the notify command of COUNCIL.md. A notice that cannot be
 * delivered is a warning: the council does not depend on it.
 */
export async function notifyEffects(
  ports: Pick<HeartbeatPorts, 'notify' | 'root' | 'env'>,
  state: CouncilState,
  effects: Effect[],
  { onProgress }: { onProgress(progress: Progress): void },
): Promise<void> {
  for (const effect of effects) onProgress({ type: 'effect', council: state.name, effect });
  if (!ports.notify || effects.length === 0) return;
  const [program, ...args] = ports.notify;
  const { execa } = await import('execa');
  await Promise.all(
    effects.map(async (effect) => {
      const input = JSON.stringify(noticeOf(state, effect));
      const result = await execa(program!, args, {
        input,
        cwd: ports.root,
        env: ports.env,
        extendEnv: false,
        timeout: NOTIFY_TIMEOUT_MS,
        reject: false,
        stdout: 'ignore',
        windowsHide: true,
      });
      if (result.failed)
        onProgress({
          type: 'warning',
          council: state.name,
          message: `The notify command failed (${result.shortMessage}).`,
        });
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
    case 'synthesis_wanted':
      return { event: 'synthesis_wanted', ...common, participant: effect.coordinator };
    case 'archive':
      return { event: 'archived', ...common, path: effect.path };
  }
}
