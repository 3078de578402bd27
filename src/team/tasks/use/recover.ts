// Frees the tasks of a process that died: what it launched is ended, and the task can be taken again.
import { endOrphans, isHeld } from '../../../core/heartbeat/launch/recover.ts';
import type { Task } from '../task.ts';
import { holds, launchEnded } from '../transitions.ts';
import type { Playing } from './session.ts';

/** Frees the task of a dead process; one that is being worked on stays as it is. */
export async function recover({ tasking }: Pick<Playing, 'tasking'>, task: Task): Promise<Task> {
  const { lease } = task;
  const { clock, self, heartbeats, tasks } = tasking;
  if (!lease || (await isHeld({ self, clock, heartbeats }, lease))) return task;
  if (lease.group) await endOrphans(lease.group);
  const after = await tasks.change(task.session, task.id, (now) =>
    now && holds(now, lease.id) ? launchEnded(now, { outcome: 'interrupted' }, clock.now()) : undefined,
  );
  return after ?? task;
}
