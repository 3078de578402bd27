// What is said about a task when a launch is over, by its worker and by the orchestrator.
import { iso } from '../base/clock.ts';
import type { Message } from '../messages/message.ts';
import { budgetLeft } from '../messages/policy.ts';
import type { Handing } from './handoff.ts';
import type { Failed } from './strategy.ts';
import type { Line, Task, TaskCall, TaskUsage } from './task.ts';
import { launchEnded } from './transitions.ts';
import type { Ending } from './transitions.ts';
import { lineOf, ORCHESTRATOR, withPairs } from './wire.ts';
import type { Saying } from './wire.ts';

/** A launch that is over. */
export interface Ended {
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
  /** The request that was sent. */
  request: Line;
  /** Milliseconds a question to a person waits. */
  patience: number;
}

/** One line of the worker's own, with a number of this session, and the budget that it leaves. */
export function own(
  task: Task,
  { kind, body = '', budget, error, to }: Pick<Message, 'kind' | 'body' | 'budget' | 'error' | 'to'>,
  { wire, answers, request, now, number }: Judging,
  state: Line['state'],
): Line {
  const left = budgetLeft(task.budget, budget);
  const isAnswer = kind === 'response' || kind === 'error';
  // More than one request may be meant only after the first.
  const requests = task.exchange.filter((one) => one.to === wire && one.kind === 'request');
  const isAmbiguous = isAnswer && requests.length > 1 && !/(?:^|;)pid=/.test(body);
  const withPid = isAmbiguous ? withPairs(body, { pid: request.id }) : body;
  const saying: Saying = {
    id: number(),
    time: iso(now),
    from: wire,
    to: isAnswer ? answers : (to ?? ORCHESTRATOR),
    kind: kind as Line['kind'],
    // It never costs the worker a word of its own.
    body: withPid.startsWith(body) ? withPid : body,
    ...(state && { state }),
    ...(error !== undefined && { error }),
    ...(left !== null && { budget: left }),
  };
  return lineOf(task, saying);
}

/** The task with a line more, and the budget that it leaves. */
export const withLine = (task: Task, line: Line): Task => ({
  ...task,
  exchange: [...task.exchange, line],
  budget: budgetLeft(task.budget, line.budget),
});

/** The launch is over. */
export const over = (task: Task, ending: Ending, { usage, calls }: Ended, { now }: Judging): Task =>
  launchEnded(task, { ...ending, usage, calls }, now);

/** What the orchestrator says about a task. */
export const orchestrated = (
  task: Task,
  saying: Omit<Saying, 'id' | 'time' | 'from'>,
  { now, number }: Pick<Judging, 'now' | 'number'>,
): Line => lineOf(task, { id: number(), time: iso(now), from: ORCHESTRATOR, ...saying });
