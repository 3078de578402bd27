// Waits before another attempt, and repeats work whenever it is due.
import type { Random } from '../../base/clock.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Waits for a number of milliseconds, or until `signal` aborts. */
export function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}

/** Returns pauses that double each time, minus up to half at random, to spread concurrent retries. */
export function createPauses(random: Random): () => number {
  let longest = FIRST_PAUSE_MS;
  return () => {
    const pause = longest * (1 - Number.parseInt(random.hex(1), 16) / 512);
    longest = Math.min(longest * 2, LONGEST_PAUSE_MS);
    return Math.round(pause);
  };
}

/** Limits between two calls: anything new is handled within this time. */
const LONGEST_WAIT_MS = 30_000;
const SHORTEST_WAIT_MS = 500;

/** Calls `work` now and at each time it resolves to, until `signal` aborts. */
export async function repeatWhenDue(
  work: () => Promise<number | undefined>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const wait = ((await work()) ?? Infinity) - Date.now();
    const ms = Math.min(Math.max(wait, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }
}
