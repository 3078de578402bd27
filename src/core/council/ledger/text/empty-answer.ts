// Tells a text in which its author says nothing: nothing visible, nothing but reasoning, or a form without a value.
import { stripVTControlCharacters } from 'node:util';
import { readForm } from './form.ts';
import { withoutThoughts } from './reasoning.ts';

/** What a text is instead of an answer; null for one that says something. */
export type Nothing = 'invisible' | 'reasoning' | 'empty form';

/** A letter, a number, or a sign that can be seen, as an emoji is. */
const VISIBLE = /[\p{L}\p{N}\p{S}]/u;

/** Why an answer says nothing; null where it says something. */
export function nothingSaid(printed: string): Nothing | null {
  const text = stripVTControlCharacters(printed);
  if (!VISIBLE.test(text)) return 'invisible';
  const { fields } = readForm(text);
  if (fields.some(({ value }) => [value].flat().some((said) => VISIBLE.test(String(said))))) return null;
  const words = withoutThoughts(text);
  if (!VISIBLE.test(words)) return 'reasoning';
  const lines = words.split(/[\n,]/).map((line) => line.replace(/\bnull\b/g, ''));
  return lines.every((line) => isKeyAlone(line) || !VISIBLE.test(line)) ? 'empty form' : null;
}

/** A line of a form with nothing behind its colon, or the mark of a fence around one. */
const isKeyAlone = (line: string): boolean =>
  /^[\s>*_`"{[-]*[\p{L}_-]+[\s*_`"]*[:：][\s*_`"{}[\],]*$|^ {0,3}(?:```|~~~)\w*$/u.test(line);
