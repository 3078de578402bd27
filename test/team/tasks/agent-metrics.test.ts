import { describe, expect, it } from 'vitest';
import { assessAgentCondition, computeAgentMetrics } from '../../../src/team/tasks/agent-metrics.ts';
import type { ReportedTask } from '../../../src/team/tasks/agent-metrics.ts';
import { parseReport } from '../../../src/team/tasks/read-report.ts';
import { buildTask } from '../../../src/team/tasks/task.ts';
import type { Task, TaskLaunch } from '../../../src/team/tasks/task.ts';
import { buildTrace } from '../../../src/team/tasks/task-trace.ts';

const START = Date.parse('2026-01-11T16:30:00.000Z');
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();
const launch = (
  worker: string,
  from: number,
  to: number | null,
  more: Partial<TaskLaunch> = {},
): TaskLaunch => ({
  worker,
  wire: 'W1',
  at: at(from),
  endedAt: to === null ? null : at(to),
  outcome: to === null ? null : 'done',
  error: null,
  usage: null,
  ...more,
});
const failure = { outcome: 'failed', error: { code: 'E20', text: 'late' } } as const;
const usage = (inputTokens: number, costUsd: number | null) => ({
  usage: { model: 'm', inputTokens, outputTokens: 5, costUsd },
});
const task = (id: string, launches: TaskLaunch[], more: Partial<Task> = {}): Task => ({
  ...buildTask({ id, session: 'S1', text: `do ${id}` }, at(0)),
  worker: launches.at(-1)?.worker ?? null,
  state: 'D',
  launches,
  endedAt: at(60),
  ...more,
});
const done = (one: Task, report?: string): ReportedTask => ({
  task: one,
  report: report === undefined ? undefined : parseReport(report),
});

const REPORT = `# Agent Report: w1

## Results

## Tools Used

- \`sql\`: 3 queries (avg 45ms)
- \`cache\`: 2 hits, 1 miss
- \`sql\`: 1 requête (moyenne 85 ms, 1 en échec)
- \`notes\`

## MCP Servers Called

- \`serena\`: 23 calls (avg 120ms)
- \`serena::find_symbol\`: 15 calls
- \`serena::read_file\`: 8 calls
- \`context7\`: 12 calls

## Metadata

- Cost: €0.5
`;

describe('metrics', () => {
  it('count tasks, launches, times, tokens, errors, tools and servers', () => {
    const all = [
      done(
        task('T1', [
          launch('w1', 0, 10, { ...failure, ...usage(100, 0.1) }),
          launch('w1', 20, 24, usage(10, 0.2)),
        ]),
        REPORT,
      ),
      done(
        task('T2', [launch('w2', 0, 9, failure), launch('w1', 0, 2, { outcome: 'interrupted' })], {
          state: 'F',
        }),
      ),
      done(task('T3', [launch('w1', 30, null)], { state: 'R', endedAt: null })),
    ];
    expect(computeAgentMetrics('w1', all)).toEqual({
      id: 'w1',
      tasks: { done: 1, failed: 1, cancelled: 0, open: 1 },
      launches: 3,
      success_rate: 0.5,
      durations: { average: 5333, longest: 10_000, total: 16_000 },
      tokens: { input: 110, output: 10 },
      cost: [{ amount: 0.30000000000000004, currency: 'USD' }],
      errors: { E20: 1 },
      tools: [
        { name: 'sql', calls: 4, avg_ms: 55, success_rate: null },
        { name: 'cache', calls: 2, avg_ms: null, success_rate: null },
        { name: 'notes', calls: 1, avg_ms: null, success_rate: null },
      ],
      mcp: [
        {
          name: 'serena',
          calls: 23,
          avg_ms: 120,
          success_rate: null,
          tools: [
            { name: 'find_symbol', calls: 15, avg_ms: null, success_rate: null },
            { name: 'read_file', calls: 8, avg_ms: null, success_rate: null },
          ],
        },
        { name: 'context7', calls: 12, avg_ms: null, success_rate: null, tools: [] },
      ],
    });
    expect(computeAgentMetrics('w1', [done(task('T1', [launch('w1', 0, 1)]), REPORT)]).cost).toEqual([
      { amount: 0.5, currency: 'EUR' },
    ]);
    expect(computeAgentMetrics('nobody', all)).toMatchObject({
      launches: 0,
      success_rate: null,
      durations: { average: null },
    });
  });
});

it('tells how many calls of each tool went well, where council has made them', () => {
  const call = (tool: string, kind: 'tool' | 'mcp', ok: boolean) => ({ tool, kind, ok, durationMs: 5 });
  const calls = [
    call('memory', 'tool', true),
    call('memory', 'tool', false),
    call('serena__find_symbol', 'mcp', true),
  ];
  const report =
    '# Agent Report: w1\n\n## Tools Used\n- `memory`: 2 calls\n\n## MCP Servers Called\n- `serena::find_symbol`: 1 call\n';
  expect(
    computeAgentMetrics('w1', [done(task('T1', [launch('w1', 0, 1, { calls })]), report)]),
  ).toMatchObject({
    tools: [{ name: 'memory', calls: 2, success_rate: 0.5 }],
    mcp: [{ name: 'serena', success_rate: 1, tools: [{ name: 'find_symbol', success_rate: 1 }] }],
  });
});

describe('health', () => {
  const well = { health: undefined, silentSince: undefined, now: START };
  const ran = (failed: number, ok: number): ReportedTask[] =>
    Array.from({ length: failed + ok }, (_, index) =>
      done(task(`T${index + 1}`, [launch('w1', index, index + 1, index < ok ? {} : failure)])),
    );

  it('is Degraded above 20 % of the last 20, and while the breaker is half-open', () => {
    expect(assessAgentCondition('w1', [], well)).toEqual({
      id: 'w1',
      status: 'Healthy',
      reasons: [],
      last_success: null,
      error_rate: null,
    });
    expect(assessAgentCondition('w1', ran(4, 30), well)).toMatchObject({
      status: 'Healthy',
      error_rate: 0.2,
      last_success: at(30),
    });
    expect(assessAgentCondition('w1', ran(5, 30), well)).toMatchObject({
      status: 'Degraded',
      reasons: ['5 of the last 20 launches failed.'],
    });
    const health = { failures: 3, at: at(-61), until: at(-1), reason: 'it timed out' };
    expect(assessAgentCondition('w1', [], { ...well, health })).toMatchObject({ status: 'Degraded' });
  });

  it('is Down while the breaker is open, and without a heartbeat', () => {
    const health = { failures: 3, at: at(-10), until: at(50), reason: 'it timed out' };
    expect(assessAgentCondition('w1', ran(5, 0), { ...well, health })).toMatchObject({
      status: 'Down',
      reasons: [
        /before .*: 3 launches failed in a row: it timed out\.$/,
        '5 of the last 5 launches failed.',
      ].map((one) => (typeof one === 'string' ? one : (expect.stringMatching(one) as string))),
    });
    expect(assessAgentCondition('w1', [], { ...well, silentSince: at(-90) })).toMatchObject({
      status: 'Down',
    });
  });
});

it('traces launches and parts, and where the time went', () => {
  const first = task(
    'T1',
    [launch('w1', 5, 15, { outcome: 'handed_on' }), launch('w1', 40, 50, usage(7, null))],
    { children: 1 },
  );
  const part = {
    ...task('T1.1', [launch('w2', 20, 35)], { parent: 'T1' }),
    createdAt: at(15),
    endedAt: at(35),
  };
  const foreign = { ...task('T1.1', [launch('w9', 0, 60)], { parent: 'T1' }), session: 'S2' };
  const trace = buildTrace(first, [first, part, foreign], START);
  expect(trace.time).toEqual({
    total: 60_000,
    working: 35_000,
    waiting: 25_000,
    by_worker: { w1: 20_000, w2: 15_000 },
  });
  expect(trace.slowest).toEqual({ id: 'S1/T1.1#1', name: 'w2', ms: 15_000 });
  expect(trace.root.children.map(({ id, parent }) => [id, parent])).toEqual([
    ['S1/T1#1', 'S1/T1'],
    ['S1/T1.1', 'S1/T1'],
    ['S1/T1#2', 'S1/T1'],
  ]);
  const calls = [
    { tool: 'memory', kind: 'tool', ok: true, durationMs: 12 },
    { tool: 'db__ask', kind: 'mcp', ok: false, durationMs: 30 },
  ] as const;
  const called = buildTrace({ ...first, launches: [launch('w1', 5, 6, { calls: [...calls] })] }, [], START);
  expect(called.root.children[0]?.children).toMatchObject([
    { id: 'S1/T1#1.1', parent: 'S1/T1#1', kind: 'tool', name: 'memory', state: 'D', ms: 12 },
    { id: 'S1/T1#1.2', parent: 'S1/T1#1', kind: 'mcp', name: 'db__ask', state: 'F', ms: 30 },
  ]);
  expect([called.time.working, called.slowest?.id]).toEqual([1000, 'S1/T1#1']);
  const running = buildTrace(
    { ...first, endedAt: null, launches: [launch('w1', 5, null)] },
    [],
    START + 65_000,
  );
  expect(running.time).toMatchObject({ total: 65_000, working: 60_000, waiting: 5_000 });
});
