import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COST_KEYS, buildCostReport } from '../../../src/core/archive/cost.ts';
import { sumUsage, sumTokens, addUsage } from '../../../src/core/council/state/budget.ts';
import type { UsageRecord } from '../../../src/core/council/state/state.ts';

const record = (over: Partial<UsageRecord> = {}): UsageRecord => ({
  participant: 'ada',
  phase: 'COLLECT',
  tour: 1,
  at: '2026-11-20T23:59:59.000Z',
  model: 'large',
  inputTokens: 100,
  outputTokens: 10,
  costUsd: 0.1,
  ms: 5,
  ok: true,
  ...over,
});
const silent = { model: null, inputTokens: null, outputTokens: null, costUsd: null };
const councils = [
  { council: 'one', usage: [record(), record({ participant: 'bob', ...silent })] },
  { council: 'two', usage: [record({ at: '2026-11-21T00:00:00.000Z', costUsd: 0.2, model: 'small' })] },
];

describe('sums of launches', () => {
  it('count what is unknown apart, and never as 0', () => {
    expect(
      sumUsage([
        record({ cachedTokens: 60, prompt: { bytes: 400, cacheable: 300 } }),
        record({ ...silent }),
        record({ costUsd: null }),
      ]),
    ).toEqual({
      launches: 3,
      inputTokens: 200,
      cachedTokens: 60,
      outputTokens: 20,
      costUsd: 0.1,
      prompt: { bytes: 400, cacheable: 300 },
      unknownTokens: 1,
      unknownCost: 2,
    });
    expect(sumUsage([record(silent)])).toMatchObject({
      inputTokens: null,
      cachedTokens: null,
      costUsd: null,
    });
    expect(sumTokens({ inputTokens: 5, outputTokens: null })).toBe(5);
    expect(sumUsage([record(), record({ costUsd: 0.2 })]).costUsd).toBe(0.3);
  });

  it('are made by agent, model, council and day, from a day on', () => {
    const keys = (by: (typeof COST_KEYS)[number], since: string | null = null) =>
      buildCostReport(councils, by, since).rows.map((r) => `${r.key} ${r.launches} ${r.costUsd}`);
    expect(keys('agent')).toEqual(['ada 2 0.3', 'bob 1 null']);
    expect(keys('model')).toEqual(['small 1 0.2', 'large 1 0.1', 'null 1 null']);
    expect(keys('council')).toEqual(['two 1 0.2', 'one 2 0.1']);
    expect(keys('day')).toEqual(['2026-11-20 2 0.1', '2026-11-21 1 0.2']);
    expect(keys('agent', '2026-11-21')).toEqual(['ada 1 0.2']);
    expect(buildCostReport([], 'agent', null)).toMatchObject({
      rows: [],
      total: { launches: 0, costUsd: null },
    });
  });

  it('keep apart the programs that asked the same model', () => {
    const usage = [
      record({ program: 'claude' }),
      record({ program: 'opencode' }),
      record({ program: 'claude', costUsd: 0.4 }),
      // Noted by an older build.
      record(),
      record({ program: 'codex', ...silent }),
    ];
    const { rows } = buildCostReport([{ council: 'one', usage }], 'model', null);
    expect(rows.map((r) => `${r.key} ${r.program} ${r.launches} ${r.costUsd}`)).toEqual([
      'large claude 2 0.5',
      'large null 1 0.1',
      'large opencode 1 0.1',
      'null codex 1 null',
    ]);
    expect(buildCostReport([{ council: 'one', usage }], 'day', null).rows).toHaveLength(1);
  });

  const records = fc.array(
    fc.record({
      at: fc.constantFrom('2026-11-20T01:00:00.000Z', '2026-11-21T01:00:00.000Z', '2026-11-22T01:00:00.000Z'),
      participant: fc.constantFrom('ada', 'bob', 'eve'),
      model: fc.constantFrom('large', null),
      tour: fc.nat(3),
      inputTokens: fc.option(fc.nat(1000)),
      outputTokens: fc.option(fc.nat(1000)),
      costUsd: fc.option(fc.nat(1000).map((n) => n / 1000)),
    }),
  );

  it('are the same in total whatever they are grouped by', () => {
    fc.assert(
      fc.property(records, records, (a, b) => {
        const input = [a, b].map((usage, at) => ({ council: `c${at}`, usage: usage.map(record) }));
        for (const by of COST_KEYS) {
          const { rows, total } = buildCostReport(input, by, null);
          for (const key of ['launches', 'unknownTokens', 'unknownCost', 'inputTokens', 'costUsd'] as const)
            expect(rows.reduce((sum, row) => sum + (row[key] ?? 0), 0)).toBeCloseTo(total[key] ?? 0);
        }
      }),
    );
  });

  it('take every launch once, however often it is told', () => {
    fc.assert(
      fc.property(records, records, (a, b) => {
        const known = addUsage([], a.map(record));
        const all = addUsage(known, b.map(record));
        expect(addUsage(all, [...all, ...known])).toEqual(all);
        const launch = (r: UsageRecord) => `${r.participant} ${r.tour} ${r.at}`;
        expect(new Set(all.map(launch)).size).toBe(all.length);
        expect(new Set([...a, ...b].map((r) => launch(record(r)))).size).toBe(all.length);
      }),
    );
  });
});
