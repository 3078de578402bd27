// Asks a participant's program for one text, and keeps how that went in a spool.
import type { SpeakResult } from '../../agents/runners/turn-types.ts';
import { CouncilError, systemCode } from '../../base/errors.ts';
import { readToken } from '../../council/use/participant-tokens.ts';
import { isCouncilOver } from '../../council/use/update-council.ts';
import { canRead } from '../../agents/runner-kind.ts';
import { measureBeginning, planBeginnings } from './beginnings.ts';
import type { PromptToAsk } from './beginnings.ts';
import { withEstimate, rejectEmptyAnswer, launchResult, notLaunched, getRunnerId } from './result.ts';
import type { Launch, LaunchResult, PromptSize } from './result.ts';
import { keepLog } from './spool.ts';
import type { LaunchPorts } from './ports.ts';
import { rest } from './rest.ts';
import { WAITS_FOR_TRUST, waitingForTrust } from './borrowed-runner.ts';
import { buildLaunchInput } from './launch-input.ts';
import type { LaunchQuestion } from './launch-input.ts';
import { keepSession, openSession, withoutEarlierUsage, withoutSession } from './session.ts';
import { mkdtemp, rmdir, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SeenContribution } from '../../council/view/visible-contributions.ts';

/** Runs the participant's program once. The order matters: group on disk, prompt, output on disk. */
export async function runParticipantProgram(
  ports: LaunchPorts,
  launch: Launch,
  question: LaunchQuestion,
): Promise<LaunchResult> {
  let told: LaunchReply | undefined;
  try {
    told = await callRunner(ports, launch, question);
  } catch (error) {
    if (!isMisconfigured(error)) throw error;
    return notLaunched('config', error.message);
  }
  // No failed attempt: the lease is given back as after an interruption.
  if (!told) return notLaunched('cancelled', WAITS_FOR_TRUST);
  if (await isInterrupted(ports, launch, told, question.signal))
    told = { ...told, cancelled: true, failure: 'cancelled' };
  const sizes = { input: told.asked, output: told.output.length };
  const ended = launchResult(ports, launch, told, question.again?.after, told.prompt);
  const result = withEstimate(ports, launch, await rejectEmptyAnswer(ended), sizes);
  await question.spool.write(result);
  await keepLog(ports.privateFiles, launch, result);
  return result;
}

/** No such agent, mode or template: that stays wrong, and there is no second attempt. */
export const isMisconfigured = (error: unknown): error is CouncilError =>
  error instanceof CouncilError && error.exitCode === 2;

/** How a launch went, how many bytes it was asked, and for a model what of them was asked before. */
type LaunchReply = SpeakResult & { asked: number; prompt?: PromptSize };

/** Shows the participant its view, or what its answer lacks, and lets its runner answer; undefined where that is no longer trusted. */
async function callRunner(
  ports: LaunchPorts,
  launch: Launch,
  question: LaunchQuestion,
): Promise<LaunchReply | undefined> {
  const { refused, isShort, again } = question;
  const input = await buildLaunchInput(ports, launch, { refused, isShort, again });
  const { council, view, own } = input;
  const mayRead = council.state.read === 'project' && canRead(own.runner) && !again;
  if (!mayRead || !view.contributions.some(({ abridged }) => abridged))
    return speakWithInput(ports, launch, question, input);
  const whole = await buildLaunchInput(ports, launch, { isWhole: true });
  return withWholeTexts(listWholeTexts(view.contributions, whole.view.contributions), async (wholeTexts) => {
    const shown = await buildLaunchInput(ports, launch, { refused, isShort, wholeTexts });
    return speakWithInput(ports, launch, question, { ...shown, readable: wholeTexts });
  });
}

/** What a launch is asked, and the folder outside of the project that it may read. */
type LaunchInput = Awaited<ReturnType<typeof buildLaunchInput>> & { readable?: string };

async function speakWithInput(
  ports: LaunchPorts,
  launch: Launch,
  { spool, signal, refused, isShort, again, goesOn = false, onBegin }: LaunchQuestion,
  { council, view, persona, system, own: file, readable }: LaunchInput,
): Promise<LaunchReply | undefined> {
  const asked = { ...file, persona };
  const left = Date.parse(council.state.timeoutAt) - ports.clock.now();
  const timeout = again?.timeout ?? Math.min(asked.timeout, wholeSeconds(left));
  const agent = { ...asked, timeout };
  const identity = await identityOfTurn(ports, launch);
  const createRunner = ports.createRunner ?? (await import('../../agents/runners/runner.ts')).createRunner;
  const { identifyProcess } = await import('../../store/local/liveness.ts');
  const { readForm } = await import('../../council/ledger/text/form.ts');
  // The last look, at the very agent that is launched: its owner may have taken the word back meanwhile.
  if (waitingForTrust(ports, agent)) return undefined;
  // What is added comes back as text: through the tools it would be taken for the whole answer.
  const servers = again ? [] : ports.toolServers;
  const input = agent.input === 'json' ? JSON.stringify(view) : view.prompt;
  const { state } = council;
  const find = (id: string) => ports.agents.find(id);
  const runner = getRunnerId(launch);
  const toAsk: PromptToAsk = { state, participant: launch.participant, runner, find, view, system };
  const isWhole = input === view.prompt && !again;
  const turn = { launch, agent, council, view };
  const session = again || refused || isShort ? undefined : await openSession(ports, turn);
  const { request: { resume = null } = {}, input: sent = input } = session ?? {};
  const answered = await createRunner(agent).speak({
    agent,
    input: sent,
    system,
    session: session?.request,
    // Only a request of council's own is marked.
    ...(isWhole &&
      agent.runner === 'model' && { beginnings: planBeginnings(toAsk, { now: ports.clock.now(), goesOn }) }),
    onBegin,
    turn: {
      register: ports.turns,
      agent: launch.participant,
      work: {
        kind: 'council',
        council: council.state.name,
        conversationId: council.state.conversationId,
        tour: council.state.tour,
      },
    },
    toolServers: servers.map((server) => ({ ...server, env: { ...server.env, ...identity } })),
    cwd: ports.root,
    reads: council.state.read === 'project',
    readable,
    env: ports.env,
    extraEnv: identity,
    signal,
    maxOutput: again?.maxOutput ?? agent.maxOutput,
    hasForm: (text) => readForm(text).fields.length > 0,
    onSpawn: async (pid) => spool.writeGroup(identifyProcess(pid)),
  });
  if (session) await keepSession(ports, turn, answered);
  const own = withoutEarlierUsage(answered, session?.before);
  const told = resume === null ? own : withoutSession(own);
  const bytes = Buffer.byteLength(sent) + Buffer.byteLength(system);
  // Whether a plain command asks a model is not known.
  if (agent.runner === 'command') return { ...told, asked: bytes };
  return {
    ...told,
    asked: bytes,
    prompt: isWhole && resume === null ? measureBeginning(toAsk) : { bytes, cacheable: 0 },
  };
}

/**
 * A shutdown of a machine or service sends SIGTERM to all processes: first to the program, a moment
 * later to its owner.
 */
const SAME_SHUTDOWN_MS = 200;

/**
 * Whether a program failed because its owner is being ended, or its council was cancelled, perhaps by another process: that says
 * nothing about the program.
 */
async function isInterrupted(
  ports: LaunchPorts,
  { state: { name, conversationId } }: Launch,
  { ok, signal: endedBy }: SpeakResult,
  signal: AbortSignal,
): Promise<boolean> {
  if (ok) return false;
  if (endedBy !== null && !signal.aborted) await rest(SAME_SHUTDOWN_MS, signal);
  return signal.aborted || (await isCouncilOver(ports, name, conversationId));
}

/** Rounded up: what the deadline ends is then over at the deadline, and reads well. */
const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000)) * 1000;

/** Whose turn it is, for what the agent starts: `council respond` and council's tool server. The token is this agent's own. */
async function identityOfTurn(
  ports: LaunchPorts,
  { state, participant }: Launch,
): Promise<Record<string, string>> {
  const token = await readToken(ports.privateFiles, state, participant);
  return {
    COUNCIL_ROOT: ports.root,
    COUNCIL_NAME: state.name,
    COUNCIL_PARTICIPANT: participant,
    COUNCIL_TOUR: String(state.tour),
    ...(token !== undefined && { COUNCIL_TOKEN: token }),
  };
}

/**
 * The contributions that `shown` has only in part, whole, as their reader may see them: texts by the name of the file that each
 * is written to.
 */
function listWholeTexts(
  shown: readonly SeenContribution[],
  whole: readonly SeenContribution[],
): Map<string, string> {
  const texts = new Map<string, string>();
  whole.forEach(({ label, tour, text }, at) => {
    if (!shown[at]?.abridged) return;
    const name = label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    texts.set(`${name}-round-${tour}-${at + 1}.md`, text);
  });
  return texts;
}

/** Calls `use` with a folder (0700, files 0600) that has these texts, and removes it afterwards. */
async function withWholeTexts<T>(
  texts: ReadonlyMap<string, string>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'council-texts-'));
  try {
    for (const [name, text] of texts) await writeFile(join(folder, name), text, { mode: 0o600, flag: 'wx' });
    return await use(folder);
  } finally {
    await removeFolder(folder, texts.keys());
  }
}

/** With its own files and no others: what a program may have put there stays, and so does the folder. */
async function removeFolder(folder: string, names: Iterable<string>): Promise<void> {
  try {
    for (const name of names) await unlink(join(folder, name));
    await rmdir(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY'].includes(systemCode(error) ?? '')) throw error;
  }
}
