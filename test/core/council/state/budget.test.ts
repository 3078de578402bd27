import { describe, expect, it } from 'vitest';
import { findShortage, NO_MORE } from '../../../../src/core/council/state/budget.ts';
import type { CouncilState, Reservation, UsageRecord } from '../../../../src/core/council/state/state.ts';

const LEASES = { ada: 'lease-of-ada', bob: 'lease-of-bob' } as const;
type Id = keyof typeof LEASES;

const record = (participant: Id, over: Partial<UsageRecord> = {}): UsageRecord => ({
  participant,
  ...{ phase: 'COLLECT', tour: 1, at: '2026-11-20T23:59:59.000Z', model: 'large', ms: 1, ok: true },
  ...{ inputTokens: 100, outputTokens: 10, costUsd: 0.1, ...over },
});
const silent = { inputTokens: null, outputTokens: null, costUsd: null };
const reservation = (participant: Id, inputTokens: number): Reservation => ({
  ...{ lease: LEASES[participant], participant, inputTokens, outputTokens: 0, costUsd: 0 },
});
const none = { usd: null, tokens: null, agents: {} };
const needs = (tokens: number, costUsd = 0) => ({ inputTokens: tokens, outputTokens: 0, costUsd });

/** A council with that budget, in which those hold a lease. */
const council = (budget: CouncilState['budget'], held: Id[] = []) =>
  ({
    budget,
    synthesizer: null,
    participants: Object.fromEntries(held.map((id) => [id, { lease: { id: LEASES[id] } }])),
  }) as unknown as CouncilState;

describe('a budget', () => {
  const used = [record('ada'), record('bob', { costUsd: 0.4 })];

  it('is spent when it is reached, by the council before the agent', () => {
    const why = (budget: CouncilState['budget'], id: string) =>
      findShortage(council(budget), id, used, NO_MORE)?.why;
    expect(why(undefined, 'ada')).toBeUndefined();
    expect(why(none, 'ada')).toBeUndefined();
    expect(why({ ...none, usd: 0.51 }, 'ada')).toBeUndefined();
    expect(findShortage(council({ ...none, usd: 0.5 }), 'ada', used, NO_MORE)).toEqual({
      ...{ scope: 'council', isSpent: true, mayPass: false },
      why: "the council's budget of $0.50 is spent",
    });
    expect(why({ ...none, tokens: 220 }, 'x')).toBe("the council's budget of 220 tokens is spent");
    expect(why({ ...none, tokens: 221 }, 'x')).toBeUndefined();
    const own = { ...none, agents: { bob: { usd: 0.4, tokens: null }, ada: { usd: null, tokens: 111 } } };
    expect(why(own, 'bob')).toBe("bob's budget of $0.40 is spent");
    expect(why(own, 'ada')).toBeUndefined();
    expect(why(own, 'constructor')).toBeUndefined();
    expect(findShortage(council({ ...none, usd: 0.1 }), 'ada', [record('ada', silent)], NO_MORE)).toBeNull();
  });

  it('has room for a launch up to its last token and cent', () => {
    const short = (needed: ReturnType<typeof needs>) =>
      findShortage(council({ ...none, tokens: 1000, usd: 1 }), 'ada', used, needed);
    expect(short(needs(780, 0.5))).toBeNull();
    expect(short(needs(781))).toMatchObject({
      ...{ scope: 'council', isSpent: false, mayPass: false },
      why: "a launch may take 781 tokens, more than is left of the council's budget of 1000 tokens",
    });
    expect(short(needs(0, 0.51))?.why).toBe(
      "a launch may take $0.51, more than is left of the council's budget of $1.00",
    );
  });

  it('keeps what is reserved for launches that are running, which may pass', () => {
    const budget = { ...none, tokens: 1000, reserved: [reservation('bob', 600)] };
    expect(findShortage(council(budget, ['bob']), 'ada', [], needs(400))).toBeNull();
    expect(findShortage(council(budget, ['bob']), 'ada', [], needs(401))).toMatchObject({ mayPass: true });
    expect(findShortage(council(budget, ['bob']), 'ada', [], needs(1001))).toMatchObject({ mayPass: false });
  });

  it('counts a launch that is over by what it told, and by its reservation where it told nothing', () => {
    const budget = { ...none, tokens: 1000, reserved: [reservation('bob', 600)] };
    const told = [record('bob', { lease: LEASES.bob })];
    expect(findShortage(council(budget), 'ada', told, needs(890))).toBeNull();
    expect(findShortage(council(budget), 'ada', told, needs(891))).toMatchObject({ mayPass: false });
    expect(findShortage(council(budget), 'ada', [], needs(401))).toMatchObject({ mayPass: false });
  });

  it('has room for one more question to a program that is not over yet', () => {
    const budget = { ...none, tokens: 1000, reserved: [reservation('bob', 200)] };
    const told = [record('bob', { lease: LEASES.bob, inputTokens: 400, outputTokens: 0 })];
    expect(findShortage(council(budget, ['bob']), 'bob', told, NO_MORE)).toBeNull();
    expect(findShortage(council(budget, ['bob']), 'ada', told, needs(201))).toMatchObject({ mayPass: true });
    const more = [record('bob', { lease: LEASES.bob, inputTokens: 501, outputTokens: 0 })];
    expect(findShortage(council(budget, ['bob']), 'bob', more, NO_MORE)).not.toBeNull();
  });
});
