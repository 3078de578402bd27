// Does something again and again, each time when it is due.
import { setTimeout as sleep } from 'node:timers/promises';

/** Between two calls: what comes meanwhile is due within this time. */
const LONGEST_WAIT_MS = 30_000;
const SHORTEST_WAIT_MS = 500;

/** Calls `work` now and when something is due, which it resolves to, until `signal` aborts. */
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
