// Use case `run`: plays a council from its start to the archive.
import type { Agent } from '../agents/agent.ts';
import { findArchive, readArchiveFile } from '../archive/read.ts';
import { synthesisInWords } from '../archive/digest.ts';
import { labelsLine } from '../archive/sections.ts';
import type { Config } from '../base/config.ts';
import { CouncilError } from '../base/errors.ts';
import { loadWords } from '../base/words/words.ts';
import { listRunnerIds } from '../council/state/state.ts';
import type { CouncilStatus } from '../council/state/choices.ts';
import type { CouncilState } from '../council/state/state.ts';
import { readCouncil } from '../council/use/update-council.ts';
import { openPhase } from '../heartbeat/launch/launch.ts';
import type { HeartbeatPorts, Progress } from '../heartbeat/ports.ts';
import { tickUntilIdle } from '../heartbeat/tick.ts';
import { overrideApp, createInterruptedError } from './app.ts';
import { summarizeRun, hasNobodySpoken } from './run-summary.ts';
import type { RunSummary } from './run-summary.ts';
import type { App, Result } from './app.ts';
import { coordinatorInWords } from './coordinator.ts';
import { askFirst } from './cost-estimate/ask-first.ts';
import { convene, resolveCouncilSetup, humanTokens, leftOut, readQuestion, tokenLines } from './convene.ts';
import type { Outside, CouncilQuestion } from './convene.ts';
import { withDefaultTable } from './default-table.ts';
import type { RunInput } from './input/council.ts';
import { parseSynthesisFindings } from './synthesis-findings.ts';
import type { Finding } from './synthesis-findings.ts';
import { interruptible } from './interruption-signal.ts';
import { othersAwaited } from './missing-heartbeats.ts';
import { findPausedAgents, computeRetryTime } from './paused-agents.ts';
import { forPanel } from './offline.ts';
import { openOrInitWorkspace } from './prepare.ts';
import { requireTrust, listCouncilRunnables } from './trust.ts';
import { createLaunchingProcess } from './launching-process.ts';
import { createRunSteering } from './stop-participant.ts';
import type { Steering } from './stop-participant.ts';
import { watchCouncil } from './wait-for-change.ts';
import type { CouncilWatch } from './wait-for-change.ts';
import { councilName, DEFAULT_NAME, findWorkspace, heartbeatPorts, loadConfig } from './workspace.ts';
import type { Workspace } from './workspace.ts';

/** While another process runs a participant, its end may go unannounced (it can die): look again after this long. */
const LOOK_AGAIN_MS = 5000;

export interface RunDocument {
  name: string;
  conversationId: string;
  status: CouncilStatus;
  archive: string;
  synthesis: string;
  by: string | null;
  /** The synthesis names another decision than the one that was counted; `silent` where it names none and no position. */
  contradicts: boolean;
  /** Who did not sit, because its file cannot be read. */
  outside?: Outside[];
  silent?: true;
  /** What reviewers of a document point at, where the synthesis hands it on as data. */
  findings?: Finding[];
}

export interface RunResult extends Result<RunDocument> {
  /** The synthesis without its form: what a person wants to read. */
  words: string;
  /** What came out, and what it took. */
  ending: RunSummary;
  /** Which label was whose, in a line of Markdown; empty where everybody spoke by name. */
  labels: string;
}

/** A live view of a run. */
export interface RunView {
  /** Ends what is still drawn of the progress. */
  settle(): Promise<void>;
  /** Gets what it may do, once the council is open. */
  steer?(steering: Steering): void;
}

/** Starts a council, or goes on with one, and plays it to the archive. */
export async function run(app: App, input: RunInput, view?: RunView): Promise<RunResult> {
  const signal = interruptible(app);
  try {
    const playing = await openRun(app, input, signal, view);
    return await readRunResult(playing, await playCouncil(app, playing, signal).finally(playing.end));
  } finally {
    await view?.settle();
  }
}

/** A council to be played, and what that takes. */
interface Playing {
  workspace: Workspace;
  ports: HeartbeatPorts;
  state: CouncilState;
  watch: CouncilWatch;
  /** Stops watching, and takes the row of this process away. */
  end(): Promise<void>;
  concurrency: number;
  stopOf(participant: string): AbortSignal;
}

async function openRun(
  app: App,
  input: RunInput,
  signal: AbortSignal,
  view: RunView | undefined,
): Promise<Playing> {
  const found = findWorkspace(app);
  const going = found && (await findCouncilToResume(found, input));
  // Refused before anything is prepared.
  const question = going ? undefined : await readQuestion(app, input);
  const workspace = going ? found : await openOrInitWorkspace(app, input);
  const settings = await loadConfig(app, workspace, input);
  const table = question && (await withDefaultTable(app, workspace, input, settings));
  const asked = input.panel !== undefined;
  const config =
    question && table
      ? forPanel(app, table.input, { config: table.config, brief: question.brief, asked })
      : settings;
  const ports = await heartbeatPorts(
    app,
    workspace,
    config,
    createLaunchingProcess(app, workspace, input.labels),
  );
  if (signal.aborted && !going)
    throw new CouncilError('interrupted', 'Interrupted. No council was opened.', {
      hint: 'Run the same command again.',
    });
  // What happens while it opens is told after who sits there.
  const early: Progress[] = [];
  const waiting: App = overrideApp(app, { progress: (progress) => void early.push(progress) });
  const state =
    question && table
      ? await startConfirmedCouncil(waiting, {
          ...{ workspace, ports, config, question },
          ...{ outside: leftOut(ports, settings, input), input: { ...input, ...table.input } },
        })
      : going!;
  if (going) {
    if (input.files.length > 0 || input.diff !== undefined)
      app.note('It goes on with the brief that it has: --file and --diff count for a new council only.');
    app.onLeaving(`council run --resume --name ${going.name}`);
    await requireTrust(
      app,
      ports.root,
      listCouncilRunnables(listSeatedAgents(going, ports), config.notify),
      input,
    );
  } else for (const line of tokenLines((await humanTokens(ports, state)) ?? {})) app.note(line);
  const { name, mode, topic, order } = state;
  app.note(
    `Council "${name}" (${mode}): ${topic}\nParticipants: ${order.join(', ')}. Coordinator: ${coordinatorInWords(state)}. State: ${workspace.edits.projectionPath(name)}`,
  );
  const { stopOf, steering } = createRunSteering(app, ports, state);
  view?.steer?.(steering);
  early.forEach(app.progress);
  const watch = watchCouncil(workspace, name, ports.clock);
  const end = (): Promise<void> => (watch.stop(), ports.heart.end());
  return { workspace, ports, state, watch, end, concurrency: config.concurrency, stopOf };
}

/** Starts a council. If it may cost more than the project allows, the owner is asked first. */
async function startConfirmedCouncil(
  app: App,
  { workspace, ports, config, input, question, outside }: Beginning,
): Promise<CouncilState> {
  const council = { ...(await resolveCouncilSetup(ports, config, input, question)), outside };
  await askFirst(app, workspace, config, { council, yes: input.yes });
  return convene(app, ports, config, input, council);
}

interface Beginning {
  workspace: Workspace;
  ports: HeartbeatPorts;
  config: Config;
  input: RunInput;
  question: CouncilQuestion;
  outside: Outside[];
}

/** Plays it to its end. Returns the path of its archive, unless another process has archived it. */
async function playCouncil(
  app: App,
  { workspace, ports, state: { name, conversationId }, watch, concurrency, stopOf }: Playing,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (;;) {
    const options = { name, launch: true, concurrency, signal, stopOf, onProgress: app.progress };
    const ticks = (await tickUntilIdle(ports, options).catch(unlessGone)) ?? [];
    const archived = ticks.find((done) => done.conversationId === conversationId && done.archive !== null);
    if (archived?.archive) return archived.archive;
    const stored = await watch.read();
    const now = stored && (await readCouncil(ports, name)).council.state;
    if (!now || now.conversationId !== conversationId) return undefined;
    if (signal.aborted) throw createInterruptedError(`council run --resume --name ${name}`);
    const paused = await findPausedAgents(ports.health, now);
    const others = await othersAwaited(workspace, ports.agents, now);
    const isElsewhere = others.elsewhere.length + others.needing.length > 0;
    const phase = openPhase(now);
    if (phase.people.length > 0 || isElsewhere)
      app.progress({ type: 'waiting', council: name, ...phase, ...others });
    const { clock } = ports;
    const lookAgain = isElsewhere ? clock.now() + LOOK_AGAIN_MS : Infinity;
    const deadline = Math.min(Date.parse(now.timeoutAt), lookAgain, computeRetryTime(paused, clock.now()));
    await watch.untilChange(stored.revision, deadline, signal);
  }
}

async function readRunResult(
  { workspace, state: { name, conversationId } }: Playing,
  known: string | undefined,
): Promise<RunResult> {
  const { archives } = workspace.ports;
  // Looking for it reads the front matter of all others.
  const { path, archive } =
    (known !== undefined && (await readArchiveFile(archives, known))) ||
    (await findArchive(archives, conversationId));
  const { text: synthesis, by, contradicts, silent } = archive.synthesis;
  const { status } = archive.meta;
  const findings = parseSynthesisFindings(synthesis);
  const w = loadWords(archive.meta.lang);
  return {
    document: {
      name,
      conversationId,
      status,
      archive: path,
      synthesis,
      by,
      contradicts,
      ...(archive.meta.outside && { outside: archive.meta.outside }),
      ...(silent && { silent }),
      ...(findings && { findings }),
    },
    failed: status === 'TIMEOUT' ? 'timed_out' : hasNobodySpoken(archive) ? 'failed' : undefined,
    words: synthesisInWords(archive, w),
    ending: summarizeRun(archive),
    labels: archive.contributions.length === 0 ? '' : labelsLine(archive, w),
  };
}

/** The council to go on with. With a question, only one of the very name that a new council would have. */
async function findCouncilToResume(workspace: Workspace, input: RunInput): Promise<CouncilState | undefined> {
  if (!input.resume) return undefined;
  const isNewWelcome = input.topic !== undefined || input.brief !== undefined;
  const name = isNewWelcome ? (input.name ?? DEFAULT_NAME) : await councilName(workspace, input.name);
  if (!isNewWelcome) return (await readCouncil(workspace.ports, name)).council.state;
  return (await workspace.store.read(name)) && (await readCouncil(workspace.ports, name)).council.state;
}

/** The agents of a council that goes on, as their files are now. */
const listSeatedAgents = (state: CouncilState, { agents }: HeartbeatPorts): Agent[] => {
  const own = state.coordinator === null ? [] : listRunnerIds(state, state.coordinator);
  return [...new Set([...state.order, ...own])].flatMap((id) => agents.find(id) ?? []);
};

/** Another process may have finished the council while this one worked on it. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof CouncilError) || error.code !== 'unknown_council') throw error;
  return undefined;
}
