// Reads the value of a key with what belongs to it below: a list, a line further in, the paragraph under a heading.
import { beginsCondition, beginsReason } from './answer-words.ts';
import { readBlocking } from './form-blocking.ts';
import { readPair } from './form-lines.ts';
import type { FormLine, Pair } from './form-lines.ts';
import { fieldNamed, isAsked } from './form-names.ts';
import { EMPTY, GOES_ON, ITEM, NO_VALUE, SCALAR } from './form-patterns.ts';
import { isNumbered, unquoteScalar } from './form-value-words.ts';
import type { FieldName } from './form-words.ts';

/** A longer paragraph under a heading argues, in characters. */
const LONGEST = 300;

/** The value of a key and of the lines below it, and the index of the line after them; undefined for a heading without any. */
export function readValue(
  lines: readonly FormLine[],
  at: number,
  name: FieldName,
  pair: Pair,
): { value: string | string[]; next: number } | undefined {
  if (name === 'blocking') return readBlocking(lines, at, pair);
  const { value, style } = pair;
  const isScalar = SCALAR.test(value);
  const isLabel = style !== 'plain' && value === '';
  const given = isScalar ? '' : unquoteScalar(value);
  const isContinued = style === 'plain' || isNumbered(given);
  const kind = { isLabel, isScalar, isFilled: given !== '', isContinued, isAsked: isAsked(name) };
  const { below, next } = findLines(lines, at, kind);
  if (below.length === 0) return isLabel ? undefined : { value: given, next: at + 1 };
  const words = below.map(({ text }) => unquoteScalar(text));
  if (below.every(({ isItem }) => isItem)) return { value: words, next };
  const whole = [given, ...words].filter((part) => part !== '').join(' ');
  // A mapping is no line of text.
  const isMapping = !isLabel && !isScalar && words.some((line) => /^[^\s:]+:(?: |$)/.test(line));
  if (isLabel && whole.length > LONGEST) return undefined;
  return { value: isMapping ? [whole] : whole, next };
}

interface ValueTraits {
  isLabel: boolean;
  isScalar: boolean;
  /** Something stands in the key's own line. */
  isFilled: boolean;
  /** Then a line further in goes on with it. */
  isContinued: boolean;
  /** Whether the next line may take the value back. */
  isAsked: boolean;
}

/** The lines below a key that belong to it, those of one item as one: what is further in, a list, a line alone, the paragraph under a label. */
function findLines(
  lines: readonly FormLine[],
  at: number,
  { isLabel, isScalar, isFilled, isContinued, isAsked }: ValueTraits,
): { below: { text: string; isItem: boolean }[]; next: number } {
  const key = lines[at]!;
  const isOwnItem = ITEM.test(key.text);
  const below: { text: string; isItem: boolean; indent: number }[] = [];
  let next = at + 1;
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index]!;
    const last = below.at(-1);
    if (EMPTY.test(line.text)) {
      if (isScalar || (isLabel && (!last || last.isItem))) continue;
      break;
    }
    const isDeeper = line.indent > key.indent;
    const item = isScalar ? undefined : ITEM.exec(line.text)?.[1];
    const isListed = !isFilled && (isDeeper || (!isOwnItem && line.indent === key.indent));
    const isAlone = !last && index === next && !isOwnItem && standsAlone(lines, index);
    const isWords = !isFilled && !last?.isItem && (isLabel ? isParagraph(line) : isAlone);
    const isOwn = isFilled && isAsked ? goesOn(line) : isWords;
    const belongs = item !== undefined ? isListed : isDeeper ? !isFilled || isContinued : isOwn;
    if (!belongs || (!isScalar && isKey({ text: item ?? (isDeeper ? line.text : '') }))) break;
    if (item !== undefined && (!last || last.isItem))
      below.push({ text: item.trim(), isItem: true, indent: line.indent });
    else if (last?.isItem && line.indent > last.indent) last.text += ` ${line.text.trim()}`;
    else below.push({ text: line.text.trim(), isItem: false, indent: line.indent });
    next = index + 1;
  }
  return { below, next };
}

/** A line that begins another field, or any heading or bold line where `orLabel` says so. */
function isKey(line: Pick<FormLine, 'text'>, orLabel = false): boolean {
  const pair = readPair(line);
  if (!pair) return false;
  return fieldNamed(pair.key) !== undefined || (orLabel && pair.style !== 'plain' && pair.value === '');
}

const isParagraph = (line: FormLine): boolean => !NO_VALUE.test(line.text) && !isKey(line, true);

/** A line that goes on with the sentence above it, and gives no reason. */
const goesOn = (line: FormLine): boolean =>
  !readPair(line) && (GOES_ON.test(line.text) || beginsCondition(line.text)) && !beginsReason(line.text);

/** One line of words between a key and a blank line, the end, or another key. */
function standsAlone(lines: readonly FormLine[], at: number): boolean {
  const [line, after] = [lines[at]!, lines[at + 1]];
  if (NO_VALUE.test(line.text) || readPair(line) !== undefined || ITEM.test(line.text)) return false;
  return after === undefined || EMPTY.test(after.text) || isKey(after);
}
