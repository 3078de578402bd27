import type { Clock, Random } from '../base/clock.ts';
import { crypto } from '../base/crypto.ts';

/** The real time and the real dice. */
export const systemClock: Clock = { now: () => Date.now() };
export const systemRandom: Random = {
  uuid: () => crypto().randomUUID(),
  hex: (count) => crypto().randomBytes(count).toString('hex'),
};

/** Milliseconds that only ever grow. "performance" would load a part of Node that a short command does without. */
export const elapsed = (): number => process.uptime() * 1000;
