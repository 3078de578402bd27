// Opens or resumes a council, and plays it phase by phase.
import type { Agent } from '../agents/agent.ts';
import type { Config } from '../base/config.ts';
import { CouncilError, ignoreCodes } from '../base/errors.ts';
import { fill, loadWords } from '../base/words/words.ts';
import { isHeld, listRunnerIds } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import { readCouncil } from '../council/use/council-access.ts';
import type { Snapshot } from '../council/use/council-access.ts';
import { openPhase } from '../heartbeat/launch/launch.ts';
import type { LaunchOptions } from '../heartbeat/launch/ports.ts';
import type { HeartbeatPorts, Progress } from '../heartbeat/ports.ts';
import { tickUntilIdle } from '../heartbeat/tick.ts';
import { overrideApp, createInterruptedError } from './app.ts';
import type { App } from './app.ts';
import { formatCoordinator } from './coordinator.ts';
import { askFirst } from './cost-estimate/ask-first.ts';
import {
  conveneCouncil,
  hasBudget,
  resolveCouncilSetup,
  collectHumanTokens,
  listLeftOutAgents,
  renderTokenLines,
} from './convene.ts';
import { nameAfterQuestion, readQuestion } from './question.ts';
import type { CouncilQuestion } from './question.ts';
import type { OutsideAgent } from './convene.ts';
import { renderResumeCommand } from './input/council.ts';
import type { RunInput } from './input/council.ts';
import { findAwaitedElsewhere } from './missing-heartbeats.ts';
import { awaitsOnlyBrokenAgents, computeRetryTime, findPausedAgents } from './state-document.ts';
import { tellBeforehand, watchFewVoices } from './few-voices.ts';
import { planTable } from './open-table.ts';
import { recordToldNotice, wasTold } from './repeated-notices.ts';
import { requireTrust, listCouncilRunnables } from './trust.ts';
import { createLaunchingProcess } from './launching-process.ts';
import { createRunSteering } from './steer-council.ts';
import type { Steering } from './steer-council.ts';
import { watchCouncil } from './wait.ts';
import type { CouncilWatch } from './wait.ts';
import { resolveCouncilName } from './council-reference.ts';
import { DEFAULT_NAME } from '../council/use/unknown-council.ts';
import { findWorkspace, createHeartbeatPorts, loadConfig } from './workspace.ts';
import type { Workspace } from './workspace.ts';

/** If another process runs a participant, it may end unannounced (by a crash): look again after this many ms. */
const LOOK_AGAIN_MS = 5000;

export interface RunView {
  /** Ends the drawing of progress on a terminal. */
  settle(): Promise<void>;
  /** Gets what it may do, once the council is open. */
  steer?(steering: Steering): void;
}

export interface RunningCouncil {
  workspace: Workspace;
  ports: HeartbeatPorts;
  state: CouncilState;
  watch: CouncilWatch;
  /** Stops watching, and removes the heartbeat row of this process. */
  end(): Promise<void>;
  concurrency: number;
  /** The command that continues it. */
  resume: string;
  getStop(participant: string): AbortSignal;
  view: RunView | undefined;
  /** Notes from before it began. */
  notices: string[];
}

/** Opens a new council, or resumes the one to continue. */
export async function openRun(
  app: App,
  input: RunInput,
  signal: AbortSignal,
  view: RunView | undefined,
): Promise<RunningCouncil> {
  const found = findWorkspace(app);
  const going = found && (await findCouncilToResume(found, input));
  // Throws before anything is prepared.
  const question = going ? undefined : await readQuestion(app, input);
  const notices: string[] = [];
  const note = (line: string): void => void (notices.push(line), app.note(line));
  const planned =
    question && (await planTable(overrideApp(app, { note }), input, question.brief, { findsPrograms: true }));
  const workspace = planned?.workspace ?? found!;
  const config = planned?.config ?? (await loadConfig(app, workspace, { ...input, agents: undefined }));
  const ports = await createHeartbeatPorts(
    app,
    workspace,
    config,
    createLaunchingProcess(app, workspace, input.labels),
  );
  if (signal.aborted && !going)
    throw new CouncilError('interrupted', 'Interrupted. No council was opened.', {
      hint: 'Run the same command again.',
    });
  // Events during the opening are reported after the list of participants.
  const early: Progress[] = [];
  const waiting: App = overrideApp(app, { note, progress: (progress) => void early.push(progress) });
  const state =
    question && planned
      ? await startConfirmedCouncil(waiting, {
          ...{ workspace, ports, config, question },
          ...{
            outside: listLeftOutAgents(ports, { agents: planned.named }, input),
            input: await nameCouncil(ports, planned.input, question),
          },
        })
      : going!;
  if (going) {
    if (input.files.length > 0 || input.diff !== undefined)
      app.note(loadWords(going.lang).opening.goesOnWithBrief);
    app.setResumeCommand(renderResumeCommand(input, going.name));
    await requireTrust(
      app,
      ports.root,
      listCouncilRunnables(listSeatedAgents(going, ports), config.notify),
      input,
    );
  } else for (const line of renderTokenLines((await collectHumanTokens(ports, state)) ?? {})) app.note(line);
  const { name, mode, topic, order } = state;
  const { opening } = loadWords(state.lang);
  const table = fill(opening.table, {
    who: order.join(', '),
    coordinator: formatCoordinator(state),
    path: workspace.edits.projectionPath(name),
  });
  app.note(`${fill(opening.council, { name, mode, topic })}\n${table}`);
  const { getStop, steering } = createRunSteering(app, ports, state);
  view?.steer?.(steering);
  early.forEach(app.progress);
  const watch = watchCouncil(workspace, name, ports.clock);
  const end = (): Promise<void> => (watch.stop(), ports.heart.end());
  return {
    workspace,
    ports,
    state,
    watch,
    end,
    concurrency: config.concurrency,
    resume: renderResumeCommand(input, name),
    getStop,
    view,
    notices,
  };
}

/** Adds a name made from the question, if wanted and missing; with a number if another council has that name. */
export async function nameCouncil(
  { store }: Pick<HeartbeatPorts, 'store'>,
  input: RunInput,
  { topic }: CouncilQuestion,
): Promise<RunInput> {
  if (!input.isAsked || input.name !== undefined) return input;
  return { ...input, name: nameAfterQuestion(topic, new Set(await store.list(''))) };
}

/** Starts a council. Asks the owner first if it may cost more than the project allows. */
async function startConfirmedCouncil(
  app: App,
  { workspace, ports, config, input, question, outside }: RunOpening,
): Promise<CouncilState> {
  const council = { ...(await resolveCouncilSetup(ports, config, input, question)), outside };
  const told = await tellBeforehand(app, ports, council, (what) => wasTold(workspace, what));
  if (hasBudget(council))
    await (await import('./cost-estimate/budget-fit.ts')).checkBudget(app, workspace, config, council);
  await askFirst(app, workspace, config, { council, yes: input.yes });
  const state = await conveneCouncil(app, { workspace, ports, config }, input, council);
  // A run that prints only its result has not shown the notice: the next one shows it.
  if (told !== undefined && !input.quiet) await recordToldNotice(workspace, told);
  return state;
}

interface RunOpening {
  workspace: Workspace;
  ports: HeartbeatPorts;
  config: Config;
  input: RunInput;
  question: CouncilQuestion;
  outside: OutsideAgent[];
}

/** The end of playing: an archive (without a path if another process archived it), or a hold. */
export type PlayResult = { kind: 'archived'; path: string | undefined } | ({ kind: 'held' } & Snapshot);

export interface PlayOptions {
  /** Return when the council is held; otherwise wait until the hold ends. */
  stopsWhenHeld?: boolean;
  /** Receives answers of the programs launched here, even while the round is blind. */
  onAnswer?: LaunchOptions['onAnswer'];
}

/** Plays a council to its end, or until it is held. */
export async function playCouncil(
  app: App,
  {
    workspace,
    ports,
    state: { name, conversationId },
    watch,
    concurrency,
    resume,
    getStop,
    view,
  }: RunningCouncil,
  signal: AbortSignal,
  { stopsWhenHeld = false, onAnswer }: PlayOptions = {},
): Promise<PlayResult> {
  const voices = watchFewVoices(app, ports, async () => view?.settle());
  const { atClose } = voices;
  const asked = { name, launch: true, goesOn: true, concurrency, signal, getStop, onAnswer, atClose };
  let leavesPausedOut = false;
  for (;;) {
    const options = { ...asked, leavesPausedOut, onProgress: app.progress };
    // Another process may finish the council meanwhile.
    const ticks = (await tickUntilIdle(ports, options).catch(ignoreCodes('unknown_council'))) ?? [];
    const archived = ticks.find((done) => done.conversationId === conversationId && done.archive !== null);
    if (archived?.archive) return { kind: 'archived', path: archived.archive };
    const stored = await watch.read();
    if (!stored) return { kind: 'archived', path: undefined };
    const snapshot = await readCouncil(ports, name);
    const now = snapshot.council.state;
    if (now.conversationId !== conversationId) return { kind: 'archived', path: undefined };
    if (stopsWhenHeld && isHeld(now)) return { kind: 'held', ...snapshot };
    if (signal.aborted) throw createInterruptedError(resume);
    if (await voices.ask(now)) continue;
    const paused = await findPausedAgents(ports.health, now);
    leavesPausedOut = !leavesPausedOut && awaitsOnlyBrokenAgents(now, paused);
    if (leavesPausedOut) continue;
    const others = await findAwaitedElsewhere(workspace, ports.agents, now);
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

/** Finds the council to continue. With a question, only one with exactly the name that a new council would get. */
async function findCouncilToResume(workspace: Workspace, input: RunInput): Promise<CouncilState | undefined> {
  if (!input.resume) return undefined;
  const isNewWelcome = input.topic !== undefined || input.brief !== undefined;
  const name = isNewWelcome ? (input.name ?? DEFAULT_NAME) : await resolveCouncilName(workspace, input.name);
  if (!isNewWelcome) return (await readCouncil(workspace.ports, name)).council.state;
  return (await workspace.store.read(name)) && (await readCouncil(workspace.ports, name)).council.state;
}

/** Loads the agents of a resumed council from their current files. */
const listSeatedAgents = (state: CouncilState, { agents }: HeartbeatPorts): Agent[] => {
  const own = state.coordinator === null ? [] : listRunnerIds(state, state.coordinator);
  return [...new Set([...state.order, ...own])].flatMap((id) => agents.find(id) ?? []);
};
