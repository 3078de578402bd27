// Reads a form whose fields are headings, or bold lines, with their values below or in the same line.
import { onFirstUse } from '../../../base/remember.ts';
import { EMPTY, isForm, pairOf } from './form-lines.ts';
import { fieldNamed } from './form-names.ts';
import type { Field, Line, Run } from './form-lines.ts';

const LABEL = onFirstUse(
  () =>
    /^(?:#{1,6}[ \t]+|(?=[*_]{2}))(?:\p{Extended_Pictographic}\uFE0F?[ ]?)?[*_]{0,3}([\p{L}][\p{L}'’ ]{2,27}?)[*_]{0,3}[ \u00A0\u202F]?[:：]?[*_]{0,3}[ \t]*#*[ \t]*$/u,
);
/** A tag that is closed further down. */
const TAG = onFirstUse(() => /^[ \t]*<([\p{L}][\p{L}_-]{2,27})>[ \t]*$/u);
/** What begins a block that is no value. */
const NO_VALUE = /^[ \t]*(?:[>#|<]|```|~~~|-{3,}[ \t]*$)/;
const ITEM = /^[ \t]*[-*+][ \t]+(.*)$/s;
/** A longer paragraph argues, in characters. */
const LONGEST = 300;

/** The fields from line `from` on, where they are a form. */
export function headingsAt(lines: readonly Line[], from: number): Run | undefined {
  const fields: Field[] = [];
  const beside: Field[] = [];
  let next = from;
  for (let at = from; ; at = pastEmpty(lines, next)) {
    const label = lines[at];
    // Most lines are neither, and these expressions are slow to make.
    if (!label || !/^(?:[#*_]|[ \t]*<)/.test(label.text)) break;
    const headed = besideHeading(label) ?? (beside.length > 0 ? withValue(pairOf(label)) : undefined);
    if (headed) {
      fields.push(headed);
      beside.push(headed);
      next = at + 1;
      continue;
    }
    const tag = TAG().exec(label.text)?.[1];
    const name = fieldNamed(tag ?? LABEL().exec(label.text.slice(0, 100))?.[1] ?? '');
    const found = name && valueBelow(lines, pastEmpty(lines, at + 1), tag);
    if (!found) break;
    fields.push({ name, value: found.value, start: label.start, end: lines[found.next - 1]!.next });
    next = found.next;
  }
  if (beside.length > 0 && !isOnesOwn(beside, lines.slice(next))) return undefined;
  return isForm(fields) ? { fields, next } : undefined;
}

/** "### Vote: P2". */
function besideHeading(line: Line): Field | undefined {
  const words = line.text.replace(/^#{1,6}[ \t]+/, '');
  return words === line.text
    ? undefined
    : withValue(pairOf({ ...line, text: words.trimEnd().replace(/[ \t]#+$/, '') }));
}

const withValue = (pair: Field | undefined): Field | undefined => (pair?.value === '' ? undefined : pair);

/**
 * Whether headings with their values in the same line tell what their author holds. Any document may have some that look like
 * it: "## Vote: adopted 5-2", "## Position: treasurer", "## New: dark mode", or one for each of several people.
 */
function isOnesOwn(fields: readonly Field[], rest: readonly Line[]): boolean {
  const isTelling = fields.some(({ name, value }) =>
    name === 'vote' || name === 'approve'
      ? typeof value === 'string' && CHOSEN.test(value) && !/\?/.test(value)
      : name === 'confidence' || name === 'blocking',
  );
  const isSaidAgain = rest.some(({ text }) => {
    const name = /^#/.test(text) ? besideHeading({ start: 0, end: 0, next: 0, text })?.name : undefined;
    return name === 'vote' || name === 'position';
  });
  return isTelling && !isSaidAgain;
}

const CHOSEN = /^[*_`"[]*(?:(?:option|position|number)[ ]+)?P ?\d|^abst/i;

function pastEmpty(lines: readonly Line[], from: number): number {
  let at = from;
  while (lines[at] && EMPTY.test(lines[at]!.text)) at += 1;
  return at;
}

/** One short paragraph, or a list; inside a tag, what stands there. */
function valueBelow(
  lines: readonly Line[],
  from: number,
  tag: string | undefined,
): { value: string | string[]; next: number } | undefined {
  const words: string[] = [];
  let length = 0;
  let at = from;
  for (; lines[at] && !EMPTY.test(lines[at]!.text); at += 1) {
    const { text } = lines[at]!;
    if (tag !== undefined && text.trim() === `</${tag}>`) break;
    length += text.length;
    if (length > LONGEST || NO_VALUE.test(text) || LABEL().test(text)) break;
    words.push(text.trim());
  }
  const isOver = lines[at] !== undefined && !EMPTY.test(lines[at]!.text) && !/^[#*_]/.test(lines[at]!.text);
  const isClosed = tag !== undefined && lines[at]?.text.trim() === `</${tag}>`;
  if (words.length === 0 || (tag === undefined ? isOver : !isClosed)) return undefined;
  const items = words.map((line) => ITEM.exec(line)?.[1]);
  const isList = items.every((item) => item !== undefined);
  return { value: isList ? items : words.join(' '), next: isClosed ? at + 1 : at };
}
