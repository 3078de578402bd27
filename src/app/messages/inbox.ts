// Use case `inbox`: what is addressed to an agent; marks nothing read.
import { isFor } from '../../messages/addressing.ts';
import { secondOf } from '../../messages/channel.ts';
import type { Posted } from '../../messages/channel.ts';
import { isOpen } from '../../messages/mailbox.ts';
import { newestOf, waitingFor } from '../../messages/office.ts';
import type { Office, Waiting } from '../../messages/office.ts';
import type { App, Result } from '../app.ts';
import type { InboxInput } from '../input/messages.ts';
import { openWorkspace } from '../workspace.ts';
import { messageDocument } from './message-document.ts';
import type { MessageDocument } from './message-document.ts';
import { postOffice } from './ports.ts';
import { sinceWhen } from './since-when.ts';

export interface InboxDocument {
  messages: (MessageDocument & { unread: boolean })[];
  /** With `unread`, how many there are in all. */
  total?: number;
}

/** The newest messages to an agent and to all, the oldest of them first. */
export async function inbox(app: App, input: InboxInput): Promise<Result<InboxDocument>> {
  const office = postOffice(app, openWorkspace(app));
  const channels = input.channel === undefined ? await office.log.channels() : [input.channel];
  const from = input.since === undefined ? undefined : secondOf(sinceWhen(input.since, app.startedAt));
  const found = await Promise.all(channels.map((channel) => inChannel(office, channel, input, from)));
  const messages = found
    .flatMap((one) => one.messages)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(-input.limit);
  const total = found.reduce((sum, one) => sum + one.total, 0);
  return {
    document: {
      messages: messages.map((one) => ({ ...messageDocument(one), unread: one.unread })),
      ...(input.unread && { total }),
    },
  };
}

async function inChannel(
  office: Office,
  channel: string,
  { agent, unread, limit }: InboxInput,
  from: string | undefined,
): Promise<Waiting & { messages: (Posted & { unread: boolean })[] }> {
  if (unread) {
    const { messages, total } = await waitingFor(office, agent, channel, { limit, newest: true });
    const since = messages.filter(({ name }) => from === undefined || name >= from);
    return { messages: since.map((one) => ({ ...one, unread: true })), total };
  }
  const is = (message: Posted): boolean => isFor(agent, message);
  const messages = await newestOf(office, channel, { limit, is, ...(from && { from }) });
  const mail = await office.boxes.read(agent, channel);
  return {
    messages: messages.map((one) => ({ ...one, unread: isOpen(mail, one) })),
    total: messages.length,
  };
}
