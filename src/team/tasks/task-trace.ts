// The call tree of a task: its launches, their calls and usage, and where the time went. Pure.
import type { Task, TaskLaunch, TaskUsage } from './task.ts';

interface TraceSpan {
  /** `S1/T1` for a task, `S1/T1#2` for its second launch, `S1/T1#2.3` for the third call of that launch. */
  id: string;
  parent: string | null;
  kind: 'task' | 'launch' | 'tool' | 'mcp' | 'sub_agent';
  /** The instruction of a task, the worker of a launch, or the tool. */
  name: string;
  state: string;
  /** Null for a call: only its duration is recorded. */
  at: string | null;
  /** Null while running, and for a call. */
  endedAt: string | null;
  ms: number;
  usage: TaskUsage | null;
  error: string | null;
  children: TraceSpan[];
}

export type Trace = ReturnType<typeof buildTrace>;

/**
 * Builds the trace of `task`. `family`: all tasks of its session, and those given away in sessions of their
 * own. `now`: milliseconds, the end of what is running. With an agent, only its launches, and the parts that it
 * has worked on.
 */
export function buildTrace(
  task: Task,
  family: readonly Task[],
  now: number,
  { agent }: { agent?: string | undefined } = {},
) {
  const pickOwnLaunches = (one: Task): Task =>
    agent === undefined ? one : { ...one, launches: one.launches.filter(({ worker }) => worker === agent) };
  const parts = family
    .map(pickOwnLaunches)
    .filter(({ launches }) => agent === undefined || launches.length > 0);
  const root = buildTaskSpan(pickOwnLaunches(task), parts, task.givenBy, now);
  const launches = flattenSpans(root).filter(({ kind }) => kind === 'launch');
  const byWorker: Record<string, number> = {};
  for (const { name, ms } of launches) byWorker[name] = (byWorker[name] ?? 0) + ms;
  const slowest = launches.toSorted((a, b) => b.ms - a.ms)[0];
  return {
    root,
    // Of all launches together (which may overlap), and of the time without any.
    time: {
      total: root.ms,
      working: launches.reduce((sum, { ms }) => sum + ms, 0),
      waiting: Math.max(0, root.ms - sumCoveredTime(launches, now)),
      by_worker: byWorker,
    },
    slowest: slowest ? { id: slowest.id, name: slowest.name, ms: slowest.ms } : null,
  };
}

const flattenSpans = (span: TraceSpan): TraceSpan[] => [span, ...span.children.flatMap(flattenSpans)];

function buildTaskSpan(task: Task, family: readonly Task[], parent: string | null, now: number): TraceSpan {
  const id = `${task.session}/${task.id}`;
  const launches = task.launches.map((launch, at): TraceSpan => ({
    id: `${id}#${at + 1}`,
    parent: id,
    kind: 'launch',
    name: launch.worker,
    state: launch.outcome ?? 'running',
    at: launch.at,
    endedAt: launch.endedAt,
    ms: measureDuration(launch.at, launch.endedAt, now),
    usage: launch.usage,
    error: launch.error?.code ?? null,
    children: buildCallSpans(launch, `${id}#${at + 1}`),
  }));
  const parts = family
    .filter((one) => (one.parent === task.id && one.session === task.session) || one.givenBy === id)
    .map((one) => buildTaskSpan(one, family, id, now));
  return {
    id,
    parent,
    kind: 'task',
    name: task.text,
    state: task.state,
    at: task.createdAt,
    endedAt: task.endedAt,
    ms: measureDuration(task.createdAt, task.endedAt, now),
    usage: null,
    error: task.error?.code ?? null,
    children: [...launches, ...parts].sort((a, b) => (a.at ?? '').localeCompare(b.at ?? '')),
  };
}

const buildCallSpans = ({ calls = [] }: TaskLaunch, parent: string): TraceSpan[] =>
  calls.map(({ tool, kind, ok, durationMs }, at) => ({
    id: `${parent}.${at + 1}`,
    parent,
    kind,
    name: tool,
    state: ok ? 'D' : 'F',
    at: null,
    endedAt: null,
    ms: durationMs,
    usage: null,
    error: null,
    children: [],
  }));

const measureDuration = (at: string, endedAt: string | null, now: number): number =>
  Math.max(0, (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(at));

/** Returns the time covered by at least one span, in milliseconds. */
function sumCoveredTime(spans: readonly TraceSpan[], now: number): number {
  let [sum, until] = [0, 0];
  const times = spans.map(
    ({ at, endedAt }) => [Date.parse(at ?? ''), endedAt === null ? now : Date.parse(endedAt)] as const,
  );
  for (const [from, to] of times.toSorted((a, b) => a[0] - b[0])) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum;
}

/** Sums the usage of all launches of a task; null if none is known. */
export function sumTaskUsage({ launches }: Pick<Task, 'launches'>): TaskUsage | null {
  const told = launches.flatMap((one) => one.usage ?? []);
  if (told.length === 0) return null;
  const sum = (key: 'inputTokens' | 'outputTokens' | 'costUsd'): number | null =>
    told.reduce<number | null>((total, one) => (one[key] === null ? total : (total ?? 0) + one[key]), null);
  return {
    model: told.findLast(({ model }) => model !== null)?.model ?? null,
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    costUsd: sum('costUsd'),
  };
}
