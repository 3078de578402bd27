// Hands in what came of a launch: kept here until the server has it.
import fs from 'node:fs';
import { iso } from '../../base/clock.ts';
import { CouncilError, messageOf } from '../../base/errors.ts';
import { decodeText } from '../../base/text.ts';
import { rest } from '../../heartbeat/launch/rest.ts';
import type { TakenBack } from '../../heartbeat/launch/lend.ts';
import { privateDir } from '../../store/file/private-dir.ts';
import { systemClock } from '../../store/local/system.ts';
import { takenBackIn } from './answers.ts';
import type { AskedAgain } from './again.ts';
import type { LentLaunch, Taken } from './answers.ts';
import { askWithin } from './ask.ts';
import type { Here } from './launch-here.ts';
import type { Worker } from './working.ts';

/** Before it is sent again; twice as long each time, up to the longest. */
const AGAIN_MS = 3000;
const LONGEST_MS = 60_000;
/** About an hour. A server that has not taken it by then is not asked any more: its place is for other launches. */
const MOST_TRIES = 64;
const SOON_MS = 1000;
const PATIENCE_MS = 30_000;
/** After an interruption the server gets this long. */
const LAST_MS = 3000;
/** A server that says this may take it later. */
const PASSING = ['unreachable', 'interrupted', 'conflict', 'failed', 'io'];

/** Which part of an answer it is, and whether its agent may be asked for another one. */
export interface Part {
  part: number;
  asks: boolean;
}

/**
 * Sends it until the server has taken it, or refused it for good. A text that was not taken stays, and where is told. Resolves to
 * what its agent is to be asked once more, if anything.
 */
export async function handIn(
  worker: Worker,
  launch: LentLaunch,
  result: Here,
  which: Part,
): Promise<AskedAgain | undefined> {
  const { app, contact, signal } = worker;
  const { participant } = launch;
  const payload = payloadOf(launch, result, which);
  const kept = result.ok ? await keptOf(worker, launch, { output: result.output, ...which }) : undefined;
  const where = kept === undefined ? '' : ` Its answer lies in ${kept}.`;
  for (let tries = 1; ; tries++) {
    try {
      const taken = await sent(worker, payload);
      if (taken.became === 'lost') return void app.note(lostLine(launch, taken, where));
      // What is no text is told as a failure: nobody else has it.
      if (payload.name === 'fail') tellOf(app.note, participant, where);
      else if (kept !== undefined) fs.rmSync(kept, { force: true });
      if (taken.became === 'asked') return tellAsked(worker, launch, taken.again);
      return void tell(worker, launch, result, taken.became, taken.note);
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      const isOver = signal.aborted || tries >= MOST_TRIES;
      if (isOver || !PASSING.includes(error.code))
        return void app.note(unsentLine(worker, launch, error, kept));
      contact.lost(error);
      if (tries === 1) app.note(`${participant}: not handed in yet. It is tried again.${where}`);
      await rest(Math.min(AGAIN_MS * 2 ** (tries - 1), LONGEST_MS), signal);
    }
  }
}

async function sent(
  worker: Worker,
  payload: { name: 'record' | 'fail'; input: Record<string, unknown> },
): Promise<Taken> {
  const ms = worker.signal.aborted ? LAST_MS : PATIENCE_MS;
  const taken = takenBackIn(await askWithin(worker, { ...payload, ms }));
  worker.contact.found();
  return taken;
}

/** Where its answer lies until the server has it. A disk that does not take it keeps it from nobody. */
async function keptOf(
  { app, root }: Worker,
  { lease, participant }: LentLaunch,
  { output, part }: { output: Buffer; part: number },
) {
  try {
    return await privateDir({ env: app.env, projectRoot: root }).keep(
      `unsent-${lease}${part === 1 ? '' : `-${part}`}.md`,
      output,
    );
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    app.note(`${participant}: its answer is kept nowhere until the server has it: ${messageOf(error)}`);
    return undefined;
  }
}

/** While a phase is blind the server does not say what is missing, and nobody hears of it. */
function tellAsked(
  { app }: Worker,
  { name: council, participant }: LentLaunch,
  again: AskedAgain,
): AskedAgain {
  const { missing } = again;
  if (missing) app.progress({ type: 'asked_again', council, participant, missing });
  return again;
}

function tellOf(note: (line: string) => void, participant: string, where: string): void {
  if (where !== '') note(`${participant}: what it printed is no text.${where}`);
}

/** The council went on without it: the answer stays here. */
const lostLine = ({ participant }: LentLaunch, { note }: TakenBack, where: string): string =>
  `${participant}: the council no longer waits for this launch.${note === undefined ? '' : ` ${note}`}${where}`;

/** The answer stays here as well, for somebody who may hand it in. */
function unsentLine(
  { server }: Worker,
  { participant, name }: LentLaunch,
  { message }: CouncilError,
  kept: string | undefined,
): string {
  if (kept === undefined) return `${participant}: ${message} It is not tried again.`;
  const command = `council respond ${participant} --name ${name} --file ${kept} --server ${server}`;
  return `${participant}: ${message} It is not tried again. Its answer lies in ${kept}. Whoever has a token for that seat hands it in: ${command}`;
}

function payloadOf(
  launch: LentLaunch,
  result: Here,
  { part, asks }: Part,
): { name: 'record' | 'fail'; input: Record<string, unknown> } {
  const { lease, name, conversationId, tour, participant } = launch;
  const { model, inputTokens, outputTokens, costUsd } = result.usage ?? {};
  const used = { program: result.program, model, inputTokens, outputTokens, costUsd };
  const common = {
    ...{ lease, name, conversationId, tour, participant, ms: Math.round(result.durationMs) },
    // An older server knows of no parts, and asks for none.
    ...(part > 1 && { part }),
    ...Object.fromEntries(Object.entries(used).filter(([, value]) => value !== null && value !== undefined)),
  };
  const text = result.ok ? textOf(result.output) : undefined;
  if (text !== undefined) return { name: 'record', input: { ...common, ...(asks && { asks }), text } };
  const reason = result.ok ? 'its answer is no UTF-8 text' : (result.reason ?? 'it failed');
  return {
    name: 'fail',
    input: {
      ...common,
      failure: result.failure ?? 'failed',
      reason,
      brief: result.ok ? reason : (result.safeReason ?? 'it failed'),
      ...(result.stderrTail !== '' && { stderr: result.stderrTail }),
      ...(result.retryAfterMs !== null && { retryAfterMs: Math.round(result.retryAfterMs) }),
    },
  };
}

function textOf(output: Buffer): string | undefined {
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
