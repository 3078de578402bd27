// Documents, messages, archives and small texts in memory: the same contracts as the files, but nothing persists.
import { CouncilError } from '../../base/errors.ts';
import { requireId } from '../../base/ids.ts';
import { isKept } from '../documents.ts';
import type { Documents, Stored } from '../documents.ts';
import { selectNamesInSpan } from '../message-log.ts';
import type { MessageLog } from '../message-log.ts';
import { requireMessage, requireMessageName, requireArchivePath, requireConversationId, requireFileName } from '../names.ts';
import { applyChange, toBytes } from '../update.ts';
import type { Archives } from '../archives.ts';
import type { LateFiles, PrivateTexts } from '../small-files.ts';
import { KEPT_AFTER_ARCHIVE_MS } from '../small-files.ts';

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

/** Archives in memory, stored in `texts` by path. */
export function createMemoryArchives(texts = new Map<string, string>()): Archives {
  return {
    dir: 'conseils',
    async create(path, text) {
      if (texts.has(requireArchivePath(path))) return 'exists';
      texts.set(path, text);
      return 'created';
    },
    read: async (path) => texts.get(requireArchivePath(path)),
    list: async () =>
      [...texts]
        .map(([path, text]) => ({ path, bytes: Buffer.byteLength(text), mtimeMs: 0, changedMs: 0, inode: 0 }))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
    paths: async () => [...texts.keys()].sort(),
    absolute: (path) => `/${requireArchivePath(path)}`,
  };
}

export function createMemoryLateFiles(): LateFiles {
  const texts = new Map<string, Buffer>();
  const getFolder = (conversationId: string): string => `${requireConversationId(conversationId)}/`;
  const list: LateFiles['list'] = async (conversationId) => {
    const folder = getFolder(conversationId);
    return [...texts]
      .filter(([path]) => path.startsWith(folder))
      .map(([path, bytes]) => ({ name: path.slice(folder.length), path, bytes }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  return {
    async keep(conversationId, name, bytes) {
      const path = `${getFolder(conversationId)}${requireFileName(name)}`;
      const there = texts.get(path);
      if (there && !there.equals(bytes))
        throw new CouncilError('failed', `There is another late text ${path} already.`, {
          hint: 'Late texts are never overwritten.',
        });
      if (!there) texts.set(path, Buffer.from(bytes));
      return path;
    },
    list,
    sizes: async (conversationId) =>
      (await list(conversationId)).map((text) => ({ ...text, bytes: text.bytes.length })),
  };
}

/** The folder for texts that belong to no known council. */
const KEPT = 'kept';

/** Private texts in memory, stored in `texts` by "conversationId/name". */
export function createMemoryTexts(texts = new Map<string, Uint8Array>()): PrivateTexts {
  const archived = new Map<string, string>();
  const getKey = (conversationId: string, name: string): string =>
    `${requireConversationId(conversationId)}/${requireFileName(name)}`;
  const listNames = (folder: string): string[] =>
    [...texts.keys()]
      .filter((key) => key.startsWith(`${folder}/`))
      .map((key) => key.slice(folder.length + 1))
      .sort();
  const isOver = (conversationId: string, now: number): boolean =>
    now - Date.parse(archived.get(conversationId) ?? '') > KEPT_AFTER_ARCHIVE_MS;
  return {
    write: async (conversationId, name, bytes) => putText(texts, getKey(conversationId, name), bytes),
    read: async (conversationId, name) => texts.get(getKey(conversationId, name)),
    list: async (conversationId) => listNames(requireConversationId(conversationId)),
    size: async (conversationId, name) => texts.get(getKey(conversationId, name))?.length,
    path: getKey,
    keep: async (name, bytes) => putText(texts, `${KEPT}/${requireFileName(name)}`, bytes),
    listKept: async () =>
      listNames(KEPT).map((name) => ({ name, bytes: texts.get(`${KEPT}/${name}`)?.length ?? 0 })),
    async markArchived(conversationId, at) {
      const isKnown = listNames(requireConversationId(conversationId)).length > 0;
      if (isKnown && !archived.has(conversationId)) archived.set(conversationId, at);
    },
    async sweep(now) {
      const over = [...archived.keys()].filter((conversationId) => isOver(conversationId, now)).sort();
      for (const conversationId of over) {
        for (const name of listNames(conversationId)) texts.delete(`${conversationId}/${name}`);
        archived.delete(conversationId);
      }
      return over;
    },
    remove: async (conversationId, name) => void texts.delete(getKey(conversationId, name)),
  };
}

function putText(texts: Map<string, Uint8Array>, key: string, bytes: Uint8Array): string {
  const there = texts.get(key);
  if (there && Buffer.compare(there, bytes) !== 0)
    throw new CouncilError('failed', `There is another text ${key} already (${there.length} bytes).`, {
      hint: 'Private texts are never overwritten.',
    });
  if (!there) texts.set(key, Buffer.from(bytes));
  return key;
}
