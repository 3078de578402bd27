// A person's actions on a task: cancel, pause or resume it, answer its question, retry it.
import { CouncilError } from '../../../core/base/errors.ts';
import { formatIso } from '../../../core/base/clock.ts';
import { endOrphans } from '../../../core/heartbeat/launch/recover.ts';
import { readMessages } from '../../messages/channel.ts';
import { handle } from '../../messages/mailbox.ts';
import type { MessageService } from '../../messages/message-service.ts';
import { nameTaskChannel } from '../task.ts';
import type { Task } from '../task.ts';
import { restartTask, markTaskCancelled, isOver, setTaskPaused } from '../transitions.ts';
import { getCallerName, describeCallerToken } from '../../../core/app/app.ts';
import type { App } from '../../../core/app/app.ts';
import type { TaskInput } from '../../input/tasks.ts';
import { openWorkspace } from '../../../core/app/workspace.ts';
import { createOffice } from '../../messages/use/open-office.ts';
import { createTaskChannel, createMessageNumbering } from './session.ts';
import { reopenSession } from './create-tasks.ts';
import { openTaskStore } from './ports.ts';
import type { TaskPorts } from './ports.ts';
import { withAnswer } from './conversation.ts';
import { recordEnd } from './keep-record.ts';
import {
  answerQuestion,
  findChosenOption,
  BUDGET_CHOICES,
  createBudgetQuestion,
} from '../answer-question.ts';
import { ORCHESTRATOR } from '../wire-lines.ts';

interface CancelledTask {
  after: Task;
  approvals: string[];
}

/** Cancels a task and its parts, and ends their processes. */
export async function cancelTask(app: App, task: Task): Promise<CancelledTask> {
  const workspace = openWorkspace(app);
  const tasks = openTaskStore(app, workspace);
  await workspace.keeping.ready();
  const now = workspace.keeping.clock.now();
  const groups: NonNullable<Task['lease']>['group'][] = [];
  const approvals: string[] = [];
  const end = async (session: string, id: string): Promise<Task | undefined> => {
    let held: Pick<Task, 'lease' | 'approval'> | undefined;
    const after = await tasks.change(session, id, (one) => {
      held = one;
      return one && !isOver(one) ? markTaskCancelled(one, 'cancelled by a person', now) : undefined;
    });
    groups.push(held?.lease?.group ?? null);
    if (held?.approval) approvals.push(held.approval);
    for (let at = 1; at <= (after?.children ?? 0); at++) await end(session, `${id}.${at}`);
    return after;
  };
  if (isOver(task)) throw createOverError(task);
  const after = await end(task.session, task.id);
  for (const group of groups) if (group) await endOrphans(group);
  return { after: after ?? task, approvals };
}

/** Withdraws its open approvals, so that a retry asks again, and records how it ended. */
export async function closeCancelled(tasking: TaskPorts, app: App, given: CancelledTask): Promise<Task> {
  const by = getCallerName(app);
  const token = describeCallerToken(app);
  for (const id of given.approvals)
    try {
      await tasking.approvals.decide({ id, by, token, reason: 'its task was cancelled' });
    } catch (error) {
      // It was used or expired before, or its own requester cancels.
      if (!(error instanceof CouncilError) || !NOT_TO_DECIDE.has(error.code)) throw error;
    }
  return recordEnd(tasking, given.after);
}

const NOT_TO_DECIDE = new Set<string>(['failed', 'forbidden', 'usage']);

const createOverError = ({ id, session, state }: Task): CouncilError =>
  new CouncilError(
    'failed',
    `${id} is over already: ${state === 'D' ? 'done' : state === 'F' ? 'failed' : 'cancelled'}.`,
    { hint: `See: council task show ${session}/${id}` },
  );

/** Pauses or resumes a task. The process that runs it ends its launch. */
export async function setTaskHold(app: App, task: Task, isPaused: boolean): Promise<Task> {
  const tasks = openTaskStore(app, openWorkspace(app));
  const after = await tasks.change(task.session, task.id, (now) => now && setTaskPaused(now, isPaused));
  if (!isPaused) await reopenSession(tasks, task.session);
  return after ?? task;
}

/** Answers a task's question. Throws `usage` for no valid option, `failed` without a question. */
export async function answerTask(app: App, task: Task, answer: string): Promise<Task> {
  const workspace = openWorkspace(app);
  const tasks = openTaskStore(app, workspace);
  const numbers = createMessageNumbering(tasks, task.session);
  const office = createOffice(app, workspace);
  const channel = createTaskChannel(office);
  const workers = (await tasks.session(task.session))?.workers ?? {};
  const findAgent = (wire: string): string | undefined => workers[wire];
  try {
    const tasking = { tasks, clock: workspace.keeping.clock };
    const after = await withAnswer({ tasking, numbers, channel, findAgent }, task, answer);
    await acknowledgeQuestions(office, nameTaskChannel(task));
    return after ?? task;
  } finally {
    await channel.waitForAll();
    await numbers.end();
  }
}

/** Acknowledges the questions for the person, who has answered. */
async function acknowledgeQuestions(
  { log, boxes, clock, warn }: MessageService,
  channel: string,
): Promise<void> {
  const asked = (await readMessages(log, channel, { limit: LOOK_BACK, newest: true }, warn)).filter(
    ({ kind, to }) => kind === QUESTION && to === 'human',
  );
  const how = { as: 'acknowledged', at: formatIso(clock.now()) } as const;
  await boxes.change('human', channel, (mail) => handle(mail, asked, how));
}

/** The type of a task's question to a person. */
const QUESTION = 'disambiguate';

/** True if a message is the question of one of these tasks. */
export const isTaskQuestion = (
  { type, channel }: { type?: string; channel: string },
  tasks: readonly Pick<Task, 'id' | 'session'>[],
): boolean => type === QUESTION && tasks.some((task) => nameTaskChannel(task) === channel);

/** Number of messages of a task's channel searched for its questions. */
const LOOK_BACK = 100;

/** Retries a failed or cancelled task, with another budget or agent if given. */
export async function retryTask(
  app: App,
  task: Task,
  { budget, to }: Pick<TaskInput, 'budget' | 'to'>,
): Promise<Task> {
  const workspace = openWorkspace(app);
  const tasks = openTaskStore(app, workspace);
  const after = await tasks.change(
    task.session,
    task.id,
    (now) =>
      now && {
        ...restartTask(now, workspace.keeping.clock.now()),
        ...(budget !== undefined && { budget }),
        ...(to !== undefined && { to }),
      },
  );
  await reopenSession(tasks, task.session);
  return after ?? task;
}

/** Records a decision about the budget: restarts the task, or abandons it. Throws `usage` for no valid option. */
export async function decideBudget(app: App, task: Task, answer: string): Promise<Task> {
  const asked = createBudgetQuestion(task);
  if (!asked) return task;
  const choice = BUDGET_CHOICES[findChosenOption(asked.question, answer).at];
  const workspace = openWorkspace(app);
  const tasks = openTaskStore(app, workspace);
  const now = workspace.keeping.clock.now();
  const numbers = createMessageNumbering(tasks, task.session);
  await numbers.prepare(1);
  const answering = { now, number: numbers.next, wire: ORCHESTRATOR };
  const { exchange } = answerQuestion({ ...task, question: asked.question }, answer, answering);
  const line = exchange.at(-1)!;
  await numbers.end();
  const after = await tasks.change(task.session, task.id, (one) => {
    if (!one || !createBudgetQuestion(one)) return undefined;
    const told = { ...one, exchange: [...one.exchange, line] };
    if (choice === 'abandon') return told;
    const how = choice === 'raise' ? { budget: asked.budget } : { simpler: true };
    return { ...restartTask(told, now), ...how };
  });
  if (after?.exchange.at(-1)?.id !== line.id) return after ?? task;
  if (choice !== 'abandon') await reopenSession(tasks, task.session);
  const office = createOffice(app, workspace);
  const channel = createTaskChannel(office);
  channel.add(after, [line], () => undefined);
  await acknowledgeQuestions(office, nameTaskChannel(task));
  await channel.waitForAll();
  return after;
}
