// Fields and input types of the use cases of messages and reservations.
import { PRIORITIES } from '../messages/message.ts';
import type { Fields, InputOf } from '../../core/app/input/fields.ts';

const CHANNEL = {
  kind: 'id',
  of: 'the name of a channel',
  help: 'the channel',
} as const;
const LIMIT = {
  kind: 'number',
  min: 1,
  max: 10_000,
  default: 50,
  placeholder: 'n',
  help: 'how many, the newest',
} as const;
/** Start of the time span: a time, or a duration before now. */
const SINCE = {
  kind: 'text',
  placeholder: 'when',
  help: 'only from then on: 2h, 2026-11-01 or 2026-11-01T12:00:00Z',
} as const;
/** Who speaks: a person, unless an agent's turn sets it. */
const AS = {
  kind: 'id',
  of: 'an agent id',
  placeholder: 'agent',
  variable: 'COUNCIL_PARTICIPANT',
  speaks: true,
} as const;

export const sendFields = {
  text: {
    kind: 'text',
    words: true,
    lines: true,
    required: true,
    argument: true,
    help: 'the recipient, unless --to names it, and the text',
    asArgument: 'the text',
  },
  to: {
    kind: 'text',
    placeholder: 'agent',
    help: 'the recipient: an agent, a group, all, human or supervisor',
  },
  from: { ...AS, help: 'who sends it', otherwise: 'human' },
  channel: { ...CHANNEL, otherwise: 'general', help: 'the channel; made when it is missing' },
  type: {
    kind: 'text',
    otherwise: 'chat, or request where the answer is waited for',
    help: 'what it is: chat, request, task_assign, review_vote, incident …',
  },
  priority: { kind: 'choice', choices: PRIORITIES, default: 'normal', help: PRIORITIES.join(', ') },
  ttl: { kind: 'duration', help: 'how long it is worth delivering', otherwise: 'for ever' },
  replyTo: { kind: 'text', placeholder: 'id', help: 'the message that it answers' },
  wait: { kind: 'flag', help: 'wait for the answer, and print it', asArgument: 'wait for the answer' },
  timeout: {
    kind: 'duration',
    help: 'with --wait: give up after this long (exit 124)',
    asArgument: 'where wait is true: give up after this long',
    otherwise: 'never',
  },
  code: {
    kind: 'text',
    lines: true,
    placeholder: 'text',
    help: 'a piece of code beside the text; @FILE for what a file holds',
    asArgument: 'a piece of code beside the text',
  },
  artifacts: {
    kind: 'texts',
    option: 'artifact',
    placeholder: 'file',
    help: 'the name of a file that belongs to it',
  },
} as const satisfies Fields;
export type SendInput = InputOf<typeof sendFields>;

export const inboxFields = {
  agent: { ...AS, required: true, argument: true, help: 'whose inbox' },
  channel: { ...CHANNEL, otherwise: 'all of them' },
  unread: { kind: 'flag', help: 'only what is not acknowledged' },
  since: SINCE,
  limit: LIMIT,
} as const satisfies Fields;
export type InboxInput = InputOf<typeof inboxFields>;

const ANSWER = {
  ids: {
    kind: 'texts',
    required: true,
    argument: true,
    placeholder: 'id',
    help: 'the messages; CHANNEL/ID where two have the same',
  },
  as: { ...AS, required: true, help: 'whose messages they are' },
} as const;

export const ackFields = ANSWER satisfies Fields;
export type AckInput = InputOf<typeof ackFields>;

export const nackFields = {
  ...ANSWER,
  reason: { kind: 'text', required: true, placeholder: 'text', help: 'why; the sender is told' },
} as const satisfies Fields;
export type NackInput = InputOf<typeof nackFields>;

export const sentFields = {
  from: { ...AS, help: 'whose messages', otherwise: 'human' },
  channel: { ...CHANNEL, otherwise: 'all of them' },
  open: { kind: 'flag', help: 'only what somebody has not acknowledged yet' },
  limit: LIMIT,
} as const satisfies Fields;
export type SentInput = InputOf<typeof sentFields>;

export const channelFields = {
  action: {
    kind: 'choice',
    choices: ['list', 'show', 'follow', 'create'],
    default: 'list',
    argument: true,
    help: 'what to do',
  },
  channel: { ...CHANNEL, argument: true, otherwise: 'general' },
  limit: LIMIT,
} as const satisfies Fields;
export type ChannelInput = InputOf<typeof channelFields>;

const LOG_KINDS = ['message', 'launch', 'question', 'approval', 'attempt', 'result'] as const;
export type LogKind = (typeof LOG_KINDS)[number];

export const logFields = {
  about: {
    kind: 'text',
    argument: true,
    help: 'only what is about it: a council (last, or a part of its name), a session (S1), a task (T3), an agent or a channel',
  },
  kind: { kind: 'choice', choices: LOG_KINDS, help: LOG_KINDS.join(', '), otherwise: 'all of them' },
  format: {
    kind: 'choice',
    choices: ['text', 'json', 'line'],
    default: 'text',
    help: 'text for people, json (one object a line), or line (the line of the protocol)',
  },
  since: SINCE,
  channel: { ...CHANNEL, otherwise: 'all of them' },
  agent: {
    kind: 'id',
    of: 'an agent id',
    speaks: true,
    help: 'only what an agent did or sent, or what is about it',
  },
  limit: LIMIT,
  follow: { kind: 'flag', help: 'go on with each new entry, until Ctrl-C' },
} as const satisfies Fields;
export type LogInput = InputOf<typeof logFields>;

export const whoFields = {} as const satisfies Fields;
export type WhoInput = InputOf<typeof whoFields>;

export const watchChannelFields = {
  agent: { kind: 'id', of: 'an agent id', required: true, argument: true, help: 'who answers' },
  command: {
    kind: 'texts',
    program: true,
    argument: true,
    help: "the program that answers, and its arguments; without one, the agent's own",
  },
  channel: { ...CHANNEL, otherwise: 'general' },
  timeout: { kind: 'duration', help: 'how long one answer may take', otherwise: "the agent's, or 5m" },
  retries: {
    kind: 'number',
    min: 0,
    max: 10,
    default: 0,
    placeholder: 'n',
    help: 'how often a failed program is tried again',
  },
  replyErrors: { kind: 'flag', help: 'tell the sender when the program failed' },
} as const satisfies Fields;
export type WatchChannelInput = InputOf<typeof watchChannelFields>;

export const reserveFields = {
  patterns: {
    kind: 'texts',
    argument: true,
    placeholder: 'pattern',
    help: 'files, folders or globs, relative to the project folder',
  },
  as: { ...AS, help: 'who reserves them' },
  for: { kind: 'duration', help: 'for how long', otherwise: '2h' },
  exclusive: { kind: 'flag', help: 'nobody else works there; this is the default' },
  shared: { kind: 'flag', help: 'others may share them, and nobody may have them exclusively' },
  why: { kind: 'text', placeholder: 'text', help: 'what for; others are told' },
  pid: {
    kind: 'number',
    min: 1,
    placeholder: 'n',
    help: 'ends with this process of this machine, if that is sooner',
  },
  ask: { kind: 'flag', help: 'where somebody else has them, send a message to the holder' },
  check: { kind: 'flag', help: 'reserve nothing: refuse when a staged file is reserved by somebody else' },
} as const satisfies Fields;
export type ReserveInput = InputOf<typeof reserveFields>;

export const releaseFields = {
  ids: {
    kind: 'texts',
    argument: true,
    placeholder: 'id',
    otherwise: 'all of yours',
    help: 'which, by their ids or by the patterns that were reserved',
  },
  as: { ...AS, required: true, help: 'whose reservations', hint: 'Say whose with --as AGENT.' },
} as const satisfies Fields;
export type ReleaseInput = InputOf<typeof releaseFields>;

export const reservationsFields = {} as const satisfies Fields;
export type ReservationsInput = InputOf<typeof reservationsFields>;
