// Circuit breaker of an agent: pure rules for when it may be launched again after failures.
import { iso } from '../base/clock.ts';
import type { Health } from '../store/agent-health.ts';

/** Whether an agent may be launched: yes, as the one trial after a pause, or not before `until` (ms). */
export type Admission =
  { go: true; probe: boolean } | { go: false; until: number; reason: string; isLimit?: true };

/** This many failed launches in a row, over all councils, open the breaker. */
const OPENS_AFTER = 3;
/** How long it stays open. */
const COOLING_MS = 60_000;

/** Whether an agent may be launched at `now` (ms since the epoch). */
export function admission(health: Health | undefined, now: number): Admission {
  if (!health || health.until === null) return { go: true, probe: false };
  if (!isPausedNow(health, now)) return { go: true, probe: true };
  const until = Date.parse(health.until);
  if (health.isLimit) return { go: false, until, reason: health.reason, isLimit: true };
  return { go: false, until, reason: `${health.failures} launches failed in a row: ${health.reason}` };
}

/** A clock that was set back must not prolong the pause. */
const isPausedNow = ({ until, at }: Health, now: number): boolean =>
  until !== null && now < Date.parse(until) && now >= Date.parse(at);

/** After a failed launch: the third in a row opens the breaker, and so does a failed trial. */
export function afterFailure(health: Health | undefined, reason: string, now: number): Health {
  const failures = (health?.failures ?? 0) + 1;
  const until = failures >= OPENS_AFTER ? iso(now + COOLING_MS) : null;
  return { failures, at: iso(now), until, reason };
}

/** Why a launch would fail; `until` (ms) where that passes by itself, null where a person has to mend it. */
export interface LaunchBlock {
  reason: string;
  until: number | null;
}

/**
 * Why the next launch would fail too, from failures since `since` (ms) or those of an agent that is paused for them, and until
 * when if known.
 */
export function findLaunchBlock(
  health: Health | undefined,
  { now, since, login }: { now: number; since: number; login: string | undefined },
): LaunchBlock | undefined {
  if (!health || (Date.parse(health.at) < since && !isPausedNow(health, now))) return undefined;
  const { reason, until } = health;
  if (health.login !== undefined && health.login === login) return { reason, until: null };
  return health.isLimit && until !== null && Date.parse(until) > now
    ? { reason, until: Date.parse(until) }
    : undefined;
}

/** Blocks further trials while one is running, for at most `ms`. */
export const whileProbing = (health: Health, ms: number, now: number): Health => ({
  ...health,
  at: iso(now),
  until: iso(now + ms),
});

/** The trial was given up from outside: the next one may begin. */
export const afterInterruption = (health: Health, now: number): Health => ({ ...health, until: iso(now) });
