// Port for the steps that agents note down for a task, and its one implementation on any driver of documents.
import { toUnknownRecord } from '../base/unknown-record.ts';
import type { Documents } from './documents.ts';
import { jsonDocument, jsonStamp, readJsonDocument } from './json-document.ts';

export const TODO_STATES = ['open', 'in_progress', 'done'] as const;

/** One step. */
export interface Todo {
  id: number;
  title: string;
  note: string;
  state: (typeof TODO_STATES)[number];
}

/** The steps of one task; `last` is the highest id that was given. */
export interface Todos {
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
