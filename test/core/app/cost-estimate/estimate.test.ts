import { describe, expect, it } from 'vitest';
import { estimateCouncil } from '../../../../src/core/app/cost-estimate/council-estimate.ts';
import type { Seat } from '../../../../src/core/app/cost-estimate/council-estimate.ts';
import { findModelPrice, estimateTokens } from '../../../../src/core/agents/prices.ts';
import type { UsageRecord } from '../../../../src/core/council/state/state.ts';

const launch = (
  inputTokens: number | null,
  outputTokens: number | null,
  costUsd: number | null,
): UsageRecord => ({
  ...{
    participant: 'ada',
    phase: 'COLLECT',
    tour: 1,
    at: '2026-11-01T00:00:00.000Z',
    model: 'm',
    ms: 1,
    ok: true,
  },
  ...{ inputTokens, outputTokens, costUsd },
});
const seat = (id: string, more: Partial<Seat> = {}): Seat => ({
  ...{
    id,
    isCoordinator: false,
    bytes: 4000,
    common: 3000,
    modelKey: id,
    price: { input: 1, output: 10 },
    earlier: [],
  },
  ...more,
});
const DEBATE = ['COLLECT', 'CHALLENGE', 'RESOLVE', 'SYNTHESIZE'] as const;

describe('the estimate of a council', () => {
  it('grows by what is said from round to round', () => {
    const [ada] = estimateCouncil([seat('ada'), seat('ben')], [...DEBATE], { repeat: 1 });
    // 1000 tokens of prompt, and 800 of each of the two for every round before.
    expect(ada).toEqual({
      ...{ id: 'ada', launches: 3, inputTokens: 1000 + 2600 + 4200, outputTokens: 2400, earlier: 0 },
      ...{ isCoordinator: false, prompts: [1000, 2600, 4200] },
      // What all share is known from the second prompt on, what was said in a round from the one after the next.
      cacheableTokens: 750 + (750 + 1600),
      costUsd: (7800 * 1 + 2400 * 10) / 1e6,
    });
  });

  it('plays CHALLENGE and RESOLVE as often as they may be repeated, and the coordinator once', () => {
    const [ada, maman] = estimateCouncil([seat('ada'), seat('maman', { isCoordinator: true })], [...DEBATE], {
      repeat: 3,
    });
    expect(ada?.launches).toBe(7);
    expect(maman).toMatchObject({ launches: 1, inputTokens: 1000 + 7 * 800 });
    expect(estimateCouncil([seat('ada')], ['COLLECT', 'SYNTHESIZE'], { repeat: 9 })[0]?.launches).toBe(1);
  });

  it('knows what all share from another seat of the same model', () => {
    const seats = [seat('ada'), seat('ben', { modelKey: 'ada' }), seat('maman', { isCoordinator: true })];
    const known = (of: Seat[]) =>
      estimateCouncil(of, ['COLLECT', 'SYNTHESIZE'], { repeat: 1 }).map((one) => one.cacheableTokens);
    expect(known(seats)).toEqual([0, 750, 0]);
    expect(known([...seats.slice(0, 2), { ...seats[2]!, modelKey: 'ada' }])).toEqual([0, 750, 750]);
  });

  it('goes by earlier launches: at least what they took, answers as long, and what was billed', () => {
    const earlier = [launch(9000, 100, 0.02), launch(11_000, 300, 0.02), launch(10_000, null, null)];
    const [ada] = estimateCouncil([seat('ada', { earlier })], ['COLLECT', 'SYNTHESIZE'], { repeat: 1 });
    expect(ada).toMatchObject({ inputTokens: 10_000, outputTokens: 200, earlier: 3 });
    expect(ada?.costUsd).toBeCloseTo((0.04 / 20_400) * 10_200);
    const large = estimateCouncil([seat('ada', { earlier, bytes: 400_000 })], ['COLLECT', 'SYNTHESIZE'], {
      repeat: 1,
    })[0];
    expect(large?.inputTokens).toBe(100_000);
  });

  it('knows no cost where nobody has told one', () => {
    expect(
      estimateCouncil([seat('ada', { price: undefined })], [...DEBATE], { repeat: 1 })[0]?.costUsd,
    ).toBeNull();
    const earlier = [launch(10, 10, null)];
    expect(
      estimateCouncil([seat('ada', { price: undefined, earlier })], [...DEBATE], { repeat: 1 })[0]?.costUsd,
    ).toBeNull();
    expect(estimateTokens(5)).toBe(2);
  });
});

describe('the price of a model', () => {
  it.each([
    ['claude-opus-5-5[1m]', 4, 20],
    ['anthropic/claude-opus-4-8', 5, 25],
    ['claude-opus-4-1-20250805', 15, 75],
    ['sonnet', 2, 10],
    ['openai/gpt-5-mini', 0.25, 2],
    ['GPT-5.4', 2.5, 15],
    ['google/gemini-2.5-pro', 1.25, 10],
  ])('of %s is that of the longest name that fits', (model, input, output) => {
    expect(findModelPrice(model, {})).toMatchObject({ input, output });
  });

  it('is not guessed, and is what the project says', () => {
    expect(findModelPrice('some-model', {})).toBeUndefined();
    expect(findModelPrice('my-claude-opus', {})).toBeUndefined();
    const own = { 'claude-opus': { input: 1, output: 2 }, 'local/': { input: 0, output: 0 } };
    expect(findModelPrice('claude-opus-5-5', own)).toEqual({ input: 1, output: 2 });
    expect(findModelPrice('local/llama', own)).toEqual({ input: 0, output: 0 });
    expect(findModelPrice('constructor', {})).toBeUndefined();
  });
});
