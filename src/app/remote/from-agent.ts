// What an agent that was launched on this machine does not have a server do either: the server cannot see who asks.
import type { App } from '../app.ts';
import { refuseAgent } from '../approvals/approvals.ts';
import { TASK_ACTIONS } from '../input/tasks.ts';
import { refuseAtWork } from '../tasks/at-work.ts';

/** Throws `forbidden`, as the use case does where it is asked on this machine. */
export function refuseFromAgent(app: App, name: string, given: Readonly<Record<string, unknown>>): void {
  const { action } = given;
  if (name === 'approvals' && (action === 'approve' || action === 'reject')) refuseAgent(app);
  const doing = TASK_ACTIONS.find((one) => one === action);
  if (name === 'task' && doing !== undefined) refuseAtWork(app, doing);
}
