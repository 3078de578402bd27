// Use cases `record` and `fail`: a remote worker uploads the result of a launch or of a task.
import { formatIso } from '../../core/base/clock.ts';
import { toOneLine } from '../../core/base/text.ts';
import { CouncilError } from '../../core/base/errors.ts';
import type { CouncilState, Lease, UsageRecord } from '../../core/council/state/state.ts';
import { getSeat } from '../../core/council/state/state.ts';
import { readCouncil } from '../../core/council/use/council-access.ts';
import { buildLaunchInput } from '../../core/heartbeat/launch/launch-input.ts';
import { measureBeginning } from '../../core/heartbeat/launch/prompt-cache.ts';
import {
  getRunnerId,
  addEstimate,
  rejectEmptyAnswer,
  NO_RESULT,
  createNotLaunchedResult,
} from '../../core/heartbeat/launch/result.ts';
import { MAX_ATTEMPTS } from '../../core/heartbeat/launch/lease.ts';
import { takeBack, takeLate } from './lend-launch.ts';
import type { ReturnedLaunch } from './lend-launch.ts';
import { joinAnswers } from '../../core/heartbeat/launch/repair.ts';
import type { Launch, LaunchResult } from '../../core/heartbeat/launch/result.ts';
import type { HeartbeatPorts } from '../../core/heartbeat/ports.ts';
import { nameHeartbeatPlace } from '../../core/store/heartbeats.ts';
import type { App, Result } from '../../core/app/app.ts';
import type { FailInput, RecordInput } from '../input.ts';
import { findFollowUp, readEarlierParts, keepPart, readEarlierPart } from './follow-up-question.ts';
import { wasLent, getCallerTokenId } from './worker-ports.ts';
import {
  openProjectHealth,
  createHeartbeatPorts,
  loadConfig,
  openWorkspace,
} from '../../core/app/workspace.ts';
import { createCircuitBreaker } from '../../core/heartbeat/launch/circuit-breaker.ts';
import type { Task, TaskLaunch } from '../../team/tasks/task.ts';
import { isLeaseHeld } from '../../team/tasks/transitions.ts';
import { asJoined } from '../../team/tasks/use/workers.ts';
import { endLaunch } from '../../team/tasks/use/launch.ts';
import { describeStanding } from '../../team/tasks/use/news.ts';
import { withOpenSession, take } from '../../team/tasks/use/session-loop.ts';
import { openTasking, openTaskStore } from '../../team/tasks/use/ports.ts';
import { isTaskId } from '../../team/tasks/task.ts';

/** A worker's description of a failure is unverified: no more of it is kept than of a local launch. */
const LONGEST_BRIEF = 300;
const LONGEST_TOLD = 4096;
const LONGEST_PAUSE_MS = 86_400_000;

/** Records the answer of a launch. Can be repeated. */
export async function record(app: App, input: RecordInput): Promise<Result> {
  const told = { ok: true, output: Buffer.from(await input.text.bytes()) };
  return input.task === undefined
    ? acceptLaunchResult(app, requireCouncilFields(input), told, input.asks)
    : recordTask(app, input, told);
}

/** Releases the lease of a failed launch. */
export async function fail(app: App, input: FailInput): Promise<Result> {
  const { failure, reason, brief, stderr = '' } = input;
  const safeReason = toOneLine(brief, LONGEST_BRIEF);
  const stderrTail = stderr.slice(-LONGEST_TOLD).toWellFormed();
  const retryAfterMs =
    input.retryAfterMs === undefined ? null : Math.min(input.retryAfterMs, LONGEST_PAUSE_MS);
  const cancelled = failure === 'cancelled';
  const told = {
    ok: false,
    failure,
    reason: reason.slice(0, LONGEST_TOLD).toWellFormed(),
    safeReason,
    stderrTail,
    retryAfterMs,
    cancelled,
  };
  if (input.task === undefined) return acceptLaunchResult(app, requireCouncilFields(input), told);
  const said = input.text && { output: Buffer.from(await input.text.bytes()) };
  return recordTask(app, input, { ...told, ...said });
}

/** The fields that identify a launch of a council. */
const COUNCIL_KEYS = ['name', 'conversationId', 'tour', 'participant'] as const;
type CouncilLaunchInput<I> = I & { [Key in (typeof COUNCIL_KEYS)[number] & keyof I]: NonNullable<I[Key]> };

/** Throws `usage` if one of them is missing. */
function requireCouncilFields<I extends RecordInput | FailInput>(input: I): CouncilLaunchInput<I> {
  const missing = COUNCIL_KEYS.find((key) => input[key] === undefined);
  if (missing === undefined) return input as CouncilLaunchInput<I>;
  throw new CouncilError(
    'usage',
    `The argument ${missing} is missing: a launch is of a council, or of a task.`,
    {
      hint: 'Hand in what the lease said: name, conversationId, tour and participant, or task.',
    },
  );
}

async function acceptLaunchResult(
  app: App,
  input: CouncilLaunchInput<RecordInput | FailInput>,
  told: Partial<LaunchResult>,
  asks = false,
): Promise<Result> {
  const workspace = openWorkspace(app);
  const own = await createHeartbeatPorts(app, workspace, await loadConfig(app, workspace, {}));
  const { state } = (await readCouncil(own, input.name)).council;
  if (state.conversationId !== input.conversationId)
    throw new CouncilError('unknown_council', `The council "${input.name}" of this lease is over.`, {
      hint: 'Its archive is among those of: council list',
    });
  const { lease: current } = getSeat(state, input.participant);
  const isHeld = current?.id === input.lease && input.tour === state.tour;
  const isTheirs = await isLentToCaller(app, own, state, input);
  // Not compared with the sealed text: that would reveal whether it matches.
  if (!isTheirs) return { document: { became: 'lost' as const } };
  const lease = isHeld ? current : createExpiredLease(state, input.lease);
  const ports = {
    ...own,
    health: openProjectHealth(
      workspace,
      nameHeartbeatPlace({ host: lease.host, token: getCallerTokenId(app) }),
    ),
  };
  const launch = { state: rewindStateToRound(state, input.tour), participant: input.participant, lease };
  const earlier = await readEarlierParts(ports, launch, input.part);
  const before = Date.parse((earlier?.more?.at(-1) ?? earlier?.record)?.at ?? '') || 0;
  // Unique time, which distinguishes this launch from the previous one.
  const at = formatIso(Math.max(ports.clock.now(), before + 1));
  const prompt = isHeld ? await measurePrompt(ports, launch, input.part) : undefined;
  const record = buildUsageRecord(input, launch, { at, ok: told.ok === true, ...(prompt && { prompt }) });
  const ended = await rejectEmptyAnswer({ ...NO_RESULT, ...told, durationMs: input.ms, record });
  const handedIn =
    isHeld && state.budget
      ? addEstimate(ports, launch, ended, await measureSizes(ports, launch, ended))
      : ended;
  const whole = earlier ? joinAnswers(earlier, handedIn) : handedIn;
  const part = { part: input.part, handedIn };
  if (!isHeld) return { document: await recordLateResult(ports, launch, { whole, part }) };
  await keepPart(ports, launch, part);
  const again = asks ? await findFollowUp(ports, launch, whole) : undefined;
  return { document: again ? { became: 'asked', again } : await takeBack(ports, launch, whole) };
}

/** A late result still costs money: its usage is recorded. A different text under the same lease is rejected. */
async function recordLateResult(
  ports: HeartbeatPorts,
  launch: Launch,
  { whole, part }: { whole: LaunchResult; part: Parameters<typeof keepPart>[2] },
): Promise<ReturnedLaunch> {
  const before = await readEarlierPart(ports, launch, part.part);
  if (before && !before.output.equals(part.handedIn.output)) return { became: 'lost' };
  const taken: ReturnedLaunch = whole.ok ? await takeLate(ports, launch, whole) : { became: 'lost' };
  if (taken.became === 'lost') await keepPart(ports, launch, part);
  return taken;
}

function rewindStateToRound(state: CouncilState, round: number): CouncilState {
  const currentPhase = state.transitions.find((one) => one.tour === round)?.from ?? state.currentPhase;
  return { ...state, tour: round, currentPhase };
}

/** The prompt is rebuilt: it is the same, as its phase has not closed since. */
async function measureSizes(ports: HeartbeatPorts, launch: Launch, { output }: LaunchResult) {
  const { view, system } = await buildLaunchInput(ports, launch, {});
  return { input: Buffer.byteLength(view.prompt) + Buffer.byteLength(system), output: output.length };
}

/** Returns the bytes of the leased prompt; undefined for a plain command, and for a follow-up question. */
async function measurePrompt(
  ports: HeartbeatPorts,
  launch: Launch,
  part: number | undefined,
): Promise<UsageRecord['prompt']> {
  const { participant } = launch;
  const runner = getRunnerId(launch);
  const find = (id: string) => ports.agents.find(id);
  if ((part ?? 1) > 1 || (find(runner)?.runner ?? 'command') === 'command') return undefined;
  const { council, view, system } = await buildLaunchInput(ports, launch, {});
  return measureBeginning({ state: council.state, participant, runner, find, view, system });
}

/** Returns the usage; null if no program was launched. */
function buildUsageRecord(
  input: RecordInput | FailInput,
  { state, participant, lease }: Launch,
  { at, ok, prompt }: Pick<UsageRecord, 'at' | 'ok' | 'prompt'>,
): UsageRecord | null {
  const { model = null, inputTokens = null, outputTokens = null, costUsd = null, ms, program } = input;
  const { cachedTokens } = input;
  if (program === undefined && !ok) return null;
  return {
    ...{ participant, phase: state.currentPhase, tour: state.tour, at, model },
    ...(program !== undefined && { program }),
    ...(lease.lender !== undefined && { lender: lease.lender }),
    ...(state.budget && { lease: lease.id }),
    ...{ inputTokens, ...(cachedTokens !== undefined && { cachedTokens }), outputTokens, costUsd },
    ...{ ...(prompt && { prompt }), ms, ok },
  };
}

/** Returns whether this launch was leased to the token that uploads it. False for people. */
async function isLentToCaller(
  app: App,
  { privateFiles }: Pick<HeartbeatPorts, 'privateFiles'>,
  state: CouncilState,
  { lease, participant, tour }: CouncilLaunchInput<RecordInput | FailInput>,
): Promise<boolean> {
  if (getSeat(state, participant).runner === 'human') return false;
  const to = { token: getCallerTokenId(app), participant, tour };
  return wasLent(privateFiles, { conversationId: state.conversationId, lease }, to);
}

/** A stand-in for an expired lease: its result is rejected, but a text is kept. */
const createExpiredLease = ({ updatedAt }: CouncilState, id: string): Lease => ({
  ...{ id, attempt: MAX_ATTEMPTS, until: updatedAt },
  ...{ host: '', bootId: '', pid: 0, startTime: '' },
});

const LOST = { document: { became: 'lost' as const } };
const buildRecordedReply = (task: Task): Result => ({
  document: { became: 'recorded', note: describeStanding(task) },
});

/** Records a task result. `lost` if the task was not leased to this token, or does not exist. Can be repeated. */
export async function recordTask(
  app: App,
  input: RecordInput | FailInput,
  told: Partial<LaunchResult>,
): Promise<Result> {
  const at = parseTaskName(input.task ?? '');
  const workspace = openWorkspace(app);
  const task = at && (await openTaskStore(app, workspace).read(at.session, at.id));
  const number = task?.launches.findIndex((one) => isLent(one, input.lease, getCallerTokenId(app))) ?? -1;
  if (!task || number === -1) return LOST;
  const { lease, worker, launches } = task;
  const lent = lease?.lent;
  if (!lent || !isLeaseHeld(task, input.lease))
    return isTaken(launches[number]!) ? buildRecordedReply(task) : LOST;
  const own = await openTasking(app, () => undefined);
  const found = own.agents.find(worker ?? '');
  // Its agent file is gone, so its answer cannot be judged.
  if (!found) return LOST;
  const { wire } = launches[number]!;
  const tasking = {
    ...own,
    health: openProjectHealth(workspace, nameHeartbeatPlace({ host: lease.host, token: lent.token })),
  };
  const result = limitTaskOutput(toTaskLaunchResult(input, told), found.maxOutput);
  // An uploaded result is accepted even if this server is stopping.
  const options = { signal: new AbortController().signal, held: lease.id };
  let after: Task | undefined;
  await withOpenSession(tasking, task.session, options, async (playing) => {
    const agent = { ...asJoined(found, playing.staff.members), timeout: lent.timeout };
    const breaker = createCircuitBreaker(tasking, agent.id);
    const asked = { wire, line: lent.line, agent, result, breaker, isInterrupted: result.cancelled };
    after = await endLaunch(playing, task, asked);
    if (after) await take(playing, after);
  });
  const ended = after?.launches[number];
  return after && ended && (isTaken(ended) || result.cancelled) ? buildRecordedReply(after) : LOST;
}

const isLent = ({ lent }: TaskLaunch, lease: string, token: string): boolean =>
  lent?.lease === lease && lent.token === token;

/** Returns whether an uploaded result counts. */
const isTaken = ({ outcome }: TaskLaunch): boolean =>
  outcome !== null && outcome !== 'interrupted' && outcome !== 'cancelled';

/** A remote machine may say no more than a local agent: all dependent tasks receive the result. */
const limitTaskOutput = (result: LaunchResult, maxOutput: number): LaunchResult =>
  result.output.length <= maxOutput
    ? result
    : {
        ...result,
        ...createNotLaunchedResult('failed', `output exceeds ${maxOutput} bytes`),
        usage: result.usage,
      };

function toTaskLaunchResult(input: RecordInput | FailInput, told: Partial<LaunchResult>): LaunchResult {
  const { model = null, inputTokens = null, cachedTokens, outputTokens = null, costUsd = null } = input;
  return {
    ...NO_RESULT,
    ...told,
    durationMs: input.ms,
    timedOut: told.failure === 'timeout',
    usage: { model, inputTokens, cachedTokens, outputTokens, costUsd },
  };
}

/** Returns undefined for an invalid name. */
export function parseTaskName(name: string): { session: string; id: string } | undefined {
  const [, session = '', id = ''] = /^(S[a-z0-9]{1,7})\/(T\S+)$/.exec(name) ?? [];
  return isTaskId(id) ? { session, id } : undefined;
}
