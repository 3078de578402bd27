// A message as a document for `--json` and tools, and in the prompt of the agent that answers it.
import type { Posted } from '../channel.ts';
import { createFence, toOneLine } from '../../../core/base/text.ts';
import { fill, loadWords } from '../../../core/base/words/words.ts';
import type { Language } from '../../../core/base/words/words.ts';
import type { Memory } from '../../../core/store/agent-memory.ts';

export type MessageDocument = ReturnType<typeof toMessageDocument>;

export function toMessageDocument(message: Posted) {
  const { id, time, from, to, channel, kind, body, code, artifacts, replyTo } = message;
  return {
    id,
    time,
    from,
    to,
    channel,
    type: kind,
    priority: message.priority ?? 'normal',
    text: body ?? '',
    code: code ?? null,
    artifacts: artifacts ?? [],
    replyTo: replyTo ?? null,
  };
}

/** Maximum length of an earlier message in the prompt; those to be answered are complete. */
const MOST_OF_EARLIER = 2000;

interface MessagePromptInput {
  agent: string;
  /** Empty if the program gets it separately. */
  persona: string;
  /** The agent's memories, newest first. */
  memories: readonly Memory[];
  channel: string;
  /** In the order in which they are to be handled. */
  messages: Posted[];
  answered: Posted[];
  /** Earlier messages, oldest first. */
  recent: Posted[];
  /** The number of messages left for later turns. */
  waiting: number;
  lang: Language;
}

/** Builds the whole prompt. All text from others is in a fence that occurs nowhere in it. */
export function renderMessagePrompt(material: MessagePromptInput): string {
  const { agent, persona, memories, channel, messages, answered, recent, waiting, lang } = material;
  const { message: words } = loadWords(lang);
  const count = messages.length;
  const isOne = count === 1;
  const fenced = createFence(
    [agent, ...messages.map(({ id }) => id)],
    JSON.stringify([persona, memories, messages, answered, recent]),
  );
  const renderMessage = (one: Posted, most = Infinity): string => {
    const { from, to, time, id, body = '', code, artifacts = [] } = one;
    const head = fill(words.from, {
      from: toOneLine(from, 64),
      to: toOneLine(to, 64),
      time: toOneLine(time, 40),
      id: toOneLine(id, 120),
    });
    const parts = [body, ...(code === undefined ? [] : [code]), ...artifacts];
    return `${head}\n${fenced(truncateWithNote(parts.join('\n\n'), most, words.cut))}`;
  };
  const earlier = recent.filter(({ id }) => !answered.some((one) => one.id === id));
  const section = (heading: string, texts: string[]): string[] =>
    texts.length === 0 ? [] : [`## ${heading}`, ...texts];
  return [
    ...(persona === '' ? [] : [persona]),
    fill(isOne ? words.to : words.toMany, { agent, channel, count }),
    ...(waiting > 0 ? [fill(words.waiting, { count: waiting })] : []),
    fill(words.fenceNote, { marker: fenced.marker }),
    ...section(
      words.memories,
      memories.map(({ type, content }) => fenced(`${type}: ${content}`)),
    ),
    ...section(
      words.recent,
      earlier.map((one) => renderMessage(one, MOST_OF_EARLIER)),
    ),
    ...section(
      isOne ? words.answers : words.answersOfMany,
      answered.map((one) => renderMessage(one, MOST_OF_EARLIER)),
    ),
    ...section(
      isOne ? words.message : words.messages,
      messages.map((one) => renderMessage(one)),
    ),
    isOne ? words.task : words.taskOfMany,
    '',
  ].join('\n\n');
}

function truncateWithNote(text: string, most: number, note: string): string {
  const more = text.length - most;
  return more > 0 ? `${text.slice(0, most).toWellFormed()}\n${fill(note, { count: more })}` : text;
}
