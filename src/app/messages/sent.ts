// Use case `sent`: what became of the messages that somebody sent, for each recipient.
import { ALL, isFor } from '../../messages/addressing.ts';
import type { Posted } from '../../messages/channel.ts';
import { handledAs } from '../../messages/mailbox.ts';
import type { Mail } from '../../messages/mailbox.ts';
import { isExpired, newestOf } from '../../messages/office.ts';
import type { Office } from '../../messages/office.ts';
import type { App, Result } from '../app.ts';
import type { SentInput } from '../input/messages.ts';
import { loadAgents, openWorkspace } from '../workspace.ts';
import { messageDocument } from './message-document.ts';
import type { MessageDocument } from './message-document.ts';
import { senderOf } from './send.ts';
import { postOffice, presencesOf } from './ports.ts';

/** Where a message stands with one recipient. */
export interface Delivery {
  to: string;
  state: 'stored' | 'delivered' | 'acknowledged' | 'answered' | 'dead';
  /** Since when, ISO 8601 UTC; of what was acknowledged long ago only the time of the message is known. */
  at: string;
  /** Why it is dead. */
  reason: string | null;
}

export interface SentDocument {
  messages: (MessageDocument & { recipients: Delivery[] })[];
}

/** The newest messages of a sender, the oldest of them first. */
export async function sent(app: App, input: SentInput): Promise<Result<SentDocument>> {
  const workspace = openWorkspace(app);
  const office = postOffice(app, workspace);
  const from = senderOf(app, input.from);
  const channels = input.channel === undefined ? await office.log.channels() : [input.channel];
  const agents = (await loadAgents(app, workspace)).list();
  const present = (await presencesOf(workspace).list()).map(({ agent }) => agent);
  const known = [...agents.filter(({ source }) => source === 'project').map(({ id }) => id), ...present];
  const found = await Promise.all(channels.map((one) => inChannel(office, one, { ...input, from, known })));
  const messages = found
    .flat()
    .sort((a, b) => (a.time < b.time ? -1 : 1))
    .slice(-input.limit);
  return { document: { messages } };
}

interface Wanted {
  from: string;
  known: string[];
  open: boolean;
  limit: number;
}

async function inChannel(
  office: Office,
  channel: string,
  { from, known, open, limit }: Wanted,
): Promise<SentDocument['messages']> {
  const replies = new Map<string, Posted>();
  const mine = await newestOf(office, channel, {
    limit: open ? Infinity : limit,
    is(message) {
      // From the newest on: an answer is seen before what it answers.
      if (message.replyTo !== undefined && message.kind !== 'nack')
        replies.set(`${message.replyTo} ${message.from}`, message);
      return message.from === from && message.kind !== 'nack';
    },
  });
  const mails = new Map<string, Mail>();
  const now = office.clock.now();
  const states: SentDocument['messages'] = [];
  for (const message of mine) {
    const recipients: Delivery[] = [];
    for (const to of recipientsOf(message, known)) {
      if (!mails.has(to)) mails.set(to, await office.boxes.read(to, channel));
      recipients.push(deliveryOf(to, message, mails.get(to)!, replies.get(`${message.id} ${to}`), now));
    }
    if (!open || recipients.some(({ state }) => state === 'stored' || state === 'delivered'))
      states.push({ ...messageDocument(message), recipients });
  }
  return states.slice(-limit);
}

/** Those of the project, or ever awake in it, whom it is for; and whoever it names. */
const recipientsOf = (message: Posted, known: string[]): string[] => [
  ...new Set([
    ...(ALL.includes(message.to) ? [] : [message.to]),
    ...known.filter((agent) => isFor(agent, message)),
  ]),
];

function deliveryOf(
  to: string,
  message: Posted,
  mail: Mail,
  reply: Posted | undefined,
  now: number,
): Delivery {
  const handled = handledAs(mail, message);
  const shown = mail.shown[message.id];
  const { time: at } = message;
  if (reply) return { to, state: 'answered', at: reply.time, reason: null };
  if (handled?.as === 'refused')
    return { to, state: 'dead', at: handled.at ?? at, reason: handled.reason ?? null };
  if (handled) return { to, state: 'acknowledged', at: handled.at ?? at, reason: null };
  if (isExpired(message, now)) {
    const end = new Date(Date.parse(at) + (message.ttl ?? 0) * 1000).toISOString();
    return { to, state: 'dead', at: end, reason: 'its time to live is over' };
  }
  return shown === undefined
    ? { to, state: 'stored', at, reason: null }
    : { to, state: 'delivered', at: shown, reason: null };
}
