// One launch of a worker for a task, from start to end.
import type { Agent } from '../../../core/agents/agent.ts';
import type { SpeakResult } from '../../../core/agents/runners/turn-types.ts';
import { atWork } from '../../../core/heartbeat/launch/heartbeat-row.ts';
import type { CircuitBreaker, LaunchOutcome } from '../../../core/heartbeat/launch/circuit-breaker.ts';
import { readSaid } from '../parse-worker-output.ts';
import { changeHeldTask } from '../store.ts';
import { isOfAgent, endCurrentLaunch } from '../transitions.ts';
import type { Task } from '../task.ts';
import { beginLaunch, failUnlaunchedTask } from './begin-launch.ts';
import type { BegunLaunch } from './begin-launch.ts';
import type { WorkerConversation } from './conversation.ts';
import { recordPause } from './launch-permission.ts';
import type { SessionPlay } from './session.ts';
import { isLineWorker, leave, settle } from './finish-launch.ts';
import type { LaunchedWorker } from './finish-launch.ts';
import { runWorkerTurn } from './run-worker.ts';
import { enterSite, explainLostSite } from './worktree.ts';

/** Runs a worker on a task. Resolves to the task afterwards; undefined if another process has it. */
export async function launch(playing: SessionPlay, task: Task, agent: Agent): Promise<Task | undefined> {
  const begun = await beginLaunch(playing, task, agent);
  if ('not' in begun) return begun.not;
  try {
    return await launchHere(playing, begun);
  } finally {
    atWork.delete(begun.task.lease?.id ?? '');
  }
}

async function launchHere(playing: SessionPlay, begun: BegunLaunch): Promise<Task | undefined> {
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
  const lost = result.ok && site.writes ? await explainLostSite(playing.tasking, held) : undefined;
  if (lost) {
    await care.giveBack();
    return failUnlaunchedTask(playing, held, lost);
  }
  return endLaunch(playing, held, { ...asking, care, result, isInterrupted: playing.signal.aborted });
}

/** How a launch ended, and its agent's health. `isInterrupted`: this process is being stopped. */
interface EndedTurn extends LaunchedWorker {
  result: SpeakResult;
  care: CircuitBreaker;
  isInterrupted: boolean;
}

/** Ends a launch, here or on another machine, and returns the task. */
export async function endLaunch(
  playing: SessionPlay,
  task: Task,
  { result, care, isInterrupted, ...asked }: EndedTurn,
): Promise<Task | undefined> {
  const now = await playing.tasking.tasks.read(task.session, task.id);
  // A cancellation is recorded before the program is ended, and its end says nothing about the agent.
  if (now?.launches[task.launches.length - 1]?.outcome === 'cancelled') await care.giveBack();
  else await care.note(toLaunchHealth(task, result, asked.wire));
  await recordPause(playing.tasking, asked.agent, result);
  // The process is being stopped: the launch does not count.
  if (isInterrupted) return leave(playing.tasking, task, { outcome: 'interrupted', usage: result.usage });
  const [approval] = result.loop?.waitsFor ?? [];
  if (approval !== undefined && result.failure === 'cancelled')
    return pauseForToolApproval(playing, task, approval, result);
  return settle(playing, task, { ...asked, result });
}

/** Opens the conversation with a program in line mode; undefined for others. */
const openLineConversation = async (
  playing: SessionPlay,
  task: Task,
  asked: LaunchedWorker,
): Promise<WorkerConversation | undefined> =>
  isLineWorker(asked.agent)
    ? (await import('./conversation.ts')).startConversation(playing, task, asked)
    : undefined;

/** A final line shows that the agent works, unless it reports a fault of the agent. */
function toLaunchHealth(task: Task, result: SpeakResult, wire: string): LaunchOutcome {
  const { last } = readSaid(result.output.toString('utf8'), { task, wire });
  const code = last?.kind === 'error' ? last.error : undefined;
  if (code !== undefined && isOfAgent(code))
    return { ok: false, failure: 'failed', safeReason: `it said ${code}`, record: true };
  const { ok, failure, safeReason, reason } = result;
  return { ok: ok || last !== undefined, failure, safeReason: safeReason ?? reason, record: true };
}

// If a worker's tool call needs approval, its task waits for a person, and its slot is free.

/** Ends the launch; the next one continues the call. */
async function pauseForToolApproval(
  { tasking }: SessionPlay,
  task: Task,
  approval: string,
  { usage, loop }: SpeakResult,
): Promise<Task | undefined> {
  const after = await changeHeldTask(tasking.tasks, task, (now) => ({
    ...endCurrentLaunch(now, { outcome: 'waited', usage, calls: loop?.calls }, tasking.clock.now()),
    approval,
  }));
  if (after?.approval === approval) tasking.tell({ type: 'ended', task: after });
  return after;
}
