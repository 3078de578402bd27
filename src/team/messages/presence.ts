// The presence of agents (awake, working), as stored in their files.
import * as z from 'zod/mini';
import { readJsonDocument } from '../../core/store/documents.ts';
import type { Presences } from '../../core/store/small-files.ts';
import { TEXT_OR_NULL } from './book.ts';

/** The process that keeps an agent awake. */
export const keeper = z.object({
  host: z.string(),
  bootId: z.string(),
  pid: z.number(),
  startTime: z.string(),
});
export type Keeper = z.infer<typeof keeper>;
/** Optional, because other programs write files without it: then only the timestamp counts. */
export const maybeKeeper = z.catch(z.optional(keeper), undefined);

const presenceFile = z.object({
  /** ISO 8601 UTC. */
  timestamp: z.string(),
  state: z.enum(['AWAKE', 'OFFLINE']),
  substate: z.catch(z.nullable(z.enum(['IDLE', 'WORKING'])), null),
  watcher_pid: z.catch(z.nullable(z.number()), null),
  channel: TEXT_OR_NULL,
  watcher: maybeKeeper,
});

export interface Presence extends Omit<z.infer<typeof presenceFile>, 'watcher'> {
  agent_id: string;
  /** It ended without signing off: killed, crashed, or its machine went down. Computed, not stored. */
  lost?: true;
}

/** True if a process still runs; undefined if that cannot be checked from here. */
export type IsAlive = (keeper: Keeper) => boolean | undefined;

/** The interval at which a presence is renewed, and the age at which it counts as gone; in milliseconds. */
export const RENEW_MS = 15_000;
const STALE_MS = 60_000;

/** Serializes a presence for its file, with the process that keeps it. */
export const serializePresence = (presence: Presence, keeper: Keeper): string =>
  `${JSON.stringify({ ...presence, watcher: keeper }, null, 2)}\n`;

/**
 * Returns all agents that were ever awake. An agent is offline if its process is gone, or if its presence was
 * not renewed and its process cannot be seen. A visible process is only suspended (Ctrl-Z, a closed laptop),
 * and will resume.
 */
export async function listPresences(
  presences: Presences,
  now: number,
  isAlive: IsAlive,
): Promise<Presence[]> {
  return (await presences.list()).flatMap(({ agent, text }): Presence[] => {
    const { success, data } = presenceFile.safeParse(readJsonDocument(text));
    if (!success) return [];
    const { timestamp, state, substate, watcher_pid, channel, watcher } = data;
    const isAwake = state === 'AWAKE';
    const isStale = !(Math.abs(now - Date.parse(timestamp)) <= STALE_MS);
    const alive = watcher && isAlive(watcher);
    // Without its start time, the pid may belong to another process by now.
    const isAsleep = alive === true && watcher?.startTime !== '';
    const isLost = isAwake && (alive === false || (isStale && !isAsleep));
    const presence = { agent_id: agent, timestamp, watcher_pid, channel };
    if (isLost) return [{ ...presence, state: 'OFFLINE', substate: null, lost: true }];
    return [{ ...presence, state, substate: isAwake ? substate : null }];
  });
}
