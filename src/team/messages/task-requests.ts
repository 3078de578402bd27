// Tracks who was asked about a task, by whom, how deep and with what budget; checks answers.
import type { Failed } from './codecs/codec-types.ts';
import { createPartFault, parseRetry, classifySpeaker } from './line-rules.ts';
import type { Message } from './message.ts';
import { depthBelow } from './policy.ts';

/** One worker that was asked. */
interface Request {
  by: string;
  depth: number;
  /** Tokens: what it was given, and what it last said to be left; undefined where there is no limit. */
  granted: number | undefined;
  left: number | undefined;
}

/** What is known of the askers of a task. */
export interface TaskRequests {
  /** True if the first request was seen: then there were no earlier ones. */
  isWhole: boolean;
  requests: Map<string, Request[]>;
  /** Handoffs between workers (`W1>W2`), and those that the orchestrator was told about. */
  handed: Set<string>;
  told: Set<string>;
}

/** A task as it is when its first message is heard. */
export function createTaskRequests(message: Message): TaskRequests {
  const { kind, state, data = {} } = message;
  const isNew = kind === 'request' && state !== 'R' && !Object.hasOwn(data, 'fallback_from');
  const isWhole = isNew && parseRetry(message) === undefined;
  return { isWhole, requests: new Map(), handed: new Set(), told: new Set() };
}

const isWorker = (name: string): boolean => classifySpeaker(name) === 'worker';
/** Addressed to several: everyone, all workers, or a group. Every member counts as asked. */
const isMany = (to: string): boolean => to === '*' || to === 'W*' || /^G\d+$/.test(to);
const EVERYBODY = '*';

const listWorkerRequests = ({ requests }: TaskRequests, name: string): Request[] =>
  [name, EVERYBODY].flatMap((one) => requests.get(one) ?? []);

/** Remembers a request, and the budget that the orchestrator gives later. */
export function noteAsked(
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

/** Remembers what a worker says: what is left, that it has handed on, and that it has told so. */
export function noteTold(
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
  // The budget left of a part goes back to the worker that handed it on.
  if (isWorker(to) && (kind === 'response' || kind === 'error'))
    for (const one of listWorkerRequests(asked, to)) one.left = one.granted;
}

/** What is wrong with what a worker says of a task, as far as it is known who asked it. */
export function faultInAnswer(
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
  const depths = requests.map((one) => (kind === 'handoff' ? depthBelow(one.depth) : one.depth));
  // That it has handed on may be told at either depth.
  if (kind === 'update' && message.data && 'handoff' in message.data)
    depths.push(...requests.map((one) => depthBelow(one.depth)));
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
