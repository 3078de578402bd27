// Port for the health of agents, and its one implementation on any driver of documents.
import type { Documents } from './documents.ts';
import { jsonDocument, jsonStamp, readJsonDocument } from './documents.ts';

/** How an agent's latest launches went; agents whose last launch succeeded are not recorded. */
export interface Health {
  /** Launches that failed in a row. */
  failures: number;
  /** When the last of them failed, ISO 8601 UTC. */
  at: string;
  /** Until when it is not launched, ISO 8601 UTC; null while the breaker is closed. */
  until: string | null;
  /** The class of the last failure: no word of what the program printed. */
  reason: string;
  /** Set where the next launch would fail in the same way: as long as what it logs in with has this mark. */
  login?: string;
  /** The provider has named `until`: it is a limit, and no breaker. */
  isLimit?: true;
}

/** The health of all agents of a project on one host, shared by every process that launches them there. */
export interface AgentHealth {
  /** By agent's id. An agent without an entry is well. */
  read(): Promise<Record<string, Health>>;
  /** The same over several hosts: only who is well on none of them, as on that where its pause ends first. */
  readHosts(hosts: readonly string[]): Promise<Record<string, Health>>;
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

/**
 * On any driver of documents, in a place of its own, where it is no council. What cannot be read is as good as empty. Entries
 * belong to an agent and a host, `henry@laptop`: a login that is missing on one says nothing about the others. One without
 * a host was written by an older council, and counts on every host.
 */
export function openAgentHealth(store: Pick<Documents, 'read' | 'update'>, host = ''): AgentHealth {
  const readHosts = async (hosts: readonly string[]): Promise<Record<string, Health>> => {
    const entries = readHealthEntries((await store.read(KEY))?.text);
    const ids = new Set(Object.keys(entries).map((key) => key.split('@', 1)[0] ?? ''));
    return Object.fromEntries(
      [...ids].flatMap((id) => {
        const on = hosts.map((one) => findHealthEntry(entries, id, one));
        const [first] = on.toSorted((a, b) => ((a?.until ?? '') < (b?.until ?? '') ? -1 : 1));
        return first && on.every(Boolean) ? [[id, first]] : [];
      }),
    );
  };
  return {
    read: () => readHosts([host]),
    readHosts,
    async change(id, change) {
      let result: ReturnType<typeof change>['result'] | undefined;
      await store.update(KEY, (current, revision) => {
        const entries = readHealthEntries(current?.text);
        const before = findHealthEntry(entries, id, host);
        const changed = change(before);
        result = changed.result;
        if (JSON.stringify(before) === JSON.stringify(changed.next)) return undefined;
        const { [id]: _old, [buildHealthKey(id, host)]: _before, ...others } = entries;
        const agents = changed.next ? { ...others, [buildHealthKey(id, host)]: changed.next } : others;
        return jsonDocument({ agents }, revision);
      });
      return result!;
    },
  };
}

const buildHealthKey = (id: string, host: string): string => (host === '' ? id : `${id}@${host}`);

function findHealthEntry(entries: Record<string, Health>, id: string, host: string): Health | undefined {
  const key = [buildHealthKey(id, host), id].find((one) => Object.hasOwn(entries, one));
  return key === undefined ? undefined : entries[key];
}

function readHealthEntries(text: string | undefined): Record<string, Health> {
  const { agents } = readJsonDocument(text);
  return typeof agents === 'object' && agents !== null ? (agents as Record<string, Health>) : {};
}
