// Holds what tests promise of work: that it grows with its input, or has a bound. No machine is too slow for either.
import { expect } from 'vitest';

/** A measure beyond doubt on a busy machine: milliseconds that the processor worked, not that passed. */
async function measureWork(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Below this a measure is mostly noise. */
const FLOOR_MS = 60;

/**
 * Fails when four times the input takes more than nine times the work: what is quadratic takes sixteen times. Each size is
 * measured up to three times, because a machine may be busy once, and a little longer each time: what is remembered of a
 * text would be no measure.
 */
export async function expectLinear(what: string, n: number, run: (n: number) => unknown): Promise<void> {
  await run(Math.ceil(n / 10));
  let [small, large] = [Infinity, Infinity];
  for (let round = 0; round < 3; round++) {
    small = Math.min(small, await measureWork(() => run(n + round)));
    large = Math.min(large, await measureWork(() => run(4 * n + round)));
    if (large <= 9 * Math.max(small, FLOOR_MS)) return;
  }
  expect.fail(`${what}: ${Math.round(small)} ms of work for ${n}, ${Math.round(large)} ms for ${4 * n}`);
}

/** Far from what an honest run takes on the slowest machine: what is not bounded takes minutes. */
const BOUND_MS = 120_000;

/** For work that has a bound without being linear. */
export async function expectBounded(what: string, run: () => unknown): Promise<void> {
  const work = await measureWork(run);
  if (work > BOUND_MS) expect.fail(`${what}: ${Math.round(work)} ms of work`);
}
