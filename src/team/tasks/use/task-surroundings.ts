// What decides how tasks stand, beside themselves: who is there for them, and what was approved.
import type { Task } from '../task.ts';
import type { App } from '../../../core/app/app.ts';
import { openApprovalDesk } from '../../approvals/ports.ts';
import { loadConfig, openWorkspace } from '../../../core/app/workspace.ts';
import { tasksWithoutHeartbeat } from './missing-heartbeats.ts';
import type { Surroundings } from './task-document.ts';

/** Reads no approvals where no task waits for one. */
export async function gatherSurroundings(app: App, tasks: readonly Task[]): Promise<Surroundings> {
  const waiting = await tasksWithoutHeartbeat(app, tasks);
  if (tasks.every(({ approval }) => approval === null)) return { waiting };
  const workspace = openWorkspace(app);
  const requests = await openApprovalDesk(app, workspace, await loadConfig(app, workspace, {})).list();
  const approved = requests.filter(({ status }) => status === 'approved').map(({ id }) => id);
  return { waiting, approved: new Set(approved) };
}
