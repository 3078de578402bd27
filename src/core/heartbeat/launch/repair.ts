// Asks an agent again, under the same lease, for what its answer lacks.
import { ignoreCodes } from '../../base/errors.ts';
import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import { checkText } from '../../council/document/contribution.ts';
import { joinParts } from '../../council/ledger/text/spoken-words.ts';
import { findShortage, NO_MORE, addUsage } from '../../council/state/budget.ts';
import { getSeat } from '../../council/state/state.ts';
import type { ModeReading } from '../../council/state/mode-reading.ts';
import type { Council } from '../../council/state/state.ts';
import { readText } from '../../council/use/respond.ts';
import { readSpooled } from '../../council/use/read-spools.ts';
import { readCouncil } from '../../council/use/council-access.ts';
import type { ReadBack } from '../../council/view/read-back.ts';
import { runParticipantProgram } from './launch-program.ts';
import type { FollowUpQuestion } from './launch-input.ts';
import { LEASE_MARGIN_MS } from './lease.ts';
import type { LaunchOptions, LaunchPorts } from './ports.ts';
import { getRunnerId } from './result.ts';
import type { Launch, LaunchResult } from './result.ts';
import { createSpool } from './spool.ts';

/** How often an agent is asked again by default. */
export const DEFAULT_REPAIR = 1;

/** With less time left, the agent is not asked again: the existing answer must not come too late. */
const LEAST_MS = 30_000;
/** Maximum time for recording, before the deadline. */
const RECORDING_MS = 5000;
/** An addition is short. */
const MOST_BYTES = 64 * 1024;

/** Returns the answer with its agent's additions. If they fail, `first`, complete in its spool, counts alone. */
export async function askForMissing(
  ports: LaunchPorts,
  launch: Launch,
  first: LaunchResult,
  { signal, onProgress }: Pick<LaunchOptions, 'signal' | 'onProgress'>,
): Promise<LaunchResult> {
  const { participant, state, lease } = launch;
  const agent = ports.agents.find(getRunnerId(launch));
  const most = agent?.repair ?? ports.repair ?? DEFAULT_REPAIR;
  let whole = first;
  for (let part = 2; part <= most + 1 && !signal.aborted; part++) {
    const again = await chooseQuestion(ports, launch, whole);
    if (!again) break;
    // In a blind phase, whether a participant has spoken stays hidden.
    if (!state.blind || state.currentPhase !== 'COLLECT')
      onProgress({ type: 'asked_again', council: state.name, participant, missing: again.read.missing });
    const spool = createSpool(ports.privateFiles, state.conversationId, lease.id, part);
    const added = await runParticipantProgram(ports, launch, { spool, signal, refused: undefined, again });
    whole = joinAnswers(whole, added);
    if (!added.ok) break;
  }
  return whole;
}

/** Returns what is missing; undefined if nothing is, or if time or budget do not allow another question. */
export async function chooseQuestion(
  ports: LaunchPorts,
  launch: Launch,
  whole: LaunchResult,
): Promise<FollowUpQuestion | undefined> {
  const council = whole.ok ? await openTurn(ports, launch) : undefined;
  const reading = council && (await ports.modeReading?.(council.state.mode));
  const isRead = reading !== undefined || (council && council.state.rules.rule !== 'none');
  const said = isRead ? readOutput(whole.output) : undefined;
  if (!council || said === undefined || !whole.record) return undefined;
  const timeout = measureTimeLeft(ports, council, launch);
  const maxOutput = Math.min(MOST_BYTES, MAX_CONTRIBUTION_BYTES - whole.output.length - 2);
  if (timeout < Math.max(LEAST_MS, whole.durationMs) || maxOutput <= 0) return undefined;
  const read = await readBackAnswer(council, launch, { said, whole }, reading);
  if (read.missing.length === 0 || (await isBudgetShort(ports, council, launch))) return undefined;
  return { said, read, timeout, maxOutput, after: (whole.more?.at(-1) ?? whole.record).at };
}

async function readBackAnswer(
  council: Council,
  { participant: by }: Launch,
  { said: text, whole: { parts } }: { said: string; whole: LaunchResult },
  reading: ModeReading | undefined,
): Promise<ReadBack> {
  const { currentPhase: phase, tour } = council.state;
  const read = await readText(council, { by, phase, tour, text, ...(parts && { parts }) });
  if (!reading) return read;
  const gaps = reading.findGaps(council, { by, phase, text });
  return {
    ...read,
    quotes: [],
    gaps: [...new Set(gaps.map(({ ask }) => ask))],
    missing: [...new Set(gaps.map(({ what }) => what))],
  };
}

/** Returns the council if this launch still has the turn: the phase may be over, or the text already given. */
async function openTurn(
  ports: LaunchPorts,
  { state, participant, lease }: Launch,
): Promise<Council | undefined> {
  const council = (await readCouncil(ports, state.name).catch(ignoreCodes('unknown_council')))?.council;
  const isSame = council?.state.conversationId === state.conversationId && council.state.tour === state.tour;
  return isSame && getSeat(council.state, participant).lease?.id === lease.id ? council : undefined;
}

/** Returns the time until the phase or the launch's own time is over, in milliseconds. */
function measureTimeLeft({ clock }: LaunchPorts, { state }: Council, { lease }: Launch): number {
  const end = Math.min(Date.parse(state.timeoutAt) - RECORDING_MS, Date.parse(lease.until) - LEASE_MARGIN_MS);
  return Math.floor((end - clock.now()) / 1000) * 1000;
}

/** True if another launch with the same usage does not fit. */
async function isBudgetShort(
  ports: LaunchPorts,
  { state }: Council,
  { participant }: Launch,
): Promise<boolean> {
  if (!state.budget) return false;
  const { usage } = await readSpooled(state, ports.privateFiles);
  const known = addUsage(state.usage ?? [], usage);
  return findShortage(state, participant, known, NO_MORE) !== null;
}

/** Returns the text of an output; undefined for one that will be refused. */
function readOutput(output: Uint8Array): string | undefined {
  try {
    return checkText(output);
  } catch {
    return undefined;
  }
}

/** Joins two answers verbatim. An addition that failed, repeats, or is not text contributes only its cost. */
export function joinAnswers(whole: LaunchResult, added: LaunchResult): LaunchResult {
  const spent = {
    durationMs: whole.durationMs + added.durationMs,
    more: [...(whole.more ?? []), ...(added.record ? [added.record] : [])],
  };
  const said = splitOutputParts(whole);
  const words = added.ok ? readOutput(added.output) : undefined;
  const isRepeated = said.some((part) => part.toString('utf8').trim() === words?.trim());
  const joined = words === undefined || isRepeated ? undefined : joinParts([...said, added.output]);
  if (!joined || joined.bytes.length > MAX_CONTRIBUTION_BYTES) return { ...whole, ...spent };
  return { ...whole, ...spent, output: joined.bytes, parts: joined.parts };
}

function splitOutputParts({ output, parts = [output.length] }: LaunchResult): Buffer[] {
  let start = 0;
  return parts.map((length) => output.subarray(start, (start += length)));
}
