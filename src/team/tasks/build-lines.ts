// Builds the lines of a launch: the one that a worker is launched with, and those added when it ends.
import { formatIso } from '../../core/base/clock.ts';
import type { Message } from '../messages/message.ts';
import { computeBudgetLeft, LIMITS } from '../messages/policy.ts';
import type { HandoffContext } from './handoff.ts';
import type { FailedLaunch, LaunchEnding } from './transitions.ts';
import type { ExchangeLine, Task, TaskCall, TaskError, TaskUsage } from './task.ts';
import { endCurrentLaunch } from './transitions.ts';
import { asValue, ENDS, buildTaskLine, ORCHESTRATOR, withPairs, requestData, USER } from './wire-lines.ts';
import type { LineDraft, MessageNumber } from './wire-lines.ts';

export interface EndedLaunch {
  output: string;
  /** Why it failed; undefined if it succeeded. */
  failure: FailedLaunch | undefined;
  usage: TaskUsage | null;
  /** What a model called meanwhile. */
  calls?: readonly TaskCall[] | undefined;
}

/** The context of a launch, besides its task. */
export interface LaunchContext extends HandoffContext {
  /** The wire ids of the launched worker, and of the one that it answers. */
  wire: string;
  answers: string;
  request: ExchangeLine;
  /** How long a question to a person waits, in milliseconds. */
  patience: number;
  /** The tasks of its session. */
  tasks: readonly string[];
  /** True if plain text is not a result: the worker speaks in lines, and was asked for one. */
  needsLine?: boolean;
}

/** Builds a line of the worker, with a number of this session, and the remaining budget. */
export function buildWorkerLine(
  task: Task,
  { kind, body = '', budget, error, to }: Pick<Message, 'kind' | 'body' | 'budget' | 'error' | 'to'>,
  { wire, answers, request, now, number }: LaunchContext,
  state: ExchangeLine['state'],
): ExchangeLine {
  const left = computeBudgetLeft(task.budget, budget);
  const isAnswer = kind === 'response' || kind === 'error';
  // An answer is ambiguous only after more than one request.
  const requests = task.exchange.filter((one) => one.to === wire && one.kind === 'request');
  const isAmbiguous = isAnswer && requests.length > 1 && !/(?:^|;)pid=/.test(body);
  const withPid = isAmbiguous ? withPairs(body, { pid: request.id }) : body;
  const saying: LineDraft = {
    ...number(),
    time: formatIso(now),
    from: wire,
    to: isAnswer ? answers : (to ?? ORCHESTRATOR),
    kind: kind as ExchangeLine['kind'],
    // `pid` is left out if it would displace any of the worker's words.
    body: withPid.startsWith(body) ? withPid : body,
    ...(state && { state }),
    ...(error !== undefined && { error }),
    ...(left !== null && { budget: left }),
  };
  return buildTaskLine(task, saying);
}

/** Adds a line to a task and updates its budget. The maximum of a line does not lower a larger budget. */
export const withLine = (task: Task, line: ExchangeLine): Task => ({
  ...task,
  exchange: [...task.exchange, line],
  budget: computeBudgetLeft(task.budget, line.budget === ENDS.budget ? undefined : line.budget),
});

export const closeLaunch = (
  task: Task,
  ending: LaunchEnding,
  { now, ended: { usage, calls } }: Pick<LaunchContext, 'now'> & { ended: EndedLaunch },
): Task => endCurrentLaunch(task, { ...ending, usage, calls }, now);

/** Builds a line of the orchestrator about a task, with the next number and the current time. */
export const buildOrchestratorLine = (
  task: Task,
  saying: Omit<LineDraft, 'id' | 'time' | 'from' | 'context'>,
  { now, number }: Pick<LaunchContext, 'now' | 'number'>,
): ExchangeLine => buildTaskLine(task, { ...number(), time: formatIso(now), from: ORCHESTRATOR, ...saying });

/** Asks a worker to repeat an unclear message. */
export const askAgain = (
  task: Task,
  { code, text }: TaskError,
  { wire, now, number }: Pick<LaunchContext, 'wire' | 'now' | 'number'>,
): ExchangeLine =>
  buildOrchestratorLine(
    task,
    { to: wire, kind: 'error', state: 'R', error: code, body: `desc=${asValue(text)};say=${ANSWER_FORMS}` },
    { now, number },
  );

const ANSWER_FORMS = 'S key=value / E E33 desc=… / C question=… as the last line';

/** True if a line asks its worker to repeat a message: wrong form, addressee, task, session or reference. */
const isRepeatRequest = ({ from, to, kind, state, error = '' }: ExchangeLine, wire: string): boolean =>
  from === ORCHESTRATOR &&
  to === wire &&
  kind === 'error' &&
  state === 'R' &&
  /^E(?:1|4[0-3]|90)/.test(error);

/** True if it was last asked to repeat, and has said nothing readable since. */
export function wasAskedAgain({ exchange }: Pick<Task, 'exchange'>, wire: string): boolean {
  const last = exchange.findLast(({ from, to, kind }) => kind !== 'update' && (from === wire || to === wire));
  return last !== undefined && isRepeatRequest(last, wire);
}

/** A handed-on task that came back. */
export type ReturnedPart = Pick<Task, 'exchange' | 'state' | 'error'>;

/**
 * Returns the line for the next launch of this worker: an unanswered line, the answer to its handoff, or a new
 * request. `isNew`: it has to be added to the exchange.
 */
export function selectLaunchLine(
  task: Task,
  { wire, returned }: { wire: string; returned: ReturnedPart | undefined },
  now: number,
  number: () => MessageNumber,
): { line: ExchangeLine; isNew: boolean } {
  const back = task.waitsFor === null ? undefined : returned?.exchange.findLast(({ to }) => to === wire);
  if (back) return { line: back, isNew: false };
  if (task.waitsFor !== null && returned) {
    const code = returned.error?.code ?? 'E99';
    const body = `desc=${asValue(returned.error?.text ?? 'failed')}`;
    const saying = { from: ORCHESTRATOR, to: wire, kind: 'error', state: 'R', error: code, body } as const;
    return { line: buildTaskLine(task, { ...number(), time: formatIso(now), ...saying }), isNew: true };
  }
  const last = task.launches.at(-1)?.outcome;
  // After a failed or interrupted launch there is a new request.
  const goesOn = last === undefined || last === 'asked' || last === 'handed_on' || last === 'waited';
  const lastOwn = task.exchange.findLastIndex(({ from }) => from === wire);
  const open = goesOn
    ? task.exchange.slice(lastOwn + 1).findLast((one) => isUnansweredLine(one, wire))
    : undefined;
  if (open) return { line: open, isNew: false };
  if (wire === ORCHESTRATOR) return { line: fromPerson(task, now), isNew: false };
  const body = withPairs(requestData(task), collectCircumstances(task, wire));
  const line = buildTaskLine(task, {
    ...number(),
    time: formatIso(now),
    from: ORCHESTRATOR,
    to: wire,
    kind: 'request',
    state: 'N',
    body,
  });
  return { line, isNew: true };
}

/** The first line for an orchestrator: a person's words, which are not a message of the session. */
const fromPerson = (task: Task, now: number): ExchangeLine =>
  buildTaskLine(task, {
    id: 'M0',
    time: formatIso(now),
    from: USER,
    to: ORCHESTRATOR,
    kind: 'request',
    state: 'N',
    body: requestData(task),
  });

const isUnansweredLine = (line: ExchangeLine, wire: string): boolean =>
  (line.to === wire && ['clarify', 'handoff', 'request'].includes(line.kind)) || isRepeatRequest(line, wire);

/** Returns why it is asked again, or instead of another. Restarting an unchanged task restarts the count. */
function collectCircumstances(task: Task, wire: string): Record<string, string> {
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
