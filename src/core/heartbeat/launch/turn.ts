// One launch of a participant's program, up to the commit of its answer.
import { describeKept, getSeat } from '../../council/state/state.ts';
import type { KeepResult } from '../../council/state/state.ts';
import { respond } from '../../council/use/respond.ts';
import type { RespondInput, RespondResult } from '../../council/use/respond.ts';
import { parse } from '../../council/document/document.ts';
import { CouncilError } from '../../base/errors.ts';
import { runParticipantProgram } from './launch-program.ts';
import type { LaunchQuestion } from './launch-input.ts';
import type { LaunchOptions, LaunchPorts } from './ports.ts';
import { askForMissing } from './repair.ts';
import { listUsageRecords } from './result.ts';
import type { Launch, LaunchResult } from './result.ts';
import { createSpool } from './spool.ts';

/** Runs the participant's program, asks again if its answer lacks something, and records the contribution. */
export async function speakOnce(
  ports: LaunchPorts,
  launch: Launch,
  options: Pick<LaunchOptions, 'signal' | 'onProgress' | 'goesOn' | 'onBegin'> &
    Pick<LaunchQuestion, 'refused' | 'isShort'>,
): Promise<LaunchResult> {
  const { signal, refused, isShort, goesOn, onBegin } = options;
  const spool = createSpool(ports.privateFiles, launch.state.conversationId, launch.lease.id);
  const first = await runParticipantProgram(ports, launch, {
    ...{ spool, signal, refused, isShort, goesOn, onBegin },
  });
  if (!first.record) return first;
  return recordOutput(ports, launch, await askForMissing(ports, launch, first, options));
}

/** For a process that exits at once: marks the lease, which stays, so that it does not count as an attempt. */
export const noteInterruption = (ports: LaunchPorts, { state, lease }: Launch): void =>
  createSpool(ports.privateFiles, state.conversationId, lease.id).noteInterruption();

/** Commits a program's output under its lease, and returns the outcome. `respond` keeps a text that is refused. */
export async function recordOutput(
  ports: LaunchPorts,
  launch: Launch,
  result: LaunchResult,
): Promise<LaunchResult> {
  if (!result.ok) {
    const reason = result.failure === 'cancelled' ? 'interrupted' : result.reason;
    return acceptIfSpoken(ports, launch, { ...result, reason });
  }
  const done = await catchArchived(respond(ports, buildRespondInput(launch, result)));
  if ('over' in done) return { ...result, note: `The council is over. ${describeKept(done.over)}` };
  if (done.accepted || done.reason === 'already_responded') return result;
  const refusal = done.message ?? done.reason ?? 'refused';
  // The participant spoke in another way, or the phase closed while its program ran: no further launch.
  if (done.reason === 'different_text' || done.reason === 'stale_lease' || done.reason === 'phase_closed')
    return { ...result, note: `${refusal} ${describeKept(done.kept!)}` };
  // Another launch would cost the same, and its text would be kept next to this one.
  const failure = done.reason === 'too_large' ? 'config' : 'failed';
  // Without the path: the reason goes into the state file, which must not reveal the private folder.
  const refused = { ...result, ok: false, failure, reason: refusal, safeReason: refusal } as const;
  return acceptIfSpoken(ports, launch, { ...refused, refused: done.reason ?? '' });
}

const buildRespondInput = ({ state, participant, lease }: Launch, result: LaunchResult): RespondInput => ({
  name: state.name,
  participant,
  bytes: result.output,
  flags: { agree: false, done: false, block: [] },
  replace: false,
  turn: { conversationId: state.conversationId, tour: state.tour },
  leaseId: lease.id,
  usage: listUsageRecords(result),
  ...(result.parts && { parts: result.parts }),
});

/** Returns a failure, unless the participant has spoken anyway. */
async function acceptIfSpoken(
  ports: LaunchPorts,
  launch: Launch,
  failed: LaunchResult,
): Promise<LaunchResult> {
  if (!(await hasSpoken(ports, launch))) return failed;
  return {
    ...failed,
    ok: true,
    failure: null,
    note: `It had responded by itself; then: ${failed.safeReason}`,
  };
}

/** True if the participant's turn is over: it used `council respond` or the tool server while its program ran. */
async function hasSpoken(ports: LaunchPorts, { state, participant }: Launch): Promise<boolean> {
  const stored = await ports.store.read(state.name);
  if (!stored) return false;
  const { state: now, contributions } = parse(stored.text, `council "${state.name}"`);
  if (now.conversationId !== state.conversationId) return false;
  return now.tour === state.tour
    ? getSeat(now, participant).status !== 'WAITING'
    : contributions.some((c) => c.by === participant && c.tour === state.tour);
}

/** If the council was archived while the program ran, `respond` has kept its text. */
async function catchArchived(
  responding: Promise<RespondResult>,
): Promise<RespondResult | { over: KeepResult }> {
  try {
    return await responding;
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'unknown_council') throw error;
    if (error.details.kept === undefined) throw error;
    return { over: error.details.kept };
  }
}
