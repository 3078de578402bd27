// Offline panel: lines, quotes and places of words in a brief.
import type { Document, Span } from './document.ts';

/** Characters of a line that a quote shows at most. */
const QUOTE_LENGTH = 160;
const UNSAFE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|\uDB40[\uDC00-\uDC7F]/;

/** The number of the line that holds an offset; 1 for the first. */
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

/** A line of the brief without its line end; empty for a line that does not exist. */
export function lineText(document: Document, line: number): string {
  const start = document.starts[line - 1];
  return start === undefined ? '' : document.text.slice(start, document.starts[line]).replace(/[\r\n]+$/, '');
}

/** What a finding shows of the brief: words around the span, from the line where it starts, character by character. */
export function quoteAroundSpan(document: Document, { start, end }: Span): string {
  const line = findLineNumber(document, start);
  const text = lineText(document, line);
  const from = start - (document.starts[line - 1] ?? 0);
  const to = Math.max(from, Math.min(text.length, from + (end - start)));
  const room = Math.max(0, QUOTE_LENGTH - (to - from));
  let left = Math.max(0, from - Math.ceil(room / 2));
  let right = Math.min(text.length, left + QUOTE_LENGTH);
  left = Math.max(0, right - QUOTE_LENGTH);
  if (left > 0) left = afterSpace(text, left, from);
  if (right < text.length) right = beforeSpace(text, right, Math.min(to, right));
  return cleanPart(text.slice(left, right), from - left).trim();
}

function afterSpace(text: string, left: number, limit: number): number {
  const space = text.indexOf(' ', left - 1);
  return space === -1 || space >= limit ? left : space + 1;
}

function beforeSpace(text: string, right: number, limit: number): number {
  const space = text.lastIndexOf(' ', right);
  return space < limit ? right : space;
}

/** The piece around `at` that holds no character which a contribution must not carry. */
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

/** Where `words` stand on a line, whole words only, whatever their case. */
export function occurrences(document: Document, line: number, words: string): Span[] {
  const start = document.starts[line - 1];
  if (start === undefined || words === '') return [];
  return findWords(lineText(document, line), words).map((span) => ({
    start: start + span.start,
    end: start + span.end,
  }));
}

/** Where `words` stand in a text, whole words only, whatever their case. */
export function findWords(text: string, words: string): Span[] {
  const pattern = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu');
  return [...text.matchAll(whole)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** True when `inner` lies inside one of the spans. */
export const liesInside = (inner: Span, spans: readonly Span[]): boolean =>
  spans.some((span) => span.start <= inner.start && inner.end <= span.end);
