// Launch limits of agents and providers over all processes: rates, pauses, last uses.
import * as z from 'zod/mini';
import type { Documents } from '../../core/store/documents.ts';
import { openBook, soundEntries, soundItems } from '../messages/book.ts';

/** Times in milliseconds, by agent's id or by `provider:NAME`. */
const duty = z.object({
  /** When an agent was launched last. */
  last: soundEntries(z.number()),
  /** The launches of the last minute, of those that have a limit. */
  launches: soundEntries(soundItems(z.number())),
  /** Until when launches are paused, because a provider asked for it. */
  pauses: soundEntries(z.number()),
});
export type Duty = z.infer<typeof duty>;

/** So many launches a minute are allowed, of one agent or of all that one provider serves. */
export interface Limit {
  key: string;
  /** Null where only pauses count. */
  rate: number | null;
}

const MINUTE = 60_000;
const PROVIDER = 'provider:';

/** By what an agent is limited: its own rate, and that of who serves its model. */
export function listLaunchLimits(
  { id, rate, provider }: { id: string; rate: number | null; provider: string | null },
  providerRates: Readonly<Record<string, number>>,
): Limit[] {
  return [
    ...(rate === null ? [] : [{ key: id, rate }]),
    ...(provider === null ? [] : [{ key: PROVIDER + provider, rate: providerRates[provider] ?? null }]),
  ];
}

/** Why an agent with these limits may not be launched now, in words that follow its name; null where it may. */
export function whyNotYet({ launches, pauses }: Duty, limits: readonly Limit[], now: number): string | null {
  for (const { key, rate } of limits) {
    const name = key.startsWith(PROVIDER) ? key.slice(PROVIDER.length) : undefined;
    const until = pauses[key] ?? 0;
    // A clock that was set back must not prolong a pause.
    if (until > now && until <= now + LONGEST_PAUSE_MS) return `waits: ${name ?? key} asked for a pause`;
    const count = recent(launches[key], now).length;
    if (rate === null || count < rate) continue;
    const times = `launched ${count} ${count === 1 ? 'time' : 'times'} in this minute`;
    return name === undefined ? times : `waits: ${name} was ${times}`;
  }
  return null;
}

/** Longer than that no provider is waited for. */
export const LONGEST_PAUSE_MS = 10 * MINUTE;

const recent = (times: readonly number[] = [], now: number): number[] =>
  times.filter((at) => at > now - MINUTE && at <= now);

/** With one more launch of an agent; what is older than a minute is forgotten. */
function withLaunch(duty: Duty, id: string, limits: readonly Limit[], now: number): Duty {
  const launches: Duty['launches'] = {};
  for (const [key, times] of Object.entries(duty.launches)) {
    const left = recent(times, now);
    if (left.length > 0) launches[key] = left;
  }
  for (const { key, rate } of limits) if (rate !== null) launches[key] = [...(launches[key] ?? []), now];
  return { ...duty, launches, last: { ...duty.last, [id]: now } };
}

/** The duty of a project's agents, shared by every process that launches them. */
export interface DutyBook {
  read(): Promise<Duty>;
  /** Counts a launch that the limits allow; else says why not. Of several that ask at once no more are let through. */
  take(id: string, limits: readonly Limit[], now: number): Promise<string | null>;
  /** Who was used, where nothing had to be counted. */
  noteUse(last: ReadonlyMap<string, number>): Promise<void>;
  /** Pauses launches of all agents that this provider serves. */
  pause(provider: string, until: number): Promise<void>;
}

/** On any driver of documents, in a place of its own. */
export function createDutyBook(store: Pick<Documents, 'read' | 'update'>): DutyBook {
  const { read, change } = openBook(store, 'duty', duty);
  return {
    read,
    async take(id, limits, now) {
      let why: string | null = null;
      await change((duty) => {
        why = whyNotYet(duty, limits, now);
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
