// Interprets the values of form fields.
import { unquote } from './marks.ts';
import { VALUE_WORDS } from './form-names.ts';

/** Reads yes or no in common words; undefined for anything else. */
export function asBoolean(value: string | string[]): boolean | undefined {
  const word = typeof value === 'string' ? normalizeFormValue(value) : '';
  if (VALUE_WORDS.yes.has(word)) return true;
  return VALUE_WORDS.no.has(word) ? false : undefined;
}

/** Returns the items of a list in any notation, without items that mean "nothing". */
export function asItems(value: string | string[]): string[] {
  const flow = typeof value === 'string' ? /^\[(.*)\]$/s.exec(value.trim())?.[1] : undefined;
  const items =
    flow === undefined ? [value].flat() : (flow.match(/\s*(?:"(?:\\.|[^"\\])*"|'[^']*'|[^,]+)/g) ?? []);
  return items
    .map(stripValueMarkup)
    .filter((item) => !isEmptyValue(item) && !VALUE_WORDS.no.has(normalizeFormValue(item)));
}

/** An empty value, or a word for "none". */
const isEmptyValue = (value: string): boolean =>
  /^(?:[–-]?|\[\])$/.test(normalizeFormValue(value)) || VALUE_WORDS.nothing.has(normalizeFormValue(value));

/** Words that start like "none" but continue: "None of the backups works", "None for now". */
export const beginsWithNothing = (value: string): boolean =>
  [...VALUE_WORDS.nothing].some(
    (word) =>
      normalizeFormValue(value).startsWith(word) &&
      /^[\s,;:.(–—-]/.test(normalizeFormValue(value).slice(word.length)),
  );

/** Whether words state that there is no position. */
export const isNoPosition = (value: string): boolean =>
  isEmptyValue(value) || isAbstention(value) || VALUE_WORDS.noPosition.has(normalizeFormValue(value));

export const isAbstention = (value: string): boolean => VALUE_WORDS.abstain.has(normalizeFormValue(value));

/** An unfilled placeholder: "<why>", "[reason]", "{{position}}", "…", a schema type. */
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
 * Reads a share in common notations: 0.8, 0,8, .8, 80 %, 80, 8/10. Returns undefined for anything else,
 * including a bare number from 2 to 10, which may be out of ten or out of a hundred.
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

/** Whether a value starts with a ballot number and is not a question. */
export const isNumbered = (value: string | string[]): boolean =>
  typeof value === 'string' && /^[*_`"[]*(?:\w+[ ]+)?P ?\d/i.test(value) && !value.includes('?');

/** Unescapes a quoted YAML or JSON string; returns other texts unchanged. */
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

/** Strips quotes, emphasis and backticks around a value. Struck-through text is removed. */
export function stripValueMarkup(value: string): string {
  let words = value.replace(/~~[^~]*~~/g, '').trim();
  const findInside = () => EMPHASIS.exec(words)?.[3] ?? unquote(words);
  for (let inside = findInside(); inside !== undefined; inside = findInside()) words = inside.trim();
  return words;
}
const EMPHASIS = /^(([*_`])\2?)((?:(?!\2)[^])+)\1$/;
