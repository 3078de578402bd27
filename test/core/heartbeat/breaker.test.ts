import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyEvent } from '../../../src/core/council/use/council-access.ts';
import { START } from '../council/fixtures.ts';
import { fails, fakeTime, newTable } from './table.ts';
import type { Play } from './table.ts';

beforeEach(fakeTime);
afterEach(() => vi.useRealTimers());

describe('the circuit breaker', () => {
  it('writes nothing for agents that are well', async () => {
    const table = newTable({ ada: () => ({ say: 'Yes.' }) });
    const change = vi.spyOn(table.health, 'change');
    await table.convene();
    await table.untilIdle();
    expect(change).not.toHaveBeenCalled();
  });

  it('opens after three failed launches, keeps the agent out of the next council, and tries it once after a minute', async () => {
    let now: Play = fails();
    const table = newTable({ ada: () => now });
    await table.convene({ name: 'first' });
    await table.untilIdle();
    expect(table.count('ada')).toBe(3);
    const { until } = (await table.health.read()).ada!;
    expect(Date.parse(until!)).toBeGreaterThan(START + 60_000);

    await table.convene({ name: 'second' });
    const paused = await table.tick('second');
    expect(paused).toMatchObject({ launched: [], transitions: [] });
    expect(paused.failed).toEqual([
      {
        id: 'ada',
        reason: `paused until ${until} (3 launches failed in a row: exit code 1)`,
        kind: 'paused',
        until,
      },
    ]);
    expect((await table.state('second')).participants.ada).toMatchObject({
      attempts: 0,
      absent: null,
      status: 'WAITING',
    });
    // Going on until idle ends, and tells the pause once.
    expect((await table.untilIdle()).failed).toHaveLength(1);
    expect(table.count('ada')).toBe(3);

    vi.setSystemTime(Date.parse(until!));
    await table.tick('second');
    // One trial: it fails, and that is all for this phase.
    expect(table.count('ada')).toBe(4);
    expect((await table.state('second')).participants.ada).toMatchObject({
      attempts: 1,
      absent: 'failed: exit code 1',
    });
    await table.untilIdle();

    now = { say: 'Yes.' };
    await table.convene({ name: 'third' });
    expect((await table.tick('third')).failed[0]).toMatchObject({ kind: 'paused' });
    vi.setSystemTime(Date.now() + 60_000);
    await table.tick('third');
    expect((await table.state('third')).participants.ada!.status).toBe('RESPONDED');
    expect(await table.health.read()).toEqual({});
  });

  it('tries once in each later phase of a council, without waiting', async () => {
    const table = newTable({ ada: () => fails(), ben: () => ({ say: 'Yes.' }) }, { ben: '  repair: 0' });
    await table.convene({ mode: 'debate' });
    const done = await table.untilIdle();
    expect(done.failed.filter(({ kind }) => kind === 'paused')).toEqual([]);
    // Three attempts in COLLECT, one each in CHALLENGE and RESOLVE.
    expect(table.count('ada')).toBe(5);
    expect(table.count('ben')).toBe(3);
  });

  it('makes one trial at a time', async () => {
    const table = newTable({ ada: () => fails() });
    await table.health.change('ada', () => ({
      next: { failures: 3, at: '2026-02-08T19:00:00.000Z', until: '2026-02-08T19:01:00.000Z', reason: 'x' },
      result: null,
    }));
    await table.convene({ name: 'first' });
    await table.convene({ name: 'second' });
    await table.untilIdle();
    expect(table.count('ada')).toBe(1);
  });

  it('lets the phase end at its timeout while an agent is paused', async () => {
    const table = newTable({ ada: () => fails() });
    await table.health.change('ada', () => ({
      next: {
        failures: 9,
        at: new Date(START).toISOString(),
        until: new Date(START + 3_500_000).toISOString(),
        reason: 'x',
      },
      result: null,
    }));
    await table.convene();
    await table.untilIdle();
    vi.setSystemTime(START + 3_600_001);
    expect((await table.tick()).reason).toBe('timeout');
    expect(table.launches).toEqual([]);
  });

  it('leaves out whoever is paused where nobody else is waited for, but waits for a limit', async () => {
    const table = newTable({ ada: () => fails(), ben: () => ({ say: 'Yes.' }) });
    const pauseAgent = (over: object) =>
      table.health.change('ada', () => ({
        next: {
          ...{ failures: 3, at: new Date(START).toISOString(), reason: 'exit code 1' },
          ...{ until: new Date(START + 60_000).toISOString(), ...over },
        },
        result: null,
      }));
    const leaveOut = (name: string) => table.tick(name, undefined, { leavesPausedOut: true });
    await pauseAgent({});
    await table.convene({ name: 'first' });
    await leaveOut('first');
    const { ada } = (await table.state('first')).participants;
    expect(ada).toMatchObject({
      absent:
        'failed: paused: 3 launches failed in a row: exit code 1; ask it at once with: council retry ada',
    });
    // It may speak in the next phase: nothing is known that only a person can mend.
    expect(ada!.unable).toBeUndefined();
    await pauseAgent({ isLimit: true, failures: 0, reason: 'rate limit' });
    await table.convene({ name: 'second' });
    expect((await leaveOut('second')).failed[0]).toMatchObject({ kind: 'paused' });
    expect((await table.state('second')).participants.ada!.absent).toBeNull();
    expect(table.count('ada')).toBe(0);
  });

  it.each([['refusal'], ['rate-limit']] as const)('does not count a %s', async (failure) => {
    const table = newTable({ ada: () => fails({ failure }) });
    await table.convene({ name: 'first' });
    await table.convene({ name: 'second' });
    await table.untilIdle();
    expect(await table.health.read()).toEqual({});
  });

  it('gives the trial back when it was interrupted or hit a rate limit', async () => {
    for (const over of [{ failure: 'cancelled', cancelled: true }, { failure: 'rate-limit' }] as const) {
      const table = newTable({
        ada: () => {
          if (over.failure === 'cancelled') table.controller.abort();
          return fails(over);
        },
      });
      await table.health.change('ada', () => ({
        next: { failures: 3, at: '2026-02-08T19:00:00.000Z', until: '2026-02-08T19:01:00.000Z', reason: 'x' },
        result: null,
      }));
      await table.convene();
      await table.tick();
      expect(table.count('ada')).toBe(1);
      const { until, failures } = (await table.health.read()).ada!;
      expect(Date.parse(until!)).toBeLessThanOrEqual(Date.now());
      expect(failures).toBe(3);
    }
  });
});

describe('what one launch has shown', () => {
  const loggedOut = () =>
    fails({
      failure: 'config',
      reason: 'not logged in',
      safeReason: 'not logged in; log in with: codex login',
      known: { says: 'not logged in', mend: 'log in with: codex login' },
    });

  it('is known for the whole council: nobody who cannot speak is launched in each phase', async () => {
    const speaks = () => ({ say: 'Yes.' });
    const table = newTable({ ada: loggedOut, ben: speaks, cyd: speaks }, { ben: '  repair: 0' });
    await table.convene({ mode: 'debate' });
    await table.untilIdle();
    expect(table.count('ada')).toBe(1);
    expect(table.count('ben')).toBe(3);
    // Another council tries it once more.
    vi.setSystemTime(Date.now() + 60_000);
    await table.convene({ name: 'second', mode: 'debate' });
    await table.untilIdle();
    expect(table.count('ada')).toBe(2);
  });

  it('is known to the next council while the agent is paused for it, and tried at once when that is mended', async () => {
    let now: Play = loggedOut();
    const table = newTable({ ada: () => now, ben: () => ({ say: 'Yes.' }) });
    for (const name of ['first', 'second', 'third', 'fourth']) {
      vi.setSystemTime(Date.now() + 1000);
      await table.convene({ name });
      await table.untilIdle();
    }
    // Three launches in three councils; the fourth neither launches nor waits.
    expect(table.count('ada')).toBe(3);
    const gone = [...table.archives.values()].map((text) => text.includes('known from an earlier launch'));
    expect(gone).toEqual([false, false, false, true]);
    now = { say: 'Yes.' };
    await table.health.change('ada', (health) => ({
      next: { ...health!, login: 'of before' },
      result: null,
    }));
    await table.convene({ name: 'fifth' });
    await table.tick('fifth');
    expect((await table.state('fifth')).participants.ada!.status).toBe('RESPONDED');
  });

  it('is forgotten when its login is another one', async () => {
    const speaks = () => ({ say: 'Yes.' });
    const table = newTable({ ada: loggedOut, ben: speaks, cyd: speaks });
    await table.convene({ mode: 'debate' });
    await table.tick();
    expect(table.count('ada')).toBe(1);
    await table.health.change('ada', (health) => ({
      next: { ...health!, login: 'of before' },
      result: null,
    }));
    await table.untilIdle();
    expect(table.count('ada')).toBeGreaterThan(1);
  });

  it('is forgotten by hand: who failed is launched again in the open phase', async () => {
    let now: Play = loggedOut();
    const table = newTable({ ada: () => now, ben: () => fails({ failure: 'cancelled', cancelled: true }) });
    await table.convene();
    await table.tick();
    expect((await table.state()).participants.ada!.absent).toContain('not logged in');
    now = { say: 'Yes.' };
    await table.health.change('ada', () => ({ next: undefined, result: null }));
    await applyEvent(table.ports, 'debate', { type: 'retry', participant: 'ada' });
    await table.tick();
    expect((await table.state()).participants.ada!.status).toBe('RESPONDED');
    await expect(applyEvent(table.ports, 'debate', { type: 'retry', participant: 'ada' })).rejects.toThrow(
      'nothing to try again',
    );
  });

  it('is a limit until its time, which outlasts the phase', async () => {
    const limited = () =>
      fails({ failure: 'rate-limit', safeReason: 'rate limit', retryAfterMs: 30 * 3_600_000 });
    const table = newTable({ ada: limited, ben: () => ({ say: 'Yes.' }) });
    await table.convene({ mode: 'debate' });
    await table.untilIdle();
    expect(table.count('ada')).toBe(1);
    expect((await table.health.read()).ada).toMatchObject({ isLimit: true, failures: 0 });
  });
});
