// Asks a participant's program for one text, and records the result in a spool.
import { readForm } from '../../council/ledger/text/form.ts';
import type { SpeakResult } from '../../agents/runners/turn-types.ts';
import { CouncilError, getSystemCode } from '../../base/errors.ts';
import { readToken } from '../../council/use/participant-tokens.ts';
import { isOverOrClosing } from '../../council/use/council-access.ts';
import { canRead } from '../../agents/runner-kind.ts';
import { measureBeginning, planPromptCache } from './prompt-cache.ts';
import type { PromptToAsk } from './prompt-cache.ts';
import {
  addEstimate,
  rejectEmptyAnswer,
  launchResult,
  createNotLaunchedResult,
  getRunnerId,
} from './result.ts';
import type { Launch, LaunchResult, PromptSize } from './result.ts';
import { storeLog } from './launch-log.ts';
import type { LaunchPorts } from './ports.ts';
import { waitUnlessAborted } from './rest.ts';
import { WAITS_FOR_TRUST, findUntrustedRunnable } from './borrowed-runner.ts';
import { buildLaunchInput } from './launch-input.ts';
import type { LaunchQuestion } from './launch-input.ts';
import { keepSession, openSession, subtractEarlierUsage, dropUnusedSession } from './session.ts';
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
    return createNotLaunchedResult('config', error.message);
  }
  // Not a failed attempt: the lease is released as after an interruption.
  if (!told) return createNotLaunchedResult('cancelled', WAITS_FOR_TRUST);
  if (await isInterrupted(ports, launch, told, question.signal))
    told = { ...told, cancelled: true, failure: 'cancelled' };
  const sizes = { input: told.asked, output: told.output.length };
  const ended = launchResult(ports, launch, told, question.again?.after, told.prompt);
  const result = addEstimate(ports, launch, await rejectEmptyAnswer(ended), sizes);
  await question.spool.write(result);
  await storeLog(ports.privateFiles, launch, result);
  return result;
}

/** The agent, mode or template does not exist: a second attempt would not help. */
export const isMisconfigured = (error: unknown): error is CouncilError =>
  error instanceof CouncilError && error.exitCode === 2;

/** The result of a launch with the bytes sent and, for a model, how many of them were sent before. */
type LaunchReply = SpeakResult & { asked: number; prompt?: PromptSize };

/** Sends the view, or what the answer lacks, and returns the reply; undefined if the agent is not trusted now. */
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
  return useWholeTexts(listWholeTexts(view.contributions, whole.view.contributions), async (wholeTexts) => {
    const shown = await buildLaunchInput(ports, launch, { refused, isShort, wholeTexts });
    return speakWithInput(ports, launch, question, { ...shown, readable: wholeTexts });
  });
}

/** The input of a launch, and the folder outside the project that it may read. */
type LaunchInput = Awaited<ReturnType<typeof buildLaunchInput>> & { readable?: string };

async function speakWithInput(
  ports: LaunchPorts,
  launch: Launch,
  { spool, signal, refused, isShort, again, goesOn = false, onBegin }: LaunchQuestion,
  { council, view, persona, system, own: file, readable }: LaunchInput,
): Promise<LaunchReply | undefined> {
  const asked = { ...file, persona };
  const left = Date.parse(council.state.timeoutAt) - ports.clock.now();
  const timeout = again?.timeout ?? Math.min(asked.timeout, roundUpToSeconds(left));
  const agent = { ...asked, timeout };
  const identity = await buildTurnIdentity(ports, launch);
  const createRunner = ports.createRunner ?? (await import('../../agents/runners/runner.ts')).createRunner;
  const { identifyProcess } = await import('../../store/local/liveness.ts');
  // Last check, of exactly the agent being launched: the owner may have revoked the trust meanwhile.
  if (findUntrustedRunnable(ports, agent)) return undefined;
  // An addition must come back as text: through the tools it would be taken for the whole answer.
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
    // Only requests made by council itself are marked.
    ...(isWhole &&
      agent.runner === 'model' && { beginnings: planPromptCache(toAsk, { now: ports.clock.now(), goesOn }) }),
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
  const own = subtractEarlierUsage(answered, session?.before);
  const told = resume === null ? own : dropUnusedSession(own);
  const bytes = Buffer.byteLength(sent) + Buffer.byteLength(system);
  // It is unknown whether a plain command calls a model.
  if (agent.runner === 'command') return { ...told, asked: bytes };
  return {
    ...told,
    asked: bytes,
    prompt: isWhole && resume === null ? measureBeginning(toAsk) : { bytes, cacheable: 0 },
  };
}

/** A shutdown sends SIGTERM to all processes: to the program first, a moment later to its owner. */
const SAME_SHUTDOWN_MS = 200;

/**
 * Whether a program failed because its owner is being ended, or its council was cancelled, possibly by another
 * process: that says nothing about the program.
 */
async function isInterrupted(
  ports: LaunchPorts,
  { state: { name, conversationId } }: Launch,
  { ok, signal: endedBy }: SpeakResult,
  signal: AbortSignal,
): Promise<boolean> {
  if (ok) return false;
  if (endedBy !== null && !signal.aborted) await waitUnlessAborted(SAME_SHUTDOWN_MS, signal);
  return signal.aborted || (await isOverOrClosing(ports, name, conversationId));
}

/** Rounded up, so that the deadline has passed when the program is ended, and for readability. */
const roundUpToSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000)) * 1000;

/** Returns the variables that identify the turn and its agent for `council respond` and the tool server. */
async function buildTurnIdentity(
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

/** Returns full texts of abridged contributions, as their reader may see them, by the name of their file. */
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

/** Calls `use` with a folder (0700, files 0600) that contains these texts, and removes it afterwards. */
async function useWholeTexts<T>(
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

/** Removes only its own files: files that a program added are kept, and the folder with them. */
async function removeFolder(folder: string, names: Iterable<string>): Promise<void> {
  try {
    for (const name of names) await unlink(join(folder, name));
    await rmdir(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY'].includes(getSystemCode(error) ?? '')) throw error;
  }
}
