// Use case `watch-channel`: has a program answer the messages to an agent.
import { parseAgent } from '../../../core/agents/agent.ts';
import type { Agent } from '../../../core/agents/agent.ts';
import { repeatWhenDue } from '../../../core/heartbeat/launch/rest.ts';
import { CouncilError, describeThrown } from '../../../core/base/errors.ts';
import { runInSpan } from '../../../core/base/trace.ts';
import { wakes, listAgentGroups } from '../addressing.ts';
import { GENERAL } from '../channel.ts';
import type { Posted } from '../channel.ts';
import { sortQueue } from '../delivery.ts';
import { listWaitingMessages } from '../message-service.ts';
import type { MessageService } from '../message-service.ts';
import { isAlive, identifyThisProcess } from '../../../core/store/local/liveness.ts';
import type { App } from '../../../core/app/app.ts';
import type { WatchChannelInput } from '../../input/messages.ts';
import { loadConfig, openWorkspace, loadAgents } from '../../../core/app/workspace.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import type { AnsweringContext, WatcherNews, TurnMessage } from './next-turn.ts';
import { answerTurn } from './answer-turn.ts';
import { keepPresence } from './presence.ts';
import { claimNextTurn } from './next-turn.ts';
import { lookUntilFound } from './channel.ts';
import { loadMailDirectory, makeRounds, openOffice } from './open-office.ts';
import { buildAgentRunnable } from '../../../core/agents/runnable-trust.ts';
import { createTrustChecks } from '../../../core/app/trust.ts';

/** Number of waiting messages read at once; then the queue is read again. */
const BATCH = 200;

/**
 * Answers until interrupted; returns no document. Throws like `selectWatcherProgram`, and `failed` if the
 * agent has a watcher already.
 */
export async function watchChannel(
  app: App,
  input: WatchChannelInput,
  tell: (news: WatcherNews) => void,
): Promise<void> {
  const workspace = openWorkspace(app);
  const program = await selectWatcherProgram(app, workspace, input);
  const { lang } = await loadConfig(app, workspace, {});
  const office = await openOffice(app, workspace);
  const { agent, channel = GENERAL, retries, replyErrors } = input;
  const signal = app.interruption();
  await takeOver(office, agent, channel);
  const presence = await keepPresence(workspace.keeping.presences(), { agent, channel }, office.warn);
  const answering: AnsweringContext = {
    office,
    program,
    agent,
    channel,
    lang,
    retries,
    replyErrors,
    project: workspace.project,
    env: app.env,
    signal,
    startedAt: app.startedAt,
    presence,
    threads: new Map(),
    tell,
    requireWord: (asked: Agent) => requireWord(app, workspace, asked),
  };
  try {
    tell({ type: 'watching', agent, channel });
    const round = async (): Promise<number | undefined> => {
      office.directory = await loadMailDirectory(app, workspace);
      return makeRounds(office, [channel]);
    };
    await watchUntilAborted(answering, round, () => answerAll(answering));
  } finally {
    await presence.end();
    await giveBack(office, agent, channel);
  }
}

/** Answers all waiting messages, the most urgent first. */
async function answerAll(answering: AnsweringContext): Promise<void> {
  const { office, agent, channel, signal } = answering;
  while (!signal.aborted) {
    const groups = listAgentGroups(office.directory, agent);
    const { passed } = await office.boxes.read(agent, channel);
    const is = (message: Posted): boolean =>
      wakes(agent, message, groups) || Object.hasOwn(passed, message.id);
    const { messages, total } = await listWaitingMessages(office, agent, channel, { limit: BATCH, is });
    const { turn, isDone } = await claimNextTurn(answering, sortQueue(messages));
    if (turn.length > 0) await deliver(answering, turn, total - turn.length);
    else if (!isDone) return;
  }
}

const deliver = (answering: AnsweringContext, turn: TurnMessage[], waiting: number): Promise<void> => {
  const ids = turn.map(({ message }) => message.id).join(' ');
  return runInSpan('council.deliver', { 'council.message': ids, 'council.agent': answering.agent }, () =>
    answerTurn(answering, turn, waiting),
  );
};

/** Calls `look` now, at each change, and after each round: an escalated message writes no file to wake it. */
async function watchUntilAborted(
  { office, channel, signal }: AnsweringContext,
  round: () => Promise<number | undefined>,
  look: () => Promise<void>,
): Promise<void> {
  let wake: () => void = () => undefined;
  const finished = new AbortController();
  const roundAndLook = async (): Promise<number | undefined> => {
    const due = await round().catch((error: unknown) => void office.warn(describeThrown(error)));
    wake();
    return due;
  };
  const rounds = repeatWhenDue(roundAndLook, AbortSignal.any([signal, finished.signal]));
  const watch = (wakeUp: () => void): (() => void) => office.log.watch(channel, (wake = wakeUp));
  try {
    await lookUntilFound<never>(watch, async () => void (await look()), signal);
  } finally {
    finished.abort();
    await rounds;
  }
}

/** Registers the watcher: two for one agent would answer everything twice. */
async function takeOver({ boxes }: MessageService, agent: string, channel: string): Promise<void> {
  const me = identifyThisProcess();
  await boxes.change(agent, channel, (mail) => {
    const other = mail.watcher;
    if (other && isAlive(other) !== false && other.pid !== me.pid)
      throw new CouncilError(
        'failed',
        `${agent} is answered for in "${channel}" already, by process ${other.pid} on ${other.host}.`,
        {
          hint: 'See: council who. A process on a machine that is gone is forgotten with the file memory/shared/.versions/.mail.',
        },
      );
    return { ...mail, watcher: me };
  });
}

const giveBack = ({ boxes }: MessageService, agent: string, channel: string): Promise<void> =>
  boxes.change(agent, channel, ({ watcher, ...mail }) => (watcher?.pid === process.pid ? mail : undefined));

/**
 * Selects the program to launch. A command typed by a person needs no trust, one of the project
 * does. Throws `forbidden` within a turn, `untrusted`, `unknown_agent`, and `usage` for a person.
 */
async function selectWatcherProgram(
  app: App,
  workspace: Workspace,
  { agent: id, command, timeout }: WatchChannelInput,
): Promise<Agent> {
  const registry = await loadAgents(app, workspace);
  const overrideTimeout = (found: Agent): Agent => (timeout === undefined ? found : { ...found, timeout });
  if (command.length > 0) {
    const plain = parseAgent(`---\nname: ${id}\n---\n`, 'the command line', 'user');
    const { persona = '', title = id, env = [] } = registry.find(id) ?? {};
    return overrideTimeout({ ...plain, persona, title, env, runner: 'command', command });
  }
  const agent = registry.require(id);
  const runnable = buildAgentRunnable(agent);
  if (!runnable)
    throw new CouncilError('usage', `${id} is a person: no program answers for them.`, {
      hint: `Name one: council watch-channel ${id} -- COMMAND. Or read the messages: council inbox ${id}`,
    });
  requireWord(app, workspace, agent);
  return overrideTimeout(agent);
}

/** Checked before each launch, because trust may be withdrawn at any time. Throws `untrusted`. */
function requireWord(app: App, { project }: Workspace, agent: Agent): void {
  const runnable = agent.path === 'the command line' ? undefined : buildAgentRunnable(agent);
  if (!runnable || createTrustChecks(app, project.root).mayRun(runnable)) return;
  throw new CouncilError('untrusted', `Nobody has trusted what would run for ${agent.id}: ${runnable.runs}`, {
    hint: 'Look at it first. Then: council trust',
  });
}
