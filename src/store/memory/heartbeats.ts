// Memory driver for tests: heartbeats.
import { requireId } from '../../base/ids.ts';
import { FORGOTTEN_MS } from '../heartbeats.ts';
import type { Heartbeat, Heartbeats } from '../heartbeats.ts';

/** Heartbeats in memory. */
export function memoryHeartbeats(now: () => number = Date.now): Heartbeats {
  const rows = new Map<string, { heartbeat: Heartbeat; at: number }>();
  return {
    async renew(heartbeat) {
      rows.set(requireId(heartbeat.id, 'heartbeat'), { heartbeat, at: now() });
    },
    list: async () =>
      [...rows.values()]
        .map(({ heartbeat, at }) => ({ ...heartbeat, ageMs: now() - at }))
        .filter(({ ageMs }) => ageMs < FORGOTTEN_MS)
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    async remove(id) {
      rows.delete(id);
    },
  };
}
