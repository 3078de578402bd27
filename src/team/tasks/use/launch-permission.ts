// Whether a worker may be launched for a task: one that is risky waits for a person.
import type { Agent } from '../../../core/agents/agent.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { sha256 } from '../../../core/base/ids.ts';
import { parseHostOfPlace } from '../../../core/store/heartbeats.ts';
import { boundFile, hashBoundLaunch, mustWait } from '../approvals.ts';
import type { Bound, Verdict } from '../approvals.ts';
import type { Enclosed } from '../prompt.ts';
import { nameTask } from '../task-names.ts';
import type { Task } from '../task.ts';
import { markTaskCancelled, isOver } from '../transitions.ts';
import { asValue } from '../wire-lines.ts';
import { howItStands } from './news.ts';
import type { Tasking } from './ports.ts';
import type { Playing } from './session.ts';
import type { Refused } from './task-workdir.ts';

/** Whether a worker may be launched: not yet or never (the task as it waits or ended, if this process has it), or it cannot even be asked for. */
type LaunchPermission =
  { kind: 'allowed' } | { kind: 'stopped'; task: Task | undefined } | ({ kind: 'refused' } & Refused);

/**
 * Asks a person where the launch is risky. The approval is bound to the texts that the worker is given: a file that is read a second time may be another one.
 */
export async function checkLaunchPermission(
  { tasking }: Playing,
  task: Task,
  agent: Agent,
  enclosed: readonly Enclosed[],
): Promise<LaunchPermission> {
  if (!mustWait(agent.risk, task.risk)) return { kind: 'allowed' };
  const said = await requestLaunchApproval(
    tasking,
    task,
    agent,
    buildApprovalBinding(tasking, task, agent, enclosed),
  );
  if ('refused' in said) return { kind: 'refused', ...said };
  if (said.verdict === 'allowed') return { kind: 'allowed' };
  const now = tasking.clock.now();
  const after = await tasking.tasks.change(task.session, task.id, (current) => {
    if (!current || isOver(current) || current.lease) return undefined;
    if (said.verdict === 'waiting') return { ...current, approval: said.approval.id };
    const why = said.verdict === 'rejected' ? `rejected: ${said.reason}` : 'nobody has approved it in time';
    return markTaskCancelled(current, why, now);
  });
  if (after)
    tasking.tell(
      isOver(after)
        ? { type: 'ended', task: after }
        : { type: 'waiting', task: after, why: howItStands(after) },
    );
  return { kind: 'stopped', task: after };
}

/** Everything that changes what runs. */
function buildApprovalBinding(
  tasking: Tasking,
  task: Task,
  agent: Agent,
  enclosed: readonly Enclosed[],
): Bound {
  const { project, self, isLent = false } = tasking;
  const what = tasking.runs(agent);
  const folder = isLent ? `a folder of ${parseHostOfPlace(self.host)}` : project.root;
  const isFile = new Set(task.context);
  return {
    agent: agent.id,
    command: [what?.runs ?? agent.runner],
    program: what?.sha256 ?? null,
    env: what?.env ?? [],
    // Where a worktree lies is decided by its task.
    cwd: task.isolate === 'none' ? folder : `git worktree of ${nameTask(task)}`,
    isolate: task.isolate,
    readOnly: task.isolate === 'none',
    tools: agent.tools,
    persona: agent.persona === '' ? '' : sha256(agent.persona),
    instruction: task.text,
    files: enclosed
      .filter(({ name }) => isFile.has(name))
      .map(({ name, text }) => boundFile(name, Buffer.from(text))),
  };
}

async function requestLaunchApproval(
  { approvals }: Tasking,
  task: Task,
  agent: Agent,
  bound: Bound,
): Promise<Verdict | Refused> {
  const name = nameTask(task);
  const request = {
    kind: 'sub_agent',
    operation: `launch ${agent.id}`,
    details: { ...bound, command: bound.command[0] },
    risk: agent.risk,
    requester: agent.id,
    hash: hashBoundLaunch(bound),
    task: name,
  } as const;
  // An approval covers automatic retries; a task that a person retries asks again.
  const options = {
    attempt: `${name} ${task.retriedAt ?? task.createdAt}`,
    ...(task.retriedAt !== null && { since: Date.parse(task.retriedAt) }),
  };
  try {
    return await approvals.mayRun(request, options);
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'too_large') throw error;
    return {
      refused: { error: { code: 'E99', text: error.message }, body: `desc=${asValue(error.message)}` },
    };
  }
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
