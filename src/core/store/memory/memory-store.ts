// Documents and messages in memory, for tests of programs that use the package.
import { CouncilError } from '../../base/errors.ts';
import { requireId } from '../../base/ids.ts';
import { isKept } from '../documents.ts';
import type { Documents, Stored } from '../documents.ts';
import { selectNamesInSpan } from '../message-log.ts';
import type { MessageLog } from '../message-log.ts';
import { requireMessage, requireMessageName } from '../names.ts';
import { applyChange, toBytes } from '../update.ts';

interface Entry {
  text: string;
  at: string;
}

interface Watcher {
  prefix: string;
  onChange: (key: string) => void;
}

/** The revisions of every key, the first at index 0 (empty if pruned or a tombstone), and the watchers. */
interface Layout {
  histories: Map<string, Entry[]>;
  watchers: Set<Watcher>;
}

/** Documents in memory, for tests: the same contract as the file store, but nothing persists. */
export function memoryStore(): Documents {
  const layout: Layout = { histories: new Map(), watchers: new Set() };
  return {
    read: async (key) => findLiveText(layout, key),
    revision: async (key) => findHistoryEntries(layout, key).length,
    commit: async (key, text, expectedRevision) => commitText(layout, key, text, expectedRevision),
    list: async (prefix = '') =>
      [...layout.histories.keys()].filter((key) => key.startsWith(prefix) && findLiveText(layout, key)).sort(),
    watch(prefix, onChange) {
      const watcher = { prefix, onChange };
      layout.watchers.add(watcher);
      return () => layout.watchers.delete(watcher);
    },
    versions: async (key) =>
      findHistoryEntries(layout, key).map(({ text, at }, index) => ({
        revision: index + 1,
        at,
        bytes: Buffer.byteLength(text),
      })),
    readVersion: async (key, revision) => findHistoryEntries(layout, key)[revision - 1]?.text || undefined,
    remove: async (key, expectedRevision) => addEntry(layout, key, '', expectedRevision),
    update: async (key, change) =>
      applyChange(
        key,
        change,
        () => ({ live: findLiveText(layout, key), revision: findHistoryEntries(layout, key).length }),
        (text, expected) => commitText(layout, key, text, expected),
      ),
  };
}

const findHistoryEntries = ({ histories }: Layout, key: string): Entry[] =>
  histories.get(requireId(key, 'council name')) ?? [];

function findLiveText(layout: Layout, key: string): Stored | undefined {
  const history = findHistoryEntries(layout, key);
  const text = history.at(-1)?.text ?? '';
  return text === '' ? undefined : { text, revision: history.length };
}

function commitText(layout: Layout, key: string, text: string, expected: number): number {
  toBytes(key, text);
  return addEntry(layout, key, text, expected);
}

function addEntry(layout: Layout, key: string, text: string, expected: number): number {
  const entries = findHistoryEntries(layout, key);
  const nothingToRemove = text === '' && !findLiveText(layout, key);
  if (entries.length !== expected || nothingToRemove)
    throw new CouncilError(
      'conflict',
      `"${key}" is at revision ${entries.length}, not at ${expected}: somebody else changed it.`,
      { hint: 'Run the same command again.' },
    );
  const bytes = Buffer.byteLength(text);
  const kept = entries.map((entry, index) =>
    isKept(index + 1, expected + 1, bytes) ? entry : { ...entry, text: '' },
  );
  layout.histories.set(key, [...kept, { text, at: new Date().toISOString() }]);
  for (const watcher of layout.watchers)
    if (key.startsWith(watcher.prefix))
      setImmediate(() => layout.watchers.has(watcher) && watcher.onChange(key));
  return expected + 1;
}

export function memoryMessageLog(): MessageLog {
  const channels = new Map<string, Map<string, string>>();
  const watchers = new Set<{ channel: string; onChange: () => void }>();
  const create = (channel: string): boolean => {
    const isNew = !channels.has(requireId(channel, 'channel'));
    if (isNew) channels.set(channel, new Map());
    return isNew;
  };
  return {
    create: async (channel) => create(channel),
    channels: async () => [...channels.keys()].sort(),
    async append(channel, name, text, { isMoved = false } = {}) {
      requireMessageName(name);
      requireMessage(text);
      create(channel);
      const messages = channels.get(channel)!;
      const others = isMoved ? [] : [...channels.values()];
      if ([messages, ...others].some((one) => one.has(name))) return false;
      messages.set(name, text);
      for (const watcher of watchers)
        if (watcher.channel === channel) setImmediate(() => watchers.has(watcher) && watcher.onChange());
      return true;
    },
    names: async (channel, span) =>
      selectNamesInSpan([...(channels.get(requireId(channel, 'channel'))?.keys() ?? [])].sort(), span),
    async read(channel, name) {
      requireMessageName(name);
      return channels.get(requireId(channel, 'channel'))?.get(name);
    },
    watch(channel, onChange) {
      const watcher = { channel: requireId(channel, 'channel'), onChange };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}
