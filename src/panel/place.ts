// Offline panel: locates text in a brief: lines, quotes, sentences, and stems of meaningful words.
import type { Document, Span } from './document.ts';
import type { Block } from './prose.ts';

/** Maximum characters of a quoted line. */
const QUOTE_LENGTH = 160;
const UNSAFE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|\uDB40[\uDC00-\uDC7F]/;

/** Returns the number of the line that contains an offset, starting at 1. */
export function findLineNumber(document: Document, offset: number): number {
  let low = 0;
  let high = document.starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((document.starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** Returns a line of the brief without its line end; empty if it does not exist. */
export function getLineText(document: Document, line: number): string {
  const start = document.starts[line - 1];
  return start === undefined ? '' : document.text.slice(start, document.starts[line]).replace(/[\r\n]+$/, '');
}

/** Quotes the words around a span verbatim, from the line where it starts. */
export function quoteAroundSpan(document: Document, { start, end }: Span): string {
  const line = findLineNumber(document, start);
  const text = getLineText(document, line);
  const from = start - (document.starts[line - 1] ?? 0);
  const to = Math.max(from, Math.min(text.length, from + (end - start)));
  const room = Math.max(0, QUOTE_LENGTH - (to - from));
  let left = Math.max(0, from - Math.ceil(room / 2));
  let right = Math.min(text.length, left + QUOTE_LENGTH);
  left = Math.max(0, right - QUOTE_LENGTH);
  if (left > 0) left = findAfterSpace(text, left, from);
  if (right < text.length) right = findBeforeSpace(text, right, Math.min(to, right));
  return cleanPart(text.slice(left, right), from - left).trim();
}

function findAfterSpace(text: string, left: number, limit: number): number {
  const space = text.indexOf(' ', left - 1);
  return space === -1 || space >= limit ? left : space + 1;
}

function findBeforeSpace(text: string, right: number, limit: number): number {
  const space = text.lastIndexOf(' ', right);
  return space < limit ? right : space;
}

/** Returns the piece around `at` without characters that a contribution must not contain. */
function cleanPart(text: string, at: number): string {
  if (!UNSAFE.test(text)) return text;
  let offset = 0;
  let best = '';
  for (const piece of text.split(new RegExp(UNSAFE.source, 'g'))) {
    if (piece.trim() !== '' && (best.trim() === '' || offset <= at)) best = piece;
    offset += piece.length + 1;
  }
  return best;
}

/** Finds `words` on a line, as whole words, ignoring case. */
export function findOccurrences(document: Document, line: number, words: string): Span[] {
  const start = document.starts[line - 1];
  if (start === undefined || words === '') return [];
  const pattern = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu');
  return [...getLineText(document, line).matchAll(whole)].map((match) =>
    shiftSpan({ start }, match.index, match.index + match[0].length),
  );
}

/** Converts two offsets in a block's text to a span in the brief. */
export const shiftSpan = ({ start }: Pick<Span, 'start'>, from: number, to: number): Span => ({
  start: start + from,
  end: start + to,
});

export const isWithinSpans = (inner: Span, spans: readonly Span[]): boolean =>
  spans.some((span) => span.start <= inner.start && inner.end <= span.end);

/** A sentence of a paragraph or heading; `text` has the length of its source, with code and addresses masked. */
export interface Sentence extends Span {
  text: string;
  block: Block;
}

const SENTENCE_END = /[.!?](?=["'”»)]?\s)|[.!?]["'”»)]?$/g;
/** Abbreviations whose full stop does not end a sentence. */
const SHORT = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|no|nr|fig|p|ex|env)|\b\p{Lu})\.$/iu;

export function listSentences(document: Document): Sentence[] {
  return document.blocks.filter(({ words }) => words > 0).flatMap(splitSentences);
}

/** Splits a block into sentences, with offsets in the brief. */
export function splitSentences(block: Block): Sentence[] {
  const found: Sentence[] = [];
  let from = 0;
  const put = (to: number): void => {
    const text = block.text.slice(from, to);
    const lead = text.length - text.trimStart().length;
    if (text.trim() !== '')
      found.push({ start: block.start + from + lead, end: block.start + to, text: text.slice(lead), block });
    from = to;
  };
  for (const match of block.text.matchAll(SENTENCE_END)) {
    const to = match.index + match[0].length;
    if (!SHORT.test(block.text.slice(from, match.index + 1))) put(to);
  }
  put(block.text.length);
  return found;
}

const COMMON = new Set(
  `about above after again against all also always and another any are because been before being below between both but can cannot could
  each either else even ever every everybody everything few first for from further gets give given goes has have having here how into its itself
  just keep kept last least less like made make makes many more most much must need never none not nothing now off one once only other our over
  own same second seconds minute minutes hour hours day days week weeks month months year years shall should since some still such take takes
  than that the their them then there these they this those three through time times two under until upon use used uses using very was way well
  were what when where which while who will with within without would you your alors ainsi aucun aucune autre autres aussi avant avec avoir
  cela cette ces chaque comme dans des deux dont elle elles encore entre est être fait faire jour jours jusque leur leurs mais même mois moins
  notre nous ont par pas peut plus pour quand que qui sans semaine semaines ses son sont sous sur tous tout toute toutes très trois une
  vers vous immediately instantly immédiatement maximum minimum`.split(/\s+/),
);

/** Collects the meaningful words of a text as stems, so that "link" and "links" are equal. */
export function collectStems(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)).map(stemWord));
}

const stemWord = (word: string): string => word.replace(/(?:ings?|ed|es|e?s|e)$/, '').slice(0, 9);

/** Returns the stems common to two texts. */
export const intersectStems = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] =>
  [...a].filter((one) => b.has(one));
