// Returns the words of a contribution for readers, without its form and reasoning.
import { readForm } from './form.ts';
import { findMentions } from './mentions.ts';
import { blankRanges, removeBlankedLines, blankReasoning } from './reasoning.ts';

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
