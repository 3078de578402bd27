// Port for the health of agents, and its only implementation, on any document store.
import type { Documents } from './documents.ts';
import { renderJsonDocument, createJsonStampReader, readJsonDocument } from './documents.ts';

/** Results of an agent's latest launches; agents whose last launch succeeded have no entry. */
export interface Health {
  /** Consecutive failed launches. */
  failures: number;
  /** Time of the last failure, ISO 8601 UTC. */
  at: string;
  /** Not launched before this time, ISO 8601 UTC; null while the breaker is closed. */
  until: string | null;
  /** The class of the last failure, without any of the program's output. */
  reason: string;
  /** Set if the next launch would fail the same way, as long as the login has this fingerprint. */
  login?: string;
  /** The provider gave `until`: it is a limit, not the breaker. */
  isLimit?: true;
}

/** The health of all agents of a project on one host, shared by all processes that launch them there. */
export interface AgentHealth {
  /** By agent id. An agent without an entry is healthy. */
  read(): Promise<Record<string, Health>>;
  /** The same over several hosts: agents healthy on none of them, as on the host whose pause ends first. */
  readHosts(hosts: readonly string[]): Promise<Record<string, Health>>;
  /**
   * Changes one agent's entry by compare-and-set; `change` returns the next entry (undefined: healthy again)
   * and a result. It may run several times. Nothing is written if nothing changes.
   */
  change<T>(
    id: string,
    change: (health: Health | undefined) => { next: Health | undefined; result: T },
  ): Promise<T>;
}

const KEY = 'agents';

/** Reads the stamp that the store checks. */
export const readHealthStamp = createJsonStampReader('agent-health');

/**
 * Opens the health on any document store, in a place of its own, apart from councils. Unreadable data counts
 * as empty. Entries belong to an agent and a host, `henry@laptop`, because a login missing on one host says
 * nothing about others. An entry without a host was written by an older council, and applies to every host.
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
        return renderJsonDocument({ agents }, revision);
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
