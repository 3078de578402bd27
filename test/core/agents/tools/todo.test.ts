import { describe, expect, it } from 'vitest';
import { createTodoTool } from '../../../../src/core/agents/tools/todo.ts';
import { memoryStore } from '../../../../src/core/store/memory/memory-store.ts';
import { openTodoList } from '../../../../src/core/store/agent-memory.ts';

function toolOf(store = memoryStore(), key = 's1-t1') {
  const made = createTodoTool(openTodoList(store, key));
  return async (input: Record<string, unknown>): Promise<unknown> => {
    const tool = await made;
    const read = tool.input.read(input);
    if (!read.ok) throw new Error(read.problem);
    return tool.call(read.value, new AbortController().signal);
  };
}

describe('the tool todo', () => {
  it('creates, gets, updates, lists, completes and deletes', async () => {
    const todo = toolOf();
    expect(await todo({ operation: 'create', title: 'Read the brief' })).toEqual({
      id: 1,
      title: 'Read the brief',
      note: '',
      state: 'open',
    });
    await todo({ operation: 'create', title: 'Count', note: 'twice', state: 'in_progress' });
    expect(await todo({ operation: 'update', id: 2, note: '' })).toMatchObject({ title: 'Count', note: '' });
    expect(await todo({ operation: 'complete', id: 1 })).toMatchObject({ state: 'done' });
    expect(await todo({ operation: 'list', state: 'done' })).toMatchObject({ todos: [{ id: 1 }] });
    expect(await todo({ operation: 'delete', id: 2 })).toEqual({ deleted: 2 });
    expect(await todo({ operation: 'list' })).toMatchObject({ todos: [{ id: 1 }] });
    expect(await todo({ operation: 'create', title: 'Again' })).toMatchObject({ id: 3 });
    expect(await todo({ operation: 'get', id: 3 })).toMatchObject({ title: 'Again' });
  });

  it('belongs to one task, and loses nothing where two write at once', async () => {
    const store = memoryStore();
    const [one, other] = [toolOf(store), toolOf(store)];
    await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 ? one : other)({ operation: 'create', title: `Step ${at}` }),
      ),
    );
    expect(((await one({ operation: 'list' })) as { todos: unknown[] }).todos).toHaveLength(10);
    expect(await toolOf(store, 's1-t2')({ operation: 'list' })).toEqual({ todos: [] });
  });

  it('says what there is where something is missing', async () => {
    const todo = toolOf();
    await expect(todo({ operation: 'complete', id: 7 })).rejects.toThrow(
      'There is no step 7. There are: none.',
    );
    await todo({ operation: 'create', title: 'One' });
    await expect(todo({ operation: 'update', id: 1 })).rejects.toThrow(
      '"update" needs "title", "note" or "state".',
    );
    await expect(todo({ operation: 'get' })).rejects.toThrow('"get" needs "id".');
    await expect(todo({ operation: 'create', title: ' ' })).rejects.toThrow('title');
    await expect(todo({ operation: 'update', id: 1.5, title: 'x' })).rejects.toThrow('id');
  });
});
