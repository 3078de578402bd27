// Whether an agent has a place for one task more: other commands have it do tasks as well.
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent } from '../../../core/agents/agent.ts';
import type { SpeakResult } from '../../../core/agents/runners/turn-types.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { findModelProvider } from '../../../core/agents/runner-kind.ts';
import { isHeld } from '../../../core/heartbeat/launch/recover.ts';
import { LONGEST_PAUSE_MS } from '../rate-limits.ts';
import type { Task } from '../task.ts';
import { holds, notLaunched } from '../transitions.ts';
import type { Tasking } from './ports.ts';
import type { Playing } from './session.ts';
import { listAgentLimits, countRunningTasks } from './workers.ts';

/** Two that stepped back from each other do not meet again for ever. */
const STEP_BACK_MS = 100;

/**
 * Whether it may be launched, asked when its task is already held under a lease that all others can see: of two that ask at once at
 * least one sees the other, so no more are launched than there are places. A launch that a rate counts is counted here.
 */
export async function hasPlace(playing: Playing, { session }: Task, agent: Agent): Promise<boolean> {
  const { tasking, staff } = playing;
  staff.elsewhere = await workedOnElsewhere(tasking, session, staff.done);
  if (countRunningTasks(staff, agent.id) > agent.concurrency) {
    await wait(Math.random() * STEP_BACK_MS);
    return false;
  }
  const limits = listAgentLimits(agent, tasking);
  if (limits.every(({ rate }) => rate === null)) return true;
  return (await tasking.duty.take(agent.id, limits, tasking.clock.now())) === null;
}

/** Releases the lease without a launch, because another process was faster. */
export const stepBack = (
  { tasks }: Pick<Tasking, 'tasks'>,
  { session, id, lease }: Task,
  before: Task,
): Promise<Task | undefined> =>
  tasks.change(session, id, (now) =>
    now && lease && holds(now, lease.id) ? notLaunched(now, before) : undefined,
  );

/** A provider that says when to come back is left alone until then, by all whom it serves. */
export async function notePause(
  { duty, clock }: Pick<Tasking, 'duty' | 'clock'>,
  agent: Agent,
  { failure, retryAfterMs }: SpeakResult,
): Promise<void> {
  const provider = findModelProvider(agent);
  if (provider === null || failure !== 'rate-limit' || retryAfterMs === null) return;
  await duty.pause(provider, clock.now() + Math.min(retryAfterMs, LONGEST_PAUSE_MS));
}

/** How many tasks of other sessions each agent works on now. `done` keeps those that need not be looked at again. */
export async function workedOnElsewhere(
  tasking: Pick<Tasking, 'tasks' | 'self' | 'clock' | 'heartbeats'>,
  session: string,
  done: Set<string>,
): Promise<Map<string, number>> {
  const { tasks, self, clock, heartbeats } = tasking;
  const count = new Map<string, number>();
  const { open } = await tasks.numbers();
  for (const other of open)
    if (other !== session)
      try {
        for (const id of (await tasks.session(other))?.tasks ?? []) await look(other, id);
      } catch (error) {
        // An unreadable session is reported where it is played; no worker runs for it.
        if (!(error instanceof CouncilError)) throw error;
      }
  return count;

  async function look(other: string, id: string): Promise<void> {
    const key = `${other}/${id}`;
    if (done.has(key)) return;
    const task = await tasks.read(other, id);
    if (!task) return;
    // What failed or was cancelled may be begun anew.
    if (task.state === 'D') done.add(key);
    if (await isWorkedOn(task)) count.set(task.worker!, (count.get(task.worker!) ?? 0) + 1);
    for (let at = 1; at <= task.children; at++) await look(other, `${id}.${at}`);
  }

  async function isWorkedOn({ lease, worker }: Task): Promise<boolean> {
    return lease !== null && worker !== null && (await isHeld({ self, clock, heartbeats }, lease));
  }
}
