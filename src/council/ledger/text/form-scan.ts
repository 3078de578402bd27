// Goes through a text once and finds every place where fields stand, and the marks around them.
import { readLines, readPair } from './form-lines.ts';
import type { Line } from './form-lines.ts';
import { fieldNamed, isWrapping, isNearlyNamed } from './form-names.ts';
import { readObjects, readKey, makePlace, readTable, readTags } from './form-places.ts';
import type { Place } from './form-places.ts';
import {
  BARE_KEY,
  BEGINS_ANEW,
  EMPTY,
  FENCE,
  FORM_CODE,
  ITEM,
  OF_A_MAPPING,
  QUOTATION,
  QUOTE,
  RULER,
  WRAPPER,
} from './form-shapes.ts';
import { makeFinder } from './reasoning.ts';
import type { Stretch } from './stretch.ts';

/** What stands in a text that may declare something, and what is not its author's. */
export interface Scan {
  lines: Line[];
  places: Place[];
  /** Quotations, and code that is no form. */
  notOwn: Stretch[];
  unknown: string[];
  /** The lines that open and close a form: rulers, and the marks of a fence. */
  marks: Set<number>;
}

/** Objects that begin and cannot be read: more are not tried. */
const MOST_BROKEN = 5;

/** Nothing stands in such a line, or a tag around the whole. */
export const isBetween = ({ text }: Line): boolean => EMPTY.test(text) || WRAPPER.test(text);

/** Goes through a text once, whose reasoning is blank, and finds every place with fields. `written` is the text before that. */
export function scanForm(text: string, written: string): Scan {
  const lines = readLines(text, written);
  const quoted = findQuoted(text, lines);
  const scan: Scan = { lines, places: [], notOwn: [], unknown: [], marks: new Set() };
  const front = findFront(lines);
  const find = makeFinder(text);
  const isBlank = (from: number, to?: number) => lines.slice(from, to).every((line) => EMPTY.test(line.text));
  let broken = 0;
  /** How far in the item or key stands that the lines below belong to. */
  let parent = Infinity;
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    const fence = FENCE.exec(line.text);
    if (!EMPTY.test(line.text) && line.indent <= parent) parent = Infinity;
    if (QUOTE.test(line.text)) scan.notOwn.push({ start: line.start, end: line.end });
    if (RULER.test(line.text)) scan.marks.add(at);
    const isBeside = isBetween(line) || scan.marks.has(at);
    const isPassed =
      isBeside || parent !== Infinity || quoted.has(at) || (line.indent > 3 && !ITEM.test(line.text));
    const place = isPassed ? undefined : fence ? readFence(at, fence) : readPlace(at);
    if (!place && !isPassed && isParent(line)) parent = line.indent;
    // All of the front matter is a form, whatever keys it has.
    if (place?.fields.length || (at < front && !isBeside))
      scan.places.push(place ?? makePlace(lines, at, line.end, []));
    at = place?.next ?? at + 1;
  }
  return scan;

  function readPlace(at: number): Place | undefined {
    const line = lines[at]!;
    if (broken < MOST_BROKEN && /^\s*(?:\{|\[\s*(?:\{|$))/.test(line.text)) {
      const object = readObjects(text, lines, at);
      if (object) return object;
      broken += 1;
    }
    const found = readTable(lines, at) ?? readTags(text, lines, at, find) ?? readKey(lines, at);
    const pair = found?.fields.some(({ isDoubtful }) => !isDoubtful) ? undefined : readPair(line);
    const isUnknown = pair && pair.value !== '' && fieldNamed(pair.key) === undefined;
    if (isUnknown && (isNearlyNamed(pair.key) || (at < front && line.indent === 0)))
      scan.unknown.push(pair.key.trim());
    return found;
  }

  /** A fence that begins with a form, or holds all of an answer, is read as if it were not there. Any other is code. */
  function readFence(at: number, [, marker = '', language = '']: RegExpExecArray): Place {
    let close = at + 1;
    const isClose = (words: string) => words.startsWith(marker) && /^(?:`+|~+)$/.test(words);
    while (lines[close] && !isClose(lines[close]!.text.trim())) close += 1;
    const inner = lines.findIndex((line, k) => k > at && !isBetween(line) && !RULER.test(line.text));
    const isAll = isBlank(0, at) && isBlank(close + 1);
    const isRead = FORM_CODE.has(language.toLowerCase()) && inner !== -1 && inner < close;
    if (isRead && (isAll || (readPlace(inner)?.fields.length ?? 0) > 0)) {
      scan.marks.add(at).add(close);
      return makePlace(lines, at, lines[at]!.end, []);
    }
    const code = makePlace(lines, at, lines[close]?.end ?? text.length, []);
    scan.notOwn.push(code);
    return code;
  }
}

/** Which line ends the front matter: it stands between two rulers, with nothing in front of it, and with lines of a mapping only. */
function findFront(lines: readonly Line[]): number {
  const open = lines.findIndex((line) => !isBetween(line));
  if (!lines[open] || !RULER.test(lines[open].text)) return -1;
  const close = lines.findIndex(({ text }, at) => at > open && RULER.test(text));
  const inside = lines.slice(open + 1, close);
  const isMapping = inside.every(({ text }) => OF_A_MAPPING.test(text)) && !inside.every(isBetween);
  return close !== -1 && isMapping ? close : -1;
}

/** An item of a list, or a key of YAML with no value: what stands further in below it is a part of that. */
function isParent({ text }: Line): boolean {
  const key = BARE_KEY.exec(text)?.[1];
  return key === undefined ? ITEM.test(text) : !isWrapping(key);
}

/** The lines that begin inside quotation marks, and those of block quotes with what goes on below them. */
function findQuoted(text: string, lines: readonly Line[]): Set<number> {
  const quoted = new Set<number>();
  lines.forEach(({ text: words }, at) => {
    const goesOn = quoted.has(at - 1) && !EMPTY.test(words) && !BEGINS_ANEW.test(words);
    if (QUOTE.test(words) || goesOn) quoted.add(at);
  });
  let at = 0;
  for (const { 0: words, index } of text.matchAll(QUOTATION)) {
    if (!words.includes('\n')) continue;
    while (lines[at] && lines[at]!.start <= index) at += 1;
    for (let k = at; lines[k] && lines[k]!.start < index + words.length; k += 1) quoted.add(k);
  }
  return quoted;
}
