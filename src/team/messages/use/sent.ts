// Use case `sent`: the delivery state of sent messages, for each recipient.
import { listAnsweredIds, isLive } from '../channel.ts';
import type { Posted } from '../channel.ts';
import { buildDeliveryKey, countAttempts } from '../delivery.ts';
import type { TrackedDelivery } from '../delivery.ts';
import { isAckAwaited, listRecipients } from '../addressing.ts';
import { readHandling } from '../mailbox.ts';
import type { Mail } from '../mailbox.ts';
import { isExpired, findNewestMessages } from '../message-service.ts';
import type { MessageService } from '../message-service.ts';
import type { App, Result } from '../../../core/app/app.ts';
import type { SentInput } from '../../input/messages.ts';
import { openWorkspace } from '../../../core/app/workspace.ts';
import { toMessageDocument } from './show-message.ts';
import type { MessageDocument } from './show-message.ts';
import { requireSender } from './send.ts';
import { makeRounds, openOffice, requireCorrespondent } from './open-office.ts';

/** The delivery state of a message for one recipient. */
export interface RecipientDelivery {
  to: string;
  state: 'stored' | 'delivered' | 'acknowledged' | 'answered' | 'dead';
  /** Time of the state, ISO 8601 UTC; if acknowledged long ago, the time of the message. */
  at: string;
  /** Why it is dead. */
  reason: string | null;
  /** How often it was sent until acknowledged; null if no acknowledgement is expected. */
  attempts: number | null;
  /** The agents it was escalated to, last one first. */
  escalated: string[];
}

interface SentDocument {
  messages: (MessageDocument & { recipients: RecipientDelivery[] })[];
}

/** Returns the newest messages of a sender, oldest first. */
export async function listSentMessages(app: App, input: SentInput): Promise<Result<SentDocument>> {
  const workspace = openWorkspace(app);
  const office = await openOffice(app, workspace);
  const from = requireSender(input.from);
  const channels =
    input.channel === undefined ? (await office.log.channels()).filter(isLive) : [input.channel];
  await makeRounds(office, channels);
  const found = await Promise.all(channels.map((one) => readChannelSent(office, one, { ...input, from })));
  const messages = found
    .flat()
    .sort((a, b) => (a.time < b.time ? -1 : 1))
    .slice(-input.limit);
  // A removed agent may have sent messages that are closed by now.
  if (messages.length === 0 && (await findLastSent(office, channels, from)) === undefined)
    await requireCorrespondent(app, workspace, office.directory, from);
  return { document: { messages } };
}

async function findLastSent(
  office: MessageService,
  channels: string[],
  from: string,
): Promise<Posted | undefined> {
  const found = channels.map((one) =>
    findNewestMessages(office, one, { limit: 1, is: (it) => it.from === from }),
  );
  return (await Promise.all(found)).flat()[0];
}

interface SentFilter {
  from: string;
  open: boolean;
  limit: number;
}

async function readChannelSent(
  office: MessageService,
  channel: string,
  { from, open, limit }: SentFilter,
): Promise<SentDocument['messages']> {
  const replies = new Map<string, Posted>();
  const mine = await findNewestMessages(office, channel, {
    limit: open ? Infinity : limit,
    is(message) {
      // Searched from the newest on, so an answer is seen before the message that it answers.
      if (message.kind !== 'nack')
        for (const id of listAnsweredIds(message)) replies.set(`${id} ${message.from}`, message);
      return message.from === from && message.kind !== 'nack';
    },
  });
  const mails = new Map<string, Mail>();
  const { tracked } = await office.deliveries.read(channel);
  const now = office.clock.now();
  const states: SentDocument['messages'] = [];
  for (const message of mine) {
    const recipients: RecipientDelivery[] = [];
    for (const to of listRecipients(office.directory, message)) {
      if (!mails.has(to)) mails.set(to, await office.boxes.read(to, channel));
      const one = tracked[buildDeliveryKey({ id: message.id, chain: [to] })];
      const reply = replies.get(`${message.id} ${to}`);
      const waits = isAckAwaited(office.directory, to, message);
      recipients.push(toDelivery(to, message, mails.get(to)!, { reply, one, now, waits }));
    }
    if (!open || recipients.some(({ state }) => state === 'stored' || state === 'delivered'))
      states.push({ ...toMessageDocument(message), recipients });
  }
  return states.slice(-limit);
}

function toDelivery(
  to: string,
  message: Posted,
  mail: Mail,
  {
    reply,
    one,
    now,
    waits,
  }: { reply: Posted | undefined; one: TrackedDelivery | undefined; now: number; waits: boolean },
): RecipientDelivery {
  const tries = {
    attempts: one && !one.isBrief ? countAttempts(one) : waits ? 1 : null,
    escalated: one ? one.chain.slice(1, one.at + 1).toReversed() : [],
  };
  const { time: at } = message;
  const createDelivery = (
    state: RecipientDelivery['state'],
    since = at,
    reason: string | null = null,
  ): RecipientDelivery => ({
    to,
    state,
    at: since,
    reason,
    ...tries,
  });
  if (reply) return createDelivery('answered', reply.time);
  const handled = readHandling(mail, message);
  if (handled?.as === 'refused') return createDelivery('dead', handled.at, handled.reason);
  if (handled) return createDelivery('acknowledged', handled.at, handled.reason);
  if (isExpired(message, now)) {
    const end = new Date(Date.parse(at) + (message.ttl ?? 0) * 1000).toISOString();
    return createDelivery('dead', end, 'its time to live is over');
  }
  if (one?.state === 'dead')
    return createDelivery('dead', new Date(one.endedAt ?? now).toISOString(), one.reason);
  const shown = mail.shown[message.id];
  return shown === undefined ? createDelivery('stored') : createDelivery('delivered', shown);
}
