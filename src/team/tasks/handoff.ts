// A worker hands a part on: checked by the orchestrator, which splits the budget and carries the answer back.
import { iso } from '../../core/base/clock.ts';
import { incrementDepth } from '../messages/policy.ts';
import type { WorkerOutput } from './parse-worker-output.ts';
import type { ExchangeLine, Task, TaskDraft, TaskError } from './task.ts';
import { asValue, findCalledCapability, buildTaskLine, ORCHESTRATOR } from './wire-lines.ts';
import type { Numbered } from './wire-lines.ts';

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
  findWorker(capability: string): string | undefined;
}

type HandedOn =
  { task: Task; child: TaskDraft; to: string } | { error: TaskError; data: string; line: ExchangeLine };

/** A part of a task: its depth, its worker, its tokens, and the capability asked for. */
interface HandoffPart {
  depth: number;
  target: string | undefined;
  share: number | null;
  call: string | undefined;
}

/** The part as a task of its own, or why it is refused. */
export function draftHandoff(task: Task, { last, text }: WorkerOutput, handing: Handing): HandedOn {
  const { wire, workers, findWorker } = handing;
  const { to: named, body = '', depth: told = 0, budget } = last!;
  const call = findCalledCapability(body);
  const able = call === undefined ? undefined : findWorker(call);
  // A worker cannot lower the depth: two workers could hand a task to each other for ever.
  const isDirect = wire === ORCHESTRATOR;
  const part: HandoffPart = {
    call,
    // A worker that asks for a capability of its own cannot be the target.
    target:
      (named === ORCHESTRATOR ? undefined : findWireId(named, workers)) ?? (able === wire ? undefined : able),
    depth: isDirect ? task.depth : Math.max(incrementDepth(task.depth), told),
    // The tokens that were asked for, or half of the budget.
    share: budget ?? (task.budget === null ? null : Math.floor(task.budget / 2)),
  };
  const { depth, target, share } = part;
  const line = buildTaskLine(task, {
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
  const [code, why, data] = findRefusal(task, part, handing) ?? [];
  if (code !== undefined) return { error: { code, text: why! }, data: `desc=${data}`, line };
  const child: TaskDraft = {
    id: `${task.id}.${task.children + 1}`,
    session: task.session,
    text: text === '' ? line.body : text,
    needs: call === undefined ? [] : [call],
    worker: workers[target!]!,
    priority: task.priority,
    budget: share,
    timeout: task.timeout,
    isolate: task.isolate,
    depth,
    parent: task.id,
    exchange: [line],
  };
  const left = task.budget === null ? null : Math.max(0, task.budget - (share ?? 0));
  const next = { ...task, budget: left, children: task.children + 1, waitsFor: child.id };
  return { task: next, child, to: target! };
}

/** The short form may name a worker by its own name. */
const findWireId = (to: string | undefined, workers: Handing['workers']): string | undefined =>
  Object.keys(workers).find((wire) => workers[wire]?.toLowerCase() === to?.toLowerCase()) ?? to;

const DEEPEST = 5;

/** A refused handoff: its code, its words, and its DATA. */
function findRefusal(
  { depth: above, children, budget }: Task,
  { depth, target, share, call }: HandoffPart,
  { limits, wire, workers }: Handing,
): [code: string, why: string, data: string] | undefined {
  const next = incrementDepth(above);
  if (depth > limits.depth)
    return ['E16', `handed on ${depth} times; the limit is ${limits.depth}`, 'max_depth'];
  if (depth > next) return ['E16', `what it hands on is at depth ${next}, not ${depth}`, 'depth'];
  if (children >= limits.children)
    return ['E99', `it has handed on ${children} parts; the limit is ${limits.children}`, 'max_children'];
  if (share !== null && budget !== null && share > budget) {
    const why = `its budget of ${budget} tokens is too small: it hands on ${share}`;
    return ['E17', why, `budget insufficient;needed=${share};have=${budget}`];
  }
  if (target === undefined && call === undefined)
    return ['E10', 'a handoff names a worker, or a capability with call=', 'no_target'];
  if (target === undefined) return ['E19', `no worker can do ${call}`, `no_worker;call=${asValue(call!)}`];
  return target in workers && target !== wire
    ? undefined
    : ['E41', `there is no worker ${target}`, `unknown;agent=${asValue(target)}`];
}
