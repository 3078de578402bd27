// Launch limits of agents and providers, shared by all processes: rates, pauses, last uses.
import * as z from 'zod/mini';
import type { Documents } from '../../core/store/documents.ts';
import { openBook, createEntriesSchema, createItemsSchema } from '../messages/book.ts';

/** Times in milliseconds, by agent id or by `provider:NAME`. */
const duty = z.object({
  /** The last launch of each agent. */
  last: createEntriesSchema(z.number()),
  /** Launches within the last minute, for keys with a limit. */
  launches: createEntriesSchema(createItemsSchema(z.number())),
  /** End of the pause that a provider asked for. */
  pauses: createEntriesSchema(z.number()),
});
export type RecentLaunches = z.infer<typeof duty>;

/** Maximum number of launches per minute, for one agent or for all of one provider. */
export interface RateLimit {
  key: string;
  /** Null if only pauses count. */
  rate: number | null;
}

const MINUTE = 60_000;
const PROVIDER = 'provider:';

/** Returns the limits of an agent: its own rate, and that of its model's provider. */
export function listLaunchLimits(
  { id, rate, provider }: { id: string; rate: number | null; provider: string | null },
  providerRates: Readonly<Record<string, number>>,
): RateLimit[] {
  return [
    ...(rate === null ? [] : [{ key: id, rate }]),
    ...(provider === null ? [] : [{ key: PROVIDER + provider, rate: providerRates[provider] ?? null }]),
  ];
}

/** Returns why an agent with these limits may not be launched now, in words after its name; null if it may. */
export function explainLaunchDelay(
  { launches, pauses }: RecentLaunches,
  limits: readonly RateLimit[],
  now: number,
): string | null {
  for (const { key, rate } of limits) {
    const name = key.startsWith(PROVIDER) ? key.slice(PROVIDER.length) : undefined;
    const until = pauses[key] ?? 0;
    // A clock that was set back must not prolong a pause.
    if (until > now && until <= now + LONGEST_PAUSE_MS) return `waits: ${name ?? key} asked for a pause`;
    const count = selectRecentTimes(launches[key], now).length;
    if (rate === null || count < rate) continue;
    const times = `launched ${count} ${count === 1 ? 'time' : 'times'} in this minute`;
    return name === undefined ? times : `waits: ${name} was ${times}`;
  }
  return null;
}

/** Maximum length of a provider's pause. */
export const LONGEST_PAUSE_MS = 10 * MINUTE;

const selectRecentTimes = (times: readonly number[] = [], now: number): number[] =>
  times.filter((at) => at > now - MINUTE && at <= now);

function withLaunch(
  duty: RecentLaunches,
  id: string,
  limits: readonly RateLimit[],
  now: number,
): RecentLaunches {
  const launches: RecentLaunches['launches'] = {};
  for (const [key, times] of Object.entries(duty.launches)) {
    const left = selectRecentTimes(times, now);
    if (left.length > 0) launches[key] = left;
  }
  for (const { key, rate } of limits) if (rate !== null) launches[key] = [...(launches[key] ?? []), now];
  return { ...duty, launches, last: { ...duty.last, [id]: now } };
}

/** The launch limits of a project's agents, shared by every process that launches them. */
export interface LaunchCounter {
  read(): Promise<RecentLaunches>;
  /** Counts a launch if the limits allow it; else returns why not. Concurrent calls never exceed a limit. */
  take(id: string, limits: readonly RateLimit[], now: number): Promise<string | null>;
  /** Records last uses for launches that were not counted. */
  noteUse(last: ReadonlyMap<string, number>): Promise<void>;
  /** Pauses launches of all agents that this provider serves. */
  pause(provider: string, until: number): Promise<void>;
}

/** Stores them in any document store, under their own key. */
export function createLaunchCounter(store: Pick<Documents, 'read' | 'update'>): LaunchCounter {
  const { read, change } = openBook(store, 'duty', duty);
  return {
    read,
    async take(id, limits, now) {
      let why: string | null = null;
      await change((duty) => {
        why = explainLaunchDelay(duty, limits, now);
        return why === null ? withLaunch(duty, id, limits, now) : duty;
      });
      return why;
    },
    noteUse: async (last) =>
      void (await change((duty) => {
        const newer = [...last].filter(([id, at]) => at > (duty.last[id] ?? 0));
        return newer.length === 0 ? duty : { ...duty, last: { ...duty.last, ...Object.fromEntries(newer) } };
      })),
    pause: async (provider, until) =>
      void (await change((duty) => ({ ...duty, pauses: { ...duty.pauses, [PROVIDER + provider]: until } }))),
  };
}
