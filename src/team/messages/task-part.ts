// What a conversation knows of its tasks: the state of each part, its requests, their depth and budget.
import type { Failed } from './codecs/codec-types.ts';
import { createPartFault, parseRetry, classifySpeaker } from './line-rules.ts';
import type { LineFormat } from './line-rules.ts';
import type { Message, TaskState } from './message.ts';
import { isTransition, LIMITS, listNextStates } from './policy.ts';

/** The state of a part of a task: the whole task, or what a worker was handed. */
export interface TaskPart {
  state?: TaskState;
  /** True if the state is from a request that was received: for the next line it counts as running. */
  isReceived: boolean;
  questions: number;
  error?: string;
  /** The budget and text of the last request. */
  request?: string;
}

/** A handed-on part has its own state: a worker's part may be done while the whole is not. */
export function getPartKey({ kind, depth = 0, from = '', to = '' }: Message): string {
  if (depth === 0) return '0';
  const worker = kind === 'handoff' || classifySpeaker(from) !== 'worker' ? to : from;
  return `${depth}/${worker}`;
}

/** True if a message restarts a task: a valid retry, a request in place of another worker's, or a corrected one. */
function isAgain(message: Message, { error, state, request }: TaskPart): boolean {
  const { kind, data = {} } = message;
  if (kind === 'handoff') return true;
  if (kind !== 'request') return false;
  if (Object.hasOwn(data, 'fallback_from')) return true;
  // A request that was faulty itself is not retried; a person who restarts it sends 0.
  const repeats = parseRetry(message);
  if (repeats !== undefined) return !(repeats.retry > 0 && error?.startsWith('E1'));
  return (state === 'F' || state === 'X') && request !== undefined && request !== buildRequestKey(message);
}

const buildRequestKey = ({ body = '', budget }: Message): string => `${budget ?? '-'}|${body}`;

/** Returns the fault of a line whose state cannot follow that of its task; undefined if it can. */
export function findWrongTransition(
  part: TaskPart,
  message: Message,
  format: LineFormat,
): Failed | undefined {
  const { state } = message;
  const before = part.state;
  if (state === undefined || before === undefined || before === state) return undefined;
  // A worker that received a request counts as running, and may report it done next.
  const from = before === 'N' && part.isReceived ? 'R' : before;
  if (isTransition(from, state) || isAgain(message, part)) return undefined;
  const allowed = listNextStates(from);
  const expected = allowed.length > 0 ? `${allowed.join(' or ')} after ${from}` : `nothing after ${from}`;
  return createPartFault(format, 'state', { code: 'E15', expected, received: `${from}>${state}` });
}

/** Records what a line says about its part of a task. Changes `part` in place. */
export function updatePart(part: TaskPart, message: Message, isReport: boolean): void {
  const { state, kind, error } = message;
  if (state !== undefined) {
    part.state = state;
    part.isReceived = kind === 'request';
  }
  if (error !== undefined) part.error = error;
  if (kind === 'request') part.request = buildRequestKey(message);
  if (isReport && kind === 'clarify') part.questions++;
}

/** Counts only a worker's questions: the answers have the same type. */
export function checkQuestionCount({ questions }: TaskPart): Failed | undefined {
  if (questions < LIMITS.clarifications) return undefined;
  const expected = `at most ${LIMITS.clarifications} questions a task`;
  return createPartFault('v5', 'kind', { code: 'E18', expected, received: `question ${questions + 1}` });
}

interface WorkerRequest {
  by: string;
  depth: number;
  /** Tokens granted, and left by its last report; undefined if there is no limit. */
  granted: number | undefined;
  left: number | undefined;
}

/** The requests of a task, as far as known. */
export interface TaskRequests {
  /** True if the first request was seen: then there were no earlier ones. */
  isWhole: boolean;
  requests: Map<string, WorkerRequest[]>;
  /** Handoffs between workers (`W1>W2`), and those reported to the orchestrator. */
  handed: Set<string>;
  told: Set<string>;
}

/** Creates the state of a task at its first message. */
export function createTaskRequests(message: Message): TaskRequests {
  const { kind, state, data = {} } = message;
  const isNew = kind === 'request' && state !== 'R' && !Object.hasOwn(data, 'fallback_from');
  const isWhole = isNew && parseRetry(message) === undefined;
  return { isWhole, requests: new Map(), handed: new Set(), told: new Set() };
}

const isWorker = (name: string): boolean => classifySpeaker(name) === 'worker';
/** True for several recipients: everyone, all workers, or a group. Every member counts as asked. */
const isMany = (to: string): boolean => to === '*' || to === 'W*' || /^G\d+$/.test(to);
const EVERYBODY = '*';

const listWorkerRequests = ({ requests }: TaskRequests, name: string): WorkerRequest[] =>
  [name, EVERYBODY].flatMap((one) => requests.get(one) ?? []);

/** Records a request, and a budget that the orchestrator grants later. */
export function recordRequest(
  { requests }: TaskRequests,
  { kind, from = '', to = '', depth = 0, budget }: Message,
): void {
  const key = isMany(to) ? EVERYBODY : to;
  const known = requests.get(key) ?? [];
  if (kind === 'request' || kind === 'handoff') {
    const others = known.filter((one) => one.by !== from || one.depth !== depth);
    requests.set(key, [...others, { by: from, depth, granted: budget, left: budget }]);
  } else if (budget !== undefined && !isWorker(from))
    for (const one of known) [one.granted, one.left] = [budget, budget];
}

/** Records a worker's report: its remaining budget, a handoff, and the report of a handoff. */
export function recordWorkerMessage(
  asked: TaskRequests,
  { kind, from = '', to = '', depth = 0, budget, data = {} }: Message,
): void {
  if (!isWorker(from)) return;
  if (kind === 'handoff' && isWorker(to)) asked.handed.add(`${from}>${to}`);
  if (kind === 'update' && !isWorker(to))
    for (const one of [data.handoff ?? []].flat()) asked.told.add(`${from}>${String(one)}`);
  if (kind === 'handoff') return;
  for (const one of listWorkerRequests(asked, from))
    if (one.depth === depth && budget !== undefined) one.left = budget;
  // The remaining budget of a part goes back to the worker that handed it on.
  if (isWorker(to) && (kind === 'response' || kind === 'error'))
    for (const one of listWorkerRequests(asked, to)) one.left = one.granted;
}

/** Returns the fault of a worker's report about a task, as far as its requests are known. */
export function findAnswerFault(
  asked: TaskRequests,
  message: Message,
  format: 'v4' | 'v5',
): Failed | undefined {
  const { kind, from = '', to = '', depth = 0, budget } = message;
  const requests = listWorkerRequests(asked, from);
  const route = `${from}>${to}`;
  if (requests.length === 0) {
    if (!asked.isWhole) return undefined;
    const expected = `from ${joinWithOr([...asked.requests.keys()])}: ${from} was not asked`;
    return createPartFault(format, 'route', { code: 'E41', expected, received: route });
  }
  const depths = requests.map((one) => (kind === 'handoff' ? one.depth + 1 : one.depth));
  // A handoff may be reported at either depth.
  if (kind === 'update' && message.data && 'handoff' in message.data)
    depths.push(...requests.map((one) => one.depth + 1));
  if (!depths.includes(depth)) {
    const expected = `${joinWithOr(depths.map(String))}: ${kind === 'handoff' ? 'one deeper than' : 'as deep as'} it was asked`;
    return createPartFault(format, 'depth', { code: 'E16', expected, received: String(depth) });
  }
  const own = requests.filter((one) => one.depth === depth - (kind === 'handoff' ? 1 : 0));
  const askers = own.map(({ by }) => by);
  const isEnd = kind === 'response' || kind === 'error';
  if (isEnd && !askers.includes(to)) {
    const expected = `to ${joinWithOr(askers)}, who asked`;
    return createPartFault(format, 'route', { code: 'E13', expected, received: route });
  }
  if (kind !== 'handoff' && !isEnd && isWorker(to) && !askers.includes(to)) {
    const expected = `to ${joinWithOr(askers)}, who asked, or to an orchestrator`;
    return createPartFault(format, 'route', { code: 'E13', expected, received: route });
  }
  const [left] = own.map((one) => one.left);
  if (left !== undefined && budget !== undefined && budget > left) {
    const expected = `at most B${left}, which was left`;
    return createPartFault(format, 'budget', { code: 'E17', expected, received: `B${budget}` });
  }
  if (kind !== 'response' || isWorker(to)) return undefined;
  const untold = [...asked.handed].find((one) => one.startsWith(`${from}>`) && !asked.told.has(one));
  if (untold === undefined) return undefined;
  const expected = `an update before it that tells ${to} of the handoff: handoff=${untold.split('>')[1]}`;
  return createPartFault(format, 'kind', { code: 'E10', expected, received: kind });
}

const joinWithOr = (names: string[]): string => [...new Set(names)].join(' or ');
