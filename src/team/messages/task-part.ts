// One part of a task in a conversation: its state, how often its worker asked back, and what begins it anew.
import type { Failed } from './codecs/codec-types.ts';
import { createPartFault, parseRetry, classifySpeaker } from './line-rules.ts';
import type { LineFormat } from './line-rules.ts';
import type { Message, State } from './message.ts';
import { isTransition, LIMITS, nextStates } from './policy.ts';

/** What a conversation remembers of a part of a task: the whole, or what a worker was handed on. */
export interface TaskPart {
  state?: State;
  /** True when the state is that of a request that has been received: it counts as running for what follows. */
  isReceived: boolean;
  questions: number;
  error?: string;
  /** What was asked for last: budget and text. */
  request?: string;
}

/** What is handed on has a life of its own: a worker's part may be done while the whole is not. */
export function getPartKey({ kind, depth = 0, from = '', to = '' }: Message): string {
  if (depth === 0) return '0';
  const worker = kind === 'handoff' || classifySpeaker(from) !== 'worker' ? to : from;
  return `${depth}/${worker}`;
}

/** What begins a task anew: a repetition that may be one, a request in place of another worker's, or one that was mended. */
function isAgain(message: Message, { error, state, request }: TaskPart): boolean {
  const { kind, data = {} } = message;
  if (kind === 'handoff') return true;
  if (kind !== 'request') return false;
  if (Object.hasOwn(data, 'fallback_from')) return true;
  // What was wrong in itself is not repeated; 0 is said by a person who has it begun again.
  const repeats = parseRetry(message);
  if (repeats !== undefined) return !(repeats.retry > 0 && error?.startsWith('E1'));
  return (state === 'F' || state === 'X') && request !== undefined && request !== buildRequestKey(message);
}

const buildRequestKey = ({ body = '', budget }: Message): string => `${budget ?? '-'}|${body}`;

export function wrongTransition(part: TaskPart, message: Message, format: LineFormat): Failed | undefined {
  const { state } = message;
  const before = part.state;
  if (state === undefined || before === undefined || before === state) return undefined;
  // A worker that received a request counts as running, and may report it done next.
  const from = before === 'N' && part.isReceived ? 'R' : before;
  if (isTransition(from, state) || isAgain(message, part)) return undefined;
  const allowed = nextStates(from);
  const expected = allowed.length > 0 ? `${allowed.join(' or ')} after ${from}` : `nothing after ${from}`;
  return createPartFault(format, 'state', { code: 'E15', expected, received: `${from}>${state}` });
}

export function notePart(part: TaskPart, message: Message, isReport: boolean): void {
  const { state, kind, error } = message;
  if (state !== undefined) {
    part.state = state;
    part.isReceived = kind === 'request';
  }
  if (error !== undefined) part.error = error;
  if (kind === 'request') part.request = buildRequestKey(message);
  if (isReport && kind === 'clarify') part.questions++;
}

/** A question is a worker's; the answer to it has the same type. */
export function askedTooOften({ questions }: TaskPart): Failed | undefined {
  if (questions < LIMITS.clarifications) return undefined;
  const expected = `at most ${LIMITS.clarifications} questions a task`;
  return createPartFault('v5', 'kind', { code: 'E18', expected, received: `question ${questions + 1}` });
}
