// Circuit breaker of an agent: pure rules for when to launch it again after failures.
import { formatIso } from '../base/clock.ts';
import type { Health } from '../store/agent-health.ts';

/** Whether an agent may be launched: yes, as a single trial after a pause, or not before `until` (ms). */
export type Admission =
  { go: true; isTrial: boolean } | { go: false; until: number; reason: string; isLimit?: true };

/** Consecutive failed launches, over all councils, that open the breaker. */
const OPENS_AFTER = 3;
/** How long the breaker stays open. */
const COOLING_MS = 60_000;

/** Decides whether an agent may be launched at `now` (ms since the epoch). */
export function checkAdmission(health: Health | undefined, now: number): Admission {
  if (!health || health.until === null) return { go: true, isTrial: false };
  if (!isPausedNow(health, now)) return { go: true, isTrial: true };
  const until = Date.parse(health.until);
  if (health.isLimit) return { go: false, until, reason: health.reason, isLimit: true };
  return { go: false, until, reason: `${health.failures} launches failed in a row: ${health.reason}` };
}

/** Setting the clock back must not prolong the pause. */
const isPausedNow = ({ until, at }: Health, now: number): boolean =>
  until !== null && now < Date.parse(until) && now >= Date.parse(at);

/** Counts a failed launch: from the third failure in a row on, the breaker opens. A failed trial is one more. */
export function addFailure(health: Health | undefined, reason: string, now: number): Health {
  const failures = (health?.failures ?? 0) + 1;
  const until = failures >= OPENS_AFTER ? formatIso(now + COOLING_MS) : null;
  return { failures, at: formatIso(now), until, reason };
}

/** Why a launch would fail. `until` (ms) is set if the cause passes by itself, null if a person has to fix it. */
export interface LaunchBlock {
  reason: string;
  until: number | null;
}

/**
 * Returns the login problem or the running limit that would make the next launch fail too, judged by failures
 * since `since` (ms) or a current pause; undefined for a breaker that is merely open.
 */
export function findLastingBlock(
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

/** Blocks further trials during a running one, for at most `ms`. */
export const blockDuringTrial = (health: Health, ms: number, now: number): Health => ({
  ...health,
  at: formatIso(now),
  until: formatIso(now + ms),
});

/** After a trial that was interrupted from outside: the next one may start. */
export const releaseTrial = (health: Health, now: number): Health => ({ ...health, until: formatIso(now) });
