// What the words of a form's field mean.
import { unquote } from './marks.ts';
import { VALUE_WORDS } from './form-names.ts';

/** Yes or no, in the words that people use; undefined for anything else. */
export function asBoolean(value: string | string[]): boolean | undefined {
  const word = typeof value === 'string' ? normalizeFormValue(value) : '';
  if (VALUE_WORDS.yes.has(word)) return true;
  return VALUE_WORDS.no.has(word) ? false : undefined;
}

/** The items of a list, however it is written; what says "nothing" is no item. */
export function asItems(value: string | string[]): string[] {
  const flow = typeof value === 'string' ? /^\[(.*)\]$/s.exec(value.trim())?.[1] : undefined;
  const items =
    flow === undefined ? [value].flat() : (flow.match(/\s*(?:"(?:\\.|[^"\\])*"|'[^']*'|[^,]+)/g) ?? []);
  return items
    .map(stripValueMarkup)
    .filter((item) => !saysNothing(item) && !VALUE_WORDS.no.has(normalizeFormValue(item)));
}

/** An empty value, or a word that says there is none. */
const saysNothing = (value: string): boolean =>
  /^(?:[–-]?|\[\])$/.test(normalizeFormValue(value)) || VALUE_WORDS.nothing.has(normalizeFormValue(value));

/** Words that begin as those do that say there is none, and go on: "None of the backups works", "None for now". */
export const beginsWithNothing = (value: string): boolean =>
  [...VALUE_WORDS.nothing].some(
    (word) =>
      normalizeFormValue(value).startsWith(word) &&
      /^[\s,;:.(–—-]/.test(normalizeFormValue(value).slice(word.length)),
  );

/** Words that say that there is no position. */
export const isNoPosition = (value: string): boolean =>
  saysNothing(value) || isAbstention(value) || VALUE_WORDS.noPosition.has(normalizeFormValue(value));

/** Words that say that there is no vote. */
export const isAbstention = (value: string): boolean => VALUE_WORDS.abstain.has(normalizeFormValue(value));

/** A placeholder that was not filled in: "<why>", "[reason]", "{{position}}", "…", the type of a schema. */
export const isLeftBlank = (value: string): boolean =>
  /^(?:<[^<>]*>|\[[^[\]]*\]|\$?\{+[^{}]*\}+|\$[A-Z_]+|%s|\.{3}|…|[?_–—-]+|(?:string|number|boolean)(?: ?\| ?null)?)\.?$/i.test(
    value.trim(),
  );

const normalizeFormValue = (value: string): string =>
  stripValueMarkup(value)
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/^[(（](.*)[)）]$/s, '$1')
    .replace(/[.!。]$/, '');

/**
 * A share as people write it: 0.8, 0,8, .8, 80 %, 80, 8/10; undefined for anything else. A number from 2 to 10 alone could be of
 * ten or of a hundred.
 */
export function asShare(value: string): number | undefined {
  const [, number = '', of = ''] =
    /^(\d{1,3}(?:[.,]\d+)?|[.,]\d+)[ \u00A0\u202F]*([%％]|\/[ ]*10{1,2})?$/.exec(stripValueMarkup(value)) ??
    [];
  if (number === '') return undefined;
  const figure = Number(number.replace(',', '.'));
  const isOfHundred = /[%％]/.test(of) || (of === '' && /^\d+$/.test(number) && figure > 10);
  const share = figure / (isOfHundred ? 100 : Number(of.replace(/[/ ]/g, '') || 1));
  return share <= 1 ? share : undefined;
}

/** A number of the ballot at the beginning, and no question. */
export const isNumbered = (value: string | string[]): boolean =>
  typeof value === 'string' && /^[*_`"[]*(?:\w+[ ]+)?P ?\d/i.test(value) && !value.includes('?');

/** A text that YAML or JSON has between quotation marks with escapes, as it was meant; any other as it stands. */
export function unquoteScalar(value: string): string {
  if (value.includes("''") && /^'(?:[^']|'')*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'");
  if (!value.includes('\\') || !/^"(?:\\.|[^"\\])*"$/.test(value)) return value;
  try {
    return String(JSON.parse(value));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return value;
  }
}

/** A value without the quotes, the emphasis or the backticks around it. What is struck through is not said. */
export function stripValueMarkup(value: string): string {
  let words = value.replace(/~~[^~]*~~/g, '').trim();
  const findInside = () => EMPHASIS.exec(words)?.[3] ?? unquote(words);
  for (let inside = findInside(); inside !== undefined; inside = findInside()) words = inside.trim();
  return words;
}
const EMPHASIS = /^(([*_`])\2?)((?:(?!\2)[^])+)\1$/;
