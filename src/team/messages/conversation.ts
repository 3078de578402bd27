// Checks a sequence of messages as one conversation, for faults that no single message shows.
import { parseReferences } from './codecs/data-pairs.ts';
import { createWireFailure } from './codecs/codec-types.ts';
import type { Failed } from './codecs/codec-types.ts';
import {
  createTaskRequests,
  findAnswerFault,
  recordRequest,
  recordWorkerMessage,
  checkQuestionCount,
  updatePart,
  getPartKey,
  findWrongTransition,
} from './task-part.ts';
import type { TaskRequests, TaskPart } from './task-part.ts';
import { createPartFault, findLineFault, classifySpeaker } from './line-rules.ts';
import type { LineFormat } from './line-rules.ts';
import type { Format, Message } from './message.ts';
import { findForbiddingRule, isHeartbeatDue, isHeartbeatMissed, LIMITS, parseRole } from './policy.ts';

interface HeardTask extends TaskRequests {
  parts: Map<string, TaskPart>;
}

/** A session; `isWhole` if it was read from its first message on. */
interface HeardSession {
  isWhole: boolean;
}

/** Above these numbers the oldest entries are dropped, so that no input can fill the memory. */
const MOST_REMEMBERED = { tasks: 10_000, messages: 100_000 } as const;
/** The task and session ids that mean "none", used in registrations. */
const NO_TASK = 'T0';
const NO_SESSION = ['', 'S0'];
/** What a worker may send about a task that it was given. */
const REPORTS: readonly string[] = [
  'response',
  'error',
  'clarify',
  'update',
  'disambiguate',
  'handoff',
] satisfies Message['kind'][];

/**
 * Checks messages in the order they were sent: who may begin; that an answer comes from the worker
 * that was asked, goes back to its asker, and keeps task, session and depth; that a handoff is one
 * level deeper and reported to the orchestrator; that budgets never grow; task states; ids used
 * once in a session; how often requests repeat and workers ask back; and that references lead
 * somewhere (see `docs/team/protocol.md`). Nothing is assumed about what came before the first message.
 *
 * Returns a function that takes each message in turn and returns its error in the terms of its
 * format, or undefined if it is right. A refused message changes nothing. `maxDepth`: how often a
 * task may be handed on.
 */
export function followConversation({ maxDepth = LIMITS.depth }: { maxDepth?: number } = {}): (
  message: Message,
  format: Format,
) => Failed | undefined {
  const tasks = new Map<string, HeardTask>();
  const sessions = new Map<string, HeardSession>();
  const said = new Map<string, true>();
  const beats = new Map<string, number>();
  /** Ids of messages without a session; cleared when the numbers restart. */
  const loose = new Set<string>();

  function isRepeated({ id, context = '' }: Message, format: LineFormat): boolean {
    if (format === 'v5' && !NO_SESSION.includes(context)) return said.has(`${context}/${id}`);
    if (isFirst(id) || loose.size >= MOST_REMEMBERED.messages) loose.clear();
    const key = `${format}/${id}`;
    return loose.has(key) || !loose.add(key);
  }

  function findUnknownTaskFault(message: Message): Failed | undefined {
    const { context = '', task = '', id, from = '' } = message;
    const session = sessions.get(context);
    if (session?.isWhole === false || tasks.has(`${context}/${task}`)) return undefined;
    if (classifySpeaker(from) !== 'worker' || !REPORTS.includes(message.kind)) return undefined;
    const isTaskless = task === '' && message.kind !== 'response' && message.kind !== 'handoff';
    if (isTaskless || task === NO_TASK) return undefined;
    if (!session && sessions.size > 0) {
      const expected = `the session that it was asked in: ${[...sessions.keys()].at(-1) || '-'}`;
      return createPartFault('v5', 'context', { code: 'E42', expected, received: context || '-' });
    }
    if (!session && !isFirst(id)) return undefined;
    const expected = 'a task that an orchestrator has given';
    return createPartFault('v5', 'task', { code: 'E40', expected, received: task || '-' });
  }

  function findTaskFault(message: Message, format: 'v4' | 'v5'): Failed | undefined {
    const { context = '', task: id, depth = 0, from = '', kind } = message;
    const isV5 = format === 'v5';
    const unknown = isV5 ? findUnknownTaskFault(message) : undefined;
    if (unknown) return unknown;
    const isReal = id !== undefined && id !== NO_TASK;
    const key = `${context}/${id}`;
    const task: HeardTask = (isReal ? tasks.get(key) : undefined) ?? {
      ...createTaskRequests(message),
      parts: new Map(),
    };
    const place = getPartKey(message);
    const part = task.parts.get(place) ?? { isReceived: false, questions: 0 };
    const isReport = isReal && classifySpeaker(from) === 'worker' && REPORTS.includes(kind);
    const fault =
      (isReal ? findWrongTransition(part, message, format) : undefined) ??
      (isV5 && kind === 'handoff' && depth > maxDepth ? createDepthFailure(depth, maxDepth) : undefined) ??
      (isReport ? findAnswerFault(task, message, format) : undefined) ??
      (isV5 && isReport && kind === 'clarify' ? checkQuestionCount(part) : undefined) ??
      (isV5 ? findUnknownReference(message, (one) => said.has(`${context}/${one}`)) : undefined) ??
      (isV5 ? findUnknownParent(message, sessions.get(context), said) : undefined);
    if (fault) return fault;
    if (!isReal) return undefined;
    if (isV5 && !sessions.has(context))
      remember(sessions, context, { isWhole: isFirst(message.id) && !isReport }, MOST_REMEMBERED.messages);
    recordRequest(task, message);
    recordWorkerMessage(task, message);
    updatePart(part, message, isReport);
    task.parts.set(place, part);
    remember(tasks, key, task, MOST_REMEMBERED.tasks);
    return undefined;
  }

  return (message, format) => {
    // Lines have no time, so their reader checks how often they come.
    const beat = checkHeartbeat(beats, message);
    if (beat) return beat;
    if (format === 'envelope') return checkPermission(message);
    if (format === 'file') return undefined;
    const { context = '', id, task } = message;
    const isTwice = isRepeated(message, format);
    for (const one of [id, task])
      if (one !== undefined) remember(said, `${context}/${one}`, true, MOST_REMEMBERED.messages);
    if (isTwice)
      return createPartFault(format, 'id', { expected: 'an id that no message had before', received: id });
    return (
      findLineFault(message, format) ??
      // Before V4, there were no rules for task states.
      (format === 'v4' || format === 'v5' ? findTaskFault(message, format) : undefined)
    );
  };
}

/** A conversation begins with the number 1, or 0 in an example. */
const isFirst = (id: string): boolean => /^(?:M|MSG_)0*1?$/.test(id);

function remember<T>(kept: Map<string, T>, key: string, value: T, most: number): void {
  if (!kept.has(key) && kept.size >= most) kept.delete(kept.keys().next().value!);
  kept.set(key, value);
}

const createDepthFailure = (depth: number, most: number): Failed =>
  createPartFault('v5', 'depth', {
    code: 'E16',
    expected: `at most ${most} handed on`,
    received: String(depth),
  });

const createReferenceFailure = (id: string): Failed =>
  createPartFault('v5', 'data', {
    code: 'E43',
    expected: 'a task or message of this conversation',
    received: `#${id}`,
  });

/** Finds references that lead nowhere; an error may contain them. */
function findUnknownReference(
  { kind, body = '' }: Message,
  isKnown: (id: string) => boolean,
): Failed | undefined {
  if (kind === 'error') return undefined;
  for (const reference of parseReferences(body)) {
    if (reference.to === 'context') continue;
    const id = reference.to === 'task' ? reference.task : reference.id;
    if (!isKnown(id)) return createReferenceFailure(id);
  }
  return undefined;
}

/** `pid=` must name an earlier message, unless the beginning of the session was not read. */
function findUnknownParent(
  { data = {}, context = '' }: Message,
  session: HeardSession | undefined,
  said: ReadonlyMap<string, true>,
): Failed | undefined {
  const parent = Object.hasOwn(data, 'pid') ? String(data.pid) : undefined;
  if (parent === undefined || session?.isWhole !== true || said.has(`${context}/${parent}`)) return undefined;
  return createReferenceFailure(parent);
}

/** Reports a heartbeat that comes too soon, or so late that its agent was considered gone. */
function checkHeartbeat(beats: Map<string, number>, { kind, from = '', time }: Message): Failed | undefined {
  const at = time === undefined ? NaN : Date.parse(time);
  if (kind !== 'heartbeat' || Number.isNaN(at)) return undefined;
  const last = beats.get(from);
  if (last !== undefined && at < last) return undefined;
  const since = last === undefined ? '' : `${Math.floor((at - last) / 1000)} s after the last`;
  const { heartbeatMs, missedHeartbeats } = LIMITS;
  // A heartbeat that comes too soon does not count: the next one is measured from the one before it.
  if (!isHeartbeatDue(last, at))
    return createWireFailure(
      'too_often',
      0,
      'header.type',
      `one heartbeat in ${heartbeatMs / 1000} s`,
      since,
    );
  remember(beats, from, at, MOST_REMEMBERED.messages);
  if (last === undefined || !isHeartbeatMissed(last, at)) return undefined;
  return createWireFailure(
    'E22',
    0,
    'header.timestamp',
    `no more than ${missedHeartbeats} missing heartbeats`,
    since,
  );
}

function checkPermission({ fromRole, toRole, kind }: Message): Failed | undefined {
  const rule = findForbiddingRule(parseRole(fromRole), parseRole(toRole), kind);
  return rule === undefined ? undefined : createWireFailure('unauthorized', 0, 'header.type', rule, kind);
}
