// A worker that wants to call something risky: its task waits for a person, and its place is free meanwhile.
import type { SpeakResult } from '../../../core/agents/runners/turn-types.ts';
import type { Task } from '../task.ts';
import { holds, launchEnded } from '../transitions.ts';
import type { Playing } from './session.ts';

/** The launch is over, and the next one goes on with it. */
export async function pauseForToolApproval(
  { tasking }: Playing,
  task: Task,
  approval: string,
  { usage, loop }: SpeakResult,
): Promise<Task | undefined> {
  const after = await tasking.tasks.change(task.session, task.id, (now) => {
    if (!now || !task.lease || !holds(now, task.lease.id)) return undefined;
    return {
      ...launchEnded(now, { outcome: 'waited', usage, calls: loop?.calls }, tasking.clock.now()),
      approval,
    };
  });
  if (after?.approval === approval) tasking.tell({ type: 'ended', task: after });
  return after;
}
