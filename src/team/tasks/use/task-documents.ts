// A task as a JSON document, with circumstances that affect its state, and the exit code of a command.
import type { Result, App } from '../../../core/app/app.ts';
import type { ErrorCode } from '../../../core/base/errors.ts';
import { loadWords } from '../../../core/base/words/words.ts';
import type { Words } from '../../../core/base/words/words.ts';
import { isTimeout, isOver } from '../transitions.ts';
import { findBlockedTasks, matchCapabilities, THRESHOLD } from '../task-queue.ts';
import { nameTask } from '../task.ts';
import type { Task } from '../task.ts';
import { readSessionTasks } from './find-tasks.ts';
import { describeStanding } from './news.ts';
import { createBudgetQuestion } from '../answer-question.ts';
import { formatLabels, hasHeartbeatWithLabels } from '../../../core/app/missing-heartbeats.ts';
import type { AwaitingHeartbeat } from '../../../core/app/missing-heartbeats.ts';
import { sumTaskUsage } from '../task-trace.ts';
import { openApprovalDesk } from '../../ports.ts';
import { loadConfig, openWorkspace } from '../../../core/app/workspace.ts';
import { listAlive } from '../../../core/heartbeat/launch/heartbeat-row.ts';
import { isAlive } from '../../../core/store/local/liveness.ts';
import type { SeenHeartbeat } from '../../../core/store/heartbeats.ts';
import { SPEAKS_OF_TASKS } from '../../../core/app/launching-process.ts';
import { listTaskNeeds } from './assign-agent.ts';
import { asJoined, readRegisteredMembers, listWorkerAgents } from './workers.ts';
import { openTasking, openTaskStore } from './ports.ts';
import type { TaskPorts } from './ports.ts';

export function toPlayedTaskResult({ id }: Task, played: readonly Task[]): Result<{ task: TaskDocument }> {
  const now = played.find((one) => one.id === id)!;
  return { document: { task: toTaskDocument(now, now, played) }, failed: findTaskFailureCode([now], played) };
}

/** Returns all tasks of a session after it was played, in order, without parts. */
export async function readSessionOutcome(
  { tasks: kept }: Pick<TaskPorts, 'tasks'>,
  session: string,
): Promise<Result<{ tasks: TaskDocument[] }>> {
  const tasks = (await readSessionTasks(kept, session)).filter(({ parent }) => parent === null);
  return { document: { tasks: toTaskDocuments(tasks) }, failed: findTaskFailureCode(tasks, tasks) };
}

/** Returns the code if `tasks` failed; undefined if they are done, or can still be. `among`: their dependencies. */
function findTaskFailureCode(tasks: readonly Task[], among: readonly Task[]): ErrorCode | undefined {
  const never = findBlockedTasks(among);
  if (tasks.some((task) => !isOver(task) && !never.has(task.id))) return undefined;
  const lost = tasks.filter(({ state }) => state !== 'D');
  if (lost.length === 0) return undefined;
  const failed = lost.filter(({ state }) => state === 'F');
  return failed.length > 0 && failed.every(({ error }) => isTimeout(error)) ? 'timed_out' : 'failed';
}

export interface TaskDocument {
  id: string;
  session: string;
  text: string;
  state: Task['state'];
  worker: string | null;
  result: string | null;
  error: Task['error'];
  attempts: number;
  after: string[];
  needs: string[];
  /** The question to a person, or to its orchestrator. */
  question: Task['question'];
  /** Its state in a few words. */
  standing: string;
  [key: string]: unknown;
}

/** The fields of a task that are copied unchanged. */
const UNCHANGED_FIELDS = [
  'priority',
  'progress',
  'budget',
  'depth',
  'parent',
  'approval',
  'report',
  'branch',
  'diff',
  'patch',
  'createdAt',
  'startedAt',
  'endedAt',
] as const satisfies (keyof Task)[];

/** Circumstances that affect the states of tasks. */
export interface TaskCircumstances {
  /** The heartbeats missing for a task, by labels. */
  waiting?: ReadonlyMap<Task, AwaitingHeartbeat[]>;
  /** The ids of approved requests. */
  approved?: ReadonlySet<string>;
  /** Tasks whose process on this machine has gone. */
  left?: ReadonlySet<Task>;
}

/** Returns the documents of several tasks, each with what it waits for. */
export const toTaskDocuments = (
  tasks: readonly Task[],
  { waiting, approved, left }: TaskCircumstances = {},
  w = loadWords('en'),
): TaskDocument[] =>
  tasks.map((task) => {
    const approval = approved?.has(task.approval ?? '') ? null : task.approval;
    const lease = left?.has(task) ? null : task.lease;
    return toTaskDocument(task, { ...task, approval, lease }, tasks, waiting?.get(task), w);
  });

const listMissingLabels = (waiting: readonly AwaitingHeartbeat[]): string[] => [
  ...new Set(waiting.map((one) => formatLabels(one.labels))),
];

/** `attempts` counts launches; `now` is the task adjusted to its circumstances. */
function toTaskDocument(
  task: Task,
  now: Task = task,
  among: readonly Task[] = [],
  waiting: readonly AwaitingHeartbeat[] = [],
  w = loadWords('en'),
): TaskDocument {
  const { id, session, text, state, worker, result, error, launches, after, needs } = task;
  const usage = sumTaskUsage(task);
  const missing = waiting.length === 0 ? undefined : listMissingLabels(waiting);
  const standing = describeStanding(now, among, missing, w);
  return {
    id,
    standing,
    session,
    text,
    state,
    worker,
    result,
    error,
    attempts: launches.length,
    after,
    needs,
    ...Object.fromEntries(UNCHANGED_FIELDS.map((key) => [key, task[key]])),
    ...(waiting.length > 0 && { waiting }),
    question: task.question ?? createBudgetQuestion(task)?.question ?? null,
    usage,
  };
}

/** Returns the states of the tasks of these sessions, in the language of the words, by full name. */
export async function describeStandings(
  app: App,
  sessions: Iterable<string>,
  w: Words,
): Promise<ReadonlyMap<string, string>> {
  const kept = openTaskStore(app, openWorkspace(app));
  const tasks = (await Promise.all([...sessions].map((one) => readSessionTasks(kept, one)))).flat();
  const documents = toTaskDocuments(tasks, await gatherSurroundings(app, tasks), w);
  return new Map(documents.map((one) => [nameTask(one), one.standing]));
}

/** Reads no approvals if no task waits for one. */
export async function gatherSurroundings(app: App, tasks: readonly Task[]): Promise<TaskCircumstances> {
  const waiting = await findTasksWithoutHeartbeat(app, tasks);
  const left = new Set(tasks.filter(({ lease }) => lease !== null && isAlive(lease) === false));
  if (tasks.every(({ approval }) => approval === null)) return { waiting, left };
  const workspace = openWorkspace(app);
  const requests = await openApprovalDesk(app, workspace, await loadConfig(app, workspace, {})).list();
  const approved = requests.filter(({ status }) => status === 'approved').map(({ id }) => id);
  return { waiting, left, approved: new Set(approved) };
}

// Tasks that wait for a heartbeat with the labels of their workers.

/** True if a task is idle and waits only for a worker. */
const isFree = (task: Task): boolean =>
  !isOver(task) &&
  !task.paused &&
  [task.lease, task.question, task.approval, task.waitsFor].every((one) => one === null);

/** Returns the heartbeats that can launch this agent: machines working for a server must have it themselves. */
const withAgent = (rows: readonly SeenHeartbeat[], id: string): SeenHeartbeat[] =>
  rows.filter(
    ({ token, agents, speaks }) =>
      token === undefined || (speaks >= SPEAKS_OF_TASKS && Object.hasOwn(agents, id)),
  );

/** Returns the agents per task that only lack a heartbeat with their labels. Reads heartbeats only if needed. */
async function findTasksWithoutHeartbeat(
  app: App,
  tasks: readonly Task[],
): Promise<Map<Task, AwaitingHeartbeat[]>> {
  const undone = new Set(
    tasks.filter(({ state }) => state !== 'D').map(({ session, id }) => `${session}/${id}`),
  );
  const free = tasks.filter(
    (task) => isFree(task) && !task.after.some((id) => undone.has(`${task.session}/${id}`)),
  );
  if (free.length === 0) return new Map();
  const tasking = await openTasking(app, () => undefined);
  const members = await readRegisteredMembers(tasking);
  const workers = listWorkerAgents(tasking).map((agent) => asJoined(agent, members));
  if (tasking.agents.list().every((agent) => agent['runs-on'].length === 0)) return new Map();
  const rows = await openWorkspace(app).keeping.heartbeats().list();
  const there = listAlive(rows);
  const waits = free.map((task) => {
    const named = task.to === null ? undefined : tasking.agents.find(task.to);
    const fitting = workers.filter(
      (agent) => matchCapabilities(agent.capabilities, listTaskNeeds(task)).score >= THRESHOLD,
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
