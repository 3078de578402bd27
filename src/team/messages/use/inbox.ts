// Use cases `inbox`, `ack` and `nack`: lists an agent's messages, and acknowledges or refuses them.
import { isFor, listAgentGroups } from '../addressing.ts';
import { sortForReading, isLive, isRecord, formatSecondPrefix } from '../channel.ts';
import type { Posted } from '../channel.ts';
import { isUnhandled, handle, readHandling } from '../mailbox.ts';
import { findNewestMessages, listWaitingMessages } from '../message-service.ts';
import type { MessageService, WaitingMessages } from '../message-service.ts';
import type { App, Result } from '../../../core/app/app.ts';
import type { InboxInput, AckInput, NackInput } from '../../input/messages.ts';
import { openWorkspace } from '../../../core/app/workspace.ts';
import { toMessageDocument } from './show-message.ts';
import type { MessageDocument } from './show-message.ts';
import { makeRounds, openOffice, requireCorrespondent } from './open-office.ts';
import { parseDuration } from '../../../core/base/duration.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import type { Handled } from '../mailbox.ts';
import { findOneMessage } from '../find-message.ts';
import { requireSender } from './send.ts';

export interface InboxDocument {
  /** `passedFrom`: the recipient that did not acknowledge it, so that it was escalated to this agent. */
  messages: (MessageDocument & { unread: boolean; passedFrom: string | null })[];
  /** With `unread`, the total number. */
  total?: number;
}

/** Returns the newest messages to an agent and to all, oldest first. */
export async function readInbox(app: App, input: InboxInput): Promise<Result<InboxDocument>> {
  const workspace = openWorkspace(app);
  const office = await openOffice(app, workspace);
  const channels =
    input.channel === undefined ? (await office.log.channels()).filter(isLive) : [input.channel];
  await makeRounds(office, channels);
  const from =
    input.since === undefined ? undefined : formatSecondPrefix(parseStartTime(input.since, app.startedAt));
  const found = await Promise.all(channels.map((channel) => readChannelInbox(office, channel, input, from)));
  const messages = found
    .flatMap((one) => one.messages)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(-input.limit);
  if (messages.length === 0 && !(await hasMail(office, channels, input.agent)))
    await requireCorrespondent(app, workspace, office.directory, input.agent);
  const total = found.reduce((sum, one) => sum + one.total, 0);
  return {
    document: {
      messages: sortForReading(messages).map((one) => ({
        ...toMessageDocument(one),
        unread: one.unread,
        passedFrom: one.passedFrom,
      })),
      ...(input.unread && { total }),
    },
  };
}

/** True if a message was ever sent to this name: an agent that was removed may have some. */
async function hasMail(office: MessageService, channels: string[], agent: string): Promise<boolean> {
  for (const channel of channels)
    if ((await findNewestMessages(office, channel, { limit: 1, is: ({ to }) => to === agent })).length > 0)
      return true;
  return false;
}

async function readChannelInbox(
  office: MessageService,
  channel: string,
  { agent, unread, limit }: InboxInput,
  from: string | undefined,
): Promise<WaitingMessages & { messages: (Posted & { unread: boolean; passedFrom: string | null })[] }> {
  const mail = await office.boxes.read(agent, channel);
  const findEscalator = ({ id }: Posted): string | null =>
    Object.hasOwn(mail.passed, id) ? (mail.passed[id] ?? null) : null;
  if (unread) {
    const { messages, total } = await listWaitingMessages(office, agent, channel, { limit, newest: true });
    const since = messages.filter(({ name }) => from === undefined || name >= from);
    return {
      messages: since.map((one) => ({ ...one, unread: true, passedFrom: findEscalator(one) })),
      total,
    };
  }
  const groups = listAgentGroups(office.directory, agent);
  const is = (message: Posted): boolean => isFor(agent, message, groups) || findEscalator(message) !== null;
  const messages = await findNewestMessages(office, channel, { limit, is, ...(from && { from }) });
  return {
    messages: messages.map((one) => ({
      ...one,
      unread: isUnhandled(mail, one) && !isRecord(one),
      passedFrom: findEscalator(one),
    })),
    total: messages.length,
  };
}

/** Parses a time, or a duration before now; returns milliseconds since the epoch. Throws `usage`. */
export function parseStartTime(text: string, now: number): number {
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(at)) return at;
  try {
    return now - parseDuration(text);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    throw new CouncilError(
      'usage',
      `--since must be a time or how long ago; received ${JSON.stringify(text)}.`,
      {
        hint: 'For example: --since 2h, --since 2026-11-01, --since 2026-11-01T12:00:00Z',
      },
    );
  }
}

interface AnswerDocument {
  as: string;
  messages: { id: string; channel: string; state: Handled['as']; changed: boolean }[];
}

/** Acknowledges messages for one recipient. Repeating it changes nothing. */
export const ack = (app: App, input: AckInput): Promise<Result<AnswerDocument>> => answer(app, input);

/** Refuses messages for one recipient; their senders get the reason. */
export const nack = (app: App, input: NackInput): Promise<Result<AnswerDocument>> =>
  answer(app, input, input.reason);

async function answer(
  app: App,
  { ids, as: given }: AckInput,
  reason?: string,
): Promise<Result<AnswerDocument>> {
  const office = await openOffice(app, openWorkspace(app));
  const as = requireSender(given);
  const messages = await Promise.all([...new Set(ids)].map((id) => requireReceivedMessage(office, as, id)));
  const how: Handled = {
    as: reason === undefined ? 'acknowledged' : 'refused',
    at: new Date(office.clock.now()).toISOString(),
    ...(reason !== undefined && { reason }),
  };
  const done: AnswerDocument['messages'] = [];
  for (const channel of new Set(messages.map((one) => one.channel)))
    done.push(
      ...(await answerInChannel(
        office,
        as,
        messages.filter((one) => one.channel === channel),
        how,
      )),
    );
  return { document: { as, messages: done } };
}

async function answerInChannel(
  { boxes, post, record }: MessageService,
  as: string,
  messages: Posted[],
  how: Handled,
): Promise<AnswerDocument['messages']> {
  const channel = messages[0]?.channel ?? '';
  let before = await boxes.read(as, channel);
  // Informs the sender first: if interrupted here, it is informed twice rather than never.
  if (how.as === 'refused')
    for (const message of messages)
      if (!readHandling(before, message)) await post(buildNackDraft(as, message, how.reason ?? ''));
  await boxes.change(as, channel, (mail) => handle((before = mail), messages, how));
  const { as: event, reason } = how;
  for (const message of messages)
    if (!readHandling(before, message))
      await record(event, message, { agent: as, ...(reason && { reason }) });
  return messages.map((message) => {
    const earlier = readHandling(before, message);
    return { id: message.id, channel, state: earlier?.as ?? how.as, changed: !earlier };
  });
}

const buildNackDraft = (as: string, { id, from, channel }: Posted, reason: string) => ({
  from: as,
  to: from,
  channel,
  kind: 'nack',
  body: reason,
  replyTo: id,
});

async function requireReceivedMessage(office: MessageService, as: string, id: string): Promise<Posted> {
  const groups = listAgentGroups(office.directory, as);
  // A file put there by hand may have another name than its id.
  const own = await findOneMessage(office, id, { is: (one) => isFor(as, one, groups), anywhere: true });
  if (own) return own;
  const found = await findOneMessage(office, id, { anywhere: true });
  if (found && Object.hasOwn((await office.boxes.read(as, found.channel)).passed, found.id)) return found;
  throw new CouncilError(
    'failed',
    found ? `The message ${id} is not for ${as}.` : `There is no message ${id}.`,
    {
      hint: `See: council inbox ${as}`,
    },
  );
}
