// Handoffs of parts of a task by a worker: checks them, splits the budget, and returns the answer.
import { formatIso } from '../../core/base/clock.ts';
import type { WorkerOutput } from './parse-worker-output.ts';
import type { ExchangeLine, Task, TaskDraft, TaskError } from './task.ts';
import { asValue, findCalledCapability, buildTaskLine, ORCHESTRATOR } from './wire-lines.ts';
import type { MessageNumber } from './wire-lines.ts';

/** The orchestrator's knowledge for a handoff. */
export interface HandoffContext {
  now: number;
  /** Returns the id of the next message. */
  number(): MessageNumber;
  /** The wire id of the one handing on. */
  wire: string;
  /** Maximum depth of handoffs, and maximum number of parts of one task. */
  limits: { depth: number; children: number };
  /** Agents by wire id. */
  workers: Readonly<Record<string, string>>;
  /** Finds the wire id of a worker for a capability. */
  findWorker(capability: string): string | undefined;
}

type HandoffResult =
  { task: Task; child: TaskDraft; to: string } | { error: TaskError; data: string; line: ExchangeLine };

interface HandoffPart {
  depth: number;
  target: string | undefined;
  share: number | null;
  call: string | undefined;
}

/** Returns the part as a separate task, or why it is refused. */
export function draftHandoff(
  task: Task,
  { last, text }: WorkerOutput,
  handing: HandoffContext,
): HandoffResult {
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
    depth: isDirect ? task.depth : Math.max(task.depth + 1, told),
    // The tokens requested, or half of the budget.
    share: budget ?? (task.budget === null ? null : Math.floor(task.budget / 2)),
  };
  const { depth, target, share } = part;
  const line = buildTaskLine(task, {
    ...handing.number(),
    time: formatIso(handing.now),
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

/** In the short form, a worker may be called by its own name. */
const findWireId = (to: string | undefined, workers: HandoffContext['workers']): string | undefined =>
  Object.keys(workers).find((wire) => workers[wire]?.toLowerCase() === to?.toLowerCase()) ?? to;

const DEEPEST = 5;

function findRefusal(
  { depth: above, children, budget }: Task,
  { depth, target, share, call }: HandoffPart,
  { limits, wire, workers }: HandoffContext,
): [code: string, why: string, data: string] | undefined {
  const next = above + 1;
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
