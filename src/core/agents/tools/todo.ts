// The tool "todo": the steps of one task, as noted by the agent that works on it.
import type * as Zod from 'zod';
import type { Todo, TodoList } from '../../store/agent-memory.ts';
import { TODO_STATES } from '../../store/agent-memory.ts';
import { requireToolField, createToolError, createTool } from './tool.ts';
import type { Tool } from './tool.ts';

const MAX_TODOS = 200;
const OPERATIONS = ['create', 'get', 'update', 'list', 'complete', 'delete'] as const;

const createTodoSchema = (z: typeof Zod) =>
  z.strictObject({
    operation: z.enum(OPERATIONS),
    id: z.int().positive().optional().describe('which one to get, update, complete or delete'),
    title: z.string().trim().min(1).max(500).optional().describe('what is to be done'),
    note: z.string().trim().max(4000).optional().describe('anything to remember about it'),
    state: z.enum(TODO_STATES).optional().describe('of those that are listed, or the new one'),
  });
type Input = Zod.infer<ReturnType<typeof createTodoSchema>>;

/** Creates the tool `todo` over one list of steps. */
export async function createTodoTool(list: TodoList): Promise<Tool> {
  const z = await import('zod');
  return createTool(
    z,
    {
      name: 'todo',
      description: `A list of steps for this task: ${OPERATIONS.join(', ')}. Use it for work of more than a few steps.`,
    },
    createTodoSchema(z),
    (input) => list.change((todos) => applyTodoOperation(todos, input)),
  );
}

/** Returns the list after an operation, and the result for the model. Throws if there is no such step. */
export function applyTodoOperation(
  { last, todos }: { last: number; todos: Todo[] },
  input: Input,
): { next: { last: number; todos: Todo[] }; result: unknown } {
  const requireTodo = (): Todo => {
    const id = requireToolField(input, 'id');
    const found = todos.find((todo) => todo.id === id);
    if (!found)
      throw createToolError(
        `There is no step ${id}. There are: ${todos.map(({ id }) => id).join(', ') || 'none'}.`,
      );
    return found;
  };
  const after = (todo: Todo) => ({
    next: { last, todos: todos.map((other) => (other.id === todo.id ? todo : other)) },
    result: todo,
  });
  const { title, note, state, operation } = input;
  switch (operation) {
    case 'create': {
      if (todos.length >= MAX_TODOS)
        throw createToolError(`There are ${MAX_TODOS} steps, the most there can be.`);
      const todo: Todo = {
        id: last + 1,
        title: requireToolField(input, 'title'),
        note: note ?? '',
        state: state ?? 'open',
      };
      return { next: { last: last + 1, todos: [...todos, todo] }, result: todo };
    }
    case 'get':
      return { next: { last, todos }, result: requireTodo() };
    case 'list':
      return {
        next: { last, todos },
        result: { todos: todos.filter((todo) => state === undefined || todo.state === state) },
      };
    case 'update': {
      if (title === undefined && note === undefined && state === undefined)
        throw createToolError('"update" needs "title", "note" or "state".');
      return after({
        ...requireTodo(),
        ...(title !== undefined && { title }),
        ...(note !== undefined && { note }),
        ...(state && { state }),
      });
    }
    case 'complete':
      return after({ ...requireTodo(), state: 'done' });
    case 'delete': {
      const { id } = requireTodo();
      return { next: { last, todos: todos.filter((todo) => todo.id !== id) }, result: { deleted: id } };
    }
  }
}
