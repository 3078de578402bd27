// Returns the words of a contribution for readers, without its form and reasoning; joins the parts of one whose
// author was asked again; detects answers that say nothing and copies of an earlier one.
import { readForm } from './form.ts';
import { findMentions } from './mentions.ts';
import { blankRanges, removeBlankedLines, blankReasoning, removeReasoning } from './reasoning.ts';
import { stripVTControlCharacters } from 'node:util';
import { cutWords } from './words.ts';
import type { Contribution } from '../../state/state.ts';

/** Maximum length of a greeting before a form, in characters. */
const GREETING = 300;

/**
 * Blanks form and reasoning, keeping the length, and also a greeting: up to two lines before a form that name
 * no claim or challenge, if more text follows the form.
 */
export function blankForm(text: string): string {
  const shown = blankReasoning(text);
  const { places } = readForm(text);
  const body = blankRanges(shown, places);
  const first = places[0]?.start ?? 0;
  const before = body.slice(0, first);
  const isGreeting =
    before.trim().length <= GREETING &&
    before.split('\n').filter((line) => line.trim() !== '').length <= 2 &&
    findMentions(before).length === 0 &&
    body.slice(first).trim() !== '';
  return isGreeting ? blankRanges(body, [{ start: 0, end: first }]) : body;
}

/** Removes form and reasoning. The file keeps the full text. */
export const extractSpokenWords = (text: string): string =>
  removeBlankedLines(text, blankForm(text))
    .replace(/^[ \t]*<\/?(?:answer|contribution|response|output|final|final_answer|reply)>[ \t]*$/gim, '')
    .replace(/^(?:[ \t]*(?:---)?[ \t]*\r?\n)+/, '')
    .trim();

/** Why an answer is empty. */
export type EmptyReason = 'invisible' | 'reasoning' | 'empty form';

/** A letter, a number or a visible symbol, such as an emoji. */
const VISIBLE = /[\p{L}\p{N}\p{S}]/u;

/** Returns why an answer is empty; null if it says something. */
export function classifyEmptyAnswer(printed: string): EmptyReason | null {
  const text = stripVTControlCharacters(printed);
  if (!VISIBLE.test(text)) return 'invisible';
  const { fields } = readForm(text);
  if (fields.some(({ value }) => [value].flat().some((said) => VISIBLE.test(String(said))))) return null;
  const words = removeReasoning(text);
  if (!VISIBLE.test(words)) return 'reasoning';
  const lines = words.split(/[\n,]/).map((line) => line.replace(/\bnull\b/g, ''));
  return lines.every((line) => isKeyAlone(line) || !VISIBLE.test(line)) ? 'empty form' : null;
}

/** A form line without a value, or a fence line around a form. */
const isKeyAlone = (line: string): boolean =>
  /^[\s>*_`"{[-]*[\p{L}_-]+[\s*_`"]*[:：][\s*_`"{}[\],]*$|^ {0,3}(?:```|~~~)\w*$/u.test(line);

/** A text with the byte lengths of its parts, in order; undefined if it was written in one go. */
export interface TextInParts {
  text: string;
  parts?: readonly number[];
}

/** Returns the first answer and the additions, in order. Lengths that do not match the text are ignored. */
export function splitParts({ text, parts }: TextInParts): string[] {
  if (!parts) return [text];
  const bytes = Buffer.from(text);
  if (parts.reduce((sum, length) => sum + length, 0) !== bytes.length) return [text];
  let start = 0;
  return parts.map((length) => bytes.subarray(start, (start += length)).toString('utf8'));
}

/**
 * Joins several texts, unchanged, and returns the byte length of each. A blank line is added between parts if
 * missing, since Markdown would otherwise merge their paragraphs.
 */
export function joinParts(said: readonly Uint8Array[]): { bytes: Buffer; parts: number[] } {
  const whole = said.map((part, at) =>
    at < said.length - 1 ? Buffer.concat([part, Buffer.from(addLineEnds(part))]) : Buffer.from(part),
  );
  return { bytes: Buffer.concat(whole), parts: whole.map((part) => part.length) };
}

function addLineEnds(part: Uint8Array): string {
  const end = Buffer.from(part.subarray(-2)).toString('latin1');
  return end === '\n\n' ? '' : end.endsWith('\n') ? '\n' : '\n\n';
}

/** Short statements such as "I hold my position." may be repeated. */
const FEWEST_WORDS = 5;

/** The words of a contribution without its form fields and formatting. */
const readBody = (text: string): string[] => cutWords(blankForm(text)).map((word) => word.text);

/** Returns the round of the author's identical earlier text, ignoring form fields; undefined if it is new. */
export function findRepeated(
  { by, tour, text }: Pick<Contribution, 'by' | 'tour' | 'text'>,
  contributions: readonly Contribution[],
): number | undefined {
  const earlier = contributions.filter((c) => c.by === by && c.tour < tour);
  if (earlier.length === 0) return undefined;
  const body = readBody(text);
  if (body.filter((word) => /[\p{L}\p{N}]/u.test(word)).length < FEWEST_WORDS) return undefined;
  return earlier.find((c) => readBody(c.text).join(' ') === body.join(' '))?.tour;
}
