// What an agent is given to answer a message: the channel, the thread, the message, and what is wanted.
import { fenceFor } from '../../base/fence.ts';
import { oneLine } from '../../base/text.ts';
import { fill, wordsFor } from '../../base/words/words.ts';
import type { Language } from '../../base/words/words.ts';
import type { Posted } from '../../messages/channel.ts';

/** The most characters of an earlier message; the one that is to be answered is whole. */
const MOST_OF_EARLIER = 2000;

interface Material {
  agent: string;
  /** Empty where the program has a place of its own for it. */
  persona: string;
  message: Posted;
  /** What it answers. */
  answered: Posted | undefined;
  /** What was said before, the oldest first. */
  recent: Posted[];
  lang: Language;
}

/** The whole prompt. Everything that others wrote stands in a fence that none of it contains. */
export function messagePrompt({ agent, persona, message, answered, recent, lang }: Material): string {
  const { message: words } = wordsFor(lang);
  const fenced = fenceFor([agent, message.id], JSON.stringify([persona, message, answered, recent]));
  const told = (one: Posted, most = Infinity): string => {
    const { from, to, time, id, body = '', code, artifacts = [] } = one;
    const head = fill(words.from, {
      from: oneLine(from, 64),
      to: oneLine(to, 64),
      time: oneLine(time, 40),
      id: oneLine(id, 120),
    });
    const parts = [body, ...(code === undefined ? [] : [code]), ...artifacts];
    return `${head}\n${fenced(cut(parts.join('\n\n'), most, words.cut))}`;
  };
  const earlier = recent.filter(({ id }) => id !== answered?.id);
  const section = (heading: string, texts: string[]): string[] =>
    texts.length === 0 ? [] : [`## ${heading}`, ...texts];
  return [
    ...(persona === '' ? [] : [persona]),
    fill(words.to, { agent, channel: message.channel }),
    fill(words.fenceNote, { marker: fenced.marker }),
    ...section(
      words.recent,
      earlier.map((one) => told(one, MOST_OF_EARLIER)),
    ),
    ...section(words.answers, answered ? [told(answered, MOST_OF_EARLIER)] : []),
    ...section(words.message, [told(message)]),
    words.task,
    '',
  ].join('\n\n');
}

function cut(text: string, most: number, note: string): string {
  const more = text.length - most;
  return more > 0 ? `${text.slice(0, most).toWellFormed()}\n${fill(note, { count: more })}` : text;
}
