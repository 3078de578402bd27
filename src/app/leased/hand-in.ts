// Hands in what came of a launch: kept here until the server has it.
import fs from 'node:fs';
import { iso } from '../../base/clock.ts';
import { CouncilError } from '../../base/errors.ts';
import { decodeText } from '../../base/text.ts';
import { rest } from '../../heartbeat/launch/rest.ts';
import type { TakenBack } from '../../heartbeat/launch/lend.ts';
import { privateDir } from '../../store/file/private-dir.ts';
import { systemClock } from '../../store/local/system.ts';
import { changed } from '../app.ts';
import { askServer } from '../remote/client.ts';
import type { Here } from './launch-here.ts';
import type { LentLaunch } from './lease.ts';
import type { Worker } from './working.ts';

const AGAIN_MS = 3000;
const SOON_MS = 1000;
const PATIENCE_MS = 30_000;
/** After an interruption the server gets this long. */
const LAST_MS = 3000;

/** Sends it until the server has taken it, or refused it for good. A text that was not taken stays, and where is told. */
export async function handIn(worker: Worker, launch: LentLaunch, result: Here): Promise<void> {
  const { app, server, root, signal } = worker;
  const { name, input } = payloadOf(launch, result);
  const kept = result.ok
    ? await privateDir({ env: app.env, projectRoot: root }).keep(`unsent-${launch.lease}.md`, result.output)
    : undefined;
  for (let isTold = false; ; isTold = true) {
    const wait = signal.aborted ? LAST_MS : PATIENCE_MS;
    const calm = changed(app, { interruption: () => AbortSignal.timeout(wait) });
    try {
      const { document } = await askServer(calm, { server, name, input });
      const taken = document as TakenBack;
      if (taken.became === 'lost') return app.note(lostLine(launch, taken, kept));
      if (kept !== undefined) fs.rmSync(kept, { force: true });
      return tell(worker, launch, result, taken.became, taken.note);
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      const where = kept === undefined ? '' : ` Its answer lies in ${kept}.`;
      const isAway = ['unreachable', 'interrupted', 'conflict', 'failed', 'io'].includes(error.code);
      if (!isAway || signal.aborted) return app.note(`${launch.participant}: ${error.message}${where}`);
      if (!isTold) app.note(`${launch.participant}: ${error.message} It is tried again.${where}`);
      await rest(AGAIN_MS, signal);
    }
  }
}

/** The council went on without it: the answer stays here. */
const lostLine = ({ participant }: LentLaunch, { note }: TakenBack, kept: string | undefined): string =>
  [
    `${participant}: the council no longer waits for this launch.`,
    ...(note === undefined ? [] : [note]),
    ...(kept === undefined ? [] : [`Its answer lies in ${kept}.`]),
  ].join(' ');

function payloadOf(launch: LentLaunch, result: Here): { name: string; input: Record<string, unknown> } {
  const { lease, name, conversationId, tour, participant } = launch;
  const { model, inputTokens, outputTokens, costUsd } = result.usage ?? {};
  const used = { program: result.program, model, inputTokens, outputTokens, costUsd };
  const common = {
    ...{ lease, name, conversationId, tour, participant, ms: Math.round(result.durationMs) },
    ...Object.fromEntries(Object.entries(used).filter(([, value]) => value !== null && value !== undefined)),
  };
  const text = result.ok ? textOf(result.output) : undefined;
  if (text !== undefined) return { name: 'record', input: { ...common, text } };
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
