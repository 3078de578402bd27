// Whether a worker may be launched for a task: one that is risky waits for a person.
import type { Agent } from '../../agents/agent.ts';
import { runnableOf } from '../../agents/runnable.ts';
import { boundFile, hashOf, mustWait } from '../../tasks/approvals.ts';
import type { Enclosed } from '../../tasks/prompt.ts';
import type { Task } from '../../tasks/task.ts';
import { cancelled, isOver } from '../../tasks/transitions.ts';
import type { Playing } from './session.ts';

/**
 * The task as it waits, or as it ended because a person said no; `allowed` for what may be launched. It is bound to the texts
 * that the worker is given: a file that is read a second time may be another one.
 */
export async function permissionFor(
  { tasking }: Playing,
  task: Task,
  agent: Agent,
  enclosed: readonly Enclosed[],
): Promise<'allowed' | Task | undefined> {
  if (!mustWait(agent.risk, task.risk)) return 'allowed';
  const { approvals, tasks, clock } = tasking;
  const command = [runnableOf(agent)?.runs ?? agent.runner];
  const isFile = new Set(task.context);
  const files = enclosed
    .filter(({ name }) => isFile.has(name))
    .map(({ name, text }) => boundFile(name, Buffer.from(text)));
  const name = `${task.session}/${task.id}`;
  const said = await approvals.mayRun(
    {
      kind: 'sub_agent',
      operation: `launch ${agent.id}`,
      details: { agent: agent.id, command: command[0], instruction: task.text, files },
      risk: agent.risk,
      requester: agent.id,
      hash: hashOf({ agent: agent.id, command, instruction: task.text, files }),
      task: name,
    },
    // What was allowed once for a task holds for its retries as well, and whoever has it begun anew asks anew.
    {
      attempt: `${name} ${task.retriedAt ?? task.createdAt}`,
      ...(task.retriedAt !== null && { since: Date.parse(task.retriedAt) }),
    },
  );
  if (said.verdict === 'allowed') return 'allowed';
  const now = clock.now();
  const after = await tasks.change(task.session, task.id, (current) => {
    if (!current || isOver(current) || current.lease) return undefined;
    if (said.verdict === 'waiting') return { ...current, approval: said.approval.id };
    const why = said.verdict === 'rejected' ? `rejected: ${said.reason}` : 'nobody has approved it in time';
    return cancelled(current, why, now);
  });
  const why = `waits for the approval of ${agent.id}: council approvals approve ${said.approval.id}`;
  if (after)
    tasking.tell(isOver(after) ? { type: 'ended', task: after } : { type: 'waiting', task: after, why });
  return after;
}

/** Goes on with the tasks whose request was decided. */
export async function decisionsMade({ tasking, queue }: Playing): Promise<void> {
  const waiting = queue.all().filter(({ approval }) => approval !== null);
  if (waiting.length === 0) return;
  const all = await tasking.approvals.list();
  for (const task of waiting) {
    const found = all.find(({ id }) => id === task.approval);
    if (found?.status === 'pending') continue;
    const after = await tasking.tasks.change(task.session, task.id, (now) =>
      now?.approval === task.approval ? { ...now, approval: null } : undefined,
    );
    if (after) queue.put(after);
  }
}
