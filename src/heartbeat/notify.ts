import { notifyRunnable } from '../agents/runnable.ts';
import { printableJson } from '../base/terminal.ts';
import type { Notice } from '../council/machine/notice.ts';
import { awaited, seat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { HeartbeatPorts, Progress } from './ports.ts';

/** What the notify command gets on stdin, as one JSON document. */
interface Delivered {
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
 * Tells what a commit has brought to `onProgress` and to the notify command of COUNCIL.md, if its owner trusts it. A notice
 * that cannot be delivered is a warning: the council does not depend on it. `signal` ends the command.
 */
export async function tell(
  ports: Pick<HeartbeatPorts, 'notify' | 'mayRun' | 'root' | 'env'>,
  { state, notices }: { state: CouncilState; notices: readonly Notice[] },
  { onProgress, signal }: { onProgress(progress: Progress): void; signal: AbortSignal },
): Promise<void> {
  for (const notice of notices) onProgress({ type: 'notice', council: state.name, notice });
  const { notify } = ports;
  if (!notify || notices.length === 0) return;
  const what = notifyRunnable(notify);
  if (!ports.mayRun(what)) {
    onProgress({ type: 'untrusted', council: state.name, runs: what.runs });
    return;
  }
  const { root: cwd, env } = ports;
  const { deliver } = await import('./notify-command.ts');
  await Promise.all(
    notices.map(async (notice) => {
      const input = printableJson(documentOf(state, notice));
      const why = await deliver({ command: notify, input, cwd, env, signal });
      if (why === undefined) return;
      const message = `The notify command failed (${why}).`;
      onProgress({ type: 'warning', council: state.name, message });
    }),
  );
}

function documentOf(state: CouncilState, notice: Notice): Delivered {
  const common = {
    name: state.name,
    conversationId: state.conversationId,
    topic: state.topic,
    phase: state.currentPhase,
    tour: state.tour,
    deadline: state.timeoutAt,
    people: awaited(state).filter((id) => seat(state, id).runner === 'human'),
  };
  switch (notice.type) {
    case 'phase_opened':
      return { event: 'phase_opened', ...common, phase: notice.phase, tour: notice.tour };
    case 'absent':
      return {
        event: 'absent',
        ...common,
        phase: notice.phase,
        tour: notice.tour,
        participant: notice.participant,
        reason: notice.reason,
      };
    case 'deadline_moved':
      return { event: 'deadline_moved', ...common, ms: notice.ms, reason: notice.why };
    case 'synthesis_wanted':
      return { event: 'synthesis_wanted', ...common, participant: notice.coordinator };
    case 'archived':
      return { event: 'archived', ...common, path: notice.path };
  }
}
