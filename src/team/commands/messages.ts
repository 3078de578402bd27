// Commands `send`, `inbox`, `ack`, `nack` and `sent`.
import type { AckInput, InboxInput, NackInput, SendInput, SentInput } from '../input/messages.ts';
import { ack, nack } from '../messages/use/acknowledge.ts';
import { inbox } from '../messages/use/inbox.ts';
import type { InboxDocument } from '../messages/use/inbox.ts';
import { send } from '../messages/use/send.ts';
import { sent } from '../messages/use/sent.ts';
import type { Delivery } from '../messages/use/sent.ts';
import { formatCount, oneLine } from '../../core/base/text.ts';
import { distance } from '../../core/base/local-time.ts';
import { foldForTerminal } from '../../core/cli/fold.ts';
import { messageLines } from './message-lines.ts';
import { performHereOrAtServer } from '../../core/cli/performed.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';

export const sendCommand: Command<SendInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => send(cli, input),
    () => ({}),
  );
  const { message, answer } = result.document;
  if (answer) return toTextOutcome(result, messageLines(answer, cli).join('\n'));
  const { id, to, channel, from } = message;
  return toTextOutcome(
    result,
    `Sent to ${to} in ${channel}: ${id}\nWhat becomes of it: council sent --from ${from}`,
  );
};

export const inboxCommand: Command<InboxInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => inbox(cli, input),
    () => ({}),
  );
  const { messages, total = messages.length } = result.document;
  if (messages.length === 0)
    return toTextOutcome(result, `${input.unread ? 'Nothing unread' : 'No messages'} for ${input.agent}.`);
  const shown = messages.map((one) =>
    messageLines(one, cli, listMessageMarks(one, input).join(', ')).join('\n'),
  );
  const more = total > messages.length ? [`${total - messages.length} older ones: --limit ${total}`] : [];
  const advice = messages.some(({ unread }) => unread) ? [`Handled: council ack ID --as ${input.agent}`] : [];
  return toTextOutcome(result, await foldForTerminal([...shown, ...more, ...advice].join('\n\n')));
};

type Shown = InboxDocument['messages'][number];

/** What there is to say of a message in an inbox. */
const listMessageMarks = ({ unread, passedFrom }: Shown, given: InboxInput): string[] => [
  ...(unread && !given.unread ? ['unread'] : []),
  ...(passedFrom === null ? [] : [`passed on: ${oneLine(passedFrom, 64)} has not acknowledged it`]),
];

export const answerCommand =
  (action: 'ack' | 'nack'): Command<AckInput & Partial<NackInput>> =>
  async (cli, { reason = '', ...input }) => {
    const result = await performHereOrAtServer(
      cli,
      () => (action === 'ack' ? ack(cli, input) : nack(cli, { ...input, reason })),
      () => ({}),
    );
    const lines = result.document.messages.map(
      ({ id, state, changed }) => `${id}: ${changed ? state : `was ${state} before`}`,
    );
    return toTextOutcome(result, lines.join('\n'));
  };

export const sentCommand: Command<SentInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => sent(cli, input),
    () => ({}),
  );
  const { messages } = result.document;
  if (messages.length === 0)
    return toTextOutcome(result, input.open ? 'Nothing is open.' : 'Nothing was sent.');
  const now = Date.now();
  const lines = messages.map((message) =>
    [
      ...messageLines({ ...message, text: oneLine(message.text, 100), code: null }, cli),
      ...message.recipients.map((one) => `  ${deliveryLine(one, now)}`),
      ...(message.recipients.length === 0 ? ['  no agent of this project is meant'] : []),
    ].join('\n'),
  );
  const open = messages.filter(({ recipients }) => recipients.some(isOpen)).length;
  return toTextOutcome(
    result,
    await foldForTerminal([...lines, `${formatCount(open, 'message')} still open.`].join('\n\n')),
  );
};

const isOpen = ({ state }: Delivery): boolean => state === 'stored' || state === 'delivered';

function deliveryLine({ to, state, at, reason, attempts, escalated }: Delivery, now: number): string {
  const tries = attempts !== null && attempts > 1 ? `, sent ${attempts} times` : '';
  const up =
    escalated.length === 0 ? '' : `, passed on to ${oneLine(escalated.toReversed().join(', '), 200)}`;
  const why = reason === null ? '' : `: ${oneLine(reason, 200)}`;
  return `${oneLine(to, 64)}: ${state} ${distance(at, now)}${tries}${up}${why}`;
}
