// Ports of agents' memories across tasks, and of the steps of one task.
import { toUnknownRecord } from '../base/text.ts';
import type { Documents } from './documents.ts';
import { renderJsonDocument, createJsonStampReader, readJsonDocument } from './documents.ts';

/** Kinds of memories. */
export const MEMORY_TYPES = ['preference', 'context', 'knowledge', 'decision'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

export interface Memory {
  /** Counted over all agents of the project, and never reused. */
  id: number;
  type: MemoryType;
  content: string;
  /** Time it was added, ISO 8601 UTC. */
  at: string;
}

/** Which memories, and how many of them. */
interface MemoryFilter {
  type?: MemoryType | undefined;
  limit: number;
}

/**
 * The memories of one agent, as long as the project lasts. It cannot see those of other agents. Changes are
 * durable when they resolve. All calls reject with `corrupt` if the data is damaged, `io` if it cannot be
 * written.
 */
export interface AgentMemory {
  add(memory: Omit<Memory, 'id'>): Promise<Memory>;
  get(id: number): Promise<Memory | undefined>;
  /** Newest first. */
  list(filter: MemoryFilter): Promise<Memory[]>;
  /** Memories with any of the words, best first. `words` is plain text, without search syntax. */
  search(words: string, filter: MemoryFilter): Promise<Memory[]>;
  count(): Promise<number>;
  /** False if there was none. */
  delete(id: number): Promise<boolean>;
  /** Resolves to the number of deleted memories. */
  clear(type: MemoryType): Promise<number>;
}

export const TODO_STATES = ['open', 'in_progress', 'done'] as const;

export interface Todo {
  id: number;
  title: string;
  note: string;
  state: (typeof TODO_STATES)[number];
}

/** The steps of one task; `last` is the highest id used. */
interface Todos {
  last: number;
  todos: Todo[];
}

export interface TodoList {
  /** Changes the list by compare-and-set: `change` may run several times. No write without a change. */
  change<T>(change: (todos: Todos) => { next: Todos; result: T }): Promise<T>;
}

/** Reads the stamp that the store checks. */
export const readTodoStamp = createJsonStampReader('todos');

/** Opens the list of the task with this key, which is an id. Unreadable data counts as empty. */
export const openTodoList = (store: Pick<Documents, 'update'>, key: string): TodoList => ({
  async change(change) {
    let result: ReturnType<typeof change>['result'] | undefined;
    await store.update(key, (current, revision) => {
      const before = readTodos(current?.text);
      const changed = change(before);
      result = changed.result;
      return JSON.stringify(changed.next) === JSON.stringify(before)
        ? undefined
        : renderJsonDocument(changed.next, revision);
    });
    return result!;
  },
});

function readTodos(text: string | undefined): Todos {
  const { last, todos } = readJsonDocument(text);
  return {
    last: typeof last === 'number' ? last : 0,
    todos: Array.isArray(todos) ? todos.flatMap((one) => parseTodo(toUnknownRecord(one))) : [],
  };
}

function parseTodo({ id, title, note, state }: Record<string, unknown>): Todo[] {
  const known = TODO_STATES.find((one) => one === state);
  if (typeof id !== 'number' || typeof title !== 'string' || !known) return [];
  return [{ id, title, note: typeof note === 'string' ? note : '', state: known }];
}
