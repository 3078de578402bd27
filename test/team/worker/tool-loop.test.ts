import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseAgent } from '../../../src/core/agents/agent.ts';
import { createModelRunner } from '../../../src/core/agents/runners/model.ts';
import type { SpeakResult } from '../../../src/core/agents/runners/turn-types.ts';
import { openApprovalDesk } from '../../../src/team/ports.ts';
import { findToolRisk, createToolLoop } from '../../../src/team/worker/tool-loop.ts';
import type { ToolPorts } from '../../../src/team/worker/tool-loop.ts';
import { readConfig } from '../../../src/core/base/config.ts';
import { layOutProject } from '../../../src/core/store/local/project.ts';
import { systemClock } from '../../../src/core/store/local/system.ts';
import { fakeModel } from '../../helpers/fake-model.ts';
import type { FakeModel, Reply } from '../../helpers/fake-model.ts';

const servers: FakeModel[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function modelThatSays(...replies: Reply[]): Promise<FakeModel> {
  let turn = 0;
  const started = await fakeModel(() => replies[Math.min(turn++, replies.length - 1)]!);
  servers.push(started);
  return started;
}

async function portsOf(settings = ''): Promise<ToolPorts> {
  const root = mkdtempSync(join(tmpdir(), 'worker-'));
  const config = await readConfig({
    text: `---\n${settings}\n---\n`,
    path: 'COUNCIL.md',
    env: {},
    flags: {},
  });
  const env = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'state-')) };
  return {
    features: [],
    project: layOutProject(root),
    config,
    env,
    clock: systemClock,
    mayRun: () => true,
    note: () => undefined,
  };
}

/** One launch of a worker of this model for the task T1, or another one. */
async function launch(
  ports: ToolPorts,
  { url }: FakeModel,
  task = 'T1',
  keys = '',
  session = 'S1',
): Promise<SpeakResult> {
  const text = `---\nname: mia\nmodel: openai-compatible/m\ncouncil:\n  runner: model\n  baseUrl: ${url}/v1\n  tools: [memory, TodoTool, calculator, Read]\n${keys}---\nYou are Mia.\n`;
  const agent = parseAgent(text, 'agents/mia.md', 'project');
  const loop = await createToolLoop(ports, { agent, session, task, wire: 'W1', threshold: 'high' });
  return createModelRunner().speak({
    agent,
    input: `Do ${task}.`,
    system: agent.persona,
    turn: null,
    toolServers: [],
    cwd: ports.project.root,
    env: ports.env,
    extraEnv: {},
    signal: new AbortController().signal,
    onSpawn: () => Promise.resolve(),
    ...(loop && { loop }),
  });
}

const said = (result: SpeakResult): string => result.output.toString();

describe('a model worker', () => {
  it('keeps what it learns for its next task, and its steps to one task', async () => {
    const ports = await portsOf();
    const remember = { operation: 'add', type: 'knowledge', content: 'The herd has 5 llamas.' };
    const first = await modelThatSays(
      {
        tools: [
          { name: 'memory', input: remember },
          { name: 'todo', input: { operation: 'create', title: 'Count' } },
          { name: 'calculator', input: { expression: '2 + 3' } },
        ],
      },
      { text: 'Five.' },
    );
    const result = await launch(ports, first);
    expect(said(result)).toBe('Five.');
    expect(result.loop!.calls.map(({ tool, ok }) => [tool, ok])).toEqual(
      expect.arrayContaining([
        ['memory', true],
        ['todo', true],
        ['calculator', true],
      ]),
    );
    expect(first.asked()[0]!.tools).toEqual(['memory', 'todo', 'calculator']);
    expect(first.asked()[1]!.raw).toMatch(/result\W+5/);
    const second = await modelThatSays(
      {
        tools: [
          { name: 'memory', input: { operation: 'search', query: 'llamas?' } },
          { name: 'todo', input: { operation: 'list' } },
        ],
      },
      { text: 'Still five.' },
    );
    expect(said(await launch(ports, second, 'T2'))).toBe('Still five.');
    const { raw } = second.asked()[1]!;
    expect(raw).toContain('The herd has 5 llamas.');
    expect(raw).toMatch(/todos[\W]+\[\]/);
  });

  it('waits for a person before a risky call, is refused, and says so', async () => {
    const ports = await portsOf('toolRisks: { "mem*": high, "*": low }\nlang: fr');
    const model = await modelThatSays(
      { tool: { name: 'memory', input: { operation: 'clear_by_type', type: 'decision' } } },
      { text: 'Then not.' },
    );
    expect(await launch(ports, model)).toMatchObject({ failure: 'cancelled', loop: { waitsFor: ['a1'] } });
    const desk = openApprovalDesk(ports, ports, ports.config);
    expect(await desk.list()).toMatchObject([
      {
        kind: 'tool',
        operation: 'memory',
        risk: 'high',
        requester: 'mia',
        task: 'S1/T1',
        details: { tool: 'memory', input: { operation: 'clear_by_type', type: 'decision' } },
      },
    ]);
    await desk.decide({ id: 'a1', by: 'maria', reason: 'we need them' });
    expect(said(await launch(ports, model))).toBe('Then not.');
    expect(model.asked()[1]!.raw).toContain('refusé : we need them');
    expect(model.asked()).toHaveLength(2);
  });

  it('makes an approved call once, and uses the approval up', async () => {
    const ports = await portsOf('toolRisks: { todo: high }');
    const create = { name: 'todo', input: { operation: 'create', title: 'Feed' } };
    const model = await modelThatSays({ tool: create }, { text: 'Planned.' });
    await launch(ports, model);
    const desk = openApprovalDesk(ports, ports, ports.config);
    await desk.decide({ id: 'a1', by: 'maria', reason: undefined });
    // The first task of another session is another task.
    const other = await modelThatSays({ tool: create });
    expect(await launch(ports, other, 'T1', '', 'S2')).toMatchObject({ loop: { waitsFor: ['a2'] } });
    expect(said(await launch(ports, model))).toBe('Planned.');
    expect((await desk.list()).map(({ status }) => status)).toEqual(['used', 'pending']);
    const todos = join(ports.project.shared, '.versions', '.todos');
    const [file] = readdirSync(todos).filter((name) => name.endsWith('.md'));
    expect(JSON.parse(readFileSync(join(todos, file!), 'utf8'))).toMatchObject({
      todos: [{ title: 'Feed' }],
    });
  });

  it('uses the tools of a server that its owner trusts, and is told of those that are missing', async () => {
    const notes: string[] = [];
    const trusted = await portsOf('toolRisks: { "*__fail": high }');
    const ports = {
      ...trusted,
      mayRun: ({ key }: { key: string }) => key !== 'mcp:shady',
      note: (line: string) => void notes.push(line),
    };
    const server = join(import.meta.dirname, '../../helpers/tool-server.ts');
    const starts = (...args: string[]) => ({
      command: process.execPath,
      args: [server, ...args],
      env: { NODE_NO_WARNINGS: '1' },
    });
    const mcpServers = {
      herd: starts(),
      shady: starts(),
      broken: starts('crash'),
      unused: { command: 'never-run' },
    };
    writeFileSync(join(ports.project.root, '.mcp.json'), JSON.stringify({ mcpServers }));
    const keys = '  mcp_servers: [herd, shady, broken, gone]\n';
    const model = await modelThatSays(
      { tool: { name: 'herd__add', input: { a: 2, b: 3 } } },
      { tool: { name: 'herd__die', input: {} } },
      { tool: { name: 'herd__add', input: { a: 1, b: 1 } } },
      { text: 'Five, and then it died.' },
    );
    const result = await launch(ports, model, 'T1', keys);
    expect(said(result)).toBe('Five, and then it died.');
    expect(result.loop!.calls.map(({ tool, kind, ok }) => [tool, kind, ok])).toEqual([
      ['herd__add', 'mcp', true],
      ['herd__die', 'mcp', false],
      ['herd__add', 'mcp', false],
    ]);
    const [first, , third] = model.asked();
    expect(first!.tools).toContain('herd__add');
    expect(first!.tools.join()).not.toMatch(/shady|broken|unused/);
    expect(first!.system).toMatch(/^You are Mia\.\n\n/);
    expect(first!.system).toContain('The tools of shady are missing: nobody has trusted it.');
    expect(first!.system).toMatch(/The tools of broken are missing: .*no hay today/);
    expect(first!.system).toContain('The tools of gone are missing: there is no such server in .mcp.json.');
    expect(third!.raw).toContain('out of hay');
    expect(notes).toHaveLength(3);
    const risky = await modelThatSays({ tool: { name: 'herd__fail', input: {} } });
    expect(await launch(ports, risky, 'T2', keys)).toMatchObject({ loop: { waitsFor: ['a1'] } });
    expect(await openApprovalDesk(ports, ports, ports.config).list()).toMatchObject([{ kind: 'mcp' }]);
  });

  it('is asked once, without tools, where its file names none of council', async () => {
    const ports = await portsOf();
    const agent = parseAgent(
      '---\ntools: Read, Grep\ncouncil: { runner: model }\n---\n',
      'agents/a.md',
      'project',
    );
    expect(
      await createToolLoop(ports, { agent, session: 'S1', task: 'T1', wire: 'W1', threshold: 'high' }),
    ).toBeUndefined();
  });
});

describe('the risk of a tool', () => {
  it('is the highest of the patterns that match its name', () => {
    const risks = { '*': 'low', 'files__*': 'medium', '*delete*': 'high', exact: 'medium' } as const;
    expect(findToolRisk('files__delete_all', risks)).toBe('high');
    expect(findToolRisk('files__read', risks)).toBe('medium');
    expect(findToolRisk('exact', risks)).toBe('medium');
    expect(findToolRisk('exactly', risks)).toBe('low');
    expect(findToolRisk('anything', {})).toBeUndefined();
  });
});
