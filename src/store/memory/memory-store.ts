import { CouncilError } from '../../base/errors.ts';
import { requireId } from '../../base/ids.ts';
import { KEPT_VERSIONS } from '../documents.ts';
import type { Documents, Stored } from '../documents.ts';
import { applyChange, toBytes } from '../update.ts';

interface Entry {
  text: string;
  at: string;
}

/** Documents in memory, for tests: the same contract as the file store, and nothing survives the process. */
export function memoryStore(): Documents {
  /** The revisions of a key, the first at index 0; empty text: pruned, or a tombstone. */
  const histories = new Map<string, Entry[]>();
  const watchers = new Set<{ prefix: string; onChange: (key: string) => void }>();

  const history = (key: string): Entry[] => histories.get(requireId(key, 'council name')) ?? [];

  function live(key: string): Stored | undefined {
    const text = history(key).at(-1)?.text ?? '';
    return text === '' ? undefined : { text, revision: history(key).length };
  }

  function add(key: string, text: string, expected: number): number {
    const entries = history(key);
    const nothingToRemove = text === '' && !live(key);
    if (entries.length !== expected || nothingToRemove) {
      throw new CouncilError(
        'conflict',
        `"${key}" is at revision ${entries.length}, not at ${expected}: somebody else changed it.`,
        {
          hint: 'Run the same command again.',
        },
      );
    }
    const kept = entries.map((entry, index) =>
      index <= expected - KEPT_VERSIONS ? { ...entry, text: '' } : entry,
    );
    histories.set(key, [...kept, { text, at: new Date().toISOString() }]);
    for (const watcher of watchers)
      if (key.startsWith(watcher.prefix)) setImmediate(() => watchers.has(watcher) && watcher.onChange(key));
    return expected + 1;
  }

  function commit(key: string, text: string, expected: number): number {
    toBytes(key, text);
    return add(key, text, expected);
  }

  return {
    read: async (key) => live(key),
    revision: async (key) => history(key).length,
    commit: async (key, text, expectedRevision) => commit(key, text, expectedRevision),
    list: async (prefix = '') =>
      [...histories.keys()].filter((key) => key.startsWith(prefix) && live(key)).sort(),
    watch(prefix, onChange) {
      const watcher = { prefix, onChange };
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    versions: async (key) =>
      history(key).map(({ text, at }, index) => ({
        revision: index + 1,
        at,
        bytes: Buffer.byteLength(text),
      })),
    readVersion: async (key, revision) => history(key)[revision - 1]?.text || undefined,
    remove: async (key, expectedRevision) => add(key, '', expectedRevision),
    update: async (key, change) =>
      applyChange(
        key,
        change,
        () => ({ live: live(key), revision: history(key).length }),
        (text, expected) => commit(key, text, expected),
      ),
  };
}
