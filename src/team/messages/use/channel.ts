// Use case `channel`: lists, shows, creates and follows channels. Also the loop that looks again at each
// change.
import { CouncilError } from '../../../core/base/errors.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { GENERAL, sortForReading, readMessage, readMessages, cutSecondPrefix } from '../channel.ts';
import type { Posted } from '../channel.ts';
import type { MessageService } from '../message-service.ts';
import type { App, Result } from '../../../core/app/app.ts';
import type { ChannelInput } from '../../input/messages.ts';
import { openWorkspace } from '../../../core/app/workspace.ts';
import { toMessageDocument } from './show-message.ts';
import type { MessageDocument } from './show-message.ts';
import { createOffice } from './open-office.ts';

export type ChannelDocument =
  | { channels: ListedChannel[] }
  | { channel: string; created: boolean }
  | { channel: string; messages: MessageDocument[] };

/** A channel with its newest message: its id, time, sender, recipient and beginning. */
export interface ListedChannel {
  name: string;
  newest: string | null;
  last: Pick<MessageDocument, 'time' | 'from' | 'to' | 'text'> | null;
}

/** Length of the beginning of a message in the list, and the number of names read to find the newest one. */
const BEGINNING = 200;
const IN_SECOND = 20;

/** Runs every action but `follow`, which is a stream rather than a document. */
export async function manageChannels(app: App, input: ChannelInput): Promise<Result<ChannelDocument>> {
  const office = createOffice(app, openWorkspace(app));
  const name = input.channel ?? GENERAL;
  switch (input.action) {
    case 'list':
      return { document: { channels: await listChannelSummaries(office) } };
    case 'create':
      return { document: { channel: name, created: await office.log.create(name) } };
    case 'show':
      return {
        document: {
          channel: name,
          messages: (await readNewestMessages(office, name, input.limit)).map(toMessageDocument),
        },
      };
    case 'follow':
      throw new CouncilError('usage', 'follow prints a stream, not one document.', {
        hint: `For one document: council channel show ${name} --json`,
      });
  }
}

async function listChannelSummaries({ log, warn }: MessageService): Promise<ListedChannel[]> {
  const channels = await log.channels();
  return Promise.all(
    channels.map(async (name) => {
      const names = await log.names(name, { limit: IN_SECOND, newest: true });
      const newest = names.at(-1);
      // Names within a second sort by sender.
      const latest =
        newest === undefined ? [] : names.filter((one) => one.startsWith(cutSecondPrefix(newest)));
      const found = await Promise.all(latest.map((one) => readMessage(log, name, one, warn)));
      const {
        time,
        from,
        to,
        body = '',
      } = found.toSorted((a, b) => ((a?.time ?? '') < (b?.time ?? '') ? -1 : 1)).at(-1) ?? {};
      return {
        name,
        newest: newest?.slice(0, -'.json'.length) ?? null,
        last: time && from && to ? { time, from, to, text: toOneLine(body, BEGINNING) } : null,
      };
    }),
  );
}

async function readNewestMessages(
  { log, warn }: MessageService,
  name: string,
  limit: number,
): Promise<Posted[]> {
  if (!(await log.channels()).includes(name))
    throw new CouncilError('usage', `There is no channel "${name}".`, {
      hint: `See: council channel list. It is made by its first message: council send all "…" --channel ${name}`,
    });
  return sortForReading(await readMessages(log, name, { limit, newest: true }, warn));
}

/** Shows the newest messages of a channel, then each new one, until interrupted. */
export async function followChannel(
  app: App,
  input: ChannelInput,
  show: (message: MessageDocument) => void,
): Promise<void> {
  const office = createOffice(app, openWorkspace(app));
  const name = input.channel ?? GENERAL;
  const told = new Set<string>();
  const look = async (): Promise<undefined> => {
    for (const one of await office.log.names(name, { limit: AGAIN, newest: true })) {
      if (told.has(one)) continue;
      told.add(one);
      const message = await readMessage(office.log, name, one, office.warn);
      if (message) show(toMessageDocument(message));
    }
  };
  for (const one of await office.log.names(name, { limit: AGAIN, newest: true })) told.add(one);
  const past = await readMessages(office.log, name, { limit: input.limit, newest: true }, office.warn);
  for (const message of sortForReading(past)) show(toMessageDocument(message));
  await lookUntilFound((wake) => office.log.watch(name, wake), look, app.interruption());
}

/** Messages shown from a burst. Names within a second are not in order, so the newest are listed each time. */
const AGAIN = 1000;

/** Calls `look` now and after each wake-up, one at a time, until it finds something; undefined if aborted. */
export async function lookUntilFound<T>(
  watch: (wake: () => void) => () => void,
  look: () => Promise<T | undefined>,
  signal: AbortSignal,
): Promise<T | undefined> {
  let wakes = 0;
  let resumeWait: () => void = () => undefined;
  const wake = (): void => {
    wakes++;
    resumeWait();
  };
  const stop = watch(wake);
  signal.addEventListener('abort', wake);
  try {
    while (!signal.aborted) {
      const before = wakes;
      const found = await look();
      if (found !== undefined) return found;
      if (wakes === before) await new Promise<void>((resolve) => (resumeWait = resolve));
    }
    return undefined;
  } finally {
    stop();
    signal.removeEventListener('abort', wake);
  }
}
