// Use case `task`: has workers do tasks, and shows their state.
import { CouncilError } from '../../../core/base/errors.ts';
import type { WorkerCandidate } from '../task-queue.ts';
import type { Task } from '../task.ts';
import type { App, Result } from '../../../core/app/app.ts';
import { CLIENT_TASK_ACTIONS } from '../../input/tasks.ts';
import type { TaskInput } from '../../input/tasks.ts';
import { reportFiles } from '../../reports/report-files.ts';
import { buildSessionReport } from '../../reports/keep-report.ts';
import { loadConfig, openWorkspace } from '../../../core/app/workspace.ts';
import {
  answerTask,
  cancelTask,
  closeCancelled,
  setTaskHold,
  retryTask,
  decideBudget,
} from './steer-task.ts';
import { createPlan, createTask } from './create-tasks.ts';
import {
  toTaskDraft,
  resolveTaskFiles,
  requireSite,
  pickTaskSettings,
  readPlanOrArchive,
} from './task-draft.ts';
import { findTask, listSessionIds, readSessionTasks, readLaterTasks } from './find-tasks.ts';
import { readTaskLog } from './news.ts';
import type { TaskLogDocument } from './news.ts';
import { playSessionHere, requireWorkers, createTaskNewsPrinter } from './play-tasks.ts';
import { rankTaskCandidates } from './assign-agent.ts';
import {
  gatherSurroundings,
  toPlayedTaskResult,
  readSessionOutcome,
  toTaskDocuments,
} from './task-documents.ts';
import { watchTasks } from './watch-tasks.ts';
import type { TaskCircumstances, TaskDocument } from './task-documents.ts';
import { openTasking, openTaskStore } from './ports.ts';
import type { TaskPorts } from './ports.ts';
import { recordAsked } from './keep-record.ts';
import { createBudgetQuestion } from '../answer-question.ts';
import { fillPlaceholders, readSettings } from '../plan-file.ts';
import { buildTrace } from '../task-trace.ts';
import type { Trace } from '../task-trace.ts';
import { buildTask } from '../task.ts';
import { isOver } from '../transitions.ts';
import { formatIso } from '../../../core/base/clock.ts';

export type TaskResult =
  | { task: TaskDocument }
  | { tasks: TaskDocument[] }
  | { candidates: ReturnType<typeof toCandidateRow>[] }
  | { trace: Trace }
  | { session: string; plan: string | null; tasks: TaskDocument[]; report: string }
  | TaskLogDocument;

/** Number of sessions that `list` shows if none is open. */
const NEWEST = 1;

/** Performs an action on tasks. Throws `forbidden` for actions that an MCP client may not perform. */
export async function manageTasks(app: App, input: TaskInput): Promise<Result<TaskResult>> {
  if (app.via === 'mcp' && !CLIENT_TASK_ACTIONS.includes(input.action))
    throw new CouncilError('forbidden', `A client cannot ${input.action} tasks.`, {
      hint: `It can: ${CLIENT_TASK_ACTIONS.join(', ')}. The rest is for a person: council task ${input.action}`,
    });
  switch (input.action) {
    case 'run':
      return run(app, input);
    case 'plan':
      return plan(app, input);
    case 'list':
      return listRecentTasks(app, input);
    case 'watch':
      return { document: { tasks: toTaskDocuments(await watchTasks(app, openTasksHere(app), input.text)) } };
    case 'play':
      return playTaskOrSession(app, input);
    default:
      return performTaskAction(app, input);
  }
}

const openTasksHere = (app: App) => openTaskStore(app, openWorkspace(app));

async function performTaskAction(app: App, input: TaskInput): Promise<Result<TaskResult>> {
  const text = requireTaskText(input, 'the id of a task', `council task ${input.action} T1`);
  const [id = '', answer = ''] = splitFirst(text);
  const tasks = openTasksHere(app);
  if (input.action === 'show' && SESSION.test(id)) return showSession(app, id.toUpperCase());
  const found = await findTask(tasks, id);
  switch (input.action) {
    case 'cancel': {
      const given = await cancelTask(app, found);
      return toTaskDocumentResult(
        await closeCancelled(await openTasking(app, createTaskNewsPrinter(app)), app, given),
      );
    }
    case 'pause':
    case 'resume':
      return toTaskDocumentResult(await setTaskHold(app, found, input.action === 'pause'));
    case 'answer': {
      if (!createBudgetQuestion(found)) return toTaskDocumentResult(await answerTask(app, found, answer));
      const decided = await decideBudget(app, found, answer);
      return decided.state === 'N' ? playTaskAgain(app, decided, input) : toTaskDocumentResult(decided);
    }
    case 'retry':
      return playTaskAgain(app, await retryTask(app, found, input), input);
    case 'trace':
      return { document: { trace: await traceTask(app, found, input) } };
    case 'log':
      return { document: await readTaskLog(tasks, found, input.agent) };
    default:
      return toTaskDocumentResult(found, await gatherSurroundings(app, [found]));
  }
}

async function traceTask(app: App, task: Task, { agent }: TaskInput): Promise<Trace> {
  const family = await readLaterTasks(openTasksHere(app), task.session);
  return buildTrace(task, family, openWorkspace(app).keeping.clock.now(), { agent });
}

async function playTaskAgain(app: App, again: Task, input: TaskInput): Promise<Result<TaskResult>> {
  const tasking = await openTasking(app, createTaskNewsPrinter(app), input);
  await requireWorkers(app, tasking, [again], input.trust);
  await recordAsked(tasking, app, again);
  return toPlayedTaskResult(again, await playSessionHere(app, tasking, again.session));
}

const SESSION = /^S\d{1,9}$/i;
const createNoSessionError = (id: string): CouncilError =>
  new CouncilError('usage', `There is no session ${id}.`, { hint: 'See: council task list --all' });

/** Shows all tasks of a session, with one combined report. Throws `usage`. */
async function showSession(app: App, id: string): Promise<Result<TaskResult>> {
  const workspace = openWorkspace(app);
  const tasks = openTasksHere(app);
  const session = await tasks.session(id);
  if (!session) throw createNoSessionError(id);
  const all = await readSessionTasks(tasks, id);
  const { lang } = await loadConfig(app, workspace, {});
  const report = await buildSessionReport(reportFiles(workspace.project.root), session, all, {
    lang,
    note: (line) => app.note(line),
  });
  const documents = toTaskDocuments(all, await gatherSurroundings(app, all));
  return { document: { session: id, plan: session.plan, tasks: documents, report } };
}

const toTaskDocumentResult = (found: Task, surroundings?: TaskCircumstances): Result<TaskResult> => ({
  document: { task: toTaskDocuments([found], surroundings)[0]! },
});

function requireTaskText({ text, action }: TaskInput, what: string, example: string): string {
  if (text !== undefined && text.trim() !== '') return text;
  throw new CouncilError('usage', `council task ${action} needs ${what}.`, {
    hint: `For example: ${example}`,
  });
}

const splitFirst = (text: string): [string, string] => {
  const [, first = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  return [first, rest.trim()];
};

async function run(app: App, input: TaskInput): Promise<Result<TaskResult>> {
  const given = requireTaskText(
    input,
    'an instruction',
    'council task run "Sum up docs/guide.md" --needs summarize',
  );
  const text = fillPlaceholders(given, readSettings(input.set), 'The instruction');
  const tasking = await openTasking(app, createTaskNewsPrinter(app), input);
  const draft = { ...toTaskDraft(input, text), context: await resolveTaskFiles(app, input.context) };
  const now = formatIso(tasking.clock.now());
  const imagined = buildTask({ ...draft, id: 'T1', session: 'S1' }, now);
  if (input.explain) return explainAssignment(tasking, imagined);
  await requireWorkers(app, tasking, [imagined], input.trust);
  await requireSite(tasking, input, draft.context);
  const made = await createTask(tasking, draft, (one) => recordAsked(tasking, app, one));
  return toPlayedTaskResult(made, await playSessionHere(app, tasking, made.session));
}

async function explainAssignment(tasking: TaskPorts, imagined: Task): Promise<Result<TaskResult>> {
  const session = { id: 'S1', plan: null, workers: {}, messages: 0, tasks: [] };
  return {
    document: { candidates: (await rankTaskCandidates(tasking, session, imagined)).map(toCandidateRow) },
  };
}

const toCandidateRow = ({ worker, matched, score, load, out }: WorkerCandidate) => ({
  worker: worker.id,
  matched,
  score,
  load,
  lastUsed: worker.lastUsed === null ? null : formatIso(worker.lastUsed),
  out,
});

async function plan(app: App, input: TaskInput): Promise<Result<TaskResult>> {
  const file = requireTaskText(input, 'a file', 'council task plan PLAN.md');
  const tasking = await openTasking(app, createTaskNewsPrinter(app), input);
  const { planned, path } = await readPlanOrArchive(app, tasking, file, input);
  const draft = planned.map((one) =>
    buildTask({ ...pickTaskSettings(input), ...one, session: 'S1' }, formatIso(tasking.clock.now())),
  );
  await requireWorkers(app, tasking, draft, input.trust);
  const writes = draft.some(({ isolate }) => isolate === 'worktree');
  await requireSite(tasking, { ...input, ...(writes && { isolate: 'worktree' }) }, []);
  const session = await createPlan(tasking, path, planned, pickTaskSettings(input), (id) =>
    recordAsked(tasking, app, { session: id, plan: path, tasks: planned }),
  );
  await playSessionHere(app, tasking, session);
  return readSessionOutcome(tasking, session);
}

/** Continues a task or a whole session (S1) in the foreground, like the command that created it. */
async function playTaskOrSession(app: App, input: TaskInput): Promise<Result<TaskResult>> {
  const id = requireTaskText(input, 'the id of a task', 'council task play T1').trim();
  const tasking = await openTasking(app, createTaskNewsPrinter(app), input);
  if (SESSION.test(id)) {
    const session = id.toUpperCase();
    if (!(await tasking.tasks.session(session))) throw createNoSessionError(session);
    await playSessionHere(app, tasking, session);
    return readSessionOutcome(tasking, session);
  }
  const found = await findTask(tasking.tasks, id);
  // A finished task has its result, even if others of its session are unfinished.
  const played = isOver(found) ? [found] : await playSessionHere(app, tasking, found.session);
  return toPlayedTaskResult(found, played);
}

async function listRecentTasks(app: App, input: TaskInput): Promise<Result<TaskResult>> {
  const tasks = openTasksHere(app);
  const { open } = await tasks.numbers();
  const found: Task[] = [];
  let count = 0;
  for await (const session of listSessionIds(tasks)) {
    if (!input.all && !open.includes(session) && (open.length > 0 || count >= NEWEST)) continue;
    count++;
    found.unshift(...(await readSessionTasks(tasks, session)));
  }
  return { document: { tasks: toTaskDocuments(found, await gatherSurroundings(app, found)) } };
}
