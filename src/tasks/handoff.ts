// A worker hands a part on: checked by the orchestrator, which splits the budget and carries the answer back.
import { iso } from '../base/clock.ts';
import type { Message } from '../messages/message.ts';
import { depthBelow } from '../messages/policy.ts';
import type { Said } from './said.ts';
import type { Line, Task, TaskDraft, TaskError } from './task.ts';
import { asValue, calledIn, lineOf, ORCHESTRATOR, valueIn } from './wire.ts';
import type { Numbered } from './wire.ts';

/** What the orchestrator knows when a task is to be handed on. */
export interface Handing {
  now: number;
  /** The next message's id. */
  number(): Numbered;
  /** Who hands on. */
  wire: string;
  /** The deepest that a task may be handed on, and how many tasks may come out of one. */
  limits: { depth: number; children: number };
  /** The agents by their ids on the wire. */
  workers: Readonly<Record<string, string>>;
  /** The worker for a capability, by its id on the wire. */
  workerFor(capability: string): string | undefined;
}

export type HandedOn =
  { task: Task; child: TaskDraft; to: string } | { error: TaskError; data: string; line: Line };

/** The part as a task of its own, or why it is refused. */
export function handedOn(task: Task, said: Said, handing: Handing): HandedOn {
  const asked = said.last!;
  const { wire, workers, workerFor } = handing;
  const body = asked.body ?? '';
  const named = asked.to === ORCHESTRATOR ? undefined : wireFor(asked.to, workers);
  const call = calledIn(body);
  const able = call === undefined ? undefined : workerFor(call);
  // That the one who asks can do it is no help.
  const target = named ?? (able === wire ? undefined : able);
  const isDirect = wire === ORCHESTRATOR;
  // What a worker says cannot make it less: two that hand on to each other would never come to an end.
  const depth = isDirect ? task.depth : Math.max(depthBelow(task.depth), asked.depth ?? 0);
  const share = shareOf(task.budget, asked.budget);
  const line = lineOf(task, {
    ...handing.number(),
    time: iso(handing.now),
    from: wire,
    to: target ?? ORCHESTRATOR,
    kind: isDirect ? 'request' : 'handoff',
    state: 'R',
    depth: Math.min(depth, DEEPEST),
    body,
    ...(share !== null && { budget: share }),
  });
  const wrong = refusal(
    task,
    { depth, target, share, call, isKnown: target !== undefined && target in workers },
    handing,
  );
  if (wrong) return { ...wrong, line };
  const to = target!;
  const left = task.budget === null ? null : Math.max(0, task.budget - (share ?? 0));
  const child = childOf(task, { said, line, depth, share, to: workers[to]!, call });
  const next: Task = { ...task, budget: left, children: task.children + 1, waitsFor: child.id };
  return { task: next, child, to };
}

/** The short form may name a worker by its own name. */
const wireFor = (to: string | undefined, workers: Handing['workers']): string | undefined =>
  Object.keys(workers).find((wire) => workers[wire]?.toLowerCase() === to?.toLowerCase()) ?? to;

const DEEPEST = 5;

/** The part of the budget that goes with it: what was asked for, or a half. */
const shareOf = (budget: number | null, wanted: number | undefined): number | null =>
  budget === null ? (wanted ?? null) : (wanted ?? Math.floor(budget / 2));

function refusal(
  task: Task,
  {
    depth,
    target,
    share,
    call,
    isKnown,
  }: {
    depth: number;
    target: string | undefined;
    share: number | null;
    call: string | undefined;
    isKnown: boolean;
  },
  { limits, wire }: Handing,
): { error: TaskError; data: string } | undefined {
  const refuse = (code: string, text: string, data: string) => ({
    error: { code, text },
    data: `desc=${data}`,
  });
  if (depth > limits.depth)
    return refuse('E16', `handed on ${depth} times; the limit is ${limits.depth}`, 'max_depth');
  if (depth > depthBelow(task.depth))
    return refuse('E16', `what it hands on is at depth ${depthBelow(task.depth)}, not ${depth}`, 'depth');
  if (task.children >= limits.children)
    return refuse(
      'E99',
      `it has handed on ${task.children} parts; the limit is ${limits.children}`,
      'max_children',
    );
  if (share !== null && task.budget !== null && share > task.budget)
    return refuse(
      'E17',
      `its budget of ${task.budget} tokens is too small: it hands on ${share}`,
      `budget insufficient;needed=${share};have=${task.budget}`,
    );
  if (target === undefined)
    return call === undefined
      ? refuse('E10', 'a handoff names a worker, or a capability with call=', 'no_target')
      : refuse('E19', `no worker can do ${call}`, `no_worker;call=${asValue(call)}`);
  return isKnown && target !== wire
    ? undefined
    : refuse('E41', `there is no worker ${target}`, `unknown;agent=${asValue(target)}`);
}

function childOf(
  task: Task,
  {
    said,
    line,
    depth,
    share,
    to,
    call,
  }: {
    said: Said;
    line: Line;
    depth: number;
    share: number | null;
    to: string;
    call: string | undefined;
  },
): TaskDraft {
  return {
    id: `${task.id}.${task.children + 1}`,
    session: task.session,
    text: said.text === '' ? line.body : said.text,
    needs: call === undefined ? [] : [call],
    worker: to,
    priority: task.priority,
    budget: share,
    timeout: task.timeout,
    isolate: task.isolate,
    depth,
    parent: task.id,
    exchange: [line],
  };
}

/** The worker has to tell the orchestrator; where it did not, that is added. */
export function withNotice(task: Task, asked: Message, target: string, { wire, now, number }: Handing): Task {
  const hasTold = task.exchange.some(
    ({ kind, body }) => kind === 'update' && body.includes(`handoff=${target}`),
  );
  if (hasTold) return task;
  const reason = valueIn(asked.data, 'reason');
  const body = `handoff=${target}${reason === undefined ? '' : `;reason=${asValue(reason)}`}`;
  const line = lineOf(task, {
    ...number(),
    time: iso(now),
    from: wire,
    to: ORCHESTRATOR,
    kind: 'update',
    state: 'R',
    body,
  });
  return { ...task, exchange: [...task.exchange, line] };
}
