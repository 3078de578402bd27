// What a contribution says to people, beside its form and its reasoning.
import { readForm } from './form.ts';
import { findMentions } from './mentions.ts';
import { blankStretches, withoutBlanks, withoutReasoning } from './reasoning.ts';

/** A greeting in front of a form is at most this long, in characters. */
const GREETING = 300;

/**
 * A text of the same length with its form and its reasoning blank, and with them a greeting: a line or two in front of a form that
 * name no claim and no challenge, where more is said behind it.
 */
export function blankForm(text: string): string {
  const shown = withoutReasoning(text);
  const { places } = readForm(text);
  const body = blankStretches(shown, places);
  const first = places[0]?.start ?? 0;
  const before = body.slice(0, first);
  const isGreeting =
    before.trim().length <= GREETING &&
    before.split('\n').filter((line) => line.trim() !== '').length <= 2 &&
    findMentions(before).length === 0 &&
    body.slice(first).trim() !== '';
  return isGreeting ? blankStretches(body, [{ start: 0, end: first }]) : body;
}

/** The words of a contribution without its form and its reasoning. The file keeps all of it. */
export const spokenWords = (text: string): string =>
  withoutBlanks(text, blankForm(text))
    .replace(/^[ \t]*<\/?(?:answer|contribution|response|output|final|final_answer|reply)>[ \t]*$/gim, '')
    .replace(/^(?:[ \t]*(?:---)?[ \t]*\r?\n)+/, '')
    .trim();
