// A session that is open for being played: what all who play it do before, and afterwards.
import { createTaskQueue, choose, rank } from '../task-queue.ts';
import type { Task } from '../task.ts';
import { isOver, holds, launchEnded } from '../transitions.ts';
import { taskChannels, createMessageNumbering } from './channel.ts';
import { closeSession } from './create.ts';
import { readSessionTasks } from './find.ts';
import type { Tasking } from './ports.ts';
import { recordEnd, filterUnrecordedTasks } from './record.ts';
import type { Playing } from './session.ts';
import { enlist, staff, workersNow } from './workers.ts';
import { endOrphans, isHeld } from '../../../core/heartbeat/launch/recover.ts';

/** How a session is to be opened. */
interface OpenOptions {
  signal: AbortSignal;
  /** The lease of a result being uploaded: not to be taken for a dead process's. */
  held?: string;
  /** Plays another session to its end; unset if that is not possible. */
  playOther?: Playing['playOther'];
}

/**
 * Has `play` done with a session that is open: leases of the dead are freed before, and what was said is posted and recorded
 * afterwards. Resolves to its tasks as they stand then.
 */
export async function inSession(
  tasking: Tasking,
  id: string,
  options: OpenOptions,
  play: (playing: Playing) => Promise<void>,
): Promise<Task[]> {
  const playing = await open(tasking, id, options);
  try {
    await play(playing);
  } finally {
    await playing.channel.settled();
    await playing.numbers.end();
    await tasking.audit.flush();
    await tasking.duty.used(playing.staff.lastUsed);
  }
  await close(playing);
  return playing.queue.all();
}

/** Takes what became of a launch into the queue, with the part that was handed on. */
export async function take({ tasking, queue }: Playing, after: Task): Promise<void> {
  // A cancelled task is recorded by the process that cancels it.
  queue.put(after.state === 'X' ? after : await recordEnd(tasking, after));
  if (after.waitsFor === null || queue.find(after.waitsFor)) return;
  const part = await tasking.tasks.read(after.session, after.waitsFor);
  if (part) queue.put(part);
}

async function open(
  tasking: Tasking,
  id: string,
  { signal, held, playOther = () => Promise.resolve() }: OpenOptions,
): Promise<Playing> {
  let session = await enlist(tasking, id);
  const stops = new Map<string, AbortController>();
  const playing: Playing = {
    tasking,
    session: () => session,
    numbers: createMessageNumbering(tasking.tasks, id),
    channel: taskChannels(tasking.office),
    queue: createTaskQueue([]),
    staff: staff(),
    signal,
    waiting: new Set(),
    stopOf(task) {
      const control = new AbortController();
      stops.set(task.id, control);
      return control.signal;
    },
    stop: (task) => stops.get(task)?.abort(),
    playOther,
    agentOf: (wire) => session.workers[wire],
    workerFor: (capability) =>
      choose(
        rank(
          workersNow(tasking, session, { health: {}, staff: staff(playing.staff.members), passedOver: [] }),
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
    await playing.channel.complete(found, found.exchange, playing.agentOf);
  }
  session = (await tasking.tasks.session(id)) ?? session;
  if (playing.queue.all().some(({ isolate }) => isolate !== 'none'))
    await (await import('./worktree.ts')).closeLeft(tasking, id);
  return playing;
}

/** A session is closed when all its tasks are over. */
async function close({ tasking, queue, session }: Playing): Promise<void> {
  if (queue.all().some((task) => !isOver(task))) return;
  for (const task of await filterUnrecordedTasks(tasking, queue.all()))
    queue.put(await recordEnd(tasking, task));
  await tasking.audit.flush();
  await closeSession(tasking.tasks, session().id);
}

/** Frees the task of a dead process; one that is being worked on stays as it is. */
export async function recover({ tasking }: Pick<Playing, 'tasking'>, task: Task): Promise<Task> {
  const { lease } = task;
  const { clock, self, heartbeats, tasks } = tasking;
  if (!lease || (await isHeld({ self, clock, heartbeats }, lease))) return task;
  if (lease.group) await endOrphans(lease.group);
  const after = await tasks.change(task.session, task.id, (now) =>
    now && holds(now, lease.id) ? launchEnded(now, { outcome: 'interrupted' }, clock.now()) : undefined,
  );
  return after ?? task;
}
