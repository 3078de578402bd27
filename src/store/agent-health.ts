// Port for the health of agents, and its one implementation on any driver of documents.
import { keysOf } from '../base/objects.ts';
import { sha256 } from '../base/ids.ts';
import { parseJsonSafely } from '../base/text.ts';
import type { Documents, Stamp } from './documents.ts';

/** How an agent's latest launches went; agents whose last launch succeeded are not recorded. */
export interface Health {
  /** Launches that failed in a row. */
  failures: number;
  /** When the last of them failed, ISO 8601 UTC. */
  at: string;
  /** Until when nobody launches it, ISO 8601 UTC; null while the breaker is closed. */
  until: string | null;
  /** The class of the last failure: no word of what the program printed. */
  reason: string;
}

/** The health of all agents of a project, shared by every process that launches them. */
export interface AgentHealth {
  /** By agent's id. Whoever is not in it is well. */
  read(): Promise<Record<string, Health>>;
  /**
   * Changes one agent's entry by compare-and-set; `change` returns the next one (undefined: well again), and what to
   * hand back. It may run several times. Nothing is written where nothing changes.
   */
  change<T>(
    id: string,
    change: (health: Health | undefined) => { next: Health | undefined; result: T },
  ): Promise<T>;
}

const KEY = 'agents';
const UNHASHED = '0'.repeat(64);
/** The store wants to know whose document it is. */
const ID = 'agent-health';

/** On any driver of documents, in a place of its own, where it is no council. What cannot be read is as good as empty. */
export function agentHealthIn(store: Pick<Documents, 'read' | 'update'>): AgentHealth {
  return {
    read: async () => entriesIn((await store.read(KEY))?.text),
    async change(id, change) {
      let result: ReturnType<typeof change>['result'] | undefined;
      await store.update(KEY, (current, revision) => {
        const entries = entriesIn(current?.text);
        const changed = change(Object.hasOwn(entries, id) ? entries[id] : undefined);
        result = changed.result;
        const { [id]: before, ...others } = entries;
        if (JSON.stringify(before) === JSON.stringify(changed.next)) return undefined;
        return write(changed.next ? { ...others, [id]: changed.next } : others, revision);
      });
      return result!;
    },
  };
}

/** The stamp that the store checks. */
export function readHealthStamp(text: string): Stamp | undefined {
  const { revision, textSha256: hash } = asObject(text);
  if (typeof revision !== 'number' || typeof hash !== 'string') return undefined;
  return { id: ID, revision, intact: hash.length === 64 && sha256(text.replace(hash, UNHASHED)) === hash };
}

function write(agents: Record<string, Health>, revision: number): string {
  const text = `${JSON.stringify({ schema: 1, revision, textSha256: UNHASHED, agents }, null, 1)}\n`;
  return text.replace(UNHASHED, sha256(text));
}

function entriesIn(text: string | undefined): Record<string, Health> {
  const { agents } = text === undefined ? {} : asObject(text);
  return typeof agents === 'object' && agents !== null ? (agents as Record<string, Health>) : {};
}

function asObject(text: string): Record<string, unknown> {
  try {
    const data = parseJsonSafely(text);
    return keysOf(data);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
