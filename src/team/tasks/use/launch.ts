// One launch of a worker for a task, from start to end.
import type { Agent } from '../../../core/agents/agent.ts';
import type { SpeakResult } from '../../../core/agents/runners/turn-types.ts';
import { atWork } from '../../../core/heartbeat/launch/heartbeat-row.ts';
import type { Care, Fared } from '../../../core/heartbeat/launch/circuit-breaker.ts';
import { readSaid } from '../parse-worker-output.ts';
import { isOfAgent, holds, launchEnded } from '../transitions.ts';
import type { Task } from '../task.ts';
import { beginLaunch, failUnlaunchedTask } from './begin-launch.ts';
import type { Begun } from './begin-launch.ts';
import type { Conversation } from './conversation.ts';
import { notePause } from './launch-permission.ts';
import type { Playing } from './session.ts';
import { hearsLines, settle } from './finish-launch.ts';
import type { Launched } from './finish-launch.ts';
import { runWorkerTurn } from './run-worker.ts';
import { enterSite, lostSite } from './worktree.ts';

/** Runs a worker on a task. Resolves to the task afterwards; undefined if another process has it. */
export async function launch(playing: Playing, task: Task, agent: Agent): Promise<Task | undefined> {
  const begun = await beginLaunch(playing, task, agent);
  if ('not' in begun) return begun.not;
  try {
    return await launchHere(playing, begun);
  } finally {
    atWork.delete(begun.task.lease?.id ?? '');
  }
}

async function launchHere(playing: Playing, begun: Begun): Promise<Task | undefined> {
  const { task, care, ...asking } = begun;
  const site = await enterSite(playing.tasking, task);
  if ('refused' in site) {
    await care.giveBack();
    return failUnlaunchedTask(playing, task, site.refused);
  }
  const mine = { ...task, leftover: site.leftover ?? null };
  const asked = { ...asking, ...site };
  const talk = await openLineConversation(playing, mine, asked);
  const spoken = await runWorkerTurn(playing, mine, { ...asked, talk });
  const { task: held, result } = talk ? await talk.end(spoken) : { task: mine, result: spoken };
  const lost = result.ok && site.writes ? await lostSite(playing.tasking, held) : undefined;
  if (lost) {
    await care.giveBack();
    return failUnlaunchedTask(playing, held, lost);
  }
  return endLaunch(playing, held, { ...asking, care, result, isInterrupted: playing.signal.aborted });
}

/** How a launch ended, and its agent's health. `isInterrupted`: this process is being stopped. */
interface Over extends Launched {
  result: SpeakResult;
  care: Care;
  isInterrupted: boolean;
}

/** Ends a launch, here or on another machine, and returns the task. */
export async function endLaunch(
  playing: Playing,
  task: Task,
  { result, care, isInterrupted, ...asked }: Over,
): Promise<Task | undefined> {
  const now = await playing.tasking.tasks.read(task.session, task.id);
  // A cancellation is recorded before the program is ended, and its end says nothing about the agent.
  if (now?.launches[task.launches.length - 1]?.outcome === 'cancelled') await care.giveBack();
  else await care.note(toLaunchHealth(task, result, asked.wire));
  await notePause(playing.tasking, asked.agent, result);
  if (isInterrupted) return undoInterruptedLaunch(playing, task, result);
  const [approval] = result.loop?.waitsFor ?? [];
  if (approval !== undefined && result.failure === 'cancelled')
    return pauseForToolApproval(playing, task, approval, result);
  return settle(playing, task, { ...asked, result });
}

/** Opens the conversation with a program in line mode; undefined for others. */
const openLineConversation = async (
  playing: Playing,
  task: Task,
  asked: Launched,
): Promise<Conversation | undefined> =>
  hearsLines(asked.agent)
    ? (await import('./conversation.ts')).conversation(playing, task, asked)
    : undefined;

/** A final line shows that the agent works, unless it reports a fault of the agent. */
function toLaunchHealth(task: Task, result: SpeakResult, wire: string): Fared {
  const { last } = readSaid(result.output.toString('utf8'), { task, wire });
  const code = last?.kind === 'error' ? last.error : undefined;
  if (code !== undefined && isOfAgent(code))
    return { ok: false, failure: 'failed', safeReason: `it said ${code}`, record: true };
  const { ok, failure, safeReason, reason } = result;
  return { ok: ok || last !== undefined, failure, safeReason: safeReason ?? reason, record: true };
}

/** The process is being stopped: the launch does not count. */
async function undoInterruptedLaunch(
  { tasking }: Playing,
  task: Task,
  { usage }: SpeakResult,
): Promise<Task | undefined> {
  return tasking.tasks.change(task.session, task.id, (now) =>
    now && task.lease && holds(now, task.lease.id)
      ? launchEnded(now, { outcome: 'interrupted', usage }, tasking.clock.now())
      : undefined,
  );
}

// If a worker's tool call needs approval, its task waits for a person, and its slot is free.

/** Ends the launch; the next one continues the call. */
async function pauseForToolApproval(
  { tasking }: Playing,
  task: Task,
  approval: string,
  { usage, loop }: SpeakResult,
): Promise<Task | undefined> {
  const after = await tasking.tasks.change(task.session, task.id, (now) => {
    if (!now || !task.lease || !holds(now, task.lease.id)) return undefined;
    return {
      ...launchEnded(now, { outcome: 'waited', usage, calls: loop?.calls }, tasking.clock.now()),
      approval,
    };
  });
  if (after?.approval === approval) tasking.tell({ type: 'ended', task: after });
  return after;
}
