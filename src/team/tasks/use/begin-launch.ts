// Starts a launch for a task: checks if it may run, takes the lease, and records its line.
import type { Agent } from '../../../core/agents/agent.ts';
import { formatIso } from '../../../core/base/clock.ts';
import { atWork } from '../../../core/heartbeat/launch/heartbeat-row.ts';
import { createCircuitBreaker } from '../../../core/heartbeat/launch/circuit-breaker.ts';
import type { CircuitBreaker } from '../../../core/heartbeat/launch/circuit-breaker.ts';
import { estimatePromptTokens } from '../prompt.ts';
import type { Enclosure } from '../prompt.ts';
import { selectLaunchLine } from '../build-lines.ts';
import type { ExchangeLine, RemoteLease, Task, TaskError } from '../task.ts';
import {
  failTask,
  isLeaseHeld,
  isOver,
  startLaunch,
  endCurrentLaunch,
  withBudgetBack,
  withLines,
} from '../transitions.ts';
import { buildTaskLine, ORCHESTRATOR, USER } from '../wire-lines.ts';
import { collectEnclosures } from './build-prompt.ts';
import { checkLaunchPermission, hasPlace, releaseLease } from './launch-permission.ts';
import { recordLaunch } from './keep-record.ts';
import type { SessionPlay } from './session.ts';
import type { LaunchedWorker } from './finish-launch.ts';
import { chooseSite } from './worktree.ts';
import { getWireId } from './workers.ts';

/** Time beyond the launch's timeout before other machines may consider it dead. */
const MARGIN_MS = 60_000;

/** A permitted launch: its task has a lease that all can see, and its request is recorded. */
export interface BegunLaunch extends LaunchedWorker {
  task: Task;
  enclosures: readonly Enclosure[];
  breaker: CircuitBreaker;
}

/** A skipped launch has the task as it is now; undefined if another process has it or its agent is paused. */
type LaunchStart = { kind: 'begun'; launch: BegunLaunch } | { kind: 'skipped'; task: Task | undefined };

const skipLaunch = (task: Task | undefined): LaunchStart => ({ kind: 'skipped', task });

/**
 * Takes the lease; `lentTo` names the remote worker if another machine launches it. The task counts
 * as running in this process (`atWork`) until the launching code removes it.
 */
export async function beginLaunch(
  playing: SessionPlay,
  task: Task,
  agent: Agent,
  lentTo?: (line: ExchangeLine) => RemoteLease,
): Promise<LaunchStart> {
  const { tasking, session, numbers, channel } = playing;
  const { clock, tasks } = tasking;
  const wire = getWireId(session(), agent, agent.id);
  const child = task.waitsFor === null ? undefined : await tasks.read(task.session, task.waitsFor);
  const ready = withBudgetBack(task, child);
  const find = (id: string): Promise<Task | undefined> => tasks.read(task.session, id);
  const collected = await collectEnclosures(ready, child, tasking.project.root, find);
  const refusal = findLaunchRefusal(ready, collected);
  if (refusal) return skipLaunch(await failTaskAndTell(playing, task, refusal));
  const enclosures = collected as Enclosure[];
  const permission = await checkLaunchPermission(playing, ready, agent, enclosures);
  if (permission.kind === 'refused')
    return skipLaunch(await failTaskAndTell(playing, task, permission.refused));
  if (permission.kind === 'stopped') return skipLaunch(permission.task);
  const breaker = createCircuitBreaker(
    { health: tasking.health, clock, agents: tasking.agents, env: tasking.env },
    agent.id,
  );
  const admitted = await breaker.admit(false);
  if (!admitted.go) return skipLaunch(undefined);
  const site = await chooseSite(tasking, task);
  if ('refused' in site) return skipLaunch(await failTaskAndTell(playing, task, site.refused));
  if ('asks' in site) {
    await breaker.giveBack();
    return skipLaunch(await pauseForQuestion(playing, task, site.asks));
  }
  await numbers.prepare(1);
  const { line, isNew } = selectLaunchLine(ready, { wire, returned: child }, clock.now(), numbers.next);

  const id = tasking.random.uuid();
  const limit = Math.min(task.timeout ?? Infinity, agent.timeout);
  const lent = lentTo?.(line);
  const until = formatIso(clock.now() + limit + MARGIN_MS);
  const lease = { ...tasking.self, id, until, group: null, ...(lent && { lent }) };
  let isBegun = false;
  atWork.add(id);
  try {
    const leased = await tasks.change(task.session, task.id, (now) =>
      now && isStillLaunchable(now, task)
        ? toLaunchedTask(
            { ...withBudgetBack(now, child), ...site.start },
            { lease, worker: agent.id, wire },
            isNew ? [line] : [],
            clock.now(),
          )
        : undefined,
    );
    if (!leased || !isLeaseHeld(leased, id)) {
      await breaker.giveBack();
      return skipLaunch(leased);
    }
    if (!(await hasPlace(playing, leased, agent))) {
      await breaker.giveBack();
      return skipLaunch(await releaseLease(tasking, leased, task));
    }
    if (isNew) channel.add(leased, [line], playing.findAgent);
    await recordLaunch(tasking, leased, agent);
    tasking.tell({ type: 'launched', task: leased, worker: agent.id });
    isBegun = true;
    return { kind: 'begun', launch: { task: leased, agent, wire, line, enclosures, breaker } };
  } finally {
    if (!isBegun) atWork.delete(id);
  }
}

async function pauseForQuestion(
  { tasking }: SessionPlay,
  task: Task,
  question: NonNullable<Task['question']>,
): Promise<Task | undefined> {
  const after = await tasking.tasks.change(task.session, task.id, (now) =>
    now && isStillLaunchable(now, task) ? { ...now, question } : undefined,
  );
  if (after?.question) tasking.tell({ type: 'ended', task: after });
  return after;
}

const isStillLaunchable = (now: Task, read: Task): boolean =>
  !isOver(now) && now.lease === null && now.launches.length === read.launches.length && now.question === null;

const toLaunchedTask = (
  task: Task,
  how: Parameters<typeof startLaunch>[1],
  lines: readonly ExchangeLine[],
  now: number,
): Task => withLines({ ...startLaunch(task, how, now), waitsFor: null }, lines);

function findLaunchRefusal(
  task: Task,
  enclosures: Enclosure[] | { error: TaskError },
): { error: TaskError; body: string } | undefined {
  if ('error' in enclosures) return { error: enclosures.error, body: `desc=${enclosures.error.text}` };
  const needed = estimatePromptTokens(task, enclosures);
  if (task.budget === null || needed <= task.budget) return undefined;
  const text = `its budget of ${task.budget} tokens is too small: it takes about ${needed}`;
  return {
    error: { code: 'E17', text },
    body: `desc=budget insufficient;needed=${needed};have=${task.budget}`,
  };
}

/** Ends a task that cannot start, or whose launch was in vain, and informs a person. */
export async function failTaskAndTell(
  { tasking, numbers, channel, findAgent }: SessionPlay,
  task: Task,
  { error, body }: { error: TaskError; body: string },
): Promise<Task | undefined> {
  const now = tasking.clock.now();
  await numbers.prepare(1);
  const told = {
    ...numbers.next(),
    time: formatIso(now),
    from: ORCHESTRATOR,
    to: USER,
    kind: 'error',
    state: 'F',
    error: error.code,
    body,
  } as const;
  const line = buildTaskLine(task, told);
  const after = await tasking.tasks.change(task.session, task.id, (current) =>
    current && !isOver(current) && (current.lease?.id ?? null) === (task.lease?.id ?? null)
      ? withLines(failTask(endCurrentLaunch(current, { outcome: 'failed', error }, now), error, now), [line])
      : undefined,
  );
  if (after?.exchange.includes(line)) {
    channel.add(after, [line], findAgent);
    tasking.tell({ type: 'ended', task: after });
  }
  return after;
}
