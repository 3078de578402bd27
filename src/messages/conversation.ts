// Reads messages one after the other as one conversation, and finds what no single message shows.
import { referencesIn } from './codecs/data.ts';
import { failed } from './codecs/result.ts';
import type { Failed } from './codecs/result.ts';
import type { Format, Message, State } from './message.ts';
import {
  forbidden,
  isHeartbeatDue,
  isHeartbeatMissed,
  isTransition,
  LIMITS,
  nextStates,
  roleOf,
} from './policy.ts';

/** What a conversation remembers of a task at one depth. */
interface Task {
  state?: State;
  /** True when the state is that of a request that has been received: it counts as running for what follows. */
  isReceived: boolean;
  questions: number;
}

/** Beyond so many tasks or messages the oldest are forgotten: nothing that is read may fill the memory. */
const MOST_REMEMBERED = 100_000;
/** The number of a task that is none: registrations have it. */
const NO_TASK = 'T0';
/** What the DATA of a request says that begins a task anew. */
const AGAIN = ['retry', 'fallback_from'];

/** Hears every message in turn; returns what is wrong with it, as the codecs say it. */
export function conversation(
  maxDepth: number = LIMITS.depth,
): (message: Message, format: Format) => Failed | undefined {
  const tasks = new Map<string, Task>();
  const said = new Map<string, true>();
  const beats = new Map<string, number>();
  const taskFor = (message: Message): Task => {
    // What is handed on has a life of its own: a worker's part may be done while the whole is not.
    const key = `${message.context ?? ''}/${message.task}/${message.depth ?? 0}`;
    return remember(tasks, key, tasks.get(key) ?? { isReceived: false, questions: 0 });
  };
  return (message, format) => {
    // Lines have no time: how often they come is seen where they are read.
    const beat = beatOf(beats, message);
    if (beat) return beat;
    if (format === 'envelope') return permission(message);
    // Before V4 there were no rules for the states of a task.
    if (format !== 'v4' && format !== 'v5') return undefined;
    const { context = '' } = message;
    remember(said, `${context}/${message.id}`, true);
    if (message.task !== undefined) remember(said, `${context}/${message.task}`, true);
    const task = message.task === undefined || message.task === NO_TASK ? undefined : taskFor(message);
    const isV5 = format === 'v5';
    return (
      (task && transition(task, message)) ??
      (isV5 ? tooDeep(message, maxDepth) : undefined) ??
      (isV5 && task ? askedTooOften(task, message) : undefined) ??
      (isV5 ? unknownReference(message, (id) => said.has(`${context}/${id}`)) : undefined)
    );
  };
}

/** A heartbeat that comes too soon, or after so long that its agent was taken for gone. */
function beatOf(beats: Map<string, number>, { kind, from = '', time }: Message): Failed | undefined {
  const at = time === undefined ? NaN : Date.parse(time);
  if (kind !== 'heartbeat' || Number.isNaN(at)) return undefined;
  const last = beats.get(from);
  if (last !== undefined && at < last) return undefined;
  const since = last === undefined ? '' : `${Math.floor((at - last) / 1000)} s after the last`;
  const { heartbeatMs, missedHeartbeats } = LIMITS;
  // One that comes too soon does not count: the next one is measured from the one before.
  if (!isHeartbeatDue(last, at))
    return failed('too_often', 0, 'header.type', `one heartbeat in ${heartbeatMs / 1000} s`, since);
  remember(beats, from, at);
  if (last === undefined || !isHeartbeatMissed(last, at)) return undefined;
  return failed('E22', 0, 'header.timestamp', `no more than ${missedHeartbeats} missing heartbeats`, since);
}

function remember<T>(kept: Map<string, T>, key: string, value: T): T {
  if (!kept.has(key) && kept.size >= MOST_REMEMBERED) kept.delete(kept.keys().next().value!);
  kept.set(key, value);
  return value;
}

function transition(task: Task, { state, kind, data = {} }: Message): Failed | undefined {
  if (state === undefined) return undefined;
  const isRequest = kind === 'request';
  const isAgain = isRequest && AGAIN.some((key) => Object.hasOwn(data, key));
  const before = task.state;
  // Whoever received a request has begun, and may say next that it is done.
  const from = before === 'N' && task.isReceived ? 'R' : before;
  const repeats = before === state;
  if (before !== undefined && from !== undefined && !isAgain && !repeats && !isTransition(from, state)) {
    const allowed = nextStates(from);
    const expected = allowed.length > 0 ? `${allowed.join(' or ')} after ${from}` : `nothing after ${from}`;
    return failed('E15', 6, 'state', expected, `${from}>${state}`);
  }
  task.state = state;
  task.isReceived = isRequest;
  return undefined;
}

function tooDeep({ kind, depth = 0 }: Message, most: number): Failed | undefined {
  if (kind !== 'handoff' || depth <= most) return undefined;
  return failed('E16', 8, 'depth', `at most ${most} handed on`, String(depth));
}

/** A question is a worker's; the answer to it has the same type. */
function askedTooOften(task: Task, { kind, from = '' }: Message): Failed | undefined {
  if (kind !== 'clarify' || !from.startsWith('W')) return undefined;
  task.questions++;
  if (task.questions <= LIMITS.clarifications) return undefined;
  return failed(
    'E18',
    3,
    'type',
    `at most ${LIMITS.clarifications} questions a task`,
    `question ${task.questions}`,
  );
}

function unknownReference({ body = '' }: Message, isKnown: (id: string) => boolean): Failed | undefined {
  for (const reference of referencesIn(body)) {
    if (reference.to === 'context') continue;
    const id = reference.to === 'task' ? reference.task : reference.id;
    if (!isKnown(id)) return failed('E43', 11, 'data', 'a task or message of this conversation', `#${id}`);
  }
  return undefined;
}

function permission({ fromRole, toRole, kind }: Message): Failed | undefined {
  const rule = forbidden(roleOf(fromRole), roleOf(toRole), kind);
  return rule === undefined ? undefined : failed('unauthorized', 0, 'header.type', rule, kind);
}
