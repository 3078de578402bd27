// Storage of tasks: one document per task, one per session, and one with the last numbers.
import * as z from 'zod/mini';
import { CouncilError } from '../../core/base/errors.ts';
import type { Documents } from '../../core/store/documents.ts';
import { renderJsonDocument, readJsonDocument } from '../../core/store/documents.ts';
import { COUNT, createEntriesSchema, createItemsSchema, TEXT_OR_NULL } from '../messages/book.ts';
import { parseTask } from './task.ts';
import type { Task } from './task.ts';
import { isLeaseHeld } from './transitions.ts';

/** A session: the tasks of one command, with their own message numbers. */
const session = z.object({
  id: z.string(),
  /** The plan that it was made from, relative to the project; null for single tasks. */
  plan: TEXT_OR_NULL,
  /** Agents by wire id: `W1`. They never change. */
  workers: createEntriesSchema(z.string()),
  /** Number of message ids assigned in `context`, the session in its lines: a new one when the ids are used up. */
  messages: COUNT,
  context: z.optional(z.string()),
  tasks: createItemsSchema(z.string()),
});
export type Session = z.infer<typeof session>;

/** The last numbers assigned, and the sessions with unfinished tasks. */
const numbers = z.object({ session: COUNT, task: COUNT, open: createItemsSchema(z.string()) });
export type Numbers = z.infer<typeof numbers>;

/** The tasks of a project (compare-and-set). `change` may be called repeatedly; undefined for no change. */
export interface Tasks {
  numbers(): Promise<Numbers>;
  changeNumbers(change: (numbers: Numbers) => Numbers | undefined): Promise<Numbers>;
  session(id: string): Promise<Session | undefined>;
  changeSession(
    id: string,
    change: (session: Session | undefined) => Session | undefined,
  ): Promise<Session | undefined>;
  read(session: string, id: string): Promise<Task | undefined>;
  /** Resolves to the current task; undefined if there is none. */
  change(
    session: string,
    id: string,
    change: (task: Task | undefined) => Task | undefined,
  ): Promise<Task | undefined>;
  /** Calls `onChange` with the key of each changed document (see `parseTaskKey`); returns a stop function. */
  watch(onChange: (key: string) => void): () => void;
}

const NUMBERS = 'numbers';
const buildTaskKey = (session: string, task?: string): string =>
  [session, ...(task === undefined ? [] : [task.replaceAll('.', '-')])].join('-').toLowerCase();

/** True for the key of a task, which is mostly written by one process, the holder of its lease. */
export const isTaskKey = (key: string): boolean => /^s[a-z0-9]+-t\d/.test(key);

/** Returns the task with this key; undefined for any other key. */
export function parseTaskKey(key: string): { session: string; id: string } | undefined {
  const [, session, id] = /^s([a-z0-9]+)-(t\d[\d-]*)$/.exec(key) ?? [];
  if (session === undefined || id === undefined) return undefined;
  return { session: `S${session}`, id: id.toUpperCase().replaceAll('-', '.') };
}

/** True for the text of an unfinished task, which will soon have another revision. */
export const isOnItsWay = (text: string): boolean => /^ "state": "[NR]",$/m.test(text);

/** Stores tasks in any document store, under their own keys. */
export function createTaskStore(store: Pick<Documents, 'read' | 'update' | 'watch'>): Tasks {
  /** Changes one document; resolves to its new value. */
  async function changeDocument<T extends object, V extends T | undefined>(
    key: string,
    read: (text: string | undefined) => V,
    change: (value: V) => T | undefined,
  ): Promise<V | T> {
    let now: V | T = read(undefined);
    await store.update(key, (current, revision) => {
      const before = read(current?.text);
      const after = change(before);
      now = after ?? before;
      return after === undefined || after === before ? undefined : renderJsonDocument(after, revision);
    });
    return now;
  }
  const read = async (key: string): Promise<string | undefined> => (await store.read(key))?.text;
  return {
    numbers: async () => parseNumbers(await read(NUMBERS)),
    changeNumbers: (change) => changeDocument(NUMBERS, parseNumbers, change),
    session: async (id) => parseSession(await read(buildTaskKey(id))),
    changeSession: (id, change) => changeDocument(buildTaskKey(id), parseSession, change),
    read: async (session, id) => parseStoredTask(await read(buildTaskKey(session, id)), id),
    change: (session, id, change) =>
      changeDocument(buildTaskKey(session, id), (text) => parseStoredTask(text, id), change),
    watch: (onChange) => store.watch('', onChange),
  };
}

/** Changes a task only while it is worked on under this lease. */
export const changeHeldTask = (
  tasks: Pick<Tasks, 'change'>,
  { session, id, lease }: Pick<Task, 'session' | 'id' | 'lease'>,
  change: (now: Task) => Task | undefined,
): Promise<Task | undefined> =>
  tasks.change(session, id, (now) => (now && lease && isLeaseHeld(now, lease.id) ? change(now) : undefined));

const parseNumbers = (text: string | undefined): Numbers => numbers.parse(readJsonDocument(text));

const parseSession = (text: string | undefined): Session | undefined =>
  session.safeParse(readJsonDocument(text)).data;

/** An unreadable task must not count as missing: it would be run again. */
function parseStoredTask(text: string | undefined, id: string): Task | undefined {
  if (text === undefined) return undefined;
  const task = parseTask(readJsonDocument(text));
  if (task) return task;
  throw new CouncilError('corrupt', `What is kept of the task ${id} cannot be read.`, {
    hint: 'It lies in memory/shared/.versions/.tasks. Its earlier revisions are beside it.',
  });
}
