// What a contribution holds that is not its author's word to the others: reasoning, HTML quotes, comments, texts of the prompt.
import { MARKER } from '../../../base/text.ts';
import { CLOSING } from './marks.ts';
import type { Stretch } from './text-range.ts';

/** What reasoning is called between brackets of any kind, behind any prefix: `</mm:think>`, `<|end_of_thought|>`. */
const NAME = String.raw`[\w.:-]*?(?:think(?:ing)?|thoughts?|reasoning)`;
const CLOSE = [
  String.raw`[<[◁][|]?[ ]*(?:\/|end[ _-]?)[ ]*${NAME}[ ]*[|]?[>\]▷]`,
  String.raw`<[|]channel[|]>[ ]*final\b[^<\n]*<[|]message[|]>`,
  String.raw`(?:\.\.\.|…)[ ]?done thinking\.?`,
].join('|');
const OPEN = [
  String.raw`[<◁][|]?${NAME}\b[^>▷\n]*[>▷]`,
  String.raw`\[${NAME}\](?!\()`,
  String.raw`(?:<[|]start[|]>\w*)?<[|]channel[|]>[ ]*(?:analysis|commentary)\b[^<\n]*<[|]message[|]>`,
].join('|');
/** What hides something, or is a place where a mark is only spoken of. */
const MARKS = new RegExp(
  [
    `(?<close>${CLOSE})`,
    `(?<open>^[ \\t]*(?:${OPEN}))`,
    '^[ \\t]*<(?<tag>scratchpad|analysis|reflection|blockquote|cite)\\b[^>\\n]*>',
    '(?<comment><!--)',
    // A text that the prompt showed, given back.
    `(?<shown>^BEGIN ${MARKER})`,
    `(?<shownEnd>^END ${MARKER}.*$)`,
    '^ {0,3}(?<fence>`{3,}|~{3,})',
    '^ {0,3}>.*',
    '(?<quote>`+|["“„«「『])',
  ].join('|'),
  'gim',
);
const MARKED = new RegExp(`[<[◁]|done thinking|${MARKER}`, 'i');

/** How far a quotation is followed inside its line, in characters. */
const LONGEST_QUOTE = 300;

/**
 * A text of the same length in which reasoning, quotes in HTML, comments and what the prompt showed are blank. All that stands before the last mark that ends
 * reasoning is that; a mark in a quotation or in code ends nothing. What is opened and never ended goes on to the end.
 * Line ends stay. Linear time.
 */
export function withoutReasoning(text: string): string {
  const { reasoning, quoted } = findHidden(text);
  return blankStretches(text, [...reasoning, ...quoted]);
}

/** A contribution as others see it: without reasoning, and without the lines that nothing else stands in. */
export const withoutThoughts = (text: string): string =>
  withoutBlanks(text, blankStretches(text, findHidden(text).reasoning));

/** A text without the lines that are blank only in `shown`, which is the same text with stretches blanked. */
export function withoutBlanks(text: string, shown: string): string {
  if (text === shown) return text;
  const written = text.split(/(?<=\n)/);
  return shown
    .split(/(?<=\n)/)
    .map((line, at) =>
      line.trim() !== ''
        ? line.replace(/^ +/, (room) => (written[at]!.startsWith(room) ? room : ''))
        : written[at]!.trim() === ''
          ? line
          : '',
    )
    .join('');
}

function findHidden(text: string): { reasoning: Stretch[]; quoted: Stretch[] } {
  const reasoning: Stretch[] = [];
  const quoted: Stretch[] = [];
  if (!MARKED.test(text)) return { reasoning, quoted };
  const indexOf = makeFinder(text);
  let ended = 0;
  MARKS.lastIndex = 0;
  for (let found = MARKS.exec(text); found !== null; found = MARKS.exec(text)) {
    const { close, open, tag, comment, shown, shownEnd, fence, quote } = found.groups ?? {};
    const { index } = found;
    let next = MARKS.lastIndex;
    if (close !== undefined) ended = next;
    else if (open !== undefined) {
      const end = indexOf(CLOSE, next);
      if (end === Infinity) reasoning.push({ start: index, end });
      else ended = end;
      next = end;
    } else if (comment !== undefined) quoted.push({ start: index, end: (next = indexOf('-->', next)) });
    else if (shown !== undefined)
      quoted.push({ start: index, end: (next = indexOf(`^END ${MARKER}.*$`, next)) });
    // Where its beginning was left out, all in front of it may be of the prompt.
    else if (shownEnd !== undefined) quoted.push({ start: 0, end: next });
    else if (tag !== undefined) {
      next = findTagEnd(text, next, tag);
      (/^(?:blockquote|cite)$/i.test(tag) ? quoted : reasoning).push({ start: index, end: next });
    } else if (fence !== undefined) {
      const end = indexOf(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`, next);
      // Code that is never closed may be a part of the reasoning.
      if (end !== Infinity) next = end;
    } else if (quote !== undefined) {
      const line = text.slice(next, next + LONGEST_QUOTE).replace(/[\r\n][^]*/, '');
      const ends = (CLOSING.get(quote) ?? [quote])
        .map((sign) => line.indexOf(sign))
        .filter((at) => at !== -1);
      if (ends.length > 0) next += Math.min(...ends) + quote.length;
    }
    if (next >= text.length) break;
    MARKS.lastIndex = next;
  }
  return { reasoning: [{ start: 0, end: ended }, ...reasoning], quoted };
}

/** Where a pattern ends that is looked for from a place on, Infinity for nowhere. What is nowhere is not looked for again. */
export function makeFinder(text: string): (pattern: string, from: number) => number {
  const patterns = new Map<string, RegExp | null>();
  return (pattern, from) => {
    const known = patterns.get(pattern);
    if (known === null) return Infinity;
    const search = known ?? new RegExp(pattern, 'gim');
    search.lastIndex = from;
    const isFound = search.test(text);
    patterns.set(pattern, isFound ? search : null);
    return isFound ? search.lastIndex : Infinity;
  };
}

/** Where the tag that is open at `start` is closed, those inside it counted. */
function findTagEnd(text: string, start: number, tag: string): number {
  const either = new RegExp(`<(/?)${tag}\\b[^>\\n]*>`, 'gi');
  either.lastIndex = start;
  let depth = 1;
  for (let found = either.exec(text); found !== null; found = either.exec(text)) {
    depth += found[1] === '/' ? -1 : 1;
    if (depth === 0) return either.lastIndex;
  }
  return text.length;
}

/** A text of the same length with nothing but line ends in some stretches. They may lie over each other. */
export function blankStretches(text: string, stretches: readonly Stretch[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of stretches.toSorted((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    const begin = Math.max(start, from);
    parts.push(text.slice(from, begin), text.slice(begin, end).replace(/[^\r\n]/g, ' '));
    from = Math.min(end, text.length);
  }
  return parts.join('') + text.slice(from);
}
