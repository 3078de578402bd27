// Launches controls during CHALLENGE: each program reconsiders its own answer. Nothing waits for them.
import pLimit from 'p-limit';
import type { Agent } from '../agents/agent.ts';
import { CouncilError } from '../base/errors.ts';
import { checkText } from '../council/document/contribution.ts';
import { readForm } from '../council/ledger/text/form.ts';
import { listMissingControls } from '../council/machine/control.ts';
import type { ControlAnswer } from '../council/machine/control.ts';
import { transition } from '../council/machine/transition.ts';
import { normalisePosition, findSameOption } from '../council/state/ballot.ts';
import { getSeat } from '../council/state/state.ts';
import type { Council } from '../council/state/state.ts';
import { amendCouncil } from '../council/use/commit-change.ts';
import { nameControl } from '../council/use/read-spools.ts';
import type { EndedControl } from '../council/use/read-spools.ts';
import { isOverOrClosing } from '../council/use/council-access.ts';
import type { Snapshot } from '../council/use/council-access.ts';
import { readVerdict } from '../council/use/verdict.ts';
import { blindVotes } from '../council/vote/votes.ts';
import { buildLaunchInput } from './launch/launch-input.ts';
import { estimateReservation, findBudgetShortage } from './launch/reserve.ts';
import { endControls, runningControls } from './launch/heartbeat-row.ts';
import type { RunningControl } from './launch/heartbeat-row.ts';
import { launchResult, addEstimate } from './launch/result.ts';
import type { LaunchIdentity, LaunchResult } from './launch/result.ts';
import { findUntrustedRunnable } from './launch/borrowed-runner.ts';
import type { HeartbeatPorts, TickOptions } from './ports.ts';

/** One at a time, in addition to the awaited launches: providers limit concurrent requests. */
const place = pLimit(1);

/** A program asked again for its own answer. */
interface Control {
  council: Council;
  participant: string;
  agent: Agent;
  /** Unique id of this launch. */
  launch: string;
}

/** Starts the missing controls. Resolves when they are recorded; their programs continue in the background. */
export async function beginControls(
  ports: HeartbeatPorts,
  snapshots: readonly Snapshot[],
  options: Pick<TickOptions, 'signal' | 'onProgress'>,
): Promise<void> {
  for (const { council } of snapshots) {
    // In a mode with its own reading rules, such as a review, there are no positions to reconsider.
    if (await ports.modeReading?.(council.state.mode)) continue;
    for (const participant of listMissingControls(council)) {
      const agent = ports.agents.find(participant);
      const isProgram = getSeat(council.state, participant).runner !== 'human';
      if (!agent || !isProgram || findUntrustedRunnable(ports, agent) || options.signal.aborted) continue;
      const control = { council, participant, agent, launch: ports.random.uuid() };
      const isNoted = await tellFailure(options, control, noteControl(ports, control));
      if (isNoted) runningControls.add(startControl(ports, control, options));
    }
  }
}

/** Ends controls whose council has ended in another way. */
export async function endStrayControls(ports: HeartbeatPorts): Promise<void> {
  for (const { council, conversationId } of runningControls)
    if (await isOverOrClosing(ports, council, conversationId)) await endControls(conversationId);
}

function startControl(
  ports: HeartbeatPorts,
  control: Control,
  options: Pick<TickOptions, 'signal' | 'onProgress'>,
): RunningControl {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal, ports.heart.inTouch()]);
  const { conversationId, name } = control.council.state;
  const working = place(() => runControl(ports, control, signal));
  const running: RunningControl = {
    ...{ council: name, conversationId, stop },
    done: tellFailure(options, control, working).then(() => void runningControls.delete(running)),
  };
  return running;
}

/** Reports a failed control as a warning. It leaves no answer, and the turns of participants continue. */
async function tellFailure<T>(
  { onProgress }: Pick<TickOptions, 'onProgress'>,
  { council, participant }: Control,
  doing: Promise<T>,
): Promise<T | undefined> {
  try {
    return await doing;
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    const message = `The control of ${participant} failed: ${error.message}`;
    onProgress({ type: 'warning', council: council.state.name, message });
    return undefined;
  }
}

/** Records its launch by compare-and-set; false if it comes too late, or the budget has no room. */
async function noteControl(
  ports: HeartbeatPorts,
  { council: { state }, participant, launch }: Control,
): Promise<boolean> {
  // The prompt of the open phase is longer than a control's, so this is an upper bound.
  const needed = await estimateReservation(ports, { state, participant, runner: participant });
  if (state.budget && !needed) return false;
  const note = { action: 'control', by: null };
  const { result } = await amendCouncil(ports, state.name, note, async (now) => {
    if (now.state.conversationId !== state.conversationId) return { result: false };
    if (needed && (await findBudgetShortage(ports, now.state, needed))) return { result: false };
    const reserves = needed && { ...needed, lease: launch };
    const event = { type: 'control', participant, launch, reserves } as const;
    const noted = transition(now, event, ports.clock.now());
    return noted.ok ? { next: noted.council, result: true } : { result: false };
  });
  return result;
}

/** Asks the program under a separate turn name, and stores its answer in the private folder. */
async function runControl(ports: HeartbeatPorts, control: Control, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { council, launch } = control;
  const result = await askControl(ports, control, signal);
  if (result.cancelled || signal.aborted) return;
  const kept: EndedControl = { answer: readAnswer(control, result), usage: result.record };
  const bytes = Buffer.from(JSON.stringify(kept));
  await ports.privateFiles.write(council.state.conversationId, nameControl(launch), bytes);
}

async function askControl(
  ports: HeartbeatPorts,
  { council: { state }, participant, agent: own, launch: id }: Control,
  signal: AbortSignal,
): Promise<LaunchResult> {
  const launch: LaunchIdentity = { state, participant, lease: { id } };
  const { view, persona, system } = await buildLaunchInput(ports, launch, { isControl: true });
  const agent = { ...own, persona };
  const input = agent.input === 'json' ? JSON.stringify(view) : view.prompt;
  const createRunner = ports.createRunner ?? (await import('../agents/runners/runner.ts')).createRunner;
  const { conversationId, tour, name } = state;
  const told = await createRunner(agent).speak({
    ...{ agent, input, system, signal, toolServers: [], cwd: ports.root, env: ports.env, extraEnv: {} },
    turn: {
      register: ports.turns,
      agent: `control-${id.slice(0, 8)}`,
      work: { kind: 'council', council: name, conversationId, tour },
    },
    // By now, the others' answers are in the project.
    reads: false,
    maxOutput: agent.maxOutput,
    hasForm: (text) => readForm(text).fields.length > 0,
    // The program ends with this process; no other process resumes it.
    onSpawn: () => Promise.resolve(),
  });
  const sizes = { input: Buffer.byteLength(input) + Buffer.byteLength(system), output: told.output.length };
  const result = addEstimate(ports, launch, launchResult(ports, launch, told), sizes);
  return { ...result, record: result.record && { ...result.record, control: true } };
}

function readAnswer({ council, participant }: Control, result: LaunchResult): ControlAnswer {
  const { record, ok, output, safeReason } = result;
  const { at = '', model = null } = record ?? {};
  const said = { participant, at, model };
  const none = { ...said, text: null, position: null, moved: null };
  if (!ok) return { ...none, failed: safeReason ?? '' };
  try {
    const text = checkText(output);
    const { options } = council.state.rules;
    const { verdict } = readVerdict(text, { agree: false, done: false, block: [] }, [], options !== null);
    const stated = verdict.position;
    const position = stated === null || !options ? stated : (findSameOption(stated, options) ?? null);
    const blind = blindVotes(council).find(({ by }) => by === participant)?.position ?? null;
    const isRead = position !== null && blind !== null;
    const moved = isRead ? normalisePosition(position) !== normalisePosition(blind) : null;
    return { ...said, text, position, moved };
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    return { ...none, failed: error.message };
  }
}
