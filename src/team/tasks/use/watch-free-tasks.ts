// Watches for idle tasks that can continue: answered, approved or resumed.
import { describeThrown } from '../../../core/base/errors.ts';
import { parseTaskKey } from '../store.ts';
import { isOver } from '../transitions.ts';
import type { App } from '../../../core/app/app.ts';
import { watchApprovals } from '../../approvals/ports.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { openTaskStore } from './ports.ts';

/**
 * Calls `wake` then; changes by the process that runs a task do not count. Returns the stop
 * function.
 */
export function onFreeTask(app: App, workspace: Workspace, wake: () => void): () => void {
  const tasks = openTaskStore(app, workspace);
  const isFree = async (session: string, id: string): Promise<boolean> => {
    const task = await tasks.read(session, id);
    if (!task || isOver(task) || task.paused) return false;
    return task.lease === null && task.question === null && task.approval === null;
  };
  const stops = [
    watchApprovals(app, workspace, wake),
    tasks.watch((key) => {
      const at = parseTaskKey(key);
      // Unreadable tasks are reported where they are played.
      if (at)
        isFree(at.session, at.id).then(
          (free) => free && wake(),
          (error: unknown) => app.note(describeThrown(error)),
        );
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
