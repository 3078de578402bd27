// One launch of a worker for a task, from start to end.
import type { Agent } from '../../../core/agents/agent.ts';
import type { SpeakResult } from '../../../core/agents/runners/turn-types.ts';
import { atWork } from '../../../core/heartbeat/launch/heartbeat-row.ts';
import type { CircuitBreaker, HealthEvidence } from '../../../core/heartbeat/launch/circuit-breaker.ts';
import { readSaid } from '../parse-worker-output.ts';
import { changeHeldTask } from '../store.ts';
import { isOfAgent, endCurrentLaunch } from '../transitions.ts';
import type { Task } from '../task.ts';
import { beginLaunch, failTaskAndTell } from './begin-launch.ts';
import type { BegunLaunch } from './begin-launch.ts';
import type { WorkerConversation } from './conversation.ts';
import { recordPause } from './launch-permission.ts';
import type { SessionPlay } from './session.ts';
import { isLineWorker, endWithoutJudging, judgeAndCommit } from './finish-launch.ts';
import type { LaunchedWorker } from './finish-launch.ts';
import { runWorkerTurn } from './run-worker.ts';
import { enterSite, explainLostSite } from './worktree.ts';

/**
 * Runs a worker on a task. Returns the task afterwards; undefined if it was not launched because another process
 * has it or its agent is paused.
 */
export async function launch(playing: SessionPlay, task: Task, agent: Agent): Promise<Task | undefined> {
  const begun = await beginLaunch(playing, task, agent);
  if (begun.kind === 'skipped') return begun.task;
  try {
    return await runLaunch(playing, begun.launch);
  } finally {
    atWork.delete(begun.launch.task.lease?.id ?? '');
  }
}

async function runLaunch(playing: SessionPlay, begun: BegunLaunch): Promise<Task | undefined> {
  const { task: leased, breaker, ...launched } = begun;
  const site = await enterSite(playing.tasking, leased);
  if ('refused' in site) {
    await breaker.giveBack();
    return failTaskAndTell(playing, leased, site.refused);
  }
  const task = { ...leased, leftover: site.leftover ?? null };
  const turn = { ...launched, ...site };
  const conversation = await openLineConversation(playing, task, turn);
  const turnResult = await runWorkerTurn(playing, task, { ...turn, talk: conversation });
  const { task: taskAfterTalk, result } = (await conversation?.end(turnResult)) ?? {
    task,
    result: turnResult,
  };
  const lost = result.ok && site.writes ? await explainLostSite(playing.tasking, taskAfterTalk) : undefined;
  if (lost) {
    await breaker.giveBack();
    return failTaskAndTell(playing, taskAfterTalk, lost);
  }
  const isInterrupted = playing.signal.aborted;
  return endLaunch(playing, taskAfterTalk, { ...launched, breaker, result, isInterrupted });
}

/** How a launch ended, and its agent's health. `isInterrupted`: this process is being stopped. */
interface LaunchEnd extends LaunchedWorker {
  result: SpeakResult;
  breaker: CircuitBreaker;
  isInterrupted: boolean;
}

/** Ends a launch, here or on another machine, and returns the task. */
export async function endLaunch(
  playing: SessionPlay,
  task: Task,
  { result, breaker, isInterrupted, ...launched }: LaunchEnd,
): Promise<Task | undefined> {
  const { tasking } = playing;
  const now = await tasking.tasks.read(task.session, task.id);
  // Another process may have begun the next launch since, so this one is found by its number.
  const current = now?.launches[task.launches.length - 1];
  // A cancellation is recorded before the program is ended, and its end says nothing about the agent.
  if (current?.outcome === 'cancelled') await breaker.giveBack();
  else await breaker.note(toHealthEvidence(task, result, launched.wire));
  await recordPause(tasking, launched.agent, result);
  // The process is being stopped: the launch does not count.
  if (isInterrupted) return endWithoutJudging(tasking, task, { outcome: 'interrupted', usage: result.usage });
  const [approval] = result.loop?.waitsFor ?? [];
  if (approval !== undefined && result.failure === 'cancelled')
    return pauseForToolApproval(playing, task, approval, result);
  return judgeAndCommit(playing, task, { ...launched, result });
}

/** Opens the conversation with a program in line mode; undefined for others. */
const openLineConversation = async (
  playing: SessionPlay,
  task: Task,
  launched: LaunchedWorker,
): Promise<WorkerConversation | undefined> =>
  isLineWorker(launched.agent)
    ? (await import('./conversation.ts')).startConversation(playing, task, launched)
    : undefined;

/** A final line shows that the agent works, unless it reports a fault of the agent. */
function toHealthEvidence(task: Task, result: SpeakResult, wire: string): HealthEvidence {
  const { last } = readSaid(result.output.toString('utf8'), { task, wire });
  const code = last?.kind === 'error' ? last.error : undefined;
  if (code !== undefined && isOfAgent(code))
    return { ok: false, failure: 'failed', safeReason: `it said ${code}`, wasLaunched: true };
  const { ok, failure, safeReason, reason } = result;
  return { ok: ok || last !== undefined, failure, safeReason: safeReason ?? reason, wasLaunched: true };
}

/**
 * Ends the launch of a worker whose tool call needs approval; frees its slot. The next launch continues the call.
 */
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
