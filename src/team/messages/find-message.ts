// Finds messages: by id, by a part of it, or the newest one.
import { CouncilError } from '../../core/base/errors.ts';
import { findByPart, LAST } from '../../core/base/unknown-name.ts';
import { isRecord, readMessage } from './channel.ts';
import type { Posted } from './channel.ts';
import { findNewestMessages, LOOK_BACK } from './message-service.ts';
import type { MessageService } from './message-service.ts';

interface MessageScope {
  is?: (message: Posted) => boolean;
  lookBack?: number;
  anywhere?: boolean;
}

/** Returns the first message with an id, in any channel; undefined if none. Searches like `findMessages`. */
export const findMessage = async (
  office: Pick<MessageService, 'log' | 'warn'>,
  id: string,
  search?: MessageScope,
): Promise<Posted | undefined> => (await findMessages(office, id, search))[0];

/**
 * Returns the messages with an id, or with `CHANNEL/ID`, that `is` accepts: several if foreign programs wrote
 * them. An id that contains its second is searched only there, unless it may be `anywhere`; for any other,
 * `lookBack` messages of each channel are searched.
 */
export async function findMessages(
  office: Pick<MessageService, 'log' | 'warn'>,
  given: string,
  { is = () => true, lookBack = LOOK_BACK, anywhere = false }: MessageScope = {},
): Promise<Posted[]> {
  const [, only, id = given] = /^([^/]+)\/(.+)$/.exec(given) ?? [];
  const channels = (await office.log.channels()).filter((channel) => only === undefined || channel === only);
  const named = (
    await Promise.all(channels.map((channel) => findMessageByName(office, channel, `${id}.json`)))
  ).filter((one) => one?.id === id) as Posted[];
  if (named.length > 0) return named.filter(is);
  // Files written by other programs may have another name: the id in them counts.
  const second = /^msg-\d{8}-\d{6}-/.exec(id)?.[0];
  const inSecond = second === undefined ? [] : [{ from: second, before: `${second}~` }];
  const spans = inSecond.length === 0 || anywhere ? [...inSecond, { lookBack }] : inSecond;
  for (const span of spans) {
    const found: Posted[] = [];
    for (const channel of channels)
      found.push(
        ...(await findNewestMessages(office, channel, {
          limit: 1,
          is: (one) => one.id === id && is(one),
          ...span,
        })),
      );
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * Returns the message that is meant: by id, else the newest one for `last`, or the only one with `given` in its
 * id; undefined if there is none. Throws `usage` if there are several; for equal ids the error lists their
 * channels.
 */
export async function findOneMessage(
  office: Pick<MessageService, 'log' | 'warn'>,
  given: string,
  search?: MessageScope,
): Promise<Posted | undefined> {
  const found = await findMessages(office, given, search);
  if (found.length < 2) return found[0] ?? findMessageByPart(office, given, search);
  const ids = found.map(({ channel, id }) => `${channel}/${id}`);
  throw new CouncilError('usage', `${found.length} messages have the id ${given}.`, {
    hint: `Say which one: ${ids.join(', ')}`,
    details: { ids },
  });
}

async function findMessageByPart(
  office: Pick<MessageService, 'log' | 'warn'>,
  given: string,
  { is = () => true, lookBack = LOOK_BACK }: MessageScope = {},
): Promise<Posted | undefined> {
  const sought = { is: (one: Posted) => !isRecord(one) && is(one), lookBack };
  const all: Posted[] = [];
  const limit = given === LAST ? 1 : lookBack;
  for (const channel of await office.log.channels())
    all.push(...(await findNewestMessages(office, channel, { ...sought, limit })));
  if (given === LAST) return all.toSorted((a, b) => (a.time < b.time ? 1 : -1))[0];
  const nameInChannel = ({ channel, id }: Posted): string => `${channel}/${id}`;
  return findByPart(given, all, {
    plural: 'messages',
    code: 'usage',
    listNames: (one) => [nameInChannel(one)],
    show: nameInChannel,
  });
}

async function findMessageByName(
  { log, warn }: Pick<MessageService, 'log' | 'warn'>,
  channel: string,
  name: string,
): Promise<Posted | undefined> {
  const [found] = await log.names(channel, { from: name, limit: 1 });
  return found === name ? readMessage(log, channel, name, warn) : undefined;
}
