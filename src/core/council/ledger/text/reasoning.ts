// Finds what is not addressed to other participants: reasoning, HTML quotes, comments, echoes of the prompt.
import { MARKER_PREFIX } from '../../../base/text.ts';
import { CLOSING } from './marks.ts';
import type { TextRange } from './limits.ts';

/** Names of reasoning tags in any brackets, with any prefix: `</mm:think>`, `<|end_of_thought|>`. */
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
/** Marks that hide text, and quotes or code in which a mark does not count. */
const MARKS = new RegExp(
  [
    `(?<close>${CLOSE})`,
    `(?<open>^[ \\t]*(?:${OPEN}))`,
    '^[ \\t]*<(?<tag>scratchpad|analysis|reflection|blockquote|cite)\\b[^>\\n]*>',
    '(?<comment><!--)',
    // A text from the prompt, echoed.
    `(?<shown>^BEGIN ${MARKER_PREFIX})`,
    `(?<shownEnd>^END ${MARKER_PREFIX}.*$)`,
    '^ {0,3}(?<fence>`{3,}|~{3,})',
    '^ {0,3}>.*',
    '(?<quote>`+|["“„«「『])',
  ].join('|'),
  'gim',
);
const MARKED = new RegExp(`[<[◁]|done thinking|${MARKER_PREFIX}`, 'i');

/** How far to look for the end of a quotation on its line, in characters. */
const LONGEST_QUOTE = 300;

/**
 * Blanks reasoning, HTML quotes, comments and echoes of the prompt; keeps the length and line endings.
 * Everything before the last closing mark of reasoning is reasoning, but marks in quotations or code do not
 * count. An unclosed section extends to the end. Linear time.
 */
export function blankReasoning(text: string): string {
  const { reasoning, quoted } = findHidden(text);
  return blankRanges(text, [...reasoning, ...quoted]);
}

/** A contribution as shown to others: without reasoning, and without lines that contained nothing else. */
export const removeReasoning = (text: string): string =>
  removeBlankedLines(text, blankRanges(text, findHidden(text).reasoning));

/** Removes the lines that are blank only in `shown`, which is the same text with ranges blanked. */
export function removeBlankedLines(text: string, shown: string): string {
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

function findHidden(text: string): { reasoning: TextRange[]; quoted: TextRange[] } {
  const reasoning: TextRange[] = [];
  const quoted: TextRange[] = [];
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
      quoted.push({ start: index, end: (next = indexOf(`^END ${MARKER_PREFIX}.*$`, next)) });
    // If the start is missing, everything before the end may come from the prompt.
    else if (shownEnd !== undefined) quoted.push({ start: 0, end: next });
    else if (tag !== undefined) {
      next = findTagEnd(text, next, tag);
      (/^(?:blockquote|cite)$/i.test(tag) ? quoted : reasoning).push({ start: index, end: next });
    } else if (fence !== undefined) {
      const end = indexOf(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`, next);
      // An unclosed fence may be part of the reasoning.
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

/**
 * Returns a search function: the end of a pattern's next match after an offset, or Infinity. A pattern
 * without a match is not searched for again.
 */
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

/** Returns the end of the tag opened at `start`, taking nested ones into account. */
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

/** Replaces ranges of a text with blanks, except line endings. Ranges may overlap. */
export function blankRanges(text: string, stretches: readonly TextRange[]): string {
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
