import { expect } from 'vitest';

/** A measure beyond doubt on a busy machine: milliseconds that the processor worked since the call, not that passed. */
export function workClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

export async function workMs(run: () => unknown): Promise<number> {
  const worked = workClock();
  await run();
  return worked();
}

/** Below this a measure is mostly noise. */
const FLOOR_MS = 60;

/**
 * Fails when four times the input takes more than nine times the work: what is quadratic takes sixteen times. Each size is
 * measured up to three times, because a machine may be busy once.
 */
export async function expectLinear(what: string, n: number, run: (n: number) => unknown): Promise<void> {
  await run(Math.ceil(n / 10));
  let [small, large] = [Infinity, Infinity];
  for (let round = 0; round < 3; round++) {
    small = Math.min(small, await workMs(() => run(n)));
    large = Math.min(large, await workMs(() => run(4 * n)));
    if (large <= 9 * Math.max(small, FLOOR_MS)) return;
  }
  expect.fail(`${what}: ${Math.round(small)} ms of work for ${n}, ${Math.round(large)} ms for ${4 * n}`);
}
