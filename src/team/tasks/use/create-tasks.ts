// Creates tasks: one from an instruction, or those of a plan, in a new session per command; and temporary
// agents.
import { formatIso } from '../../../core/base/clock.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { buildTask } from '../task.ts';
import type { Task, TaskDraft } from '../task.ts';
import type { PlanItem } from '../plan-file.ts';
import type { Session, Tasks } from '../store.ts';
import { ENDS } from '../wire-lines.ts';
import { findTask } from './find-tasks.ts';
import type { TaskPorts } from './ports.ts';
import { relative } from 'node:path';
import type { Agent } from '../../../core/agents/agent.ts';
import { removeAgentFile, measureFileAge } from '../../../core/store/local/project.ts';

import type { Project } from '../../../core/store/local/project.ts';
import { markTaskCancelled, isOver } from '../transitions.ts';
import type { SessionPlay } from './session.ts';

async function openSession(tasks: Tasks, plan: string | null): Promise<Session> {
  const { session: number } = await tasks.changeNumbers((numbers) => {
    const session = numbers.session + 1;
    return { ...numbers, session, open: [...numbers.open, `S${session}`] };
  });
  const id = `S${number}`;
  const made = await tasks.changeSession(
    id,
    (before) => before ?? { id, plan, workers: {}, messages: 0, tasks: [] },
  );
  return made!;
}

/** Returns the next task number; after 999 they restart at 1, in other sessions. */
async function takeTaskId(tasks: Tasks): Promise<string> {
  const { task } = await tasks.changeNumbers((numbers) => ({
    ...numbers,
    task: (numbers.task % ENDS.task) + 1,
  }));
  return `T${task}`;
}

/** Adds a task, to the session of its `after` tasks if any. `record` is called before the task exists. */
export async function createTask(
  { tasks, clock, config }: Pick<TaskPorts, 'tasks' | 'clock' | 'config'>,
  draft: Omit<TaskDraft, 'id' | 'session'>,
  record?: (made: Task) => Promise<void>,
): Promise<Task> {
  const before = await Promise.all((draft.after ?? []).map((id) => findTask(tasks, id)));
  const sessions = new Set(before.map(({ session }) => session));
  if (sessions.size > 1)
    throw new CouncilError(
      'usage',
      `The tasks that it comes after belong to different sessions: ${[...sessions].join(', ')}.`,
      {
        hint: 'Name tasks of one session. See: council task list --all',
      },
    );
  const [joined] = sessions;
  const session = joined ?? (await openSession(tasks, null)).id;
  const id = await takeTaskId(tasks);
  const { spawned } = draft;
  if (spawned)
    await tasks.changeSession(
      session,
      (now) => now && { ...now, workers: { W1: nameTemporaryAgent({ session, spawned }) } },
    );
  const made = buildTask(
    { budget: config.taskBudget, ...draft, after: before.map((one) => one.id), id, session },
    formatIso(clock.now()),
  );
  await record?.(made);
  await tasks.change(session, id, (there) => there ?? made);
  await addToSession(tasks, session, [id]);
  return made;
}

async function addToSession(tasks: Tasks, session: string, ids: readonly string[]): Promise<void> {
  await tasks.changeSession(session, (now) => {
    const missing = ids.filter((id) => !now?.tasks.includes(id));
    return now && missing.length > 0 ? { ...now, tasks: [...now.tasks, ...missing] } : undefined;
  });
  await reopenSession(tasks, session);
}

/** Marks a session as open: every tick plays it. */
export const reopenSession = async (tasks: Tasks, session: string): Promise<void> =>
  void (await tasks.changeNumbers((numbers) =>
    numbers.open.includes(session) ? undefined : { ...numbers, open: [...numbers.open, session] },
  ));

/** Marks a session as closed: no tick plays it. */
export const closeSession = async (tasks: Tasks, session: string): Promise<void> =>
  void (await tasks.changeNumbers((numbers) =>
    numbers.open.includes(session)
      ? { ...numbers, open: numbers.open.filter((one) => one !== session) }
      : undefined,
  ));

/**
 * Creates or completes the session of a plan. Existing tasks stay as they are unless they have not started.
 * `path` is that of the plan, relative to the project; `record` runs before new tasks are added.
 */
export async function createPlan(
  { tasks, clock, config }: Pick<TaskPorts, 'tasks' | 'clock' | 'config'>,
  path: string,
  planned: readonly PlanItem[],
  settings: Pick<TaskDraft, 'risk' | 'isolate'>,
  record: (session: string) => Promise<void>,
): Promise<string> {
  const known = await findPlanSession(tasks, path);
  const session = known ?? (await openSession(tasks, path));
  const ids = planned.map(({ id }) => id);
  const isMore = ids.some((id) => !session.tasks.includes(id));
  if (isMore) await record(session.id);
  for (const one of planned) {
    const draft = { ...settings, ...one, budget: one.budget ?? config.taskBudget, session: session.id };
    const made = buildTask(draft, formatIso(clock.now()));
    await tasks.change(session.id, one.id, (there) => {
      if (!there) return made;
      const isUntouched = there.state === 'N' && there.launches.length === 0 && there.lease === null;
      const next = { ...there, ...draft };
      return isUntouched && JSON.stringify(next) !== JSON.stringify(there) ? next : undefined;
    });
  }
  if (isMore) await addToSession(tasks, session.id, ids);
  return session.id;
}

async function findPlanSession(tasks: Tasks, path: string): Promise<Session | undefined> {
  const { session: last } = await tasks.numbers();
  for (let number = last; number > 0; number--) {
    const session = await tasks.session(`S${number}`);
    if (session?.plan === path) return session;
  }
  return undefined;
}

/** Deletes the file of a temporary agent of the project, with a note; files outside the project are left alone. */
export function dismiss(
  { project, note }: { project: Project; note(message: string): void },
  { id, source, lifecycle, path }: Agent,
  why: string,
): void {
  if (source !== 'project' || lifecycle !== 'temporary') return;
  removeAgentFile(project, path);
  note(`${id} was temporary and ${why}: ${relative(project.root, path)} is removed.`);
}

/**
 * Removes expired temporary agents before tasks are played. The steps are independent: what a dead process left
 * undone, the next one does.
 */
export async function dismissExpired(
  tasking: Pick<TaskPorts, 'over' | 'project' | 'note' | 'registry' | 'clock'>,
): Promise<void> {
  for (const agent of tasking.over.splice(0))
    // If the file was changed meanwhile, its time restarted.
    if (measureFileAge(agent.path) >= (agent.ttl ?? Infinity)) dismiss(tasking, agent, 'its time is over');
  const now = tasking.clock.now();
  const isOver = ({ lifecycle, until }: { lifecycle: string; until: number | null }): boolean =>
    lifecycle === 'temporary' && until !== null && now >= until;
  if (!(await tasking.registry.read()).members.some(isOver)) return;
  await tasking.registry.change((registry) => ({
    registry: { ...registry, members: registry.members.filter((one) => !isOver(one)) },
    result: undefined,
  }));
}

/** Returns the id of a temporary agent, which is unique in the project. */
const nameTemporaryAgent = ({ session, spawned }: Pick<Task, 'session' | 'spawned'>): string =>
  `${spawned?.by ?? ''}-${session.toLowerCase()}`;

/** Returns the agent that runs a task: `owner`, or for a spawned task a worker with its program and own prompt. */
export function makeSpawnedAgent(task: Task, owner: Agent): Agent {
  if (!task.spawned) return owner;
  const id = nameTemporaryAgent(task);
  return { ...owner, id, title: id, persona: task.spawned.prompt, role: 'worker', capabilities: [] };
}

/** Cancels the task of a temporary agent whose parent's task is over. Returns true if it did. */
export async function endWithParent({ tasking, queue }: SessionPlay, task: Task): Promise<boolean> {
  if (!task.spawned || task.givenBy === null) return false;
  const parent = await findTask(tasking.tasks, task.givenBy);
  if (!isOver(parent)) return false;
  const after = await tasking.tasks.change(task.session, task.id, (now) =>
    now && !isOver(now)
      ? markTaskCancelled(now, 'the task of its orchestrator is over', tasking.clock.now())
      : undefined,
  );
  if (after) queue.put(after);
  return true;
}
