// A worker that wants to call something risky: its task waits for a person, and its place is free meanwhile.
import type { SpeakResult } from '../../agents/runners/speak.ts';
import type { Task } from '../../tasks/task.ts';
import { holds, launchEnded } from '../../tasks/transitions.ts';
import { approvalsOf } from '../approvals/ports.ts';
import type { Playing } from './session.ts';

/** The launch is over, and the next one goes on with it. */
export async function waitingFor(
  { tasking }: Playing,
  task: Task,
  approval: string,
  { usage }: SpeakResult,
): Promise<Task | undefined> {
  const after = await tasking.tasks.change(task.session, task.id, (now) => {
    if (!now || !task.lease || !holds(now, task.lease.id)) return undefined;
    return { ...launchEnded(now, { outcome: 'waited', usage }, tasking.clock.now()), approval };
  });
  if (after?.approval === approval) tasking.tell({ type: 'ended', task: after });
  return after;
}

/** Lets those tasks go on whose worker was answered; it is told what was decided. */
export async function answeredApprovals({ tasking, queue }: Playing): Promise<void> {
  const waiting = queue
    .all()
    .filter((task) => task.approval !== null && task.launches.at(-1)?.outcome === 'waited');
  if (waiting.length === 0) return;
  const all = await approvalsOf(tasking, tasking, tasking.config).list();
  const open = new Set(all.flatMap(({ id, status }) => (status === 'pending' ? [id] : [])));
  for (const { session, id, approval } of waiting) {
    if (approval === null || open.has(approval)) continue;
    const after = await tasking.tasks.change(session, id, (now) =>
      now?.approval === approval ? { ...now, approval: null } : undefined,
    );
    if (after) queue.put(after);
  }
}
