// Commands `tick`, with one line per council, and `heartbeat`, with a line or an event as it happens.
import type { TickInput, HeartbeatInput } from '../../app/input/council.ts';
import { overrideApp } from '../../app/app.ts';
import type { Progress } from '../../app/app.ts';
import { createPlainTeller, createQuietTeller } from '../../app/progress.ts';
import { tick, openToldLines } from '../../app/tick.ts';
import type { CouncilTick } from '../../app/tick.ts';
import { CouncilError, toErrorDocument } from '../../base/errors.ts';
import { toOneLine } from '../../base/text.ts';
import { loadWords } from '../../base/words/words.ts';
import type { Cli } from '../io.ts';
import { toProseOutcome, printEvent } from '../print.ts';
import type { Command } from '../spec.ts';
import { loadServerClient } from '../../app/feature.ts';
import { toProgressEvent } from '../../app/events.ts';
import { runHeartbeat } from '../../app/heartbeat.ts';

/** If more councils than this are unchanged, they are counted, not listed. */
const LISTED = 20;
/** Events that each tick repeats as long as their reason lasts. */
const LASTING: readonly Progress['type'][] = ['blocked', 'untrusted'];

export const performTick: Command<TickInput> = async (cli, input) => {
  // Cron mails all output, and names no council. A person who runs the command wants to see the state.
  const told = process.stderr.isTTY || input.name !== undefined ? undefined : openToldLines(cli);
  try {
    return await tickOnce(cli, told?.note ?? cli.note, input);
  } catch (error) {
    if (!(error instanceof CouncilError) || told?.isKnown(error) !== true) throw error;
    return { json: { error: toErrorDocument(error) }, text: '', exitCode: error.exitCode };
  } finally {
    told?.end();
  }
};

/** `note` reports lasting events. */
async function tickOnce(cli: Cli, note: Cli['note'], input: TickInput): ReturnType<Command<TickInput>> {
  const tell = cli.json ? createQuietTeller(cli) : muteResultEvents(createPlainTeller(cli), input.untilIdle);
  const tellLasting = cli.json ? createQuietTeller({ note }) : createPlainTeller({ note });
  const tellProgress = (one: Progress): void => (LASTING.includes(one.type) ? tellLasting(one) : tell(one));
  const result = await tick(
    overrideApp(cli, { note, progress: tellProgress }),
    input,
    cli.json ? {} : { listed: LISTED },
  );
  const { councils, tasks = [] } = result.document;
  // Unreadable councils have no phase to report.
  const readable = councils.filter(({ to }) => to !== '');
  const still = readable.filter(isStill).length + result.resting;
  const lines = (still > LISTED ? readable.filter((one) => !isStill(one)) : readable).map(formatTickLine);
  // Other tasks were reported while they were played.
  const open = tasks.filter(({ state }) => state === 'N' || state === 'R');
  lines.push(...open.map(({ id, session, standing }) => `${session}/${id}: ${toOneLine(standing, 200)}`));
  if (still > LISTED) lines.push(`${still} councils are where they were (council status)`);
  const isIdle = lines.length === 0 && councils.length === 0 && tasks.length === 0;
  return toProseOutcome(result, isIdle ? 'No council is active.' : lines.join('\n'));
}

/** Skips what the result reports: the archive, and the phase opened by a single tick. */
const muteResultEvents =
  (tell: (progress: Progress) => void, isMany: boolean | undefined) =>
  (progress: Progress): void => {
    const event = progress.type === 'notice' ? progress.notice.type : undefined;
    if (event !== 'archived' && (event !== 'phase_opened' || isMany)) tell(progress);
  };

const isStill = ({ reason, launched, failed, archive }: CouncilTick): boolean =>
  reason === null && launched.length === 0 && failed.length === 0 && archive === null;

function formatTickLine({ name, from, to, reason, launched, failed, archive }: CouncilTick): string {
  const step = reason ? `${from} -> ${to} (${loadWords('en').closeReason[reason]})` : `still in ${to}`;
  const waiting = failed.filter(({ kind }) => kind === 'untrusted').map(({ id }) => id);
  const facts = [
    launched.length > 0 && `asked ${launched.join(', ')}`,
    waiting.length > 0 && `waiting for trust: ${waiting.join(', ')}`,
    ...failed
      .filter(({ kind }) => kind !== 'untrusted')
      .map((f) => `${f.id} failed: ${toOneLine(f.reason, 200)}`),
    archive,
  ];
  return [`${name}: ${step}`, ...facts.filter(Boolean)].join('; ');
}

export const performHeartbeat: Command<HeartbeatInput> = async (cli, input) => {
  const last = new Map<string, string>();
  const printProgress = (progress: Progress): void => {
    if (progress.type === 'launching') {
      // Each pass reports the phase again.
      const facts = JSON.stringify(progress);
      if (last.get(progress.council) === facts) return;
      last.set(progress.council, facts);
    }
    printEvent(toProgressEvent(progress, Date.now()));
  };
  const app = { ...cli, progress: cli.json ? printProgress : createPlainTeller(cli) };
  if (cli.serverUrl !== undefined) await (await loadServerClient(cli)).work(app, cli.serverUrl, input);
  else await runHeartbeat(app, input);
  return { json: undefined, text: 'Heartbeat stopped.' };
};
