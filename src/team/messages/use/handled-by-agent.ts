// Finds out what an agent has done with a message by itself, beside what it prints.
import { listAnsweredIds, cutSecondPrefix } from '../channel.ts';
import type { Posted } from '../channel.ts';
import { handledAs } from '../mailbox.ts';
import { findNewestMessages } from '../message-service.ts';
import { isReply } from '../watch-rules.ts';
import type { Answering, ByItself } from './watcher-state.ts';

/** Whether the agent has posted an answer, in whichever channel: in its turn, or as a watcher that came no further. */
export async function isAnswered(
  { office, agent }: Pick<Answering, 'office' | 'agent'>,
  message: Posted,
): Promise<boolean> {
  const is = (one: Posted): boolean =>
    one.from === agent && isReply(one.kind) && listAnsweredIds(one).includes(message.id);
  const from = cutSecondPrefix(message.name);
  for (const channel of await office.log.channels())
    if ((await findNewestMessages(office, channel, { limit: 1, from, is })).length > 0) return true;
  return false;
}

/** How the agent has handled a message within its turn; undefined where it has not. */
export async function findHandled(answering: Answering, message: Posted): Promise<ByItself | undefined> {
  if (await isAnswered(answering, message)) return 'answered';
  const { office, agent, channel } = answering;
  return handledAs(await office.boxes.read(agent, channel), message)?.as;
}
