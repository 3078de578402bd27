// Commands about messages: `send`, `inbox`, `ack`, `nack`, `sent`, `channel`, `watch-channel` and `who`.
import type {
  AckInput,
  InboxInput,
  NackInput,
  SendInput,
  SentInput,
  ChannelInput,
  WhoInput,
  WatchChannelInput,
  ReleaseInput,
  ReservationsInput,
  ReserveInput,
} from '../input/messages.ts';
import { ack, nack, readInbox } from '../messages/use/inbox.ts';
import type { InboxDocument } from '../messages/use/inbox.ts';
import { send } from '../messages/use/send.ts';
import { listSentMessages } from '../messages/use/sent.ts';
import type { RecipientDelivery } from '../messages/use/sent.ts';
import { formatCount, toOneLine } from '../../core/base/text.ts';
import { formatTimeDistance, formatLocalTime } from '../../core/base/local-time.ts';
import { foldForTerminal } from '../../core/cli/stdout.ts';
import { performHereOrAtServer } from '../../core/cli/spec.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';
import { manageChannels, followChannel } from '../messages/use/channel.ts';
import type { ChannelDocument, ListedChannel } from '../messages/use/channel.ts';
import type { Cli } from '../../core/cli/io.ts';
import { showPresences } from '../messages/use/presence.ts';
import { watchChannel } from '../messages/use/watch-channel.ts';
import type { WatcherNews } from '../messages/use/next-turn.ts';
import { CouncilError } from '../../core/base/errors.ts';
import type { MessageDocument } from '../messages/use/show-message.ts';
import { release, listReservations, reserve, formatTimeLeft } from '../messages/use/reserve.ts';
import type { ReservationDocument } from '../messages/use/reserve.ts';

export const performSend: Command<SendInput> = async (cli, input) => {
  const result = await performHereOrAtServer(cli, () => send(cli, input));
  const { message, answer } = result.document;
  if (answer) return toTextOutcome(result, formatMessageLines(answer, cli).join('\n'));
  const { id, to, channel, from } = message;
  return toTextOutcome(
    result,
    `Sent to ${to} in ${channel}: ${id}\nWhat becomes of it: council sent --from ${from}`,
  );
};

export const performInbox: Command<InboxInput> = async (cli, input) => {
  const result = await performHereOrAtServer(cli, () => readInbox(cli, input));
  const { messages, total = messages.length } = result.document;
  if (messages.length === 0)
    return toTextOutcome(result, `${input.unread ? 'Nothing unread' : 'No messages'} for ${input.agent}.`);
  const shown = messages.map((one) =>
    formatMessageLines(one, cli, listMessageMarks(one, input).join(', ')).join('\n'),
  );
  const more = total > messages.length ? [`${total - messages.length} older ones: --limit ${total}`] : [];
  const advice = messages.some(({ unread }) => unread) ? [`Handled: council ack ID --as ${input.agent}`] : [];
  return toTextOutcome(result, await foldForTerminal([...shown, ...more, ...advice].join('\n\n')));
};

type InboxMessage = InboxDocument['messages'][number];

const listMessageMarks = ({ unread, passedFrom }: InboxMessage, given: InboxInput): string[] => [
  ...(unread && !given.unread ? ['unread'] : []),
  ...(passedFrom === null ? [] : [`passed on: ${toOneLine(passedFrom, 64)} has not acknowledged it`]),
];

export const performAnswer =
  (action: 'ack' | 'nack'): Command<AckInput & Partial<NackInput>> =>
  async (cli, { reason = '', ...input }) => {
    const result = await performHereOrAtServer(cli, () =>
      action === 'ack' ? ack(cli, input) : nack(cli, { ...input, reason }),
    );
    const lines = result.document.messages.map(
      ({ id, state, changed }) => `${id}: ${changed ? state : `was ${state} before`}`,
    );
    return toTextOutcome(result, lines.join('\n'));
  };

export const performSent: Command<SentInput> = async (cli, input) => {
  const result = await performHereOrAtServer(cli, () => listSentMessages(cli, input));
  const { messages } = result.document;
  if (messages.length === 0)
    return toTextOutcome(result, input.open ? 'Nothing is open.' : 'Nothing was sent.');
  const now = Date.now();
  const lines = messages.map((message) =>
    [
      ...formatMessageLines({ ...message, text: toOneLine(message.text, 100), code: null }, cli),
      ...message.recipients.map((one) => `  ${formatDelivery(one, now)}`),
      ...(message.recipients.length === 0 ? ['  no agent of this project is meant'] : []),
    ].join('\n'),
  );
  const open = messages.filter(({ recipients }) => recipients.some(isOpen)).length;
  return toTextOutcome(
    result,
    await foldForTerminal([...lines, `${formatCount(open, 'message')} still open.`].join('\n\n')),
  );
};

const isOpen = ({ state }: RecipientDelivery): boolean => state === 'stored' || state === 'delivered';

function formatDelivery(
  { to, state, at, reason, attempts, escalated }: RecipientDelivery,
  now: number,
): string {
  const tries = attempts !== null && attempts > 1 ? `, sent ${attempts} times` : '';
  const up =
    escalated.length === 0 ? '' : `, passed on to ${toOneLine(escalated.toReversed().join(', '), 200)}`;
  const why = reason === null ? '' : `: ${toOneLine(reason, 200)}`;
  return `${toOneLine(to, 64)}: ${state} ${formatTimeDistance(at, now)}${tries}${up}${why}`;
}

export const performChannel: Command<ChannelInput> = async (cli, input) => {
  if (input.action === 'follow' && !cli.json) {
    await followChannel(cli, input, (message) =>
      cli.show(`${formatMessageLines(message, cli).join('\n')}\n\n`),
    );
    return { json: null, text: '' };
  }
  const result = await manageChannels(cli, input);
  return toTextOutcome(result, await foldForTerminal(renderChannelDocument(result.document, cli)));
};

function renderChannelDocument(document: ChannelDocument, cli: Cli): string {
  if ('channels' in document) {
    const lines = document.channels.map(formatChannel);
    return lines.join('\n') || 'No channels yet. The first message makes one: council send all "Hello"';
  }
  if ('created' in document)
    return `${document.channel}: ${document.created ? 'created' : 'it was there already'}`;
  return (
    document.messages.map((one) => formatMessageLines(one, cli).join('\n')).join('\n\n') || 'No messages yet.'
  );
}

function formatChannel({ name, newest, last }: ListedChannel): string {
  if (!last) return `${name}: ${newest === null ? 'empty' : toOneLine(newest, 120)}`;
  const who = `${toOneLine(last.from, 64)} to ${toOneLine(last.to, 64)}`;
  return `${name}: ${formatLocalTime(last.time, Date.now())} ${who}: ${toOneLine(last.text, 80)}`;
}

export const performWho: Command<WhoInput> = async (cli) => {
  const result = await performHereOrAtServer(cli, () => showPresences(cli));
  const lines = result.document.agents.map(
    ({ agent_id: agent, state, substate, channel, timestamp, lost }) =>
      state === 'AWAKE'
        ? `${agent}: awake, ${substate === 'WORKING' ? 'at work' : 'idle'}, in ${toOneLine(channel ?? 'no channel', 64)}`
        : `${agent}: offline, last seen ${formatTimeDistance(timestamp, Date.now())}${lost ? '; its watcher was killed, or crashed' : ''}`,
  );
  return toTextOutcome(
    result,
    await foldForTerminal(
      lines.join('\n') ||
        'No agent is listening. Have one listen with: council watch-channel AGENT -- COMMAND',
    ),
  );
};

export const performWatchChannel: Command<WatchChannelInput> = async (cli, input) => {
  if (cli.json)
    throw new CouncilError('usage', 'watch-channel prints a stream, not one document.', {
      hint: 'For one document: council sent --json, council who --json',
    });
  await watchChannel(cli, input, (news) => cli.show(`${describeWatcherNews(news)}\n`));
  return { json: null, text: '' };
};

function describeWatcherNews(news: WatcherNews): string {
  if (news.type === 'watching') return `Answering for ${news.agent} in ${news.channel}. Ctrl-C to leave.`;
  const { id, from } = news.message;
  const about = `${toOneLine(id, 120)} from ${toOneLine(from, 64)}`;
  switch (news.type) {
    case 'message':
      return `${about}: asking`;
    case 'answered':
      return `${about}: answered with ${news.id}`;
    case 'handled':
      return `${about}: ${news.as} by its agent itself${news.unsent ? `; what it printed then stands in the log, and was sent to nobody` : ''}`;
    case 'skipped':
      return `${about}: not answered, ${news.why}`;
    case 'failed':
      return `${about}: attempt ${news.attempt} failed: ${toOneLine(news.why, 300)}`;
  }
}

/**
 * Renders a head with sender, recipient, time and id, and the indented text below it, so that no text can look
 * like another head. `mark` is a remark for the head.
 */
function formatMessageLines(message: MessageDocument, { paint }: Pick<Cli, 'paint'>, mark = ''): string[] {
  const { id, time, from, to, channel, type, priority, text, code, artifacts, replyTo } = message;
  const facts = [
    ...(type === 'chat' ? [] : [toOneLine(type, 40)]),
    ...(priority === 'normal' ? [] : [priority]),
    ...(replyTo === null ? [] : [`answers ${toOneLine(replyTo, 120)}`]),
    ...(mark === '' ? [] : [mark]),
  ];
  const told = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const who = `${toOneLine(from, 64)} to ${toOneLine(to, 64)}`;
  return [
    paint('bold', `${who} in ${channel}, ${formatLocalTime(time, Date.now())}${told}`),
    `  ${paint('dim', toOneLine(id, 120))}`,
    ...indentLines(text),
    ...(code === null ? [] : ['  ---', ...indentLines(code), '  ---']),
    ...artifacts.map((file) => `  + ${toOneLine(file, 200)}`),
  ];
}

const indentLines = (text: string): string[] =>
  text
    .replace(/\s+$/, '')
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => `  ${line}`);

export const performReserve: Command<ReserveInput> = async (cli, input) => {
  const result = await reserve(cli, input);
  const { document } = result;
  if ('checked' in document)
    return toTextOutcome(
      result,
      `${formatCount(document.checked.length, 'staged file')}, none reserved by others.`,
    );
  const { reservation, renewed } = document;
  const { id, by } = reservation;
  return toTextOutcome(
    result,
    `${renewed ? 'Renewed' : 'Reserved'}: ${formatReservationLine(reservation)}\nDone with it: council release ${id} --as ${by}`,
  );
};

export const performRelease: Command<ReleaseInput> = async (cli, input) => {
  const result = await release(cli, input);
  const lines = result.document.released.map(
    ({ id, patterns }) => `Released ${id}: ${joinPatterns(patterns)}`,
  );
  return toTextOutcome(result, lines.join('\n') || `${input.as} had nothing reserved.`);
};

export const performReservations: Command<ReservationsInput> = async (cli) => {
  const result = await listReservations(cli);
  return toTextOutcome(
    result,
    (await foldForTerminal(result.document.reservations.map(formatReservationLine).join('\n'))) ||
      'Nothing is reserved.',
  );
};

function formatReservationLine({ id, by, patterns, mode, why, until }: ReservationDocument): string {
  const reason = why === null ? '' : `: ${toOneLine(why, 200)}`;
  return `${toOneLine(id, 20)} ${toOneLine(by, 64)} (${mode}, ${formatTimeLeft(until)} left) ${joinPatterns(patterns)}${reason}`;
}

const joinPatterns = (patterns: string[]): string => patterns.map((one) => toOneLine(one, 256)).join(', ');
