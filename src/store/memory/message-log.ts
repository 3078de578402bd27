// Memory driver for tests: messages by channel.
import { requireId } from '../../base/ids.ts';
import { within } from '../message-log.ts';
import type { MessageLog } from '../message-log.ts';
import { requireMessage, requireMessageName } from '../names.ts';

/** Messages in memory. */
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
      within([...(channels.get(requireId(channel, 'channel'))?.keys() ?? [])].sort(), span),
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
