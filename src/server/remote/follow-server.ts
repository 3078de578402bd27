// Follows a remote server for the command line: tasks until they are over, councils by change events.

import { CouncilError } from '../../core/base/errors.ts';
import { waitUnlessAborted } from '../../core/heartbeat/launch/rest.ts';
import { isOver } from '../../team/tasks/transitions.ts';
import { overrideApp, createInterruptedError } from '../../core/app/app.ts';
import type { App, Result } from '../../core/app/app.ts';
import type { TaskDocument } from '../../team/tasks/use/task-documents.ts';
import type { TaskResult } from '../../team/tasks/use/manage-tasks.ts';
import { askServer, buildApiUrl } from './client.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { ArchiveExport } from '../../core/archive/export.ts';
import type { ArchiveListing } from '../../core/archive/read.ts';
import { describeDecisionOutcome } from '../../core/app/state-document.ts';
import type { StatusDocument } from '../../core/app/status.ts';
import type { EndedCouncil, WatchedCouncils } from '../../core/app/watch.ts';
import type { CallName } from './calls.ts';

/** Minimum and maximum pause between calls; each makes the server play what is possible by then. */
const SOON_MS = 1000;
const LATER_MS = 5000;

type CallFields = Readonly<Record<string, unknown>>;

/**
 * Like a local `task`: tasks that wait for another machine, a place or a person are played until they are over.
 * Throws `interrupted` with the command to continue.
 */
export async function playElsewhere(
  app: App,
  server: string,
  input: CallFields,
): Promise<Result<TaskResult>> {
  const signal = app.interruption();
  const told = new Set<string>();
  const note = (line: string): void => void (told.has(line) || (told.add(line), app.note(line)));
  const asking = overrideApp(app, { note });
  const ask = async (given: CallFields): Promise<Result<TaskResult>> => {
    const { document, failed } = await askServer(asking, { server, name: 'task', input: given });
    return { document: document as TaskResult, failed };
  };
  let result = await ask(input);
  for (const line of formatStandings(result)) told.add(line);
  // An answered task is continued by the process that runs it; a raised budget starts it again.
  if (input.action === 'answer' && listResultTasks(result).some(({ state }) => state !== 'N')) return result;
  for (let ms = SOON_MS; hasUnfinishedTasks(result);) {
    const text = formatResultName(result);
    await waitUnlessAborted(ms, signal);
    const next = signal.aborted
      ? undefined
      : await ask({ action: 'play', text }).catch((error: unknown) => tolerateAbsence(error, note));
    if (signal.aborted) throw createInterruptedError(`council task play ${text}`);
    const before = told.size;
    result = next ?? result;
    for (const line of formatStandings(result)) note(line);
    ms = told.size > before ? SOON_MS : Math.min(ms * 1.5, LATER_MS);
  }
  return result;
}

const listResultTasks = ({ document }: Result<TaskResult>): TaskDocument[] =>
  'task' in document ? [document.task] : 'tasks' in document ? document.tasks : [];

/** Returns whether tasks are still unfinished; failed ones are not. */
const hasUnfinishedTasks = (result: Result<TaskResult>): boolean =>
  result.failed === undefined && listResultTasks(result).some((one) => !isOver(one));

const formatStandings = (result: Result<TaskResult>): string[] =>
  listResultTasks(result).map(({ id, standing }) => `${id}: ${standing}`);

/** Returns the name of the task, or of the session of a plan. */
function formatResultName(result: Result<TaskResult>): string {
  const [{ session, id } = { session: '', id: '' }] = listResultTasks(result);
  return 'task' in result.document ? `${session}/${id}` : session;
}

/** Continues if the server is unreachable or busy for a while. */
function tolerateAbsence(error: unknown, note: (line: string) => void): undefined {
  const code = error instanceof CouncilError ? error.code : undefined;
  if (code === 'unreachable') note(`${(error as CouncilError).message} Waiting for it.`);
  if (code !== 'unreachable' && code !== 'conflict' && code !== 'interrupted') throw error;
}

const AGAIN_MS = 1000;

/** Like a local `watch`: shows councils repeatedly until all seen ones have ended, or it is interrupted. */
export async function watchElsewhere(
  app: App,
  { server, only }: { server: string; only: string | undefined },
  show: (seen: WatchedCouncils, isFirst: boolean) => void | Promise<void>,
): Promise<void> {
  const known = new Set<string>();
  const ended: EndedCouncil[] = [];
  const ask = async <T>(name: CallName, input: Record<string, unknown> = {}): Promise<T> =>
    (
      await askServer(
        { ...app, note: () => undefined, interruption: app.interruption },
        { server, name, input },
      )
    ).document as T;
  const look = async (isFirst: boolean): Promise<boolean> => {
    const { councils, unreadable: broken = [] } = await ask<StatusDocument>('status');
    const states = councils.filter(({ name }) => only === undefined || name === only);
    const active = new Set(states.map(({ conversationId }) => conversationId));
    for (const id of known) {
      const end = active.has(id) ? undefined : await findServerCouncilEnd(ask, id);
      if (end && known.delete(id)) ended.push(end);
    }
    for (const id of active) known.add(id);
    const unreadable = broken.map(({ name, message }) => ({
      name: String(name),
      error: new CouncilError('corrupt', String(message), {
        hint: 'Where the server is, council doctor says more.',
      }),
    }));
    await show({ states, unreadable, documents: async () => states, ended }, isFirst);
    return ended.length > 0 && known.size === 0 && unreadable.length === 0;
  };
  await look(true);
  for await (const isThere of followServerEvents(app, buildApiUrl(server, 'events')))
    if (isThere && (await look(false).catch(tolerateUnreachable))) return;
}

/** Continues if the server is unreachable for a moment. */
function tolerateUnreachable(error: unknown): false {
  if (error instanceof CouncilError && error.code === 'unreachable') return false;
  throw error;
}

/** Yields true whenever something may have changed, false if the server is unreachable; ends when interrupted. */
async function* followServerEvents(app: App, url: string): AsyncGenerator<boolean> {
  const signal = app.interruption();
  const { COUNCIL_TOKEN: token } = app.env;
  const headers = { ...(token && { Authorization: `Bearer ${token}` }) };
  while (!signal.aborted) {
    try {
      const answer = await fetch(url, { headers, redirect: 'error', signal });
      // If access is refused, the following status call reports why.
      yield true;
      if (answer.ok) for await (const _chunk of answer.body ?? []) yield true;
    } catch (error) {
      if (error instanceof CouncilError) throw error;
      yield false;
    }
    await delay(AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function findServerCouncilEnd(
  ask: <T>(name: CallName, input?: Record<string, unknown>) => Promise<T>,
  conversationId: string,
): Promise<EndedCouncil | undefined> {
  try {
    const { meta } = await ask<ArchiveExport>('show', { archive: conversationId });
    const { archives } = await ask<{ archives: ArchiveListing[] }>('list');
    const { name, topic, status, why, id } = meta;
    const path = archives.find((one) => one.id === id)?.path ?? id;
    return { name, topic, status, why, outcome: describeDecisionOutcome(meta), id, archive: path };
  } catch (error) {
    if (error instanceof CouncilError && error.code === 'unknown_archive') return undefined;
    throw error;
  }
}
