import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { fakeModel } from '../helpers/fake-model.ts';
import type { Asked, FakeModel, Reply } from '../helpers/fake-model.ts';

const servers: FakeModel[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

interface Shown {
  task?: { id: string; state: string; worker: string; result: string; approval?: string | null };
}

/** An agent whose model answers at `url`, and whose persona is its id. */
function addModel(project: Project, url: string, id: string, council: object): void {
  const keys = { runner: 'model', baseUrl: `${url}/v1`, ...council };
  const head = `name: ${id}\nmodel: openai-compatible/m\ncouncil: ${JSON.stringify(keys)}`;
  project.write(`agents/${id}.md`, `---\n${head}\n---\nYou are ${id}.\n`);
}

/** A worker of a model that gives these answers one after the other. */
async function withModel(
  replies: (Reply | ((asked: Asked) => Reply))[],
  council: Record<string, unknown> = {},
): Promise<{ project: Project; model: FakeModel }> {
  let turn = 0;
  const model = await fakeModel((asked) => {
    const reply = replies[Math.min(turn++, replies.length - 1)]!;
    return typeof reply === 'function' ? reply(asked) : reply;
  });
  servers.push(model);
  const project = await newProject();
  const keys = {
    runner: 'model',
    baseUrl: `${model.url}/v1`,
    tools: ['memory', 'todo', 'calculator'],
    capabilities: ['data_analysis'],
    ...council,
  };
  const head = `name: mia\nmodel: openai-compatible/some-model\ncouncil: ${JSON.stringify(keys)}`;
  project.write('agents/mia.md', `---\n${head}\n---\nYou are Mia.\n`);
  return { project, model };
}

const calls = (name: string, input: Record<string, unknown>): Reply => ({ tool: { name, input } });

describe.concurrent('a model worker', () => {
  it('calculates, remembers, and answers a task', async () => {
    const { project, model } = await withModel([
      {
        tools: [
          { name: 'calculator', input: { expression: '1250 * 12' } },
          { name: 'memory', input: { operation: 'add', type: 'knowledge', content: 'A year costs 15,000.' } },
        ],
      },
      { text: 'It costs 15,000 a year.' },
      calls('memory', { operation: 'search', query: 'year cost' }),
      { text: 'As I said: 15,000.' },
    ]);
    const run = await project.council<Shown>([
      'task',
      'run',
      'What does a year cost?',
      '--to',
      'mia',
      '--json',
    ]);
    expect(run.json.task).toMatchObject({ state: 'D', worker: 'mia', result: 'It costs 15,000 a year.' });
    const trace = await project.council(['task', 'trace', 'S1/T1']);
    expect(trace.stdout).toMatch(/├─ S1\/T1#1\.1 calculator \(done, \d+ms\)\n +└─ S1\/T1#1\.2 memory \(done/);
    const again = await project.council<Shown>([
      'task',
      'run',
      'And once more?',
      '--needs',
      'data_analysis',
      '--json',
    ]);
    expect(again.json.task).toMatchObject({ state: 'D', result: 'As I said: 15,000.' });
    const reports = readdirSync(join(project.root, 'memory/reports')).map((file) =>
      project.read(`memory/reports/${file}`).toString(),
    );
    expect(reports.join()).toMatch(/- `calculator`: 1 call \(avg \d+ms\)/);
    const [first, , , last] = model.asked();
    expect(first).toMatchObject({ tools: ['memory', 'todo', 'calculator'], system: 'You are Mia.' });
    expect(last!.raw).toContain('A year costs 15,000.');
  });

  it('waits for a person, keeps its place free meanwhile, and goes on with what was said', async () => {
    const { project, model } = await withModel([
      calls('memory', { operation: 'clear_by_type', type: 'decision' }),
      { text: 'Cleared.' },
    ]);
    project.write('COUNCIL.md', '---\ntoolRisks: { memory: high }\n---\n');
    const running = project.launch(['task', 'run', 'Clear what was decided.', '--to', 'mia', '--json']);
    await until('the request is listed', async () => {
      const { json } = await project.council<{
        approvals: { id: string; operation: string; requester: string }[];
      }>(['approvals', 'list', '--json']);
      return json.approvals.some(
        ({ id, operation, requester }) => id === 'a1' && operation === 'memory' && requester === 'mia',
      );
    });
    await until('the task waits', async () => {
      const { json } = await project.council<Shown>(['task', 'show', 'T1', '--json']);
      return json.task?.state === 'R' && json.task.approval === 'a1';
    });
    expect((await project.council(['approvals', 'approve', 'a1', '--as', 'maria'])).code).toBe(0);
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Shown).task).toMatchObject({ state: 'D', result: 'Cleared.' });
    expect(model.asked()).toHaveLength(2);
    expect(model.asked()[1]!.raw).toMatch(/deleted\W+0/);
  });

  it('is told of a rejection, also in a tick', async () => {
    const { project, model } = await withModel([
      calls('todo', { operation: 'create', title: 'Sell the llamas' }),
      { text: 'I was told not to.' },
    ]);
    project.write('COUNCIL.md', '---\ntoolRisks: { "t*o": high }\n---\n');
    const running = project.launch(['task', 'run', 'Plan the sale.', '--to', 'mia']);
    await until('the task waits', async () => {
      const { json } = await project.council<Shown>(['task', 'show', 'T1', '--json']);
      return json.task?.approval === 'a1';
    });
    running.child.kill('SIGKILL');
    await running.ended;
    await project.council(['approvals', 'reject', 'a1', '--as', 'maria', '--reason', 'we keep them']);
    await until('the task is done', async () => {
      await project.council(['tick']);
      const { json } = await project.council<Shown>(['task', 'show', 'T1', '--json']);
      return json.task?.state === 'D';
    });
    const { json } = await project.council<Shown>(['task', 'show', 'T1', '--json']);
    expect(json.task!.result).toBe('I was told not to.');
    expect(model.asked()[1]!.raw).toContain('rejected: we keep them');
    expect(model.asked()).toHaveLength(2);
  });

  it('uses an MCP server that its owner has trusted by hand', async () => {
    const { project, model } = await withModel([calls('herd__add', { a: 2, b: 3 }), { text: 'Five.' }], {
      mcp_servers: ['herd'],
    });
    const args = [join(import.meta.dirname, '../helpers/tool-server.ts')];
    const herd = { command: process.execPath, args, env: { NODE_NO_WARNINGS: '1' } };
    project.write('.mcp.json', JSON.stringify({ mcpServers: { herd } }));
    const run = await project.council<Shown>(['task', 'run', 'Add.', '--to', 'mia', '--json']);
    expect(run.json.task).toMatchObject({ state: 'D', result: 'Five.' });
    const [report] = readdirSync(join(project.root, 'memory/reports'));
    expect(project.read(`memory/reports/${report}`).toString()).toMatch(
      /- `herd::add`: 1 call \(avg \d+ms\)/,
    );
    const listed = await project.council<{ items: { key: string; state: string }[] }>([
      'trust',
      '--list',
      '--json',
    ]);
    expect(listed.json.items).toEqual(
      expect.arrayContaining([expect.objectContaining({ key: 'mcp:herd', state: 'trusted' })]),
    );
    expect(model.asked()[0]!.system).toBe('You are Mia.');
  });

  it('splits its budget among those who do parts of its task', async () => {
    const model = await fakeModel(({ system, toolResult }) => {
      if (system.includes('You are ada.')) return { text: 'done' };
      if (toolResult) return { text: 'All of it.' };
      const part = (instruction: string, budget?: number) => ({
        name: 'delegate',
        input: { instruction, worker: 'ada', ...(budget !== undefined && { budget }) },
      });
      return {
        tools: [part('one', 5000), part('two', 6000), part('three'), part('four', 1000), part('five', 10)],
      };
    });
    servers.push(model);
    const project = await newProject();
    addModel(project, model.url, 'boss', { role: 'orchestrator' });
    addModel(project, model.url, 'ada', { capabilities: ['summarize'], concurrency: 4 });
    await project.council(['task', 'run', 'Do it.', '--to', 'boss', '--budget', '8000', '--json']);
    const { raw } = model.asked().findLast(({ system }) => system.includes('You are boss.'))!;
    expect(raw).toContain('E17: you have 3000 tokens left, and it would get 6000.');
    expect(raw).toContain('3 tasks is the most that you may give away for one of yours; you have 3.');
    const { json } = await project.council<{ tasks: { text: string; state: string; budget: number }[] }>([
      'task',
      'list',
      '--all',
      '--json',
    ]);
    const budgets = Object.fromEntries(json.tasks.map(({ text, budget }) => [text, budget]));
    expect(budgets.three).toBeLessThanOrEqual(1500);
    expect(Object.keys(budgets).toSorted()).toEqual(['Do it.', 'four', 'one', 'three']);
  });

  it('has workers do tasks where it is an orchestrator, and workers have nobody', async () => {
    const model = await fakeModel(({ system, toolResult, raw, users }) => {
      if (system.includes('You are ada.'))
        return { text: `${/Count the (\w+)/.exec(users.at(-1) ?? '')?.[1]}: 5` };
      if (!toolResult)
        return {
          tools: [
            { name: 'delegate', input: { instruction: 'Count the llamas', needs: ['summarize'] } },
            { name: 'delegate', input: { instruction: 'Count the goats', worker: 'nobody' } },
          ],
        };
      if (!raw.includes('geese'))
        return {
          tool: {
            name: 'parallel',
            input: {
              tasks: [
                { instruction: 'Count the geese', worker: 'ada' },
                { instruction: 'Count the ducks', needs: ['summarize'] },
              ],
            },
          },
        };
      if (!raw.includes('beetles'))
        return calls('delegate', { instruction: 'Count the beetles', worker: 'ada' });
      if (!raw.includes('"list') && !raw.includes('list\\"'))
        return calls('spawn', { operation: 'list_children' });
      return { text: 'Five of each.' };
    });
    servers.push(model);
    const project = await newProject();
    addModel(project, model.url, 'boss', { role: 'orchestrator' });
    addModel(project, model.url, 'ada', {
      capabilities: ['summarize'],
      tools: ['calculator'],
      concurrency: 2,
    });
    const args = ['task', 'run', 'Count the animals.', '--to', 'boss', '--concurrency', '1', '--json'];
    const run = await project.council<Shown>(args);
    expect(run.json.task).toMatchObject({ state: 'D', worker: 'boss', result: 'Five of each.' });
    const asked = model.asked();
    const bosses = asked.filter(({ system }) => system.includes('You are boss.'));
    expect(bosses[0]!.tools).toEqual(['delegate', 'parallel', 'spawn']);
    expect(bosses[0]!.users[0]).toContain('- W1 (ada): summarize');
    expect(bosses.at(-1)!.raw).toContain('llamas: 5');
    expect(bosses.at(-1)!.raw).toContain('geese: 5');
    expect(bosses.at(-1)!.raw).toContain('E41: there is no worker nobody. There are: ada.');
    // llamas, geese and ducks: that was all it may give away.
    expect(bosses.at(-1)!.raw).toContain(
      '3 tasks is the most that you may give away for one of yours; you have 3.',
    );
    const workers = asked.filter(({ system }) => system.includes('You are ada.'));
    expect(workers).toHaveLength(3);
    for (const { tools } of workers) expect(tools).toEqual(['calculator']);
    const listed = await project.council<{ tasks: { state: string }[] }>(['task', 'list', '--all', '--json']);
    expect(listed.json.tasks.map(({ state }) => state)).toEqual(['D', 'D', 'D', 'D']);
    interface Traced {
      trace: {
        root: { parent: string | null; children: { kind: string; name: string; parent: string }[] };
      };
    }
    const { root } = (await project.council<Traced>(['task', 'trace', 'T1', '--json'])).json.trace;
    const parts = root.children.filter(({ kind }) => kind === 'task');
    expect(parts.map(({ name }) => name.split(' ').at(-1)).sort()).toEqual(['ducks', 'geese', 'llamas']);
    expect(new Set(parts.map(({ parent }) => parent))).toEqual(new Set(['S1/T1']));
    const part = await project.council<Traced>(['task', 'trace', 'T2', '--json']);
    expect(part.json.trace.root.parent).toBe('S1/T1');
  });

  it('makes temporary workers with prompts of their own, three at the most, who are there for one task each', async () => {
    const model = await fakeModel(({ system, toolResult, raw }) => {
      if (system.includes('You are a shepherd.')) return { text: 'Twelve llamas.' };
      const spawn = { operation: 'spawn', prompt: 'You are a shepherd.', instruction: 'Count the llamas' };
      if (!toolResult) return { tools: [{ name: 'spawn', input: spawn }] };
      if (!raw.includes('list_children\\"')) return calls('spawn', { operation: 'list_children' });
      if (!raw.includes('more llamas'))
        return {
          tools: [1, 2, 3].map(() => ({
            name: 'spawn',
            input: { ...spawn, instruction: 'Count more llamas' },
          })),
        };
      if (!raw.includes('terminate\\"')) return calls('spawn', { operation: 'terminate', id: 'T2' });
      return { text: 'All counted.' };
    });
    servers.push(model);
    const project = await newProject();
    project.write('COUNCIL.md', '---\ntaskParts: 9\n---\n');
    addModel(project, model.url, 'boss', { role: 'orchestrator', tools: ['memory'] });
    const run = await project.council<Shown>(['task', 'run', 'Count.', '--to', 'boss', '--json']);
    expect(run.json.task).toMatchObject({ state: 'D', result: 'All counted.' });
    const asked = model.asked();
    const shepherds = asked.filter(({ system }) => system.includes('You are a shepherd.'));
    expect(shepherds).toHaveLength(3);
    for (const { tools, system } of shepherds) {
      expect(tools).toEqual(['memory']);
      expect(system).not.toContain('boss');
    }
    const { raw } = asked.findLast(({ system }) => system.includes('You are boss.'))!;
    expect(raw).toContain('Twelve llamas.');
    expect(raw).toContain('One task may have at most 3 temporary workers.');
    const { json } = await project.council<{ tasks: { id: string; worker: string; state: string }[] }>([
      'task',
      'list',
      '--all',
      '--json',
    ]);
    expect(json.tasks.map(({ worker }) => worker).sort()).toEqual(['boss', 'boss-s2', 'boss-s3', 'boss-s4']);
    const trace = await project.council<{ trace: { root: { children: { kind: string }[] } } }>([
      'task',
      'trace',
      'S1/T1',
      '--json',
    ]);
    expect(trace.json.trace.root.children.filter(({ kind }) => kind === 'task')).toHaveLength(3);
    expect((await project.council(['agents', 'list'])).stdout).not.toContain('boss-s');
    // What outlives the task of its parent is not done again.
    const again = await project.council<Shown>(['task', 'retry', 'S2/T2', '--json']);
    expect(again.code).not.toBe(0);
    expect(model.asked()).toHaveLength(asked.length);
  });
});
