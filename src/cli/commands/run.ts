import { localTime } from '../../base/when.ts';
import type { Agent } from '../../agents/agent.ts';
import { findArchive } from '../../archive/read.ts';
import { labelsLine } from '../../archive/sections.ts';
import { CouncilError } from '../../base/errors.ts';
import { cutFrontMatter } from '../../base/front-matter-block.ts';
import { readCouncil } from '../../council/use/update-council.ts';
import { wordsFor } from '../../base/words/words.ts';
import { awaited, seat } from '../../council/state/state.ts';
import type { CouncilState } from '../../council/state/state.ts';
import type { HeartbeatPorts, Progress } from '../../heartbeat/ports.ts';
import { tickUntilIdle } from '../../heartbeat/tick.ts';
import { convene, humanTokens, nameOf, questionOf, tokenLines } from '../../app/convene.ts';
import { withDefaultTable } from '../../app/default-table.ts';
import { interrupted } from '../../app/app.ts';
import { interruptible } from '../../app/interrupted.ts';
import type { Cli } from '../io.ts';
import { reporter } from '../live.ts';
import { pausedIn } from '../../app/paused.ts';
import type { Paused } from '../../app/paused.ts';
import type { Options } from '../../app/app.ts';
import type { Command, Outcome } from '../spec.ts';
import { requireTrust, runnablesOf } from '../../app/trust.ts';
import { untilChange } from '../../app/until-change.ts';
import { councilName, findWorkspace, heartbeatPorts, loadConfig } from '../../app/workspace.ts';
import { openOrInitWorkspace } from '../../app/prepare.ts';
import type { Workspace } from '../../app/workspace.ts';

/** While another process runs a participant, its end may go unannounced (it can die): look again after this long. */
const LOOK_AGAIN_MS = 5000;
const PAUSE_LOOK_AGAIN_MS = 60_000;
const SHORTEST_WAIT_MS = 100;

export const run: Command = async (cli, [topic], options) => {
  const found = findWorkspace(cli);
  const going = found && (await resumed(cli, found, options, topic));
  // Refused before anything is prepared.
  const question = going ? undefined : await questionOf(cli, options, topic);
  const signal = interruptible(cli);
  const workspace = going ? found : await openOrInitWorkspace(cli);
  const settings = await loadConfig(cli, workspace, options);
  const table = question ? await withDefaultTable(cli, workspace, options, settings) : undefined;
  const config = table?.config ?? settings;
  const ports = await heartbeatPorts(cli, workspace, config);
  const report = await reporter(cli);
  if (signal.aborted && !going)
    throw new CouncilError('interrupted', 'Interrupted. No council was opened.', {
      hint: 'Run the same command again.',
    });
  const opened: Progress[] = [];
  const state =
    question && table
      ? await convene(cli, ports, config, table.options, question, (progress) => opened.push(progress))
      : going!;
  if (going) cli.onLeaving(`council run --resume --name ${going.name}`);
  if (going) await requireTrust(cli, ports.root, runnablesOf(seatedIn(going, ports), config.notify), options);
  if (!going) for (const line of tokenLines((await humanTokens(ports, state)) ?? {})) cli.note(line);
  const { name } = state;
  cli.note(
    `Council "${name}" (${state.mode}): ${state.topic}\nParticipants: ${state.order.join(', ')}. Coordinator: ${state.coordinator ?? 'none'}. State: ${workspace.store.projectionPath(name)}`,
  );
  opened.forEach(report.onProgress);
  let told = 0;
  for (;;) {
    await tickUntilIdle(ports, {
      name,
      launch: true,
      concurrency: config.concurrency,
      signal,
      onProgress: report.onProgress,
    }).catch(unlessGone);
    await report.settle();
    const stored = await workspace.store.read(name);
    const now = stored && (await readCouncil(ports, name)).council.state;
    if (!now || now.conversationId !== state.conversationId) break;
    if (signal.aborted) throw interrupted(`council run --resume --name ${name}`);
    const paused = await pausedIn(ports.health, now);
    if (told !== now.tour) tellWaiting(cli, now, paused);
    told = now.tour;
    const leased = awaited(now).some((id) => seat(now, id).lease);
    const lookAgain = leased ? Date.now() + LOOK_AGAIN_MS : Infinity;
    const deadline = Math.min(Date.parse(now.timeoutAt), lookAgain, wakeAt(paused));
    await untilChange(workspace.store, name, stored.revision, deadline, signal);
  }
  return outcomeOf(cli, workspace, state);
};

/** The council to go on with. With a question, only one of the very name that a new council would have. */
async function resumed(
  cli: Cli,
  workspace: Workspace,
  options: Options,
  topic: string | undefined,
): Promise<CouncilState | undefined> {
  if (options.resume !== true) return undefined;
  const isNewWelcome = topic !== undefined || options.brief !== undefined;
  const name = isNewWelcome ? nameOf(cli, options) : await councilName(cli, workspace, options.name);
  if (!isNewWelcome) return (await readCouncil(workspace.ports, name)).council.state;
  return (await workspace.store.read(name)) && (await readCouncil(workspace.ports, name)).council.state;
}

/** The agents of a council that goes on, as their files are now. */
const seatedIn = ({ order, coordinator }: CouncilState, { agents }: HeartbeatPorts): Agent[] =>
  [...order, ...(coordinator === null ? [] : [coordinator])].flatMap((id) => agents.find(id) ?? []);

/** When the first paused agent may be tried again. Another process may try it and end the pause earlier, unannounced. */
function wakeAt(paused: Paused): number {
  const ends = Object.values(paused).map(({ until }) => Date.parse(until));
  if (ends.length === 0) return Infinity;
  const now = Date.now();
  return Math.max(now + SHORTEST_WAIT_MS, Math.min(...ends, now + PAUSE_LOOK_AGAIN_MS));
}

function tellWaiting(cli: Cli, state: CouncilState, paused: Paused): void {
  const people = awaited(state).filter((id) => !Object.hasOwn(paused, id));
  if (people.length === 0) return;
  cli.note(
    `Waiting for ${people.join(', ')} in ${state.currentPhase}, until ${localTime(state.timeoutAt, Date.now())}. They answer with: council respond ${people[0]} --name ${state.name}`,
  );
}

async function outcomeOf(
  cli: Cli,
  { ports }: Workspace,
  { name, conversationId }: CouncilState,
): Promise<Outcome> {
  const { path, archive } = findArchive(ports.archives, conversationId);
  const { text, by } = archive.synthesis;
  const { status } = archive.meta;
  // What the front matter says is in the archive; a person wants the words.
  const words = cutFrontMatter(text)?.body.trim() ?? text;
  const shown = cli.live
    ? await (
        await import('../../archive/show.ts')
      ).renderMarkdown(words, {
        width: Math.min(process.stdout.columns || 80, 100),
        color: cli.paint('bold', 'x') !== 'x',
      })
    : words;
  return {
    json: { name, conversationId, status, archive: path, synthesis: text, by },
    text: [
      `\n${shown}\n`,
      labelsLine(archive, wordsFor(archive.meta.lang)),
      `Status: ${status}`,
      `Archive: ${path}`,
    ]
      .filter((line) => line !== '')
      .join('\n'),
    exitCode: status === 'TIMEOUT' ? 124 : 0,
  };
}

/** Another process may have finished the council while this one worked on it. */
function unlessGone(error: unknown): void {
  if (!(error instanceof CouncilError) || error.code !== 'unknown_council') throw error;
}
