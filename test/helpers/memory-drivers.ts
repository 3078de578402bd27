// Drivers in memory for the ports that only tests need in memory: the same contracts as the files, and nothing survives the process.
import { requireId } from '../../src/core/base/ids.ts';
import { compareByAge } from '../../src/core/store/access-tokens.ts';
import type { AccessToken, AccessTokens } from '../../src/core/store/access-tokens.ts';
import { FORGOTTEN_MS } from '../../src/core/store/heartbeats.ts';
import type { Heartbeat, Heartbeats } from '../../src/core/store/heartbeats.ts';
import type { Presences } from '../../src/core/store/small-files.ts';

export function memoryAccessTokens(): AccessTokens {
  const tokens = new Map<string, AccessToken>();
  return {
    list: async () => [...tokens.values()].sort(compareByAge),
    add: async (token) => void tokens.set(token.id, token),
    async revoke(id, at) {
      const token = tokens.get(id);
      if (token) tokens.set(id, { ...token, revokedAt: token.revokedAt ?? at });
      return token !== undefined;
    },
  };
}

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

/** Presences in memory. */
export function memoryPresences(): Presences {
  const texts = new Map<string, string>();
  return {
    async write(agent, text) {
      texts.set(requireId(agent, 'agent'), text);
    },
    list: async () =>
      [...texts].map(([agent, text]) => ({ agent, text })).sort((a, b) => (a.agent < b.agent ? -1 : 1)),
  };
}
