// Port for the health of agents, and its one implementation on any driver of documents.
import type { Documents } from './documents.ts';
import { jsonDocument, jsonStamp, readJsonDocument } from './json-document.ts';

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

/** The stamp that the store checks. */
export const readHealthStamp = jsonStamp('agent-health');

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
        const agents = changed.next ? { ...others, [id]: changed.next } : others;
        return jsonDocument({ agents }, revision);
      });
      return result!;
    },
  };
}

function entriesIn(text: string | undefined): Record<string, Health> {
  const { agents } = readJsonDocument(text);
  return typeof agents === 'object' && agents !== null ? (agents as Record<string, Health>) : {};
}
