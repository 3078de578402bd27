// Answers one message for an agent: launches its program, posts what it says, and acknowledges.
import type { Agent } from '../../agents/agent.ts';
import type { SpeakResult } from '../../agents/runners/speak.ts';
import { decodeText } from '../../base/text.ts';
import { CouncilError } from '../../base/errors.ts';
import type { Language } from '../../base/words/words.ts';
import { secondOf } from '../../messages/channel.ts';
import type { Draft, Posted } from '../../messages/channel.ts';
import { handle, show } from '../../messages/mailbox.ts';
import type { Handled } from '../../messages/mailbox.ts';
import { findMessage, newestOf } from '../../messages/office.ts';
import type { Office } from '../../messages/office.ts';
import { answerTo, placeOf, WATCH_LIMITS, whyNotAnswered } from '../../messages/watch-rules.ts';
import type { Place } from '../../messages/watch-rules.ts';
import { toldKept } from '../app.ts';
import type { Kept } from '../app.ts';
import type { KeptPresence } from './keep-presence.ts';
import { messagePrompt } from './message-prompt.ts';
import { messageDocument } from './message-document.ts';

/** What a watcher tells: that it waits, what came, and what it did with it. */
export type WatcherNews =
  | { type: 'watching'; agent: string; channel: string }
  | { type: 'message'; message: Posted }
  | { type: 'answered'; message: Posted; id: string }
  | { type: 'skipped'; message: Posted; why: string }
  | { type: 'failed'; message: Posted; why: string; attempt: number };

/** What a watcher works with. */
export interface Answering {
  office: Office;
  program: Agent;
  agent: string;
  lang: Language;
  retries: number;
  replyErrors: boolean;
  root: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  presence: KeptPresence;
  tell(news: WatcherNews): void;
  /** Throws `untrusted`. */
  requireWord(agent: Agent): void;
}

/** Messages of the channel that are shown beside the one to be answered. */
const RECENT = 10;

/**
 * Answers a message, or says why not. It counts as handled when its answer is in the channel: whoever is killed before that
 * runs the program once more, whoever is killed after it does not.
 */
export async function answerMessage(answering: Answering, message: Posted): Promise<void> {
  const { office, agent, presence, tell } = answering;
  const earlier = await answerIn(office, agent, message);
  if (earlier) return settle(answering, message, { as: 'acknowledged' });
  const answered = message.replyTo === undefined ? undefined : await findMessage(office, message.replyTo);
  const place = placeOf(message, answered);
  const why = whyNotAnswered(message.kind, place, await repliesIn(office, agent, message, place));
  if (why !== undefined) {
    tell({ type: 'skipped', message, why });
    return settle(answering, message, { as: 'acknowledged', reason: why });
  }
  tell({ type: 'message', message });
  await presence.is('WORKING');
  try {
    await speakAndPost(answering, message, answered, place);
  } finally {
    await presence.is('IDLE');
  }
}

async function speakAndPost(
  answering: Answering,
  message: Posted,
  answered: Posted | undefined,
  place: Place,
): Promise<void> {
  const { office, agent, signal, retries, replyErrors, tell } = answering;
  const prompt = await promptFor(answering, message, answered);
  let why = '';
  for (let attempt = 1; attempt <= retries + 1; attempt++) {
    const said = await speak(answering, message, prompt);
    // Nothing is settled: whoever watches next answers it.
    if (signal.aborted) return;
    const text = textOf(said);
    if (typeof text === 'string') {
      const posted = await postAnswer(
        office,
        answerTo(message, place, { by: agent, kind: 'response', body: text }),
      );
      if ('id' in posted) {
        await office.record('answered', message, { agent });
        tell({ type: 'answered', message, id: posted.id });
        return settle(answering, message, { as: 'acknowledged' });
      }
      // Another answer would be refused as well.
      tell({ type: 'failed', message, why: posted.why, attempt });
      return settle(answering, message, { as: 'refused', reason: posted.why });
    }
    why = text.why;
    tell({ type: 'failed', message, why, attempt });
  }
  if (replyErrors)
    await postAnswer(
      office,
      answerTo(message, place, { by: agent, kind: 'error', body: `No answer: ${why}` }),
    );
  await settle(answering, message, { as: 'refused', reason: why });
}

/** Adds an answer, unless the roles forbid it: the text is kept then. */
async function postAnswer(office: Office, draft: Draft): Promise<Posted | { why: string }> {
  try {
    return await office.post(draft);
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'forbidden') throw error;
    const { kept } = error.details as { kept?: Kept };
    return { why: [error.message, kept === undefined ? '' : toldKept(kept)].join(' ').trim() };
  }
}

async function promptFor(
  { office, agent, program, lang }: Answering,
  message: Posted,
  answered: Posted | undefined,
): Promise<string> {
  const before = await newestOf(office, message.channel, {
    limit: RECENT,
    before: message.name,
    is: () => true,
  });
  if (program.input === 'json')
    return JSON.stringify({
      agent,
      message: messageDocument(message),
      answers: answered ? messageDocument(answered) : null,
      recent: before.map(messageDocument),
    });
  const persona = program.runner === 'command' ? program.persona : '';
  return messagePrompt({ agent, persona, message, answered, recent: before, lang });
}

async function speak(answering: Answering, message: Posted, input: string): Promise<SpeakResult> {
  const { program, agent, root, env, signal } = answering;
  const { runnerFor } = await import('../../agents/runners/runner.ts');
  answering.requireWord(program);
  return runnerFor(program).speak({
    agent: program,
    input,
    system: program.runner === 'command' ? '' : program.persona,
    toolServers: [],
    cwd: root,
    env,
    extraEnv: {
      COUNCIL_ROOT: root,
      COUNCIL_AGENT: agent,
      COUNCIL_PARTICIPANT: agent,
      COUNCIL_CHANNEL: message.channel,
      COUNCIL_MESSAGE_ID: message.id,
    },
    signal,
    maxOutput: program.maxOutput,
    // Only now has a turn really begun.
    onSpawn: () => shown(answering, message),
  });
}

async function shown({ office, agent }: Answering, message: Posted): Promise<void> {
  const at = new Date(office.clock.now()).toISOString();
  let isFirst = false;
  await office.boxes.change(agent, message.channel, (mail) => {
    const next = show(mail, [message], at);
    isFirst = next !== undefined;
    return next;
  });
  if (isFirst) await office.record('delivered', message, { agent });
}

function textOf({ ok, output, reason }: SpeakResult): string | { why: string } {
  if (!ok) return { why: reason ?? 'unknown' };
  try {
    return decodeText(output, 'The answer').trim();
  } catch (error) {
    if (error instanceof CouncilError) return { why: error.message };
    throw error;
  }
}

/** The agent's own answer to a message, from a watcher that came no further. */
async function answerIn(office: Office, agent: string, message: Posted): Promise<Posted | undefined> {
  const mail = await office.boxes.read(agent, message.channel);
  if (!Object.hasOwn(mail.shown, message.id)) return undefined;
  const is = (one: Posted): boolean => one.replyTo === message.id && one.from === agent;
  return (await newestOf(office, message.channel, { limit: 1, from: message.name, is }))[0];
}

/** How many answers the agent has given in this conversation within the last hour. */
async function repliesIn(office: Office, agent: string, { channel }: Posted, place: Place): Promise<number> {
  const own = await newestOf(office, channel, {
    limit: WATCH_LIMITS.replies,
    from: secondOf(office.clock.now() - WATCH_LIMITS.windowMs),
    is: (one) => one.from === agent && placeOf(one, undefined).thread === place.thread,
  });
  return own.length;
}

async function settle(
  { office, agent }: Answering,
  message: Posted,
  how: Pick<Handled, 'as' | 'reason'>,
): Promise<void> {
  const at = new Date(office.clock.now()).toISOString();
  let isFirst = false;
  await office.boxes.change(agent, message.channel, (mail) => {
    const next = handle(mail, [message], { ...how, at });
    isFirst = next !== undefined;
    return next;
  });
  const { as, reason } = how;
  if (isFirst) await office.record(as, message, { agent, ...(as === 'refused' && reason && { reason }) });
}
