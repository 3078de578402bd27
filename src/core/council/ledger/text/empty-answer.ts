// Detects answers that say nothing: nothing visible, only reasoning, or a form without values.
import { stripVTControlCharacters } from 'node:util';
import { readForm } from './form.ts';
import { removeReasoning } from './reasoning.ts';

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
