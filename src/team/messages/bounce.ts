// What is told of a message that was given up: to its sender, and in the channel of dead letters.
import { oneLine } from '../../core/base/text.ts';
import { COUNCIL, DEAD_LETTERS, cutSecondPrefix } from './channel.ts';
import type { Posted } from './channel.ts';
import { findNewestMessages } from './message-service.ts';
import type { Office } from './message-service.ts';

/** Tells the sender in the channel of the message, and keeps a copy of it with the dead letters. */
export async function bounce(
  { post }: Pick<Office, 'post'>,
  message: Posted,
  to: string,
  reason: string,
): Promise<void> {
  const { id, from, channel, time, body = '', code, artifacts } = message;
  const about = { from: COUNCIL, turn: COUNCIL, kind: 'error', replyTo: id };
  if (from !== COUNCIL) await post({ ...about, to: from, channel, body: `${notDelivered(to)}: ${reason}.` });
  const head = `From ${oneLine(from, 64)} to ${oneLine(to, 64)} in ${channel}, ${oneLine(time, 40)}: ${reason}.`;
  await post({
    ...about,
    to: DEAD_LETTERS,
    channel: DEAD_LETTERS,
    body: `${head}\n\n${body}`,
    ...(code !== undefined && { code }),
    ...(artifacts && { artifacts }),
  });
}

/** Whether the sender was told already, by a process that stopped before it recorded that. */
export async function wasBounced(office: Office, message: Posted, to: string): Promise<boolean> {
  const is = ({ from, replyTo, body = '' }: Posted): boolean =>
    from === COUNCIL && replyTo === message.id && body.startsWith(`${notDelivered(to)}:`);
  const from = cutSecondPrefix(message.name);
  return (await findNewestMessages(office, message.channel, { limit: 1, from, is })).length > 0;
}

const notDelivered = (to: string): string => `Not delivered to ${to}`;
