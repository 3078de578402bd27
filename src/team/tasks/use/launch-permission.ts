// Checks if a worker may be launched for a task: it needs a free slot, and approval if it is risky.
import type { Agent } from '../../../core/agents/agent.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { sha256 } from '../../../core/base/ids.ts';
import { parseHostOfPlace } from '../../../core/store/heartbeats.ts';
import { bindFile, hashBoundLaunch, mustWait } from '../approvals.ts';
import type { LaunchToApprove, ApprovalVerdict } from '../approvals.ts';
import type { Enclosure } from '../prompt.ts';
import { nameTask } from '../task.ts';
import type { Task } from '../task.ts';
import { changeHeldTask } from '../store.ts';
import { markTaskCancelled, isOver, undoLaunch } from '../transitions.ts';
import { asValue } from '../wire-lines.ts';
import { describeStanding } from './news.ts';
import type { TaskPorts } from './ports.ts';
import type { SessionPlay } from './session.ts';
import type { RefusedStart } from './worktree.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { SpeakResult } from '../../../core/agents/runners/turn-types.ts';
import { findModelProvider } from '../../../core/agents/runner-kind.ts';
import { isHeld } from '../../../core/heartbeat/launch/recover.ts';
import { LONGEST_PAUSE_MS } from '../rate-limits.ts';
import { listAgentLimits, countRunningTasks } from './workers.ts';

/** The answer: allowed; stopped, with the waiting or ended task if this process has it; or refused. */
type LaunchPermission =
  { kind: 'allowed' } | { kind: 'stopped'; task: Task | undefined } | ({ kind: 'refused' } & RefusedStart);

/** Requests approval for a risky launch, bound to the texts as read, because a file may change later. */
export async function checkLaunchPermission(
  { tasking }: SessionPlay,
  task: Task,
  agent: Agent,
  enclosures: readonly Enclosure[],
): Promise<LaunchPermission> {
  if (!mustWait(agent.risk, task.risk)) return { kind: 'allowed' };
  const said = await requestLaunchApproval(
    tasking,
    task,
    agent,
    buildApprovalBinding(tasking, task, agent, enclosures),
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
        : { type: 'waiting', task: after, why: describeStanding(after) },
    );
  return { kind: 'stopped', task: after };
}

function buildApprovalBinding(
  tasking: TaskPorts,
  task: Task,
  agent: Agent,
  enclosures: readonly Enclosure[],
): LaunchToApprove {
  const { project, self, isLent = false } = tasking;
  const what = tasking.runs(agent);
  const folder = isLent ? `a folder of ${parseHostOfPlace(self.host)}` : project.root;
  const isFile = new Set(task.context);
  return {
    agent: agent.id,
    command: [what?.runs ?? agent.runner],
    program: what?.sha256 ?? null,
    env: what?.env ?? [],
    // The path of a worktree follows from its task.
    cwd: task.isolate === 'none' ? folder : `git worktree of ${nameTask(task)}`,
    isolate: task.isolate,
    readOnly: task.isolate === 'none',
    tools: agent.tools,
    persona: agent.persona === '' ? '' : sha256(agent.persona),
    instruction: task.text,
    files: enclosures
      .filter(({ name }) => isFile.has(name))
      .map(({ name, text }) => bindFile(name, Buffer.from(text))),
  };
}

async function requestLaunchApproval(
  { approvals }: TaskPorts,
  task: Task,
  agent: Agent,
  bound: LaunchToApprove,
): Promise<ApprovalVerdict | RefusedStart> {
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

/** Continues tasks whose request was decided. */
export async function applyDecisions({ tasking, queue }: SessionPlay): Promise<void> {
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

/** Maximum random delay, so that two processes do not step back from each other for ever. */
const STEP_BACK_MS = 100;

/**
 * Checks the limits while the task is already leased, visible to all: of two concurrent processes at least one
 * sees the other, so the limits are never exceeded. Counts the launch if there is a rate.
 */
export async function hasPlace(playing: SessionPlay, { session }: Task, agent: Agent): Promise<boolean> {
  const { tasking, staff } = playing;
  staff.elsewhere = await countTasksElsewhere(tasking, session, staff.done);
  if (countRunningTasks(staff, agent.id) > agent.concurrency) {
    await wait(Math.random() * STEP_BACK_MS);
    return false;
  }
  const limits = listAgentLimits(agent, tasking);
  if (limits.every(({ rate }) => rate === null)) return true;
  return (await tasking.duty.take(agent.id, limits, tasking.clock.now())) === null;
}

/** Releases the lease without a launch, because another process was faster. */
export const releaseLease = (
  { tasks }: Pick<TaskPorts, 'tasks'>,
  task: Task,
  before: Task,
): Promise<Task | undefined> => changeHeldTask(tasks, task, (now) => undoLaunch(now, before));

/** Pauses launches of all agents of a provider for as long as it asked. */
export async function recordPause(
  { duty, clock }: Pick<TaskPorts, 'duty' | 'clock'>,
  agent: Agent,
  { failure, retryAfterMs }: SpeakResult,
): Promise<void> {
  const provider = findModelProvider(agent);
  if (provider === null || failure !== 'rate-limit' || retryAfterMs === null) return;
  await duty.pause(provider, clock.now() + Math.min(retryAfterMs, LONGEST_PAUSE_MS));
}

/** Counts the tasks of other sessions that each agent works on. `done` caches finished tasks. */
export async function countTasksElsewhere(
  tasking: Pick<TaskPorts, 'tasks' | 'self' | 'clock' | 'heartbeats'>,
  session: string,
  done: Set<string>,
): Promise<Map<string, number>> {
  const { tasks, self, clock, heartbeats } = tasking;
  const count = new Map<string, number>();
  const { open } = await tasks.numbers();
  for (const other of open)
    if (other !== session)
      try {
        for (const id of (await tasks.session(other))?.tasks ?? []) await look(other, id);
      } catch (error) {
        // An unreadable session is reported where it is played; no worker runs for it.
        if (!(error instanceof CouncilError)) throw error;
      }
  return count;

  async function look(other: string, id: string): Promise<void> {
    const key = `${other}/${id}`;
    if (done.has(key)) return;
    const task = await tasks.read(other, id);
    if (!task) return;
    // Failed and cancelled tasks may be restarted.
    if (task.state === 'D') done.add(key);
    if (await hasRunningWorker(task)) count.set(task.worker!, (count.get(task.worker!) ?? 0) + 1);
    for (let at = 1; at <= task.children; at++) await look(other, `${id}.${at}`);
  }

  async function hasRunningWorker({ lease, worker }: Task): Promise<boolean> {
    return lease !== null && worker !== null && (await isHeld({ self, clock, heartbeats }, lease));
  }
}
