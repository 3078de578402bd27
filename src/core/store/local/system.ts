// The system's clock and random numbers.
import { uptime } from 'node:os';
import type { Clock, Clocks, Random } from '../../base/clock.ts';
import { crypto } from '../../base/ids.ts';
import { thisProcess } from './liveness.ts';

/** The real clock and random numbers. */
export const systemClock: Clock = { now: () => Date.now(), clocks: systemClocks };
export const systemRandom: Random = {
  uuid: () => crypto().randomUUID(),
  hex: (count) => crypto().randomBytes(count).toString('hex'),
};

/** Milliseconds that only ever grow. "performance" would load a part of Node that a short command does without. */
export const measureUptime = (): number => process.uptime() * 1000;

/** Readings further apart than this did not belong to one moment: the process was stopped between them. */
const ONE_MOMENT_MS = 100;

function systemClocks(): Clocks | undefined {
  const { bootId } = thisProcess();
  if (bootId === '') return undefined;
  for (;;) {
    const before = measureUptime();
    const wall = Date.now();
    const awake = Number(process.hrtime.bigint() / 1_000_000n);
    // A container can count from its own start: never less than the machine has been awake.
    const up = Math.max(Math.round(uptime() * 1000), awake);
    if (measureUptime() - before < ONE_MOMENT_MS) return { wall, bootId, uptime: up, awake };
  }
}
