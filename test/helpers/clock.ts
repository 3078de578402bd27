/**
 * A preload that gives a process another clock. Production code cannot reach it:
 *
 *   NODE_OPTIONS=--import=file:///…/test/helpers/clock.ts council tick
 *
 * CLOCK_AHEAD=ms   the wall clock is so far ahead of the real one; negative: behind
 * CLOCK_ASLEEP=ms  so much of the time since the boot the machine was asleep
 * CLOCK_BOOT=id    the machine has been started anew, a second ago
 */
import fs from 'node:fs';
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';

const { CLOCK_AHEAD = '0', CLOCK_ASLEEP = '0', CLOCK_BOOT } = process.env;
const RealDate = Date;
const realNow = Date.now;
const now = (): number => realNow() + Number(CLOCK_AHEAD);

class ShiftedDate extends RealDate {
  constructor(...args: []) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static override now(): number {
    return now();
  }
}
globalThis.Date = ShiftedDate as DateConstructor;

const { uptime } = os;
os.uptime = () => (CLOCK_BOOT === undefined ? uptime() + Number(CLOCK_ASLEEP) / 1000 : 1);

if (CLOCK_BOOT !== undefined) {
  const read = fs.readFileSync;
  const bigint = process.hrtime.bigint.bind(process.hrtime);
  const start = bigint();
  process.hrtime.bigint = () => bigint() - start + 1_000_000_000n;
  fs.readFileSync = ((path: fs.PathOrFileDescriptor, ...rest: []) =>
    path === '/proc/sys/kernel/random/boot_id' ? `${CLOCK_BOOT}\n` : read(path, ...rest)) as typeof read;
}
syncBuiltinESMExports();
