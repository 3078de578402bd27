// Uploads a launch result; keeps a local copy until the server confirms it.
import fs from 'node:fs';
import { iso } from '../../core/base/clock.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { decodeText } from '../../core/base/text.ts';
import type { TakenBack } from '../../core/heartbeat/launch/lend-launch.ts';
import { systemClock } from '../../core/store/local/system.ts';
import type { AskedAgain } from './follow-up-question.ts';
import type { LentLaunch } from './server-replies.ts';
import { deliver, keptUntilTaken, describeKeptFile } from './deliver.ts';
import type { Payload } from './deliver.ts';
import type { Here } from './run-launch.ts';
import type { Worker } from './worker-state.ts';

const SOON_MS = 1000;

/** Which part of an answer it is, and whether its agent may be asked for another one. */
export interface AnswerPart {
  part: number;
  asks: boolean;
}

/**
 * Uploads a result until the server accepts or rejects it. If rejected, the local copy stays and
 * its path is shown. Resolves to the follow-up question for the agent, if any.
 */
export async function uploadLaunchResult(
  worker: Worker,
  launch: LentLaunch,
  result: Here,
  which: AnswerPart,
): Promise<AskedAgain | undefined> {
  const { app, server } = worker;
  const { participant, name, lease } = launch;
  const { asks } = which;
  const payload = buildLaunchPayload(launch, result, which);
  const text = { name: which.part === 1 ? lease : `${lease}-${which.part}`, who: participant };
  const kept = result.ok ? await keptUntilTaken(worker, { ...text, output: result.output }) : undefined;
  const otherwise = (file: string): string =>
    `Whoever has a token for that seat hands it in: council respond ${participant} --name ${name} --file ${file} --server ${server}`;
  const taken = await deliver(worker, { who: participant, payload, kept, otherwise });
  if (!taken) return undefined;
  const where = describeKeptFile(kept);
  if (taken.became === 'lost') return void app.note(lostLine(launch, taken, where));
  // Its own agent file says how often: no server has it asked without an end.
  if (taken.became === 'asked' && !asks)
    return void app.note(`${participant}: the server wants it asked once more than it may be.${where}`);
  // Output that is not UTF-8 is reported as a failure: keep the only copy.
  if (payload.name === 'fail') noteUndecodableAnswer(app.note, participant, where);
  else if (kept !== undefined) fs.rmSync(kept, { force: true });
  if (taken.became === 'asked') return tellAsked(worker, launch, taken.again);
  return void tell(worker, launch, result, taken.became, taken.note);
}

/** In a blind phase the server does not say what is missing, so nothing is reported. */
function tellAsked(
  { app }: Worker,
  { name: council, participant }: LentLaunch,
  again: AskedAgain,
): AskedAgain {
  const { missing } = again;
  if (missing) app.progress({ type: 'asked_again', council, participant, missing });
  return again;
}

function noteUndecodableAnswer(note: (line: string) => void, participant: string, where: string): void {
  if (where !== '') note(`${participant}: what it printed is no text.${where}`);
}

/** The council went on without it: the answer stays here. */
const lostLine = ({ participant }: LentLaunch, { note }: TakenBack, where: string): string =>
  `${participant}: the council no longer waits for this launch.${note === undefined ? '' : ` ${note}`}${where}`;

function buildLaunchPayload(launch: LentLaunch, result: Here, { part, asks }: AnswerPart): Payload {
  const { lease, name, conversationId, tour, participant } = launch;
  const common = {
    ...{ lease, name, conversationId, tour, participant, ...toUsageFields(result) },
    // An older server knows of no parts, and asks for none.
    ...(part > 1 && { part }),
  };
  const text = result.ok ? tryDecodeAnswer(result.output) : undefined;
  if (text !== undefined) return { name: 'record', input: { ...common, ...(asks && { asks }), text } };
  const reason = result.ok ? 'its answer is no UTF-8 text' : (result.reason ?? 'it failed');
  const brief = result.ok ? reason : (result.safeReason ?? 'it failed');
  return { name: 'fail', input: { ...common, ...toFailureFields(result, reason), brief } };
}

/** What was launched, and what it used up, as far as that is known. */
export function toUsageFields({ program, usage, durationMs }: Here): Record<string, unknown> {
  const used = { program, ...usage };
  const known = Object.entries(used).filter(([, value]) => value !== null && value !== undefined);
  return { ms: Math.round(durationMs), ...Object.fromEntries(known) };
}

/** How it failed, as the server takes it. */
export const toFailureFields = (
  { failure, stderrTail, retryAfterMs }: Here,
  reason: string,
): Record<string, unknown> => ({
  failure: failure ?? 'failed',
  reason,
  ...(stderrTail !== '' && { stderr: stderrTail }),
  ...(retryAfterMs !== null && { retryAfterMs: Math.round(retryAfterMs) }),
});

function tryDecodeAnswer(output: Buffer): string | undefined {
  try {
    return decodeText(output, 'The answer');
  } catch (error) {
    if (error instanceof CouncilError) return undefined;
    throw error;
  }
}

function tell(
  { app }: Worker,
  { name: council, participant, attempt }: LentLaunch,
  result: Here,
  became: Exclude<TakenBack['became'], 'lost'>,
  note: string | undefined,
): void {
  if (became === 'recorded')
    return app.progress({
      type: 'recorded',
      council,
      participant,
      bytes: null,
      ms: Math.round(result.durationMs),
      ...(note !== undefined && { note }),
    });
  const reason = result.safeReason ?? 'it failed';
  // Which machine makes the next one, the server decides: as soon as this one asks, at the earliest.
  const until = became === 'again' ? { until: iso(systemClock.now() + SOON_MS) } : {};
  app.progress({
    type: 'attempt_failed',
    council,
    participant,
    attempt,
    reason,
    next: became,
    ...until,
  });
}
