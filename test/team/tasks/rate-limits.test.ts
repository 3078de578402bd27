import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/core/agents/agent.ts';
import type { SpeakResult } from '../../../src/core/agents/runners/turn-types.ts';
import { recordPause } from '../../../src/team/tasks/use/launch-permission.ts';
import type { Clock } from '../../../src/core/base/clock.ts';
import { findModelProvider } from '../../../src/core/agents/runner-kind.ts';
import {
  createLaunchCounter,
  listLaunchLimits,
  LONGEST_PAUSE_MS,
  explainLaunchDelay,
} from '../../../src/team/tasks/rate-limits.ts';
import type { RecentLaunches } from '../../../src/team/tasks/rate-limits.ts';
import { memoryStore } from '../../../src/core/store/memory/memory-store.ts';

const NOW = Date.parse('2026-02-08T20:00:00.000Z');
const NONE: RecentLaunches = { last: {}, launches: {}, pauses: {} };
const ADA = { id: 'ada', rate: 2, provider: 'mistral' };

describe('the limits of an agent', () => {
  it('are its own rate and that of its provider', () => {
    expect(listLaunchLimits(ADA, { mistral: 5, openai: 1 })).toEqual([
      { key: 'ada', rate: 2 },
      { key: 'provider:mistral', rate: 5 },
    ]);
    expect(listLaunchLimits({ id: 'ben', rate: null, provider: null }, { mistral: 5 })).toEqual([]);
    expect(listLaunchLimits({ ...ADA, rate: null }, {})).toEqual([{ key: 'provider:mistral', rate: null }]);
  });

  it.each([
    ['what is a minute old', [NOW - 60_000, NOW - 1], null],
    ['what a clock that was set back has left in the future', [NOW + 1, NOW + 90_000, NOW - 1], null],
    ['as many as are allowed', [NOW - 59_999, NOW - 1], 'launched 2 times in this minute'],
  ])('count %s', (_, times, why) => {
    expect(explainLaunchDelay({ ...NONE, launches: { ada: times } }, listLaunchLimits(ADA, {}), NOW)).toBe(
      why,
    );
  });

  it('name the provider that has enough, or has asked for a pause', () => {
    const limits = listLaunchLimits({ ...ADA, rate: null }, { mistral: 1 });
    const launches = { 'provider:mistral': [NOW - 5] };
    expect(explainLaunchDelay({ ...NONE, launches }, limits, NOW)).toBe(
      'waits: mistral was launched 1 time in this minute',
    );
    const paused = (until: number) =>
      explainLaunchDelay({ ...NONE, pauses: { 'provider:mistral': until } }, limits, NOW);
    expect(paused(NOW + 1)).toBe('waits: mistral asked for a pause');
    expect(paused(NOW)).toBeNull();
    // Longer than any provider is waited for: the clock was set back.
    expect(paused(NOW + LONGEST_PAUSE_MS + 1)).toBeNull();
  });

  it.each([
    [{ runner: 'model', provider: null, model: 'mistral/large' }, 'mistral'],
    [{ runner: 'claude', provider: null, model: 'opus' }, 'anthropic'],
    [{ runner: 'opencode', provider: null, model: 'google/gemini' }, null],
    [{ runner: 'command', provider: 'openai', model: null }, 'openai'],
    [{ runner: 'command', provider: null, model: null }, null],
  ] as const)('know who serves %j', (agent, provider) => {
    expect(findModelProvider(agent)).toBe(provider);
  });
});

describe('a provider that was asked too often', () => {
  it.each([
    ['rate-limit', 90_000, 90_000],
    ['rate-limit', 86_400_000, LONGEST_PAUSE_MS],
    ['rate-limit', null, undefined],
    ['failed', 90_000, undefined],
  ])('is left alone after %s with %s ms for %s ms', async (failure, retryAfterMs, ms) => {
    const duty = createLaunchCounter(memoryStore());
    const agent = { runner: 'model', provider: null, model: 'mistral/large' } as unknown as Agent;
    await recordPause({ duty, clock: { now: () => NOW } as Clock }, agent, {
      failure,
      retryAfterMs,
    } as SpeakResult);
    const { pauses } = await duty.read();
    expect(pauses['provider:mistral']).toBe(ms === undefined ? undefined : NOW + ms);
  });
});

describe('the book', () => {
  it('lets no more through than the rate allows, of however many that ask at once', async () => {
    const store = memoryStore();
    const taken = await Promise.all(
      Array.from({ length: 12 }, () =>
        createLaunchCounter(store).take('ada', listLaunchLimits(ADA, {}), NOW),
      ),
    );
    expect(taken.filter((why) => why === null)).toHaveLength(2);
    expect(await createLaunchCounter(store).take('ada', listLaunchLimits(ADA, {}), NOW + 60_000)).toBeNull();
    expect((await createLaunchCounter(store).read()).launches).toEqual({ ada: [NOW + 60_000] });
  });

  it('counts all whom one provider serves together', async () => {
    const book = createLaunchCounter(memoryStore());
    const limits = (id: string) => listLaunchLimits({ id, rate: null, provider: 'mistral' }, { mistral: 1 });
    expect(await book.take('ada', limits('ada'), NOW)).toBeNull();
    expect(await book.take('ben', limits('ben'), NOW)).toContain('mistral');
  });

  it('keeps who was used last, and does not go back', async () => {
    const book = createLaunchCounter(memoryStore());
    await book.noteUse(
      new Map([
        ['ada', NOW],
        ['ben', NOW - 5],
      ]),
    );
    await book.noteUse(new Map([['ada', NOW - 9]]));
    await book.pause('mistral', NOW + 3);
    expect(await book.read()).toEqual({
      last: { ada: NOW, ben: NOW - 5 },
      launches: {},
      pauses: { 'provider:mistral': NOW + 3 },
    });
  });

  it('takes what cannot be read for empty', async () => {
    const store = memoryStore();
    await store.commit('duty', '{"last":{"ada":"x"},"launches":[1,{"a":2}],"pauses":7}', 0);
    expect(await createLaunchCounter(store).read()).toEqual({ last: {}, launches: {}, pauses: {} });
  });
});
