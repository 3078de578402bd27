// Reads the value of a key with what belongs to it below: a list, a line further in, the paragraph under a heading.
import { readPair } from './form-lines.ts';
import type { Line, Pair } from './form-lines.ts';
import { fieldNamed } from './form-names.ts';
import { EMPTY, ITEM, NO_VALUE, SCALAR } from './form-shapes.ts';
import { unquoted } from './form-values.ts';
import type { FieldName } from './form-words.ts';

/** A number of the ballot at the beginning, and no question. */
export const isNumbered = (value: string | string[]): boolean =>
  typeof value === 'string' && /^[*_`"[]*(?:\w+[ ]+)?P ?\d/i.test(value) && !value.includes('?');

/** A longer paragraph under a heading argues, in characters. */
const LONGEST = 300;
/**
 * The value of a key with what belongs to it below, and the first line behind; undefined for a heading with none. For what blocks, which can
 * only make a verdict stricter, each line below counts, however it is written.
 */
export function readValue(
  lines: readonly Line[],
  at: number,
  name: FieldName,
  { value, style }: Pair,
): { value: string | string[]; next: number } | undefined {
  const isStrict = name === 'blocking';
  const isScalar = SCALAR.test(value);
  const isLabel = style !== 'plain' && value === '';
  const given = isScalar ? '' : unquoted(value);
  const isContinued = style === 'plain' || isNumbered(given);
  const kind = { isLabel, isScalar, isStrict, isFilled: given !== '', isContinued };
  const { below, next } = findLines(lines, at, kind);
  if (below.length === 0) return isLabel ? undefined : { value: given, next: at + 1 };
  const words = below.map(({ text }) => unquoted(text));
  if (isStrict) return { value: given === '' ? words : [given, ...words], next };
  if (below.every(({ isItem }) => isItem)) return { value: words, next };
  const whole = [given, ...words].filter((part) => part !== '').join(' ');
  // A mapping is no line of text.
  const isMapping = !isLabel && !isScalar && words.some((line) => /^[^\s:]+:(?: |$)/.test(line));
  if (isLabel && whole.length > LONGEST) return undefined;
  return { value: isMapping ? [whole] : whole, next };
}

interface Kind {
  isLabel: boolean;
  isScalar: boolean;
  isStrict: boolean;
  /** Something stands in the key's own line. */
  isFilled: boolean;
  /** Then a line further in goes on with it. */
  isContinued: boolean;
}

/** The lines below a key that belong to it, those of one item as one: what is further in, a list, a line alone, the paragraph under a label. */
function findLines(
  lines: readonly Line[],
  at: number,
  { isLabel, isScalar, isStrict, isFilled, isContinued }: Kind,
): { below: { text: string; isItem: boolean }[]; next: number } {
  const key = lines[at]!;
  const isOwnItem = ITEM.test(key.text);
  const below: { text: string; isItem: boolean; indent: number }[] = [];
  let next = at + 1;
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index]!;
    const last = below.at(-1);
    if (EMPTY.test(line.text)) {
      if (isScalar || ((isLabel || isStrict) && !isFilled && (!last || last.isItem))) continue;
      break;
    }
    const isDeeper = line.indent > key.indent;
    const item = isScalar ? undefined : ITEM.exec(line.text)?.[1];
    const isListed = (isStrict || !isFilled) && (isDeeper || (!isOwnItem && line.indent === key.indent));
    const isAlone = !last && index === next && !isOwnItem && standsAlone(lines, index);
    const isWords = !isFilled && !last?.isItem && (isLabel ? isParagraph(line, isStrict) : isAlone);
    const belongs = item !== undefined ? isListed : isDeeper ? !isFilled || isContinued : isWords;
    if (!belongs || (!isScalar && isKey({ text: item ?? (isDeeper ? line.text : '') }))) break;
    if (item !== undefined && (!last || last.isItem || isStrict))
      below.push({ text: item.trim(), isItem: true, indent: line.indent });
    else if (last?.isItem && line.indent > last.indent) last.text += ` ${line.text.trim()}`;
    else below.push({ text: line.text.trim(), isItem: false, indent: line.indent });
    next = index + 1;
  }
  return { below, next };
}

/** A line that begins another field, or any heading or bold line where `orLabel` says so. */
function isKey(line: Pick<Line, 'text'>, orLabel = false): boolean {
  const pair = readPair(line);
  if (!pair) return false;
  return fieldNamed(pair.key) !== undefined || (orLabel && pair.style !== 'plain' && pair.value === '');
}

const isParagraph = (line: Line, isStrict: boolean): boolean =>
  !NO_VALUE.test(line.text) && !isKey(line, !isStrict);

/** One line of words between a key and a blank line, the end, or another key. */
function standsAlone(lines: readonly Line[], at: number): boolean {
  const [line, after] = [lines[at]!, lines[at + 1]];
  if (NO_VALUE.test(line.text) || readPair(line) !== undefined || ITEM.test(line.text)) return false;
  return after === undefined || EMPTY.test(after.text) || isKey(after);
}
