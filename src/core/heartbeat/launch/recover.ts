// Recovers launches whose tick died: records finished ones and ends the others.
import { getSystemCode } from '../../base/errors.ts';
import { parse } from '../../council/document/document.ts';
import type { Snapshot } from '../../council/use/council-access.ts';
import { awaited, isBlindNow, getSeat } from '../../council/state/state.ts';
import type { Lease } from '../../council/state/state.ts';
import type { ProcessIdentity } from '../../store/local/liveness.ts';
import type { TurnRegister } from '../../store/local/turns.ts';
import { atWork, DEAD_AFTER_MS } from './heartbeat-row.ts';
import { releaseLease } from './lease.ts';
import type { LaunchPorts, LaunchOptions } from './ports.ts';
import { joinAnswers } from './repair.ts';
import type { Launch, LaunchResult } from './result.ts';
import { createSpool } from './spool.ts';
import type { Spool } from './spool.ts';
import { recordOutput } from './turn.ts';

/**
 * The result of recovering a lease taken by another tick: `alive` (leave it alone), `recorded` (its program had
 * finished and its spool was complete), `dead` (its owner is gone; its processes were ended), `freed` (the
 * same, but its owner was interrupted: it does not count and the lease is gone), `over` (its outcome was
 * recorded after the council was read), or `failed`, as its spool reports.
 */
type RecoveryResult =
  { kind: 'alive' | 'recorded' | 'dead' | 'freed' | 'over' } | { kind: 'failed'; result: LaunchResult };

/** Recovers a participant's lease; `freed` if there is none. */
export async function recoverLease(
  ports: LaunchPorts,
  { state, participant, lease }: Pick<Launch, 'state' | 'participant'> & { lease: Lease | null },
  options: Pick<LaunchOptions, 'onProgress'>,
): Promise<RecoveryResult> {
  if (!lease) return { kind: 'freed' };
  const launch = { state, participant, lease };
  if (await isHeld(ports, lease)) return { kind: 'alive' };
  if (!(await isLeaseCurrent(ports, launch))) return { kind: 'over' };
  const spool = createSpool(ports.privateFiles, state.conversationId, lease.id);
  const ended = await spool.read();
  if (ended) {
    const result = await recordOutput(ports, launch, await addSpooledAnswers(ports, launch, ended));
    if (result.ok) {
      options.onProgress({
        type: 'recorded',
        council: state.name,
        participant,
        bytes: isBlindNow(state) ? null : result.output.length,
        ms: result.durationMs,
        note: 'from the spool of a tick that died',
      });
      return { kind: 'recorded' };
    }
    if (result.failure !== 'cancelled') return { kind: 'failed', result };
    await endLaunched(spool);
    await releaseLease(ports, launch, { result, outcome: 'interrupted' });
    return { kind: 'freed' };
  }
  await endLaunched(spool);
  return { kind: 'dead' };
}

/** Whether the lease is still in the current council: overlapping passes may have read an older state. */
async function isLeaseCurrent({ store }: Pick<LaunchPorts, 'store'>, launch: Launch): Promise<boolean> {
  const { state, participant, lease } = launch;
  const stored = await store.read(state.name);
  const now = stored && parse(stored.text, `council "${state.name}"`).state;
  return now?.conversationId === state.conversationId && getSeat(now, participant).lease?.id === lease.id;
}

/** Adds later additions from the spools to the first answer. Ends programs still running for them. */
async function addSpooledAnswers(
  { privateFiles }: LaunchPorts,
  { state, lease }: Launch,
  first: LaunchResult,
): Promise<LaunchResult> {
  let whole = first;
  for (let part = 2; ; part++) {
    const spool = createSpool(privateFiles, state.conversationId, lease.id, part);
    const added = await spool.read();
    if (!added) {
      await endLaunched(spool);
      return whole;
    }
    whole = joinAnswers(whole, added);
  }
}

async function endLaunched(spool: Spool): Promise<void> {
  const leader = await spool.group();
  if (leader) await endOrphans(leader);
}

/**
 * Before a phase closes with participants awaited: records what the programs of dead ticks had finished, and
 * ends those still running, because closing drops the leases. Returns whether something was recorded, and
 * whether a living tick still has a launch running.
 */
export async function settleLeases(
  ports: LaunchPorts,
  { council: { state } }: Snapshot,
  options: Pick<LaunchOptions, 'onProgress'>,
): Promise<{ recorded: boolean; alive: boolean }> {
  const settled = { recorded: false, alive: false };
  for (const id of awaited(state)) {
    const { lease } = getSeat(state, id);
    const { kind } = await recoverLease(ports, { state, participant: id, lease }, options);
    if (kind === 'alive') settled.alive = true;
    if (kind === 'recorded' || kind === 'over') settled.recorded = true;
    if (kind === 'alive' && (await recordFirstAnswer(ports, { state, participant: id, lease: lease! })))
      settled.recorded = true;
  }
  return settled;
}

/** At the deadline, records the answer of a participant who is being asked again. */
async function recordFirstAnswer(ports: LaunchPorts, launch: Launch): Promise<boolean> {
  const { state, lease } = launch;
  const first = await createSpool(ports.privateFiles, state.conversationId, lease.id).read();
  return first?.ok === true && (await recordOutput(ports, launch, first)).ok;
}

/** Whether the process that took a lease is still working under it. Leases without a heartbeat need no rows. */
export async function isHeld(
  { self, clock, heartbeats }: Pick<LaunchPorts, 'self' | 'clock'> & Partial<Pick<LaunchPorts, 'heartbeats'>>,
  lease: Pick<Lease, 'id' | 'until' | 'awakeUntil' | 'heartbeat' | keyof ProcessIdentity>,
): Promise<boolean> {
  const own =
    lease.pid === self.pid &&
    lease.startTime === self.startTime &&
    lease.bootId === self.bootId &&
    lease.host === self.host &&
    (self.heartbeat === undefined || lease.heartbeat === self.heartbeat);
  if (own) return atWork.has(lease.id);
  const { isAlive } = await import('../../store/local/liveness.ts');
  // Processes of another host are not visible from here, so their heartbeat and the time decide.
  const alive = isAlive(lease);
  if (alive !== undefined) return alive;
  if (lease.heartbeat !== undefined && heartbeats) {
    const row = (await heartbeats.list()).find(({ id }) => id === lease.heartbeat);
    if (!row || row.ageMs >= DEAD_AFTER_MS) return false;
  }
  const clocks = clock.clocks();
  // A container on this machine: it slept when this process did.
  if (lease.awakeUntil !== undefined && lease.bootId === clocks?.bootId)
    return lease.awakeUntil > clocks.awake;
  return Date.parse(lease.until) > clock.now();
}

/** Ends the programs of a finished council, whichever process of this machine launched them. */
export async function endCouncilPrograms(
  turns: Pick<TurnRegister, 'listOpen'>,
  conversationId: string,
): Promise<void> {
  const running = turns
    .listOpen()
    .filter(({ work }) => work.kind === 'council' && work.conversationId === conversationId);
  await Promise.all(running.flatMap(({ group }) => (group ? endOrphans(group) : [])));
}

/** Ends what a dead tick left running: the group, unless the pid was reused. */
export async function endOrphans(leader: ProcessIdentity): Promise<void> {
  const { identifyProcess } = await import('../../store/local/liveness.ts');
  const found = identifyProcess(leader.pid);
  if (found.host !== leader.host || found.bootId !== leader.bootId) return;
  // The leader may have ended before its group; as a zombie it keeps its pid.
  if (isPidTaken(leader.pid) && found.startTime !== leader.startTime) return;
  const { endGroup } = await import('../../agents/runners/process-group.ts');
  await endGroup(leader.pid);
}

/** Whether any process has that pid, including another user's. */
function isPidTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (getSystemCode(error) === 'ESRCH') return false;
    if (getSystemCode(error) === 'EPERM') return true;
    throw error;
  }
}
