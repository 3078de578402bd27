// Launch limits of agents and providers over all processes: rates, pauses, last uses.
import { toUnknownRecord } from '../../core/base/text.ts';
import type { Documents } from '../../core/store/documents.ts';
import { jsonDocument, jsonStamp, readJsonDocument } from '../../core/store/documents.ts';

/** Times in milliseconds, by agent's id or by `provider:NAME`. */
export interface Duty {
  /** When an agent was launched last. */
  last: Record<string, number>;
  /** The launches of the last minute, of those that have a limit. */
  launches: Record<string, number[]>;
  /** Until when launches are paused, because a provider asked for it. */
  pauses: Record<string, number>;
}

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
  used(last: ReadonlyMap<string, number>): Promise<void>;
  /** Pauses launches of all agents that this provider serves. */
  pause(provider: string, until: number): Promise<void>;
}

const KEY = 'duty';
/** The stamp that the store checks. */
export const readDutyStamp = jsonStamp('duty');

/** Works on any document store, in its own place. Unreadable state counts as empty. */
export function createDutyBook(store: Pick<Documents, 'read' | 'update'>): DutyBook {
  const change = async (next: (duty: Duty) => Duty): Promise<void> => {
    await store.update(KEY, (current, revision) => {
      const before = parseDuty(current?.text);
      const after = next(before);
      return after === before ? undefined : jsonDocument(after, revision);
    });
  };
  return {
    read: async () => parseDuty((await store.read(KEY))?.text),
    async take(id, limits, now) {
      let why: string | null = null;
      await change((duty) => {
        why = whyNotYet(duty, limits, now);
        return why === null ? withLaunch(duty, id, limits, now) : duty;
      });
      return why;
    },
    used: (last) =>
      change((duty) => {
        const newer = [...last].filter(([id, at]) => at > (duty.last[id] ?? 0));
        return newer.length === 0 ? duty : { ...duty, last: { ...duty.last, ...Object.fromEntries(newer) } };
      }),
    pause: (provider, until) =>
      change((duty) => ({ ...duty, pauses: { ...duty.pauses, [PROVIDER + provider]: until } })),
  };
}

function parseDuty(text: string | undefined): Duty {
  const { last, launches, pauses } = readJsonDocument(text);
  const times = (value: unknown): [string, number][] =>
    Object.entries(toUnknownRecord(value)).filter(
      (one): one is [string, number] => typeof one[1] === 'number',
    );
  const lists = Object.entries(toUnknownRecord(launches)).flatMap(([key, all]) =>
    Array.isArray(all) ? [[key, all.filter((at) => typeof at === 'number')] as const] : [],
  );
  return {
    last: Object.fromEntries(times(last)),
    launches: Object.fromEntries(lists),
    pauses: Object.fromEntries(times(pauses)),
  };
}
