// Answers the messages of one turn for an agent: launches its program, posts the answer, and acknowledges.
import type { SpeakResult } from '../../../core/agents/runners/turn-types.ts';
import { decodeText } from '../../../core/base/text.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { ANSWERS, removeDuplicateMessages } from '../channel.ts';
import type { Draft, Posted } from '../channel.ts';
import { release } from '../mailbox.ts';
import { findNewestMessages } from '../message-service.ts';
import type { MessageService } from '../message-service.ts';
import { buildAnswerDraft } from '../policy.ts';
import { describeKept } from '../../../core/app/app.ts';
import { settle, markMessagesShown, findHandled } from './next-turn.ts';
import type { AnsweringContext, TurnMessage } from './next-turn.ts';
import { renderMessagePrompt, toMessageDocument } from './show-message.ts';
import { turnRegister } from '../../../core/app/permissions.ts';
import { recallNewestMemories } from '../../worker/memories.ts';

/** Number of earlier messages of the channel in the prompt. */
const RECENT = 10;

/**
 * Answers the messages of a turn; `waiting` counts those left for later turns. A message is handled once its
 * answer is in the channel: if killed before, the program runs again; if killed after, it does not.
 */
export async function answerTurn(
  answering: AnsweringContext,
  turn: readonly TurnMessage[],
  waiting: number,
): Promise<void> {
  const { presence, tell } = answering;
  for (const { message } of turn) tell({ type: 'message', message });
  await presence.setSubstate('WORKING');
  try {
    await speakAndPost(answering, turn, waiting);
  } finally {
    await presence.setSubstate('IDLE');
  }
}

async function speakAndPost(
  answering: AnsweringContext,
  turn: readonly TurnMessage[],
  waiting: number,
): Promise<void> {
  const { office, agent, channel, signal, retries, replyErrors, tell } = answering;
  const messages = turn.map(({ message }) => message);
  const prompt = await buildAnswerPrompt(answering, turn, waiting);
  let open = turn;
  let why = '';
  for (let attempt = 1; attempt <= retries + 1; attempt++) {
    const said = await launchAnsweringAgent(answering, messages, prompt);
    // Messages stay open for the next watcher. An interruption by a person is not a failed attempt.
    if (signal.aborted) return office.boxes.change(agent, channel, (mail) => release(mail, messages));
    open = await settleHandled(answering, open, said);
    if (open.length === 0) return;
    const text = decodeAnswerText(said);
    if (typeof text === 'string') return postAll(answering, open, text, attempt);
    why = text.why;
    for (const { message } of open) tell({ type: 'failed', message, why, attempt });
  }
  if (replyErrors)
    for (const asked of groupBySender(open))
      await postAnswer(office, answer(asked, agent, 'error', `No answer: ${why}`));
  const left = open.map(({ message }) => message);
  await settle(answering, left, { as: 'refused', reason: why });
}

/** Settles messages that the agent has handled itself, without sending its output. Resolves to those left. */
async function settleHandled(
  answering: AnsweringContext,
  turn: readonly TurnMessage[],
  { output }: SpeakResult,
): Promise<readonly TurnMessage[]> {
  const { office, agent, tell } = answering;
  const text = output.toString('utf8').trim();
  const open: TurnMessage[] = [];
  for (const asked of turn) {
    const { message } = asked;
    const as = await findHandled(answering, message);
    if (as === undefined) {
      open.push(asked);
      continue;
    }
    await settle(answering, [message], { as: 'acknowledged' });
    if (text !== '') await office.record('unsent', message, { agent, text });
    tell({ type: 'handled', message, as, unsent: text !== '' });
  }
  return open;
}

/** Posts one answer per sender, to its last message; it lists the others. */
async function postAll(
  answering: AnsweringContext,
  turn: readonly TurnMessage[],
  text: string,
  attempt: number,
): Promise<void> {
  const { office, agent, tell } = answering;
  for (const asked of groupBySender(turn)) {
    const messages = asked.map(({ message }) => message);
    const posted = await postAnswer(office, answer(asked, agent, 'response', text));
    const isPosted = 'id' in posted;
    for (const message of messages) {
      if (isPosted) await office.record('answered', message, { agent });
      tell(
        isPosted
          ? { type: 'answered', message, id: posted.id }
          : { type: 'failed', message, why: posted.why, attempt },
      );
    }
    // Another answer would be refused as well.
    await settle(
      answering,
      messages,
      isPosted ? { as: 'acknowledged' } : { as: 'refused', reason: posted.why },
    );
  }
}

const groupBySender = (turn: readonly TurnMessage[]): TurnMessage[][] => [
  ...Map.groupBy(turn, ({ message }) => message.from).values(),
];

function answer(asked: readonly TurnMessage[], by: string, kind: string, body: string): Draft {
  const others = asked.slice(0, -1).map(({ message }) => message.id);
  const { message, place } = asked.at(-1)!;
  const hops = Math.max(...asked.map((one) => one.place.hops));
  const draft = buildAnswerDraft(message, { ...place, hops }, { by, kind, body });
  return others.length === 0 ? draft : { ...draft, extra: { ...draft.extra, [ANSWERS]: others } };
}

/** Posts an answer, unless the roles forbid it: then the text is kept. */
async function postAnswer(office: MessageService, draft: Draft): Promise<Posted | { why: string }> {
  try {
    return await office.post(draft);
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'forbidden') throw error;
    const { kept } = error.details;
    return { why: [error.message, kept === undefined ? '' : describeKept(kept)].join(' ').trim() };
  }
}

async function buildAnswerPrompt(
  { office, agent, channel, program, project, lang }: AnsweringContext,
  turn: readonly TurnMessage[],
  waiting: number,
): Promise<string> {
  const messages = turn.map(({ message }) => message);
  const ids = new Set(messages.map(({ id }) => id));
  const before = messages
    .map(({ name }) => name)
    .sort()
    .at(-1)!;
  const is = ({ id }: Posted): boolean => !ids.has(id);
  const recent = await findNewestMessages(office, channel, { limit: RECENT, before, is });
  const answered = turn.flatMap((one) => (one.answered && is(one.answered) ? [one.answered] : []));
  const memories = await recallNewestMemories(project, agent);
  if (program.input === 'json')
    return JSON.stringify({
      agent,
      memories,
      message: toMessageDocument(messages.at(-1)!),
      messages: messages.map(toMessageDocument),
      waiting,
      answers: answered[0] ? toMessageDocument(answered.at(-1)!) : null,
      recent: recent.map(toMessageDocument),
    });
  const persona = program.runner === 'command' ? program.persona : '';
  return renderMessagePrompt({
    agent,
    persona,
    memories,
    channel,
    messages,
    answered: removeDuplicateMessages(answered),
    recent,
    waiting,
    lang,
  });
}

async function launchAnsweringAgent(
  answering: AnsweringContext,
  messages: readonly Posted[],
  input: string,
): Promise<SpeakResult> {
  const { program, agent, channel, env, signal } = answering;
  const { root } = answering.project;
  const { createRunner } = await import('../../../core/agents/runners/runner.ts');
  answering.requireWord(program);
  return createRunner(program).speak({
    agent: program,
    input,
    system: program.runner === 'command' ? '' : program.persona,
    turn: {
      register: turnRegister({ env }, root),
      agent,
      work: { kind: 'message', message: messages.at(-1)!.id, channel },
    },
    toolServers: [],
    cwd: root,
    env,
    extraEnv: {
      COUNCIL_ROOT: root,
      COUNCIL_AGENT: agent,
      COUNCIL_PARTICIPANT: agent,
      COUNCIL_CHANNEL: channel,
      COUNCIL_MESSAGE_ID: messages.at(-1)!.id,
    },
    signal,
    maxOutput: program.maxOutput,
    // Only now has the turn really begun.
    onSpawn: () => markMessagesShown(answering, messages),
  });
}

function decodeAnswerText({ ok, output, reason }: SpeakResult): string | { why: string } {
  if (!ok) return { why: reason ?? 'unknown' };
  try {
    return decodeText(output, 'The answer').trim();
  } catch (error) {
    if (error instanceof CouncilError) return { why: error.message };
    throw error;
  }
}
