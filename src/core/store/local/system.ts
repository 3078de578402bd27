// The system's clock and random numbers, and the user's home folder.
import { uptime, homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Clock, Clocks, Random } from '../../base/clock.ts';
import { getCrypto } from '../../base/ids.ts';
import { identifyThisProcess } from './liveness.ts';
import { CouncilError, ignoreSystemFault } from '../../base/errors.ts';

/** The real clock and random numbers. */
export const systemClock: Clock = { now: () => Date.now(), clocks: readSystemClocks };
export const systemRandom: Random = {
  uuid: () => getCrypto().randomUUID(),
  hex: (count) => getCrypto().randomBytes(count).toString('hex'),
};

/** Monotonic milliseconds. "performance" would load a part of Node that a short command does not need. */
export const measureUptime = (): number => process.uptime() * 1000;

/** Readings further apart were not taken at one moment: the process was stopped between them. */
const ONE_MOMENT_MS = 100;

/** The newest reading: a pass over a thousand councils takes three per council, and each reads a system file. */
let last: { clocks: Clocks; at: number } | undefined;

function readSystemClocks(): Clocks | undefined {
  const { bootId } = identifyThisProcess();
  if (bootId === '') return undefined;
  for (;;) {
    const before = measureUptime();
    if (last && before - last.at < 1) return last.clocks;
    const wall = Date.now();
    const awake = Number(process.hrtime.bigint() / 1_000_000n);
    // A container may count from its own start: never less than the machine has been awake.
    const up = Math.max(Math.round(uptime() * 1000), awake);
    if (measureUptime() - before >= ONE_MOMENT_MS) continue;
    last = { clocks: { wall, bootId, uptime: up, awake }, at: before };
    return last.clocks;
  }
}

/** Returns HOME, else the system's entry for this user; undefined for an unknown uid, as in many containers. */
export function findHome({ HOME }: NodeJS.ProcessEnv): string | undefined {
  if (HOME) return HOME;
  return ignoreSystemFault(() => homedir());
}

type Variable = 'XDG_STATE_HOME' | 'XDG_CONFIG_HOME' | 'XDG_CACHE_HOME';

/**
 * Returns a variable's folder, else its default below home. Ignores a relative one, which would be in the
 * project.
 */
export function findUserFolder(
  env: NodeJS.ProcessEnv,
  variable: Variable,
  usual: string,
): string | undefined {
  const given = env[variable] ?? '';
  if (isAbsolute(given)) return given;
  const home = findHome(env);
  return home === undefined ? undefined : join(home, usual);
}

/** Like `findUserFolder`, but throws `io` if there is none. */
export function requireUserFolder(env: NodeJS.ProcessEnv, variable: Variable, usual: string): string {
  const found = findUserFolder(env, variable, usual);
  if (found !== undefined) return found;
  throw new CouncilError('io', `This user has no home folder, and ${variable} names no other place.`, {
    hint: `Set HOME, or ${variable}, to a folder of this user's own.`,
  });
}
