// Who is awake and who is at work: the presence of an agent, as its file has it.
import * as z from 'zod/mini';
import { readJsonDocument } from '../../core/store/documents.ts';
import type { Presences } from '../../core/store/small-files.ts';
import { TEXT_OR_NULL } from './book.ts';

/** Who keeps an agent awake: a process. */
export const keeper = z.object({
  host: z.string(),
  bootId: z.string(),
  pid: z.number(),
  startTime: z.string(),
});
export type Keeper = z.infer<typeof keeper>;
/** Others write files without it: then only their time counts. */
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

/** Whether a process still runs; undefined if that cannot be checked from here. */
export type IsAlive = (keeper: Keeper) => boolean | undefined;

/** How often a presence is renewed, and after how long without that its owner is taken for gone; in milliseconds. */
export const RENEW_MS = 15_000;
const STALE_MS = 60_000;

/** A presence as its file has it, with the process that keeps it. */
export const presenceText = (presence: Presence, keeper: Keeper): string =>
  `${JSON.stringify({ ...presence, watcher: keeper }, null, 2)}\n`;

/**
 * Everybody who was ever awake. Offline are those whose process is gone, and those who have not renewed for a while, unless their
 * process is seen to be there: it sleeps then (Ctrl-Z, a closed laptop), and goes on when it is woken.
 */
export async function whoIsThere(presences: Presences, now: number, isAlive: IsAlive): Promise<Presence[]> {
  return (await presences.list()).flatMap(({ agent, text }): Presence[] => {
    const { success, data } = presenceFile.safeParse(readJsonDocument(text));
    if (!success) return [];
    const { timestamp, state, substate, watcher_pid, channel, watcher } = data;
    const isAwake = state === 'AWAKE';
    const isStale = !(Math.abs(now - Date.parse(timestamp)) <= STALE_MS);
    const alive = watcher && isAlive(watcher);
    // Without its start time, the number may be another process's by now.
    const isAsleep = alive === true && watcher?.startTime !== '';
    const isLost = isAwake && (alive === false || (isStale && !isAsleep));
    const presence = { agent_id: agent, timestamp, watcher_pid, channel };
    if (isLost) return [{ ...presence, state: 'OFFLINE', substate: null, lost: true }];
    return [{ ...presence, state, substate: isAwake ? substate : null }];
  });
}
