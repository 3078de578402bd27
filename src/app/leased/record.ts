// Use cases `record` and `fail`: a worker elsewhere hands in what came of a launch.
import { iso } from '../../base/clock.ts';
import { CouncilError } from '../../base/errors.ts';
import type { CouncilState, Lease } from '../../council/state/state.ts';
import { seat } from '../../council/state/state.ts';
import { readCouncil } from '../../council/use/update-council.ts';
import { MAX_ATTEMPTS } from '../../heartbeat/launch/lease.ts';
import { takeBack, takeLate } from '../../heartbeat/launch/lend.ts';
import { NO_RESULT } from '../../heartbeat/launch/result.ts';
import type { LaunchResult } from '../../heartbeat/launch/result.ts';
import type { App, Result } from '../app.ts';
import type { FailInput, RecordInput } from '../input/leased.ts';
import { agentHealth, heartbeatPorts, loadConfig, openWorkspace } from '../workspace.ts';

/** Records what a launch has said. The same again changes nothing. */
export async function record(app: App, input: RecordInput): Promise<Result> {
  const output = Buffer.from(await input.text.bytes());
  return handIn(app, input, { ok: true, output });
}

/** Gives back the lease of a launch that failed. */
export async function fail(app: App, input: FailInput): Promise<Result> {
  const { failure, reason, brief: safeReason, stderr: stderrTail = '', retryAfterMs = null } = input;
  const cancelled = failure === 'cancelled';
  return handIn(app, input, { ok: false, failure, reason, safeReason, stderrTail, retryAfterMs, cancelled });
}

async function handIn(app: App, input: RecordInput | FailInput, told: Partial<LaunchResult>) {
  const workspace = openWorkspace(app);
  const own = await heartbeatPorts(app, workspace, await loadConfig(app, workspace, {}));
  const { state } = (await readCouncil(own, input.name)).council;
  if (state.conversationId !== input.conversationId)
    throw new CouncilError('unknown_council', `The council "${input.name}" of this lease is over.`, {
      hint: 'Its archive is among those of: council list',
    });
  const { lease: current } = seat(state, input.participant);
  const isHeld = current?.id === input.lease;
  if (!isHeld && told.ok !== true) return { document: { became: 'lost' as const } };
  const lease = isHeld ? current : nobodys(state, input.lease);
  const ports = { ...own, health: agentHealth(workspace, lease.host) };
  const launch = { state: { ...state, tour: input.tour }, participant: input.participant, lease };
  const at = iso(ports.clock.now());
  const { model = null, inputTokens = null, outputTokens = null, costUsd = null, ms, program } = input;
  const record = {
    participant: input.participant,
    phase: state.currentPhase,
    tour: input.tour,
    at,
    model,
    ...(program !== undefined && { program }),
    ...(lease.lender !== undefined && { lender: lease.lender }),
    ...{ inputTokens, outputTokens, costUsd, ms, ok: told.ok === true },
  };
  const result = { ...NO_RESULT, ...told, durationMs: ms, record };
  return { document: await (isHeld ? takeBack : takeLate)(ports, launch, result) };
}

/** A lease that is nobody's any more: what comes under it is refused, and a text is kept. */
const nobodys = ({ updatedAt }: CouncilState, id: string): Lease => ({
  ...{ id, attempt: MAX_ATTEMPTS, until: updatedAt },
  ...{ host: '', bootId: '', pid: 0, startTime: '' },
});
