import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startAwakeTimer } from '../../../../src/core/agents/runners/program.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('the limit of a launch', () => {
  it('fault 9: counts the time that this process ran, not that of a sleep', async () => {
    let asleep = 0;
    let rung = 0;
    const timer = startAwakeTimer(
      10_000,
      () => rung++,
      () => Date.now() + asleep,
    );
    await vi.advanceTimersByTimeAsync(4000);
    asleep = 3_600_000;
    await vi.advanceTimersByTimeAsync(4500);
    expect(rung).toBe(0);
    await vi.advanceTimersByTimeAsync(1500);
    expect(rung).toBe(1);
    timer.end();
  });

  it('fault 9: is not over at the moment it was stopped in, so that a program that ended meanwhile is heard', async () => {
    let stopped = 0;
    let rung = 0;
    const clock = (): number => Date.now() + stopped;
    const timer = startAwakeTimer(1500, () => rung++, clock);
    stopped = 60_000;
    await vi.advanceTimersByTimeAsync(1000);
    expect(rung).toBe(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect(rung).toBe(1);
    timer.end();
  });

  it('begins anew when something is heard, and ends', async () => {
    let rung = 0;
    const timer = startAwakeTimer(
      1500,
      () => rung++,
      () => Date.now(),
    );
    for (let at = 0; at < 5; at++) {
      await vi.advanceTimersByTimeAsync(1200);
      timer.refresh();
    }
    expect(rung).toBe(0);
    timer.end();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rung).toBe(0);
    const other = startAwakeTimer(
      30,
      () => rung++,
      () => Date.now(),
    );
    await vi.advanceTimersByTimeAsync(30);
    expect(rung).toBe(1);
    other.end();
  });
});
