// Who is awake and who is at work: the presence of an agent, as its file has it.
import { toUnknownRecord, parseJsonSafely } from '../../core/base/text.ts';
import type { ProcessIdentity } from '../../core/store/local/liveness.ts';
import type { Presences } from '../../core/store/small-files.ts';

export interface Presence {
  agent_id: string;
  /** ISO 8601 UTC. */
  timestamp: string;
  state: 'AWAKE' | 'OFFLINE';
  substate: 'IDLE' | 'WORKING' | null;
  watcher_pid: number | null;
  channel: string | null;
  /** It ended without signing off: killed, crashed, or its machine went down. Computed, not stored. */
  lost?: true;
}

/** Who keeps an agent awake. */
export type Keeper = Pick<ProcessIdentity, 'host' | 'bootId' | 'pid' | 'startTime'>;

/** Whether a process still runs; undefined if that cannot be checked from here. */
export type IsAlive = (keeper: Keeper) => boolean | undefined;

/** How often a presence is renewed, and after how long without that its owner is taken for gone; in milliseconds. */
export const RENEW_MS = 15_000;
const STALE_MS = 60_000;

/** A presence as its file has it, with the process that keeps it. */
export const presenceText = (presence: Presence, keeper: Keeper): string =>
  `${JSON.stringify({ ...presence, watcher: keeper }, null, 2)}\n`;

/** Everybody who was ever awake. Who has not renewed for a while, or whose process is gone, is offline. */
export async function whoIsThere(presences: Presences, now: number, isAlive: IsAlive): Promise<Presence[]> {
  return (await presences.list()).flatMap(({ agent, text }) => {
    const found = parsePresence(agent, text);
    if (!found) return [];
    const { presence, keeper } = found;
    const isStale = !(Math.abs(now - Date.parse(presence.timestamp)) <= STALE_MS);
    const isGone = isStale || (keeper !== undefined && isAlive(keeper) === false);
    if (!isGone || presence.state === 'OFFLINE') return [presence];
    return [{ ...presence, state: 'OFFLINE' as const, substate: null, lost: true as const }];
  });
}

function parsePresence(
  agent: string,
  text: string,
): { presence: Presence; keeper: Keeper | undefined } | undefined {
  const json = parseJsonOrEmpty(text);
  const { timestamp, state, substate, watcher_pid: pid, channel } = json;
  if (typeof timestamp !== 'string' || (state !== 'AWAKE' && state !== 'OFFLINE')) return undefined;
  const presence: Presence = {
    agent_id: agent,
    timestamp,
    state,
    substate: state === 'AWAKE' && (substate === 'IDLE' || substate === 'WORKING') ? substate : null,
    watcher_pid: typeof pid === 'number' ? pid : null,
    channel: typeof channel === 'string' ? channel : null,
  };
  return { presence, keeper: parseKeeper(json.watcher) };
}

/** Others write files without it: then only their time counts. */
export function parseKeeper(value: unknown): Keeper | undefined {
  const { host, bootId, pid, startTime } = toUnknownRecord(value);
  const isKeeper =
    typeof host === 'string' &&
    typeof bootId === 'string' &&
    typeof pid === 'number' &&
    typeof startTime === 'string';
  return isKeeper ? { host, bootId, pid, startTime } : undefined;
}

function parseJsonOrEmpty(text: string): Record<string, unknown> {
  try {
    return toUnknownRecord(parseJsonSafely(text));
  } catch {
    // Not JSON, or nested too deeply: counts as absent.
    return {};
  }
}
