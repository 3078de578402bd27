// Ports of what agents keep: from one task to the next, and the steps of one task.
import { toUnknownRecord } from '../base/text.ts';
import type { Documents } from './documents.ts';
import { jsonDocument, jsonStamp, readJsonDocument } from './documents.ts';

/** What an agent may keep something as. */
export const MEMORY_TYPES = ['preference', 'context', 'knowledge', 'decision'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

export interface Memory {
  /** Counted over all agents of the project, and never given twice. */
  id: number;
  type: MemoryType;
  content: string;
  /** When it was kept, ISO 8601 UTC. */
  at: string;
}

/** Which memories, and how many of them. */
interface MemoryFilter {
  type?: MemoryType | undefined;
  limit: number;
}

/**
 * What one agent has kept, for as long as the project lasts. Another agent's memories do not exist for it. Durable when a
 * change resolves. Everything rejects with `corrupt` where what is kept is damaged, `io` where it cannot be written.
 */
export interface AgentMemory {
  add(memory: Omit<Memory, 'id'>): Promise<Memory>;
  get(id: number): Promise<Memory | undefined>;
  /** Newest first. */
  list(filter: MemoryFilter): Promise<Memory[]>;
  /** Those with any of the words, the best first. Whatever `words` hold, they are words. */
  search(words: string, filter: MemoryFilter): Promise<Memory[]>;
  count(): Promise<number>;
  /** False where there was none. */
  delete(id: number): Promise<boolean>;
  /** How many there were. */
  clear(type: MemoryType): Promise<number>;
}

export const TODO_STATES = ['open', 'in_progress', 'done'] as const;

export interface Todo {
  id: number;
  title: string;
  note: string;
  state: (typeof TODO_STATES)[number];
}

/** The steps of one task; `last` is the highest id that was given. */
interface Todos {
  last: number;
  todos: Todo[];
}

export interface TodoList {
  /** Changes it by compare-and-set: `change` may run several times. Nothing is written where nothing changes. */
  change<T>(change: (todos: Todos) => { next: Todos; result: T }): Promise<T>;
}

/** The stamp that the store checks. */
export const readTodoStamp = jsonStamp('todos');

/** The list of the task with this key, which is an id. What cannot be read is as good as empty. */
export const openTodoList = (store: Pick<Documents, 'update'>, key: string): TodoList => ({
  async change(change) {
    let result: ReturnType<typeof change>['result'] | undefined;
    await store.update(key, (current, revision) => {
      const before = readTodos(current?.text);
      const changed = change(before);
      result = changed.result;
      return JSON.stringify(changed.next) === JSON.stringify(before)
        ? undefined
        : jsonDocument(changed.next, revision);
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
