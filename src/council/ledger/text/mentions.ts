// Recognizes the ids of claims and challenges in a contribution.
import { answerWords, isSettled } from './answer-words.ts';
import type { AnswerStatus } from './answer-words.ts';

/** A claim as a contribution names it: `@sage.2`, or `@b.2` where the reader knew its author as Participant B. */
export interface Mention {
  name: string;
  number: number;
}

/** Brackets and emphasis may stand around it; `@sage.2.1` and `@sage.2-b` are something else. */
const AT_START = /^[\s*_`[({"']*@([a-z0-9][a-z0-9-]{0,80})\.(\d{1,4})(?![\w-]|\.\d)[*_`\])}:]*/i;
/** The id alone, where a colon or a dash says that the words behind it are about that claim. */
const NAMED_AT_START =
  /^[\s*_`[({"']*([a-z0-9][a-z0-9-]{0,80})\.(\d{1,4})[*_`\])}]*(?: ?\([^)\n]{1,60}\))?[*_`]*[ \u00A0\u202F]?[:：—–][*_`]*/i;
const ANYWHERE = /(?<![\w.@-])@?(?:([a-z0-9][a-z0-9-]{0,80})\.(\d{1,4})|(c\d{1,6}))(?![\w-]|\.\d)/gi;
const GAP = '[ \\u00A0\\u202F]';
const ID = '[\\s*_`[(]*@?(c\\d{1,6})[*_`\\])]*';
/** Between id and word a colon or a dash, or after the word punctuation; who raised it may stand behind the id. */
const HEAD = new RegExp(
  `^${ID}(?:${GAP}\\([^()\\n]{1,60}\\))?(${GAP}?:${GAP}?|${GAP}?[—–-]${GAP}|${GAP})[*_\`]*`,
  'i',
);
const CLOSING = /^[*_`)\]]*[ \u00A0\u202F]?[:.,;—–-]?[*_`:]*/;
/** "I concede c1: the figure was wrong." */
const BEHIND = new RegExp(
  `^[\\s*_\`]*(?:I |je )(?:[a-z'’]+ ){0,3}?[\\p{L}'’]+ ${ID}(?=[\\s:.,;—–-]|$)`,
  'iu',
);

/** The claim that a paragraph, list item or line is addressed to, and how long the address is. */
export function addressOf(text: string): (Mention & { length: number }) | undefined {
  const [whole = '', name, number] = AT_START.exec(text.slice(0, 200)) ?? [];
  return name === undefined
    ? undefined
    : { name: name.toLowerCase(), number: Number(number), length: whole.length };
}

/** The same for an id without `@`, which only counts where there is such a claim: "ada.2: the figure is invented". */
export function namedAtStart(text: string): (Mention & { length: number }) | undefined {
  const found = NAMED_AT_START.exec(text.slice(0, 200));
  return found
    ? { name: found[1]!.toLowerCase(), number: Number(found[2]), length: found[0].length }
    : undefined;
}

/** The claim that a cell of a table names, and nothing beside it. */
export function namedInCell(cell: string): Mention | undefined {
  const found = /^[\s*_`[(]*@?([a-z0-9][a-z0-9-]{0,80})\.(\d{1,4})[\s*_`\])]*$/i.exec(cell);
  return found ? { name: found[1]!.toLowerCase(), number: Number(found[2]) } : undefined;
}

/** Every claim (`sage.2`, `@sage.2`) and challenge (`c3`) that a text names, in order. */
export function mentionsIn(text: string): (Mention | { challenge: string })[] {
  return [...text.matchAll(ANYWHERE)].map(([, name = '', number, challenge]) =>
    challenge === undefined
      ? { name: name.toLowerCase(), number: Number(number) }
      : { challenge: challenge.toLowerCase() },
  );
}

/** The answer that a line starts with (`c1 conceded: …`, `**c1**: rejected …`), and how long that start is. */
export function answerAt(
  line: string,
): { challenge: string; status: AnswerStatus; length: number } | undefined {
  const words = line.slice(0, 200).normalize('NFC');
  return answerBehindId(words) ?? answerBeforeId(words);
}

function answerBehindId(words: string): ReturnType<typeof answerAt> {
  const head = HEAD.exec(words);
  if (!head) return undefined;
  const said = answerWords(words.slice(head[0].length));
  if (!said) return undefined;
  const length = head[0].length + said.length;
  const rest = words.slice(length);
  const isMarked = head[2]!.trim() !== '';
  // Without a mark before it the word needs one behind it: "c1 rejected what I said" rejects nothing.
  const isClosed = isMarked || /^[*_`]*[ \u00A0\u202F]?(?:[:.,;—–-]|because\b|parce que)/i.test(rest);
  if (!isClosed || !isSettled(rest) || isQuotedCode(words, head)) return undefined;
  const after = CLOSING.exec(rest)![0].length;
  return { challenge: head[1]!.toLowerCase(), status: said.status, length: length + after };
}

/** True for "`c1 conceded: yes` is what bob wants": code that holds more than the id. */
const isQuotedCode = (words: string, head: RegExpExecArray): boolean =>
  /^[\s*_[(]*`/.test(words) && !/^[\s*_[(]*`@?c\d+[*_)\]]*`/i.test(head[0] + words.slice(head[0].length));

function answerBeforeId(words: string): ReturnType<typeof answerAt> {
  const found = BEHIND.exec(words);
  const said = found && answerWords(words.replace(/^[\s*_`]*/, ''));
  if (!said) return undefined;
  const between = found[0].replace(/^[\s*_`]*/, '').slice(said.verb);
  // "I concede that c1 is well put" concedes nothing.
  if (!new RegExp(`^ ${ID}$`, 'i').test(between)) return undefined;
  if (!isSettled(words.slice(found[0].length))) return undefined;
  return { challenge: found[1]!.toLowerCase(), status: said.status, length: found[0].length };
}

/** The challenge that a heading or a cell names, and nothing beside it but who raised it. */
export const challengeAlone = (words: string): string | undefined =>
  new RegExp(`^[#\\s]*(?:(?:challenge|objection) )?${ID}(?:${GAP}?\\([^()\\n]{1,60}\\))?[\\s:*_\`]*$`, 'i')
    .exec(words.slice(0, 200))?.[1]
    ?.toLowerCase();
