// Memory driver for tests: presences.
import { requireId } from '../../base/ids.ts';
import type { Presences } from '../presences.ts';

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
