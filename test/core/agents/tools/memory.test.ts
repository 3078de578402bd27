import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryTool } from '../../../../src/core/agents/tools/memory.ts';
import { openAgentMemories } from '../../../../src/core/store/file/agent-memory.ts';
import type { Memories } from '../../../../src/core/store/file/agent-memory.ts';

const open: Memories[] = [];
afterEach(() => open.splice(0).forEach((memories) => memories.close()));

function memoriesIn(path = ':memory:', root = '/'): Memories {
  const memories = openAgentMemories({ path, root });
  open.push(memories);
  return memories;
}

/** Calls the tool as a model would: what does not fit is refused before. */
function toolOf(memories = memoriesIn(), agent = 'ana') {
  const memoryFor = (workflow?: string) =>
    memories.openMemory([agent, ...(workflow ? [workflow] : [])].join('/'));
  const made = createMemoryTool(memoryFor, { now: () => Date.UTC(2026, 0, 2) });
  return async (input: Record<string, unknown>): Promise<unknown> => {
    const tool = await made;
    const read = tool.input.read(input);
    if (!read.ok) throw new Error(read.problem);
    return tool.call(read.value, new AbortController().signal);
  };
}
const add = (content: string, type = 'knowledge') => ({ operation: 'add', type, content });

describe('the tool memory', () => {
  it('adds, gets, lists, deletes and clears', async () => {
    const memory = toolOf();
    const first = { id: 1, type: 'decision', content: 'We use llamas.', at: '2026-01-02T00:00:00.000Z' };
    expect(await memory(add('We use llamas.', 'decision'))).toEqual(first);
    await memory(add('Maria dislikes mornings.', 'preference'));
    await memory(add('Goats were too loud.', 'decision'));
    expect(await memory({ operation: 'get', id: 1 })).toEqual(first);
    expect(await memory({ operation: 'list', type: 'decision' })).toMatchObject({
      memories: [{ id: 3 }, { id: 1 }],
    });
    expect(await memory({ operation: 'list', limit: 1 })).toMatchObject({ memories: [{ id: 3 }] });
    expect(await memory({ operation: 'delete', id: 3 })).toEqual({ deleted: 3 });
    expect(await memory({ operation: 'clear_by_type', type: 'decision' })).toEqual({ deleted: 1 });
    expect(await memory({ operation: 'list' })).toMatchObject({ memories: [{ id: 2 }] });
    expect(await memory({ operation: 'search', query: 'llamas goats' })).toEqual({ memories: [] });
    await expect(memory({ operation: 'get', id: 1 })).rejects.toThrow('There is no memory 1.');
    // An id is never given twice.
    expect(await memory(add('New.'))).toMatchObject({ id: 4 });
  });

  it('finds words whatever their case and accents, and their beginnings, the best first', async () => {
    const memory = toolOf();
    await memory(add('Le déploiement se fait le jeudi.'));
    await memory(add('Deploy with `npm run deploy`; deployments on Thursday only. 🦙'));
    await memory(add('Nothing of the kind.'));
    expect(await memory({ operation: 'search', query: 'DEPLOIEMENT jeudi' })).toMatchObject({
      memories: [{ id: 1 }],
    });
    expect(await memory({ operation: 'search', query: 'deploy' })).toMatchObject({ memories: [{ id: 2 }] });
    expect(await memory({ operation: 'search', query: 'depl', type: 'decision' })).toEqual({ memories: [] });
  });

  it.each([
    '"',
    "'; DROP TABLE memories; --",
    'a AND (b OR',
    'NEAR(llama 5',
    'content:llama',
    '*',
    '-llama',
    '^llama',
    '🦙',
    'llama\u0000x',
    '""" OR 1=1',
    '{content} : x',
  ])('takes %j for words', async (query) => {
    const memory = toolOf();
    await memory(add('One llama.'));
    const found = (await memory({ operation: 'search', query })) as { memories: unknown[] };
    expect(found.memories.length).toBe(/llama/i.test(query) ? 1 : 0);
    expect(await memory({ operation: 'list' })).toMatchObject({ memories: [{ id: 1 }] });
  });

  it('keeps what belongs to another agent to itself', async () => {
    const memories = memoriesIn();
    const [ana, ben] = [toolOf(memories), toolOf(memories, 'ben')];
    await ana(add('A secret of Ana.'));
    expect(await ben({ operation: 'search', query: 'secret' })).toEqual({ memories: [] });
    await expect(ben({ operation: 'get', id: 1 })).rejects.toThrow('There is no memory 1.');
    await expect(ben({ operation: 'delete', id: 1 })).rejects.toThrow('There is no memory 1.');
    expect(await ben({ operation: 'clear_by_type', type: 'knowledge' })).toEqual({ deleted: 0 });
    expect(await ana({ operation: 'list' })).toMatchObject({ memories: [{ id: 1 }] });
  });

  it('keeps what belongs to a workflow apart, from when that is activated', async () => {
    const memory = toolOf();
    await memory(add('Maria dislikes mornings.'));
    const activate = (workflow?: string) => memory({ operation: 'activate_workflow', workflow });
    expect(await activate('release 2')).toEqual({ workflow: 'release 2', memories: 0 });
    await memory(add('The llamas go first.'));
    expect(await memory({ operation: 'list' })).toMatchObject({ memories: [{ id: 2 }] });
    expect(await activate()).toEqual({ workflow: null, memories: 1 });
    expect(await memory({ operation: 'search', query: 'llamas' })).toEqual({ memories: [] });
    expect(await activate('release 2')).toEqual({ workflow: 'release 2', memories: 1 });
  });

  it('refuses what does not fit, in words', async () => {
    const memory = toolOf();
    await expect(memory({ operation: 'forget' })).rejects.toThrow('Invalid option');
    await expect(memory({ operation: 'add', content: 'x' })).rejects.toThrow('"add" needs "type".');
    await expect(memory({ operation: 'search' })).rejects.toThrow('"search" needs "query".');
    await expect(memory(add('  '))).rejects.toThrow('content');
    await expect(memory(add('x'.repeat(8001)))).rejects.toThrow('content');
    await expect(memory({ ...add('x'), agent: 'ben' })).rejects.toThrow('Unrecognized key');
  });

  it('is there again later, for two at once', async () => {
    const root = mkdtempSync(join(tmpdir(), 'memory-'));
    const path = join(root, 'memory', 'agents.sqlite');
    const [one, other] = [toolOf(memoriesIn(path, root)), toolOf(memoriesIn(path, root))];
    await Promise.all([one(add('First llama.')), other(add('Second llama.'))]);
    const found = await toolOf(memoriesIn(path, root))({ operation: 'search', query: 'llama' });
    expect((found as { memories: unknown[] }).memories).toHaveLength(2);
  });

  it('never begins anew over what is damaged, and follows no link', async () => {
    const root = mkdtempSync(join(tmpdir(), 'memory-'));
    const path = join(root, 'agents.sqlite');
    writeFileSync(path, 'this was a database once, and now it is a note '.repeat(100));
    await expect(toolOf(memoriesIn(path, root))(add('x'))).rejects.toMatchObject({ code: 'corrupt' });
    expect(readFileSync(path, 'utf8')).toContain('this was a database once');
    symlinkSync(tmpdir(), join(root, 'away'));
    const linked = toolOf(memoriesIn(join(root, 'away', 'x', 'agents.sqlite'), root));
    await expect(linked(add('x'))).rejects.toMatchObject({ code: 'unsafe_path' });
  });
});
