// The value of a field that stands below its key: a list, a line further in, the paragraph under a heading.
import { EMPTY, ITEM, pairIn } from './form-lines.ts';
import type { Line, Pair } from './form-lines.ts';
import { fieldNamed } from './form-names.ts';
import type { FieldName } from './form-names.ts';
import { unquoted } from './form-values.ts';

/** Where a key stands, and how far its value may reach. */
export interface At {
  lines: readonly Line[];
  at: number;
  /** The line behind the last one that may belong to it. */
  to: number;
  /** In front matter or in a fence, which have an end of their own. */
  isBlock: boolean;
}

/** A value, and the first line that does not belong to it. */
export interface Value {
  value: string | string[];
  next: number;
}

/** A longer paragraph under a heading argues, in characters. */
const LONGEST = 300;
/** What begins a block that is no value. */
const NO_VALUE = /^[ \t]*(?:[>#|<]|```|~~~|-{3,}[ \t]*$)/;
/** How YAML begins a text of several lines. */
const SCALAR = /^[|>][+-]?\d?$/;

/**
 * The value of a key; undefined for a heading with none. All that could make a verdict stricter is taken: for what blocks, each line
 * that stands below counts, however it is written.
 */
export function valueOf(where: At, name: FieldName, { value, style }: Pair): Value | undefined {
  const isLabel = style !== 'plain' && value === '';
  const isScalar = where.isBlock && SCALAR.test(value);
  const given = isScalar ? '' : unquoted(value);
  if (given !== '' && !where.isBlock && name !== 'blocking') return { value: given, next: where.at + 1 };
  const { below, next } = linesBelow(where, {
    isLabel,
    isScalar,
    isFilled: given !== '',
    isStrict: name === 'blocking',
  });
  if (below.length === 0) return isLabel ? undefined : { value: given, next: where.at + 1 };
  const words = below.map(({ text }) => unquoted(text));
  if (name === 'blocking') return { value: given === '' ? words : [given, ...words], next };
  if (below.every(({ isItem }) => isItem))
    return given === '' ? { value: words, next } : { value: given, next };
  const whole = [given, ...words].filter((part) => part !== '').join(' ');
  // A mapping is no line of text.
  const isMapping = !isLabel && !isScalar && words.some((line) => /^[^\s:]+:(?: |$)/.test(line));
  if (isLabel && whole.length > LONGEST) return undefined;
  return { value: isMapping ? [whole] : whole, next };
}

interface Kind {
  isLabel: boolean;
  isScalar: boolean;
  /** Something stands in the key's own line. */
  isFilled: boolean;
  isStrict: boolean;
}

/** The lines below a key that belong to it, those of one item as one. */
function linesBelow(
  { lines, at, to, isBlock }: At,
  kind: Kind,
): { below: { text: string; isItem: boolean }[]; next: number } {
  const key = lines[at]!;
  const isOwnItem = ITEM.test(key.text);
  const below: { text: string; isItem: boolean; indent: number }[] = [];
  let next = at + 1;
  for (let index = at + 1; index < to; index += 1) {
    const line = lines[index]!;
    const last = below.at(-1);
    if (EMPTY.test(line.text)) {
      const isOver = kind.isLabel ? last !== undefined && !last.isItem : !isBlock && !kind.isScalar;
      if (isOver) break;
      continue;
    }
    const isDeeper = line.indent > key.indent;
    const item = kind.isScalar ? undefined : ITEM.exec(line.text)?.[1];
    const isNext = index === at + 1;
    const isParagraph = isLabelled(kind, below) && !NO_VALUE.test(line.text) && !isKey(line, !kind.isStrict);
    const isLineBelow = isNext && !kind.isFilled && !isBlock && !isOwnItem && isAloneBelow(lines, index);
    const isListed =
      item !== undefined && !isOwnItem && line.indent >= key.indent && (!kind.isFilled || kind.isStrict);
    const belongs = isDeeper
      ? !kind.isFilled || isBlock || kind.isStrict
      : isListed || isParagraph || isLineBelow;
    if (!belongs || (item !== undefined && isKey({ ...line, text: item }, false))) break;
    if (item !== undefined && (last === undefined || last.isItem || kind.isStrict))
      below.push({ text: item.trim(), isItem: true, indent: line.indent });
    else if (last?.isItem && line.indent > last.indent) last.text += ` ${line.text.trim()}`;
    else if (last?.isItem && !isDeeper) break;
    else below.push({ text: line.text.trim(), isItem: false, indent: line.indent });
    next = index + 1;
  }
  return { below, next };
}

const isLabelled = ({ isLabel }: Kind, below: readonly { isItem: boolean }[]): boolean =>
  isLabel && below.every(({ isItem }) => !isItem);

/** A line that begins another field, or any heading or bold line where `orLabel` says so. */
function isKey(line: Pick<Line, 'text'>, orLabel: boolean): boolean {
  const pair = pairIn(line);
  if (!pair) return false;
  return fieldNamed(pair.key) !== undefined || (orLabel && pair.style !== 'plain' && pair.value === '');
}

/** One line of words between a key and a blank line, the end, or another key. */
function isAloneBelow(lines: readonly Line[], at: number): boolean {
  const [line, after] = [lines[at]!, lines[at + 1]];
  if (NO_VALUE.test(line.text) || pairIn(line) !== undefined || ITEM.test(line.text)) return false;
  return after === undefined || EMPTY.test(after.text) || isKey(after, false);
}
