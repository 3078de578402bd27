// Memory driver for tests: documents.
import { CouncilError } from '../../base/errors.ts';
import { requireId } from '../../base/ids.ts';
import { KEPT_VERSIONS } from '../documents.ts';
import type { Documents, Stored } from '../documents.ts';
import { applyChange, toBytes } from '../update.ts';

interface Entry {
  text: string;
  at: string;
}

interface Watcher {
  prefix: string;
  onChange: (key: string) => void;
}

/** The revisions of every key, the first at index 0; empty text: pruned, or a tombstone. And who hears of new ones. */
interface Shelf {
  histories: Map<string, Entry[]>;
  watchers: Set<Watcher>;
}

/** Documents in memory, for tests: the same contract as the file store, and nothing survives the process. */
export function memoryStore(): Documents {
  const shelf: Shelf = { histories: new Map(), watchers: new Set() };
  return {
    read: async (key) => liveIn(shelf, key),
    revision: async (key) => historyOf(shelf, key).length,
    commit: async (key, text, expectedRevision) => commit(shelf, key, text, expectedRevision),
    list: async (prefix = '') =>
      [...shelf.histories.keys()].filter((key) => key.startsWith(prefix) && liveIn(shelf, key)).sort(),
    watch(prefix, onChange) {
      const watcher = { prefix, onChange };
      shelf.watchers.add(watcher);
      return () => shelf.watchers.delete(watcher);
    },
    versions: async (key) =>
      historyOf(shelf, key).map(({ text, at }, index) => ({
        revision: index + 1,
        at,
        bytes: Buffer.byteLength(text),
      })),
    readVersion: async (key, revision) => historyOf(shelf, key)[revision - 1]?.text || undefined,
    remove: async (key, expectedRevision) => add(shelf, key, '', expectedRevision),
    update: async (key, change) =>
      applyChange(
        key,
        change,
        () => ({ live: liveIn(shelf, key), revision: historyOf(shelf, key).length }),
        (text, expected) => commit(shelf, key, text, expected),
      ),
  };
}

const historyOf = ({ histories }: Shelf, key: string): Entry[] =>
  histories.get(requireId(key, 'council name')) ?? [];

function liveIn(shelf: Shelf, key: string): Stored | undefined {
  const history = historyOf(shelf, key);
  const text = history.at(-1)?.text ?? '';
  return text === '' ? undefined : { text, revision: history.length };
}

function commit(shelf: Shelf, key: string, text: string, expected: number): number {
  toBytes(key, text);
  return add(shelf, key, text, expected);
}

function add(shelf: Shelf, key: string, text: string, expected: number): number {
  const entries = historyOf(shelf, key);
  const nothingToRemove = text === '' && !liveIn(shelf, key);
  if (entries.length !== expected || nothingToRemove)
    throw new CouncilError(
      'conflict',
      `"${key}" is at revision ${entries.length}, not at ${expected}: somebody else changed it.`,
      { hint: 'Run the same command again.' },
    );
  const kept = entries.map((entry, index) =>
    index <= expected - KEPT_VERSIONS ? { ...entry, text: '' } : entry,
  );
  shelf.histories.set(key, [...kept, { text, at: new Date().toISOString() }]);
  for (const watcher of shelf.watchers)
    if (key.startsWith(watcher.prefix))
      setImmediate(() => shelf.watchers.has(watcher) && watcher.onChange(key));
  return expected + 1;
}
