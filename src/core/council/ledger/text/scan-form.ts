// Goes through a text once and finds every place where fields stand, and the marks around them.
import { readLines, readPair } from './form-lines.ts';
import type { FormLine } from './form-lines.ts';
import { fieldNamed, findField, isWrapping, isNearlyNamed } from './form-names.ts';
import { readObjects } from './form-records.ts';
import { isBetween, readKey, makePlace, readTags } from './form-places.ts';
import type { Field, FieldGroup } from './form-places.ts';
import {
  BARE_KEY,
  BEGINS_ANEW,
  BLANK_LINE,
  EMPTY,
  FENCE,
  FORM_CODE,
  ITEM,
  OF_A_MAPPING,
  QUOTE,
  RULER,
  TAGS,
} from './form-patterns.ts';
import { readTable } from './form-records.ts';
import { findMarked } from './marks.ts';
import { makeFinder } from './reasoning.ts';
import type { Stretch } from './text-range.ts';

/** What stands in a text that may declare something, and what is not its author's. */
export interface Scan {
  lines: FormLine[];
  places: FieldGroup[];
  /** Sentences beside the forms that say a vote. */
  asides: Field[];
  /** Quotations, and code that is no form. */
  notOwn: Stretch[];
  unknown: string[];
  /** The lines that open and close a form: rulers, and the marks of a fence. */
  marks: Set<number>;
  /** Lines in a quotation of several paragraphs, or between tags that are put around no answer: they may be another's, or a draft. */
  doubtful: Set<number>;
}

/** Objects that begin and cannot be read: more are not tried. */
const MOST_BROKEN = 5;

/** Goes through a text once, whose reasoning is blank, and finds every place with fields. `written` is the text before that. */
export function scanForm(text: string, written: string): Scan {
  const lines = readLines(text, written);
  const { quoted, doubtful } = findQuoted(text, lines);
  const scan: Scan = { lines, places: [], asides: [], notOwn: [], unknown: [], marks: new Set(), doubtful };
  const front = findFront(lines);
  const find = makeFinder(text);
  const hasWords = ({ text: words }: FormLine) => !EMPTY.test(words);
  const [firstWords, lastWords] = [lines.findIndex(hasWords), lines.findLastIndex(hasWords)];
  /** Where the newest fence of each mark is closed: those inside it are closed there, too. */
  const closes = new Map<string, number>();
  let broken = 0;
  /** How far in the item or key stands that the lines below belong to. */
  let parent = { indent: Infinity, isText: false };
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    const fence = FENCE.exec(line.text);
    if (!EMPTY.test(line.text) && line.indent <= parent.indent) parent = { indent: Infinity, isText: false };
    if (QUOTE.test(line.text)) scan.notOwn.push({ start: line.start, end: line.end });
    if (RULER.test(line.text)) scan.marks.add(at);
    const isBeside = isBetween(line) || scan.marks.has(at);
    const isNested = parent.indent !== Infinity || (line.indent > 3 && !ITEM.test(line.text));
    const isPassed = isBeside || quoted.has(at) || parent.isText;
    const place = isPassed
      ? undefined
      : isNested
        ? readNested(at)
        : fence
          ? readFence(at, fence)
          : readPlace(at);
    if (!place && !isPassed && !isNested && isParent(line))
      parent = { indent: line.indent, isText: /[|>][+-]?\d?$/.test(line.text) };
    // All of the front matter is a form, whatever keys it has.
    if (place && isAside(place) && at >= front) scan.asides.push(...place.fields);
    else if (place?.fields.length || (at < front && !isBeside))
      scan.places.push(place ?? makePlace(lines, at, line.end, []));
    at = place?.next ?? at + 1;
  }
  return scan;

  /** The field stands in an item or below another key, so it may describe that; only blocking issues count. */
  function readNested(at: number): FieldGroup | undefined {
    const place = readKey(lines, at);
    const fields = place?.fields.filter(({ name }) => name === 'blocking') ?? [];
    return fields.length === 0
      ? undefined
      : { ...place!, fields: fields.map((field) => ({ ...field, isDoubtful: true as const })) };
  }

  function readPlace(at: number): FieldGroup | undefined {
    const line = lines[at]!;
    if (broken < MOST_BROKEN && /^\s*(?:\{|\[\s*(?:\{|$))/.test(line.text)) {
      const object = readObjects(text, lines, at);
      if (object) return object;
      broken += 1;
    }
    const found = readTable(lines, at) ?? readTags(text, lines, at, find) ?? readKey(lines, at);
    const pair = found ? undefined : readPair(line);
    const isUnknown = pair && pair.value !== '' && fieldNamed(pair.key) === undefined;
    if (isUnknown && (isNearlyNamed(pair.key) || (at < front && line.indent === 0)))
      scan.unknown.push(pair.key.trim());
    return found;
  }

  /** A fence that begins with a form, or holds all of an answer, is read as if it were not there. Any other is code. */
  function readFence(at: number, [, marker = '', language = '']: RegExpExecArray): FieldGroup {
    const isClose = (words: string) => words.startsWith(marker) && /^(?:`+|~+)$/.test(words);
    let close = closes.get(marker) ?? 0;
    if (close <= at) for (close = at + 1; lines[close] && !isClose(lines[close]!.text.trim());) close += 1;
    closes.set(marker, close);
    let inner = at + 1;
    while (inner < close && (isBetween(lines[inner]!) || RULER.test(lines[inner]!.text))) inner += 1;
    const isAll = at <= firstWords && lastWords <= close;
    const isRead = FORM_CODE.has(language.toLowerCase()) && inner < close;
    if (isRead && (isAll || (readPlace(inner)?.fields.length ?? 0) > 0)) {
      scan.marks.add(at).add(close);
      return makePlace(lines, at, lines[at]!.end, []);
    }
    const code = makePlace(lines, at, lines[close]?.end ?? text.length, []);
    scan.notOwn.push(code);
    return code;
  }
}

/** A sentence is none of the lines that others are not shown. */
const isAside = ({ fields, isObject }: FieldGroup): boolean =>
  !isObject && fields.every((one) => one.isAside);

/** Which line ends the front matter: it stands between two rulers, with nothing in front of it, and with lines of a mapping only. */
function findFront(lines: readonly FormLine[]): number {
  const open = lines.findIndex((line) => !isBetween(line));
  if (!lines[open] || !RULER.test(lines[open].text)) return -1;
  const close = lines.findIndex(({ text }, at) => at > open && RULER.test(text));
  return lines.slice(open + 1, close).every(({ text }) => OF_A_MAPPING.test(text)) ? close : -1;
}

/** An item of a list, or a key of YAML with no value: what stands further in below it is a part of that. */
function isParent({ text }: FormLine): boolean {
  const key = BARE_KEY.exec(text)?.[1];
  return key === undefined ? ITEM.test(text) : !isWrapping(key);
}

/**
 * Lines that begin inside quotation marks, lines of block quotes, and lines where that is uncertain, as where a quote may go on
 * without its mark.
 */
function findQuoted(
  text: string,
  lines: readonly FormLine[],
): { quoted: Set<number>; doubtful: Set<number> } {
  const quoted = new Set<number>();
  const doubtful = new Set<number>();
  lines.forEach(({ text: words }, at) => {
    const isAbove = quoted.has(at - 1) || doubtful.has(at - 1);
    if (QUOTE.test(words)) quoted.add(at);
    else if (isAbove && !EMPTY.test(words) && !BEGINS_ANEW.test(words)) doubtful.add(at);
  });
  // Over the ends of lines, an apostrophe or a mark that mostly closes opens nothing.
  const marked = findMarked(text, "'”»").map(({ start, end }) => ({ start: start + 1, end }));
  const isShort = ({ start, end }: Stretch) => !BLANK_LINE.test(text.slice(start, end));
  addLines(quoted, lines, marked.filter(isShort));
  addLines(doubtful, lines, marked);
  addLines(doubtful, lines, findTagged(text));
  return { quoted, doubtful };
}

/** Adds the lines that begin in one of the stretches, which stand in order. */
function addLines(to: Set<number>, lines: readonly FormLine[], stretches: readonly Stretch[]): void {
  let at = 0;
  for (const { start, end } of stretches) {
    while (lines[at] && lines[at]!.start < start) at += 1;
    for (; lines[at] && lines[at]!.start < end; at += 1) to.add(at);
  }
}

/** Text between tags that neither name a field nor wrap a whole answer: an example, a draft, words of another participant. */
function findTagged(text: string): Stretch[] {
  const open = new Map<string, number>();
  const found: Stretch[] = [];
  for (const { 0: tag, 1: slash, 2: name = '', 3: attributes, index } of text.matchAll(TAGS)) {
    const start = open.get(name);
    const isOwn = findField(name) !== undefined || (isWrapping(name) && attributes === '');
    if (slash === '' && start === undefined && !isOwn) open.set(name, index);
    if (slash === '' || start === undefined) continue;
    open.delete(name);
    while (found.length > 0 && found.at(-1)!.start >= start) found.pop();
    found.push({ start, end: index + tag.length });
  }
  return found;
}
