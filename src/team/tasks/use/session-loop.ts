// Plays the tasks of one session: up to `concurrency` at once, until nothing is left to do.
import type { Agent } from '../../../core/agents/agent.ts';
import { findBlockedTasks, createTaskQueue, choose, rankCandidates } from '../task-queue.ts';
import type { Task } from '../task.ts';
import { isOver } from '../transitions.ts';
import { endWithoutJudging } from './finish-launch.ts';
import { selectTaskAgent } from './assign-agent.ts';
import { launch } from './launch.ts';
import type { SessionPlay } from './session.ts';
import { applyDecisions } from './launch-permission.ts';
import type { TaskPorts } from './ports.ts';
import { closeLeftWorktree } from './worktree.ts';
import { expireQuestions } from './conversation.ts';
import { createTaskWatcher } from './watch-tasks.ts';
import { createTaskChannel, createMessageNumbering } from './session.ts';
import { closeSession } from './create-tasks.ts';
import { readSessionTasks } from './find-tasks.ts';
import { recordEnd, filterUnrecordedTasks } from './keep-record.ts';
import { assignProjectWireIds, createWorkerLoad, listWorkers } from './workers.ts';
import { endOrphans, isHeld } from '../../../core/heartbeat/launch/recover.ts';

export interface PlayOptions {
  /** `over`: until everything is over, including people's answers; `idle`: only while there is something to do. */
  until: 'over' | 'idle';
  signal: AbortSignal;
  concurrency: number;
}

/** Interval for checking changes by other processes that are not notified. */
const LOOK_MS = 1000;

/** Plays a session. Resolves to its tasks afterwards. */
export async function playSession(tasking: TaskPorts, id: string, options: PlayOptions): Promise<Task[]> {
  const playOther = async (other: string): Promise<void> =>
    void (await playSession(tasking, other, { ...options, until: 'over' }));
  return withOpenSession(tasking, id, { signal: options.signal, playOther }, (playing) =>
    playQueue(playing, options),
  );
}

async function playQueue(playing: SessionPlay, options: PlayOptions): Promise<void> {
  const running = new Map<string, Promise<void>>();
  const { stop, waitForChange } = createTaskWatcher(playing.tasking.tasks);
  try {
    for (;;) {
      await lookAtOthers(playing, running);
      await expireQuestions(playing);
      await applyDecisions(playing);
      await fill(playing, running, options);
      if (running.size === 0 && !canContinue(playing, options)) break;
      // Another process that answers takes the remaining numbers.
      if (running.size === 0) await playing.numbers.end();
      await Promise.race([...running.values(), waitForChange(computeWaitTime(playing, options))]);
      if (options.signal.aborted) break;
    }
    await Promise.all(running.values());
  } finally {
    stop();
    // An error in one task does not stop the workers of others midway.
    await Promise.allSettled(running.values());
  }
}

async function fill(
  playing: SessionPlay,
  running: Map<string, Promise<void>>,
  options: PlayOptions,
): Promise<void> {
  const { queue, tasking, staff: now } = playing;
  const skipped = new Set<string>();
  while (running.size - playing.waiting.size < options.concurrency && !options.signal.aborted) {
    const task = queue.next(tasking.clock.now(), ({ id }) => !running.has(id) && !skipped.has(id));
    if (!task) return;
    const choice = await selectTaskAgent(playing, task);
    if (choice.kind === 'later') skipped.add(task.id);
    if (choice.kind !== 'chosen') continue;
    const { agent } = choice;
    const count = (by: number): void => void now.running.set(agent.id, (now.running.get(agent.id) ?? 0) + by);
    count(1);
    now.lastUsed.set(agent.id, tasking.clock.now());
    running.set(
      task.id,
      launchAndFollowUp(playing, task, agent).finally(() => {
        count(-1);
        running.delete(task.id);
      }),
    );
  }
}

async function launchAndFollowUp(playing: SessionPlay, task: Task, agent: Agent): Promise<void> {
  const { tasks } = playing.tasking;
  const after = (await launch(playing, task, agent)) ?? (await tasks.read(task.session, task.id));
  if (after) await take(playing, after);
}

/** Takes over changes by other processes: answers, cancellations, new tasks, launches. */
async function lookAtOthers(playing: SessionPlay, running: Map<string, Promise<void>>): Promise<void> {
  const { tasking, queue, session, staff } = playing;
  const ids = (await tasking.tasks.session(session().id))?.tasks ?? [];
  for (const id of ids) {
    const known = queue.find(id);
    const mayHaveChanged =
      !known || known.lease !== null || known.question !== null || known.approval !== null || known.paused;
    // A task that waits for something missing here may be done on another machine.
    if (!running.has(id) && (mayHaveChanged || staff.told.has(id))) await look(id);
  }
  for (const id of running.keys()) await stopIfTaken(id);
  for (const { id, parent, lease, question } of queue.all())
    if (parent !== null && !running.has(id) && (lease || question)) await look(id);

  /** Stops a launch whose task is over or paused: by a person, or by a process that took this one for dead. */
  async function stopIfTaken(id: string): Promise<void> {
    const now = await tasking.tasks.read(session().id, id);
    if (now && (isOver(now) || now.paused)) playing.stop(id);
  }

  async function look(id: string): Promise<void> {
    const now = await tasking.tasks.read(session().id, id);
    if (now) queue.put(await recover(playing, now));
  }
}

function canContinue({ queue }: SessionPlay, { until, signal }: PlayOptions): boolean {
  if (signal.aborted) return false;
  const all = queue.all();
  const lost = findBlockedTasks(all);
  const open = all.filter((task) => !isOver(task) && !lost.has(task.id));
  if (until === 'over') return open.length > 0;
  return open.some(({ notBefore, lease }) => notBefore !== null && lease === null);
}

const computeWaitTime = ({ queue, tasking }: SessionPlay, { until }: PlayOptions): number => {
  const next = queue.nextTime();
  const most = until === 'over' ? LOOK_MS : LOOK_MS / 4;
  return next === undefined ? most : Math.min(most, Math.max(5, next - tasking.clock.now()));
};

interface OpenOptions {
  signal: AbortSignal;
  /** The lease of a result being uploaded: not to be taken for a dead process's. */
  held?: string;
  /** Plays another session to its end; unset if that is not possible. */
  playOther?: SessionPlay['playOther'];
}

/**
 * Opens a session for `play`: frees leases of dead processes before, and posts and records what was said
 * afterwards. Resolves to its tasks afterwards.
 */
export async function withOpenSession(
  tasking: TaskPorts,
  id: string,
  options: OpenOptions,
  play: (playing: SessionPlay) => Promise<void>,
): Promise<Task[]> {
  const playing = await open(tasking, id, options);
  try {
    await play(playing);
  } finally {
    await playing.channel.waitForAll();
    await playing.numbers.end();
    await tasking.duty.noteUse(playing.staff.lastUsed);
  }
  await close(playing);
  return playing.queue.all();
}

/** Puts the task after a launch into the queue, with the part handed on. */
export async function take({ tasking, queue }: SessionPlay, after: Task): Promise<void> {
  // A cancelled task is recorded by the process that cancels it.
  queue.put(after.state === 'X' ? after : await recordEnd(tasking, after));
  if (after.waitsFor === null || queue.find(after.waitsFor)) return;
  const part = await tasking.tasks.read(after.session, after.waitsFor);
  if (part) queue.put(part);
}

async function open(
  tasking: TaskPorts,
  id: string,
  { signal, held, playOther = () => Promise.resolve() }: OpenOptions,
): Promise<SessionPlay> {
  let session = await assignProjectWireIds(tasking, id);
  const stops = new Map<string, AbortController>();
  const playing: SessionPlay = {
    tasking,
    session: () => session,
    numbers: createMessageNumbering(tasking.tasks, id),
    channel: createTaskChannel(tasking.office),
    queue: createTaskQueue<Task>([]),
    staff: createWorkerLoad(),
    signal,
    waiting: new Set(),
    getStop(task) {
      const control = new AbortController();
      stops.set(task.id, control);
      return control.signal;
    },
    stop: (task) => stops.get(task)?.abort(),
    playOther,
    findAgent: (wire) => session.workers[wire],
    findWorker: (capability) =>
      choose(
        rankCandidates(
          listWorkers(tasking, session, {
            health: {},
            staff: createWorkerLoad(playing.staff.members),
            passedOver: [],
          }),
          [capability],
        ),
      )?.wire,
  };
  for (const task of await readSessionTasks(tasking.tasks, id)) {
    const isHandedIn = held !== undefined && task.lease?.id === held;
    const found = isHandedIn ? task : await recover(playing, task);
    playing.queue.put(found);
    for (const { worker, at } of found.launches) {
      const before = playing.staff.lastUsed.get(worker) ?? 0;
      playing.staff.lastUsed.set(worker, Math.max(before, Date.parse(at)));
    }
    await playing.channel.complete(found, found.exchange, playing.findAgent);
  }
  session = (await tasking.tasks.session(id)) ?? session;
  if (playing.queue.all().some(({ isolate }) => isolate !== 'none')) await closeLeftWorktree(tasking, id);
  return playing;
}

async function close({ tasking, queue, session }: SessionPlay): Promise<void> {
  if (queue.all().some((task) => !isOver(task))) return;
  for (const task of await filterUnrecordedTasks(tasking, queue.all()))
    queue.put(await recordEnd(tasking, task));
  await closeSession(tasking.tasks, session().id);
}

/** Frees the task of a dead process; others are returned unchanged. */
export async function recover({ tasking }: Pick<SessionPlay, 'tasking'>, task: Task): Promise<Task> {
  const { lease } = task;
  const { clock, self, heartbeats } = tasking;
  if (!lease || (await isHeld({ self, clock, heartbeats }, lease))) return task;
  if (lease.group) await endOrphans(lease.group);
  return (await endWithoutJudging(tasking, task, { outcome: 'interrupted' })) ?? task;
}
