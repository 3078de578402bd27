// Handles the end, or a question, of a worker: judges it, commits the next state, and announces it.
import type { Agent } from '../../../core/agents/agent.ts';
import type { SpeakResult } from '../../../core/agents/runners/turn-types.ts';
import { formatIso } from '../../../core/base/clock.ts';
import { judge } from '../judge-launch.ts';
import type { LaunchVerdict } from '../judge-launch.ts';
import { wasAskedAgain } from '../build-lines.ts';
import type { LaunchContext } from '../build-lines.ts';
import { buildTask } from '../task.ts';
import type { ExchangeLine, Task } from '../task.ts';
import { changeHeldTask } from '../store.ts';
import { endCurrentLaunch } from '../transitions.ts';
import type { LaunchEnding } from '../transitions.ts';
import { sortLines, buildMessageName, ORCHESTRATOR, USER } from '../wire-lines.ts';
import { reserveReportPlace } from '../../reports/keep-report.ts';
import { recordQueueLength } from './workers.ts';
import type { TaskPorts } from './ports.ts';
import type { SessionPlay } from './session.ts';
import { getDelegationLimits } from './build-prompt.ts';
import { toEndedLaunch } from './run-worker.ts';

/** How long a question to a person waits, in milliseconds. */
const PATIENCE_MS = 60_000;
/** Message numbers that the end of a launch needs. */
const NUMBERS = 8;

export interface LaunchedWorker {
  wire: string;
  line: ExchangeLine;
  agent: Agent;
}

/** Collects the context for judging a worker's output, with numbers for the resulting lines. */
export async function buildJudgingContext(
  { tasking, numbers, session, findWorker }: SessionPlay,
  task: Task,
  { wire, line, agent }: LaunchedWorker,
): Promise<LaunchContext> {
  const { clock, tasks } = tasking;
  const parent = task.parent === null ? undefined : await tasks.read(task.session, task.parent);
  // A worker in line mode waits while its launch continues.
  const asker = parent?.launches.findLast(({ outcome }) => outcome === 'handed_on' || outcome === null)?.wire;
  await numbers.prepare(NUMBERS);
  return {
    now: clock.now(),
    number: numbers.next,
    wire,
    answers: asker ?? (wire === ORCHESTRATOR ? USER : ORCHESTRATOR),
    request: line,
    patience: PATIENCE_MS,
    limits: getDelegationLimits(agent, tasking),
    workers: session().workers,
    tasks: session().tasks,
    findWorker,
    needsLine: isLineWorker(agent) && wasAskedAgain(task, wire),
  };
}

/** True if a program gets lines while it works. */
export const isLineWorker = ({ input, runner }: Pick<Agent, 'input' | 'runner'>): boolean =>
  input === 'line' && runner === 'command';

/** Judges how a launch ended, commits the task's next state, and announces it. */
export async function judgeAndCommit(
  playing: SessionPlay,
  task: Task,
  { result, ...asked }: LaunchedWorker & { result: SpeakResult },
): Promise<Task | undefined> {
  const { tasking, numbers } = playing;
  const isPaused = (await tasking.tasks.read(task.session, task.id))?.paused ?? false;
  if (isPaused && result.cancelled) {
    const held = await endWithoutJudging(tasking, task, { outcome: 'interrupted', usage: result.usage });
    if (held) tasking.tell({ type: 'ended', task: held });
    return held;
  }
  // Its program ended before it got the answer: the answer comes with the next launch.
  const open = task.question ? 'asked' : task.waitsFor === null ? undefined : 'handed_on';
  if (open) return endWithoutJudging(tasking, task, { outcome: open, usage: result.usage });
  const ended = toEndedLaunch(task, result, asked.agent);
  const verdict = judge(task, ended, await buildJudgingContext(playing, task, asked));
  // Another process may answer: it uses the remaining numbers.
  if (verdict.task.question) await numbers.end();
  const next = { ...verdict.task, report: await reserveReportPlace(tasking.reports, verdict.task) };
  const after = await commit(playing, task, { ...verdict, task: next });
  if (after && !after.lease) {
    await recordQueueLength(playing, asked.agent, after);
    announceTaskChange(playing, task, after, verdict);
  }
  return after;
}

/** Ends the launch of a task without judging it. */
export const endWithoutJudging = (
  { tasks, clock }: Pick<TaskPorts, 'tasks' | 'clock'>,
  task: Task,
  ending: LaunchEnding,
): Promise<Task | undefined> =>
  changeHeldTask(tasks, task, (now) => endCurrentLaunch(now, ending, clock.now()));

/** Posts the new lines, and announces the state. */
export function announceTaskChange(
  { tasking, channel, findAgent }: SessionPlay,
  before: Task,
  after: Task,
  { child, notes = [] }: LaunchVerdict,
): void {
  const known = new Set(before.exchange.map(buildMessageName));
  const lines = [
    ...after.exchange.filter((one) => !known.has(buildMessageName(one))),
    ...(child?.exchange ?? []),
  ];
  channel.add(after, sortLines(lines), findAgent);
  for (const note of notes) tasking.note(`${after.id}: ${after.worker}: ${note}.`);
  tasking.tell({ type: 'ended', task: after });
}

/** Saves the handed-on part first; it is not run before the task waits for it. */
export async function commit(
  { tasking }: Pick<SessionPlay, 'tasking'>,
  task: Task,
  { task: next, child }: LaunchVerdict,
): Promise<Task | undefined> {
  const { tasks, clock } = tasking;
  if (child) {
    const made = buildTask(child, formatIso(clock.now()));
    await tasks.change(child.session, child.id, (now) => (now && now.launches.length > 0 ? undefined : made));
  }
  return changeHeldTask(tasks, task, () => next);
}
