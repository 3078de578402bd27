// Judges and records the result of a leased task like that of a local launch.
import { createCircuitBreaker } from '../../core/heartbeat/launch/circuit-breaker.ts';
import { NO_RESULT, createNotLaunchedResult } from '../../core/heartbeat/launch/result.ts';
import type { LaunchResult } from '../../core/heartbeat/launch/result.ts';
import { nameHeartbeatPlace } from '../../core/store/heartbeats.ts';
import type { Task, TaskLaunch } from '../../team/tasks/task.ts';
import { isLeaseHeld } from '../../team/tasks/transitions.ts';
import type { App, Result } from '../../core/app/app.ts';
import type { FailInput, RecordInput } from '../input.ts';
import { asJoined } from '../../team/tasks/use/workers.ts';
import { endLaunch } from '../../team/tasks/use/launch.ts';
import { describeStanding } from '../../team/tasks/use/news.ts';
import { withOpenSession, take } from '../../team/tasks/use/session-loop.ts';
import { openTasking, openTaskStore } from '../../team/tasks/use/ports.ts';
import { openProjectHealth, openWorkspace } from '../../core/app/workspace.ts';
import { getCallerTokenId } from './worker-ports.ts';
import { isTaskId } from '../../team/tasks/task.ts';

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
    const care = createCircuitBreaker(tasking, agent.id);
    const asked = { wire, line: lent.line, agent, result, care, isInterrupted: result.cancelled };
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
