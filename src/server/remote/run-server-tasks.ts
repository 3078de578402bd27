// Has a server run tasks for the command line and polls until they are over.
import { CouncilError } from '../../core/base/errors.ts';
import { rest } from '../../core/heartbeat/launch/rest.ts';
import { isOver } from '../../team/tasks/transitions.ts';
import { overrideApp, createInterruptedError } from '../../core/app/app.ts';
import type { App, Result } from '../../core/app/app.ts';
import type { TaskDocument } from '../../team/tasks/use/outcome.ts';
import type { TaskResult } from '../../team/tasks/use/task.ts';
import { askServer } from './client.ts';

/** After a call that came to nothing, and at most: each of them has the server play what can be played by then. */
const SOON_MS = 1000;
const LATER_MS = 5000;

type Input = Readonly<Record<string, unknown>>;

/**
 * Like `task` on the machine itself: what waits for another machine, a place or a person is played on until it is over. Throws
 * `interrupted` with the command that waits for it again.
 */
export async function playElsewhere(app: App, server: string, input: Input): Promise<Result<TaskResult>> {
  const signal = app.interruption();
  const told = new Set<string>();
  const note = (line: string): void => void (told.has(line) || (told.add(line), app.note(line)));
  const asking = overrideApp(app, { note });
  const ask = async (given: Input): Promise<Result<TaskResult>> => {
    const { document, failed } = await askServer(asking, { server, name: 'task', input: given });
    return { document: document as TaskResult, failed };
  };
  let result = await ask(input);
  for (const line of standings(result)) told.add(line);
  // An answered task is continued by the process that runs it; a raised budget starts it again.
  if (input.action === 'answer' && listResultTasks(result).some(({ state }) => state !== 'N')) return result;
  for (let ms = SOON_MS; hasUnfinishedTasks(result);) {
    const text = formatResultName(result);
    await rest(ms, signal);
    const next = signal.aborted
      ? undefined
      : await ask({ action: 'play', text }).catch((error: unknown) => unlessAway(error, note));
    if (signal.aborted) throw createInterruptedError(`council task play ${text}`);
    const before = told.size;
    result = next ?? result;
    for (const line of standings(result)) note(line);
    ms = told.size > before ? SOON_MS : Math.min(ms * 1.5, LATER_MS);
  }
  return result;
}

const listResultTasks = ({ document }: Result<TaskResult>): TaskDocument[] =>
  'task' in document ? [document.task] : 'tasks' in document ? document.tasks : [];

/** Whether tasks are still unfinished. Those that failed for good are not. */
const hasUnfinishedTasks = (result: Result<TaskResult>): boolean =>
  result.failed === undefined && listResultTasks(result).some((one) => !isOver(one));

const standings = (result: Result<TaskResult>): string[] =>
  listResultTasks(result).map(({ id, standing }) => `${id}: ${standing}`);

/** The task, or the session of a plan. */
function formatResultName(result: Result<TaskResult>): string {
  const [{ session, id } = { session: '', id: '' }] = listResultTasks(result);
  return 'task' in result.document ? `${session}/${id}` : session;
}

/** A server that is away for a while, or has too much to do, is waited for. */
function unlessAway(error: unknown, note: (line: string) => void): undefined {
  const code = error instanceof CouncilError ? error.code : undefined;
  if (code === 'unreachable') note(`${(error as CouncilError).message} Waiting for it.`);
  if (code !== 'unreachable' && code !== 'conflict' && code !== 'interrupted') throw error;
}
