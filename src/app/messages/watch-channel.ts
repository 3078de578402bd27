// Use case `watch-channel`: has a program answer the messages to an agent.
import type { Agent } from '../../agents/agent.ts';
import { CouncilError } from '../../base/errors.ts';
import { traced } from '../../base/trace.ts';
import { wakes } from '../../messages/addressing.ts';
import { GENERAL } from '../../messages/channel.ts';
import type { Posted } from '../../messages/channel.ts';
import { inOrder } from '../../messages/delivery.ts';
import { waitingFor } from '../../messages/office.ts';
import type { Office } from '../../messages/office.ts';
import { isAlive, thisProcess } from '../../store/local/liveness.ts';
import type { App } from '../app.ts';
import type { WatchChannelInput } from '../input/messages.ts';
import { loadConfig, openWorkspace } from '../workspace.ts';
import { answerMessage } from './answer-message.ts';
import type { Answering, WatcherNews } from './answer-message.ts';
import { keepPresence } from './keep-presence.ts';
import { requireWord, watcherProgram } from './watcher-program.ts';
import { postOffice, presencesOf } from './ports.ts';

/** Messages that are taken on in one go; then the queue is looked at again. */
const BATCH = 50;

/** Answers until it is interrupted. It has no document. Throws like `watcherProgram`, and `failed` when somebody answers already. */
export async function watchChannel(
  app: App,
  input: WatchChannelInput,
  tell: (news: WatcherNews) => void,
): Promise<void> {
  const workspace = openWorkspace(app);
  const program = await watcherProgram(app, workspace, input);
  const { lang } = await loadConfig(app, workspace, {});
  const office = postOffice(app, workspace);
  const { agent, channel = GENERAL, retries, replyErrors } = input;
  const signal = app.interruption();
  await takeOver(office, agent, channel);
  const presence = await keepPresence(presencesOf(workspace), { agent, channel }, office.warn);
  const answering: Answering = {
    office,
    program,
    agent,
    lang,
    retries,
    replyErrors,
    root: workspace.project.root,
    env: app.env,
    signal,
    presence,
    tell,
    requireWord: (asked: Agent) => requireWord(app, workspace, asked),
  };
  try {
    tell({ type: 'watching', agent, channel });
    await untilAborted(office, channel, signal, () => answerAll(answering, channel));
  } finally {
    await presence.end();
    await giveBack(office, agent, channel);
  }
}

/** Everything that waits, the most urgent first, until nothing does. */
async function answerAll(answering: Answering, channel: string): Promise<void> {
  const { office, agent, signal } = answering;
  const is = (message: Posted): boolean => wakes(agent, message);
  while (!signal.aborted) {
    const { messages } = await waitingFor(office, agent, channel, { limit: BATCH, is });
    if (messages.length === 0) return;
    for (const message of inOrder(messages)) if (!signal.aborted) await deliver(answering, message);
  }
}

const deliver = (answering: Answering, message: Posted): Promise<void> =>
  traced('council.deliver', { 'council.message': message.id, 'council.agent': answering.agent }, () =>
    answerMessage(answering, message),
  );

/** Calls `look` now and whenever something comes, one at a time, and once more for what came meanwhile. */
async function untilAborted(
  office: Office,
  channel: string,
  signal: AbortSignal,
  look: () => Promise<void>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isLooking = false;
  let isWanted = false;
  const again = async (): Promise<void> => {
    isWanted = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (isWanted && !signal.aborted) {
        isWanted = false;
        await look();
      }
    } catch (error) {
      reject(error);
    }
    isLooking = false;
    if (signal.aborted) resolve();
  };
  const onAbort = (): void => void (isLooking || resolve());
  const stop = office.log.watch(channel, () => void again());
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    void again();
    if (signal.aborted) onAbort();
    await promise;
  } finally {
    stop();
  }
}

/** Two that answer for one agent would answer everything twice. */
async function takeOver({ boxes }: Office, agent: string, channel: string): Promise<void> {
  const me = thisProcess();
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

const giveBack = ({ boxes }: Office, agent: string, channel: string): Promise<void> =>
  boxes.change(agent, channel, ({ watcher, ...mail }) => (watcher?.pid === process.pid ? mail : undefined));
