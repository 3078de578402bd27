// Reports the results of a round: to senders of messages given up, in the dead letters, and in the log.
import { readMessage, COUNCIL, DEAD_LETTERS, cutSecondPrefix } from './channel.ts';
import type { Posted } from './channel.ts';
import { buildDeliveryKey, countAttempts } from './delivery.ts';
import type { TrackedDelivery } from './delivery.ts';
import type { Mail } from './mailbox.ts';
import type { MessageService } from './message-service.ts';
import { toOneLine } from '../../core/base/text.ts';
import { findNewestMessages } from './message-service.ts';

/** The context of one round; each mailbox is read once. */
export interface DeliveryRound {
  office: MessageService;
  channel: string;
  now: number;
  messages: Posted[];
  /** Messages before this name need not be read again. */
  until: string;
  /** `ID AGENT` of everything that an agent has answered. */
  answered: Set<string>;
  readMail(recipient: string): Promise<Mail>;
}

/** A delivery before and after the round, and when it is due again. */
export interface DeliveryStep {
  before: TrackedDelivery;
  after: TrackedDelivery;
  due: number;
}

/** True if its sender does not know yet that it was given up. */
export const isToTell = ({ state, isTold }: TrackedDelivery): boolean =>
  (state === 'dead' || state === 'expired') && !isTold;

/** Reports what these steps have done. */
export async function reportRoundSteps(round: DeliveryRound, steps: DeliveryStep[]): Promise<void> {
  await Promise.all([tellSenders(round, steps), log(round, steps)]);
}

async function tellSenders(
  { office, channel, now, messages }: DeliveryRound,
  steps: DeliveryStep[],
): Promise<void> {
  const over = steps.filter(
    ({ after, before }) => isToTell(after) && after !== before && after.endedAt === now,
  );
  if (over.length === 0) return;
  for (const { before, after } of over) {
    const { name, chain, at, reason = '' } = after;
    const [to = '', ...passed] = chain.slice(0, at + 1);
    const why = passed.length === 0 ? reason : `${reason}; it was passed on to ${passed.join(', ')}`;
    const message =
      messages.find((one) => one.name === name) ??
      (await readMessage(office.log, channel, name, office.warn));
    const isAgain = before.endedAt !== undefined;
    if (message && !(isAgain && (await wasBounced(office, message, to))))
      await bounceMessage(office, message, to, why);
  }
  const told = new Set(over.map(({ after }) => buildDeliveryKey(after)));
  await office.deliveries.change(channel, ({ mark, tracked }) => ({
    mark,
    tracked: Object.fromEntries(
      Object.entries(tracked).map(([key, one]) => [key, told.has(key) ? { ...one, isTold: true } : one]),
    ),
  }));
}

async function log({ office, channel, messages }: DeliveryRound, steps: DeliveryStep[]): Promise<void> {
  for (const { before, after } of steps) {
    const { id, name, from, chain, at, state, reason } = after;
    const isSent = before.state === 'waiting' && state === 'sent';
    const isUp = at > before.at;
    const isEnd = state !== before.state && (state === 'dead' || state === 'expired');
    if (!isSent && !isUp && !isEnd) continue;
    const message = messages.find((one) => one.name === name) ?? {
      id,
      from,
      to: chain[0]!,
      kind: 'request',
      channel,
    };
    const agent = chain[at]!;
    const event = isEnd ? state : isUp ? 'escalated' : 'retried';
    await office.record(event, message, {
      agent,
      attempt: countAttempts(after),
      ...(isEnd && reason && { reason }),
    });
  }
}

/** Informs the sender in the channel of the message, and keeps a copy in the dead letters. */
export async function bounceMessage(
  { post }: Pick<MessageService, 'post'>,
  message: Posted,
  to: string,
  reason: string,
): Promise<void> {
  const { id, from, channel, time, body = '', code, artifacts } = message;
  const about = { from: COUNCIL, turn: COUNCIL, kind: 'error', replyTo: id };
  if (from !== COUNCIL)
    await post({ ...about, to: from, channel, body: `${formatFailedDelivery(to)}: ${reason}.` });
  const head = `From ${toOneLine(from, 64)} to ${toOneLine(to, 64)} in ${channel}, ${toOneLine(time, 40)}: ${reason}.`;
  await post({
    ...about,
    to: DEAD_LETTERS,
    channel: DEAD_LETTERS,
    body: `${head}\n\n${body}`,
    ...(code !== undefined && { code }),
    ...(artifacts && { artifacts }),
  });
}

/** True if the sender was informed already, by a process that stopped before recording it. */
async function wasBounced(office: MessageService, message: Posted, to: string): Promise<boolean> {
  const is = ({ from, replyTo, body = '' }: Posted): boolean =>
    from === COUNCIL && replyTo === message.id && body.startsWith(`${formatFailedDelivery(to)}:`);
  const from = cutSecondPrefix(message.name);
  return (await findNewestMessages(office, message.channel, { limit: 1, from, is })).length > 0;
}

const formatFailedDelivery = (to: string): string => `Not delivered to ${to}`;
