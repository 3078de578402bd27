// Plays tasks in the foreground, or all unfinished ones in a tick.
import { CouncilError } from '../../../core/base/errors.ts';
import { formatRunnableKey, buildAgentRunnable } from '../../../core/agents/runnable-trust.ts';
import type { Runnable } from '../../../core/agents/runnable-trust.ts';
import { matchCapabilities, THRESHOLD } from '../task-queue.ts';
import type { Task } from '../task.ts';
import { createInterruptedError, isRemote, listenForInterruption } from '../../../core/app/app.ts';
import type { App } from '../../../core/app/app.ts';
import {
  requireTrust,
  createTrustChecks,
  toWaitingDocument,
  listServerRunnables,
} from '../../../core/app/trust.ts';
import { formatNewsLine } from './news.ts';
import type { TaskNews } from './news.ts';
import { listTaskNeeds } from './assign-agent.ts';
import { closeSession, dismissExpired } from './create-tasks.ts';
import { asJoined, readRegisteredMembers, listWorkerAgents } from './workers.ts';
import { playSession } from './session-loop.ts';
import { openTasking, openTaskStore } from './ports.ts';
import type { TaskPorts } from './ports.ts';
import type { Workspace } from '../../../core/app/workspace.ts';

/** Returns a function that prints news as notes. */
export const createTaskNewsPrinter =
  (app: Pick<App, 'note'>) =>
  (news: TaskNews): void => {
    const line = formatNewsLine(news);
    if (line !== undefined) app.note(line);
  };

/** Plays one session until all of it is over. Throws `interrupted` with the command to continue. */
export async function playSessionHere(app: App, tasking: TaskPorts, session: string): Promise<Task[]> {
  const signal = listenForInterruption(app);
  const resume = 'council tick --until-idle';
  app.setResumeCommand(resume);
  const { concurrency } = tasking.config;
  await dismissExpired(tasking);
  // A remote client is not kept waiting for a person's answer.
  const until = isRemote(app) ? 'idle' : 'over';
  const tasks = await playSession(tasking, session, { until, signal, concurrency });
  if (signal.aborted) throw createInterruptedError(resume);
  return tasks;
}

/** Plays unfinished tasks of all sessions as far as possible now. Opens nothing if there are none. */
export async function playUnfinishedTasks(
  app: App,
  workspace: Workspace,
  {
    signal,
    concurrency,
    labels,
    tell = createTaskNewsPrinter(app),
  }: {
    signal: AbortSignal;
    concurrency?: number | undefined;
    labels?: readonly string[] | undefined;
    tell?: (news: TaskNews) => void;
  },
): Promise<Task[]> {
  const { open } = await openTaskStore(app, workspace).numbers();
  if (open.length === 0) return [];
  const tasking = await openTasking(app, tell, { concurrency, labels });
  await dismissExpired(tasking);
  const played: Task[] = [];
  const faults: CouncilError[] = [];
  for (const session of open) {
    if (signal.aborted) break;
    const options = { until: 'idle', signal, concurrency: tasking.config.concurrency } as const;
    try {
      if (await tasking.tasks.session(session))
        played.push(...(await playSession(tasking, session, options)));
      // Its creation was interrupted; a new attempt opens it again.
      else await closeSession(tasking.tasks, session);
    } catch (error) {
      // An unreadable session must not keep others from being played.
      if (!(error instanceof CouncilError)) throw error;
      faults.push(error);
    }
  }
  const [first, ...others] = faults;
  for (const { message, hint } of others) app.note(hint ? `${message}\n${hint}` : message);
  if (first) throw first;
  return played;
}

/** Running a task remotely grants no trust: untrusted programs wait for the owner. Throws `untrusted`. */
function refuseUntrusted(app: App, root: string, items: Runnable[]): void {
  const untrusted = createTrustChecks(app, root).listWaiting(items);
  if (untrusted.length === 0) return;
  const names = untrusted.map(({ key }) => formatRunnableKey(key)).join(', ');
  throw new CouncilError('untrusted', `Nobody has trusted ${names} in this project: a client cannot.`, {
    hint: 'The owner of the project trusts them, on the command line: council trust',
    details: { untrusted: untrusted.map(toWaitingDocument) },
  });
}

/**
 * Running a task by hand trusts the agent it names. Without a name, one trusted agent that fits is
 * enough; in one's own folder all workers are trusted. Throws `untrusted`.
 */
export async function requireWorkers(
  app: App,
  tasking: TaskPorts,
  tasks: readonly Task[],
  trust: boolean,
): Promise<void> {
  const { agents, project } = tasking;
  const named = [...new Set(tasks.flatMap(({ to }) => to ?? []))].map((id) => agents.require(id));
  const person = named.find(({ runner }) => runner === 'human');
  if (person)
    throw new CouncilError('usage', `${person.id} is a person: tasks are for programs.`, {
      hint: `Write to them: council send ${person.id} "…"`,
    });
  const wanted = new Map(named.map((agent) => [agent.id, agent]));
  const { isOwn, mayRun } = createTrustChecks(app, project.root);
  const members = await readRegisteredMembers(tasking);
  const workers = listWorkerAgents(tasking).map((agent) => asJoined(agent, members));
  if (isOwn() && !isRemote(app)) for (const agent of workers) wanted.set(agent.id, agent);
  for (const task of tasks) {
    if (task.to !== null) continue;
    const needs = listTaskNeeds(task);
    const fitting = workers.filter(
      ({ capabilities }) => matchCapabilities(capabilities, needs).score >= THRESHOLD,
    );
    const isServed = fitting.some((agent) => {
      const what = buildAgentRunnable(agent);
      return !what || mayRun(what);
    });
    if (!isServed) for (const agent of fitting) wanted.set(agent.id, agent);
  }
  const items = [
    ...[...wanted.values()].flatMap((agent) => buildAgentRunnable(agent) ?? []),
    ...listServerRunnables(project.root, [...wanted.values()]),
  ];
  if (isRemote(app)) return refuseUntrusted(app, project.root, items);
  await requireTrust(app, project.root, items, { trust });
}
