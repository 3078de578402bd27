// What decides how tasks stand, beside themselves: who is there for them, and what was approved.
import type { Task } from '../task.ts';
import type { App } from '../../../core/app/app.ts';
import { openApprovalDesk } from '../../ports.ts';
import { loadConfig, openWorkspace } from '../../../core/app/workspace.ts';
import type { Surroundings } from './outcome.ts';
import { alive } from '../../../core/heartbeat/launch/heartbeat-row.ts';
import { fit, THRESHOLD } from '../task-queue.ts';
import type { Beating } from '../../../core/store/heartbeats.ts';
import { isOver } from '../transitions.ts';
import { hasHeartbeatWithLabels } from '../../../core/app/missing-heartbeats.ts';
import type { WaitsForHeartbeat } from '../../../core/app/missing-heartbeats.ts';
import { SPEAKS_OF_TASKS } from '../../../core/app/launching-process.ts';
import { listTaskNeeds } from './assign-agent.ts';
import { asJoined, membersNow, listWorkerAgents } from './workers.ts';
import { openTasking } from './ports.ts';

/** Reads no approvals where no task waits for one. */
export async function gatherSurroundings(app: App, tasks: readonly Task[]): Promise<Surroundings> {
  const waiting = await tasksWithoutHeartbeat(app, tasks);
  if (tasks.every(({ approval }) => approval === null)) return { waiting };
  const workspace = openWorkspace(app);
  const requests = await openApprovalDesk(app, workspace, await loadConfig(app, workspace, {})).list();
  const approved = requests.filter(({ status }) => status === 'approved').map(({ id }) => id);
  return { waiting, approved: new Set(approved) };
}

// Tasks that wait for a heartbeat with the labels of their workers.

/** Whether a task is idle and waits only for a worker. */
const isFree = (task: Task): boolean =>
  !isOver(task) &&
  !task.paused &&
  [task.lease, task.question, task.approval, task.waitsFor].every((one) => one === null);

/** A machine that works for a server is given those alone whom it has. */
const withAgent = (rows: readonly Beating[], id: string): Beating[] =>
  rows.filter(
    ({ token, agents, speaks }) =>
      token === undefined || (speaks >= SPEAKS_OF_TASKS && Object.hasOwn(agents, id)),
  );

/**
 * Agents for each task that only lack a heartbeat with their labels. Rows are read only if needed.
 */
async function tasksWithoutHeartbeat(
  app: App,
  tasks: readonly Task[],
): Promise<Map<Task, WaitsForHeartbeat[]>> {
  const undone = new Set(
    tasks.filter(({ state }) => state !== 'D').map(({ session, id }) => `${session}/${id}`),
  );
  const free = tasks.filter(
    (task) => isFree(task) && !task.after.some((id) => undone.has(`${task.session}/${id}`)),
  );
  if (free.length === 0) return new Map();
  const tasking = await openTasking(app, () => undefined);
  const members = await membersNow(tasking);
  const workers = listWorkerAgents(tasking).map((agent) => asJoined(agent, members));
  if (tasking.agents.list().every((agent) => agent['runs-on'].length === 0)) return new Map();
  const rows = await openWorkspace(app).keeping.heartbeats().list();
  const there = alive(rows);
  const waits = free.map((task) => {
    const named = task.to === null ? undefined : tasking.agents.find(task.to);
    const fitting = workers.filter(
      (agent) => fit(agent.capabilities, listTaskNeeds(task)).score >= THRESHOLD,
    );
    const able = task.to === null ? fitting : named ? [named] : [];
    const isMissing = able.every(
      (agent) =>
        agent['runs-on'].length > 0 && !hasHeartbeatWithLabels(agent['runs-on'], withAgent(there, agent.id)),
    );
    const waiting = able.map((agent) => ({
      participant: agent.id,
      labels: agent['runs-on'],
      reason: 'no_heartbeat' as const,
    }));
    return [task, isMissing ? waiting : []] as const;
  });
  return new Map(waits);
}
