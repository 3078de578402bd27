// Where the workers that have joined are kept: one document, changed by compare-and-set.
import { toUnknownRecord } from '../../core/base/unknown-record.ts';
import type { Documents } from '../../core/store/documents.ts';
import { jsonDocument, jsonStamp, readJsonDocument } from '../../core/store/json-document.ts';
import type { Member, Registry } from './registry-members.ts';

/** The registry of a project. */
export interface RegistryBook {
  read(): Promise<Registry>;
  /** `change` may run several times. Resolves to what it last returned beside the registry. */
  change<T>(change: (registry: Registry) => { registry: Registry; result: T }): Promise<T>;
}

const KEY = 'workers';

/** The stamp that the store checks. */
export const readRegistryStamp = jsonStamp('registry');

/** On any driver of documents, in a place of its own. */
export function createRegistryBook(store: Pick<Documents, 'read' | 'update'>): RegistryBook {
  return {
    read: async () => parseRegistry((await store.read(KEY))?.text),
    async change<T>(change: (registry: Registry) => { registry: Registry; result: T }): Promise<T> {
      let result: T | undefined;
      await store.update(KEY, (current, revision) => {
        const before = parseRegistry(current?.text);
        const after = change(before);
        result = after.result;
        return after.registry === before ? undefined : jsonDocument(after.registry, revision);
      });
      // The change has run at least once.
      return result as T;
    },
  };
}

/** Unreadable state counts as empty: workers join again. */
function parseRegistry(text: string | undefined): Registry {
  const { members, messages } = readJsonDocument(text);
  return {
    members: (Array.isArray(members) ? members : []).filter(isMember),
    messages: typeof messages === 'number' ? messages : 0,
  };
}

function isMember(value: unknown): value is Member {
  const { id, capabilities, status, seen } = toUnknownRecord(value);
  return (
    typeof id === 'string' &&
    Array.isArray(capabilities) &&
    typeof status === 'string' &&
    typeof seen === 'number'
  );
}
