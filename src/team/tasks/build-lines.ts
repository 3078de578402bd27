// Builds the lines of a launch: the one that a worker is launched with, and those that are added when it ends.
import { iso } from '../../core/base/clock.ts';
import type { Message } from '../messages/message.ts';
import { budgetLeft, LIMITS } from '../messages/policy.ts';
import type { Handing } from './handoff.ts';
import type { Failed, LaunchEnding } from './transitions.ts';
import type { ExchangeLine, Task, TaskCall, TaskError, TaskUsage } from './task.ts';
import { launchEnded } from './transitions.ts';
import { asValue, ENDS, buildTaskLine, ORCHESTRATOR, withPairs, requestData, USER } from './wire-lines.ts';
import type { Saying, Numbered } from './wire-lines.ts';

export interface EndedLaunch {
  output: string;
  /** Why it failed; undefined where it went well. */
  failure: Failed | undefined;
  usage: TaskUsage | null;
  /** What a model called meanwhile. */
  calls?: readonly TaskCall[] | undefined;
}

/** What is known about it beside the task. */
export interface Judging extends Handing {
  /** Who was launched, and whom it answers. */
  wire: string;
  answers: string;
  request: ExchangeLine;
  /** Milliseconds a question to a person waits. */
  patience: number;
  /** The tasks of its session. */
  tasks: readonly string[];
  /** Words alone are no result: it speaks in lines, and was asked for one. */
  needsLine?: boolean;
}

/** One line of the worker's own, with a number of this session, and the budget that it leaves. */
export function buildWorkerLine(
  task: Task,
  { kind, body = '', budget, error, to }: Pick<Message, 'kind' | 'body' | 'budget' | 'error' | 'to'>,
  { wire, answers, request, now, number }: Judging,
  state: ExchangeLine['state'],
): ExchangeLine {
  const left = budgetLeft(task.budget, budget);
  const isAnswer = kind === 'response' || kind === 'error';
  // More than one request may be meant only after the first.
  const requests = task.exchange.filter((one) => one.to === wire && one.kind === 'request');
  const isAmbiguous = isAnswer && requests.length > 1 && !/(?:^|;)pid=/.test(body);
  const withPid = isAmbiguous ? withPairs(body, { pid: request.id }) : body;
  const saying: Saying = {
    ...number(),
    time: iso(now),
    from: wire,
    to: isAnswer ? answers : (to ?? ORCHESTRATOR),
    kind: kind as ExchangeLine['kind'],
    // It never costs the worker a word of its own.
    body: withPid.startsWith(body) ? withPid : body,
    ...(state && { state }),
    ...(error !== undefined && { error }),
    ...(left !== null && { budget: left }),
  };
  return buildTaskLine(task, saying);
}

/** Adds a line to a task and updates its budget. The largest budget that the wire can express leaves a larger one as it is. */
export const withLine = (task: Task, line: ExchangeLine): Task => ({
  ...task,
  exchange: [...task.exchange, line],
  budget: budgetLeft(task.budget, line.budget === ENDS.budget ? undefined : line.budget),
});

/** The launch is over. */
export const closeLaunch = (
  task: Task,
  ending: LaunchEnding,
  { usage, calls }: EndedLaunch,
  { now }: Judging,
): Task => launchEnded(task, { ...ending, usage, calls }, now);

/** A line of the orchestrator about a task, with the next number and the time of now. */
export const buildOrchestratorLine = (
  task: Task,
  saying: Omit<Saying, 'id' | 'time' | 'from' | 'context'>,
  { now, number }: Pick<Judging, 'now' | 'number'>,
): ExchangeLine => buildTaskLine(task, { ...number(), time: iso(now), from: ORCHESTRATOR, ...saying });

/** What it said is not certain, so it is asked to say it again. */
export const askAgain = (
  task: Task,
  { code, text }: TaskError,
  { wire, now, number }: Pick<Judging, 'wire' | 'now' | 'number'>,
): ExchangeLine =>
  buildOrchestratorLine(
    task,
    { to: wire, kind: 'error', state: 'R', error: code, body: `desc=${asValue(text)};say=${HOW}` },
    { now, number },
  );

const HOW = 'S key=value / E E33 desc=… / C question=… as the last line';

/** Whether a line asks its worker to say again what it said: what is wrong with a message, or whom and what it is about or points to. */
const asksAgain = ({ from, to, kind, state, error = '' }: ExchangeLine, wire: string): boolean =>
  from === ORCHESTRATOR &&
  to === wire &&
  kind === 'error' &&
  state === 'R' &&
  /^E(?:1|4[0-3]|90)/.test(error);

/** Whether it was asked so last, and has said nothing since that could be read. */
export function wasAskedAgain({ exchange }: Pick<Task, 'exchange'>, wire: string): boolean {
  const last = exchange.findLast(({ from, to, kind }) => kind !== 'update' && (from === wire || to === wire));
  return last !== undefined && asksAgain(last, wire);
}

/** What was handed on and came back, with its last line. */
export type Returned = Pick<Task, 'exchange' | 'state' | 'error'>;

/**
 * The line for the next launch of this worker: what was said to it and is not answered yet, what came back from whom it
 * handed on to, or a new request. `isNew`: it belongs at the end of the exchange.
 */
export function selectLaunchLine(
  task: Task,
  { wire, returned }: { wire: string; returned: Returned | undefined },
  now: number,
  number: () => Numbered,
): { line: ExchangeLine; isNew: boolean } {
  const back = task.waitsFor === null ? undefined : returned?.exchange.findLast(({ to }) => to === wire);
  if (back) return { line: back, isNew: false };
  if (task.waitsFor !== null && returned) {
    const code = returned.error?.code ?? 'E99';
    const body = `desc=${asValue(returned.error?.text ?? 'failed')}`;
    const saying = { from: ORCHESTRATOR, to: wire, kind: 'error', state: 'R', error: code, body } as const;
    return { line: buildTaskLine(task, { ...number(), time: iso(now), ...saying }), isNew: true };
  }
  const last = task.launches.at(-1)?.outcome;
  // After a launch that failed or was cut short there is a request of its own.
  const goesOn = last === undefined || last === 'asked' || last === 'handed_on' || last === 'waited';
  const lastOwn = task.exchange.findLastIndex(({ from }) => from === wire);
  const open = goesOn
    ? task.exchange.slice(lastOwn + 1).findLast((one) => isUnansweredLine(one, wire))
    : undefined;
  if (open) return { line: open, isNew: false };
  if (wire === ORCHESTRATOR) return { line: fromPerson(task, now), isNew: false };
  const body = withPairs(requestData(task), circumstances(task, wire));
  const line = buildTaskLine(task, {
    ...number(),
    time: iso(now),
    from: ORCHESTRATOR,
    to: wire,
    kind: 'request',
    state: 'N',
    body,
  });
  return { line, isNew: true };
}

/** What an orchestrator is launched with: the words of a person, which are no message of the session. */
const fromPerson = (task: Task, now: number): ExchangeLine =>
  buildTaskLine(task, {
    id: 'M0',
    time: iso(now),
    from: USER,
    to: ORCHESTRATOR,
    kind: 'request',
    state: 'N',
    body: requestData(task),
  });

const isUnansweredLine = (line: ExchangeLine, wire: string): boolean =>
  (line.to === wire && ['clarify', 'handoff', 'request'].includes(line.kind)) || asksAgain(line, wire);

/** Why it is asked once more, or in place of another. Who has it begun again as it was starts the count again. */
function circumstances(task: Task, wire: string): Record<string, string> {
  const { launches, attempts, retriedAt } = task;
  const last = launches.at(-1);
  if (last === undefined) return {};
  if (last.outcome === 'failed' && last.wire !== wire)
    return { fallback_from: last.wire, reason: asValue(last.error?.code ?? 'E30') };
  const before = task.exchange.findLast(({ to, kind }) => to === wire && kind === 'request');
  const isMended = before?.budget !== (task.budget ?? undefined);
  const isBegunAgain = retriedAt !== null && last.at < retriedAt && !isMended;
  if (!isBegunAgain && (last.outcome !== 'failed' || attempts === 0)) return {};
  return { retry: String(attempts), max: String(LIMITS.retries) };
}
