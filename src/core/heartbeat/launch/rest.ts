// Waits before another attempt.
import type { Random } from '../../base/clock.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Waits so many milliseconds, or until `signal` aborts. */
export function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}

/** Twice as long each time, less up to a half by chance: many who failed together do not come back together. */
export function createPauses(random: Random): () => number {
  let longest = FIRST_PAUSE_MS;
  return () => {
    const pause = longest * (1 - Number.parseInt(random.hex(1), 16) / 512);
    longest = Math.min(longest * 2, LONGEST_PAUSE_MS);
    return Math.round(pause);
  };
}
