// Goes through a text once and finds every place where fields stand: front matter, fences, objects, tables, tags, lines.
import { objectAt, pairAt, tableAt, tagsAt } from './form-fields.ts';
import type { Closes, Field, Found } from './form-fields.ts';
import { EMPTY, ITEM, linesOf, pairIn } from './form-lines.ts';
import type { Line } from './form-lines.ts';
import { AROUND, fieldNamed, isAround, nearlyNamed } from './form-names.ts';
import type { Stretch } from './stretch.ts';

/** Fields that stand together in one way. */
export interface Place extends Found {
  /** The line in which it begins. */
  first: number;
  /** Front matter, a fence and an object are put there to declare something; a line may say anything. */
  kind: 'block' | 'object' | 'line';
}

export interface Scan {
  lines: Line[];
  places: Place[];
  /** Quotations, and code that is no form. */
  notOwn: Stretch[];
  /** Keys that nobody reads: in a block, or nearly the name of a field. */
  unknown: string[];
}

const LANGUAGES = new Set(
  'yaml yml json json5 jsonc markdown md text txt frontmatter xml html'.split(' ').concat(''),
);
export const RULER = /^ {0,3}---[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w-]*)[ \t]*$/;
const QUOTE = /^ {0,3}>/;
export const WRAPPER = new RegExp(`^[ \\t]*</?${AROUND}>[ \\t]*$`, 'i');
/** A line that a YAML mapping can have: a pair, an item, a value that goes on, a comment, a brace. */
const OF_A_MAPPING = /^(?:[ \t?:].*|[-#{}\]].*|[^\s:#-][^:]*:(?:[ \t].*)?|"[^"]*"[ \t]*:.*)?$/s;
/** A key of YAML with nothing but what stands further in below it. */
const BARE_KEY =
  /^[ \t]*(?:[-*+][ \t]+)?["']?([^\s:"'[\]{}#*<>|-][^\s:"'[\]{}#*<>|]*)["']?:[ \t]*(?:[|>][+-]?\d?)?$/;
/** Words in quotation marks that go on over the end of a line. */
const QUOTATION = /["“„«「『](?:(?!\n[ \t]*\r?\n)[^"“”„«»「」『』])*["”“»」』]/g;
/** Objects that begin and cannot be read: more are not tried. */
const MOST_BROKEN = 5;

/** Scans a text whose reasoning is blank; `written` is the same text before that. */
export function scanForm(text: string, written: string): Scan {
  const lines = linesOf(text, written);
  const scan: Scan = { lines, places: [], notOwn: [], unknown: [] };
  const quoted = quotedLines(text, lines);
  const isText = (at: number) => !EMPTY.test(lines[at]!.text);
  const head = lines.findIndex((line, at) => isText(at) && !WRAPPER.test(line.text));
  /** The end of a fence whose inside is read as if there were none. */
  let unwrapped = -1;
  let broken = 0;
  const closes: Closes = new Map();

  /** Reads lines up to `to`. In a block, what is no field is passed over. */
  function read(from: number, to: number, isBlock: boolean): Place[] {
    const places: Place[] = [];
    /** How far in the item or key stands that the lines below belong to. */
    let parent = Infinity;
    for (let at = from; at < to;) {
      const line = lines[at]!;
      if (!isText(at)) at += 1;
      else {
        if (line.indent <= parent) parent = Infinity;
        const isCode = !isBlock && line.indent > 3 && !ITEM.test(line.text);
        const place = parent !== Infinity || isCode || quoted.has(at) ? undefined : placeAt(at, to, isBlock);
        if (place) places.push(place);
        else if (parent === Infinity && isParent(line)) parent = line.indent;
        at = place?.next ?? at + 1;
      }
    }
    return places;
  }

  function placeAt(at: number, to: number, isBlock: boolean): Place | undefined {
    const line = lines[at]!;
    const of = (found: Found | undefined, kind: Place['kind']): Place | undefined =>
      found && { ...found, first: at, kind };
    if (!isBlock) {
      if (QUOTE.test(line.text)) return void scan.notOwn.push({ start: line.start, end: line.end });
      const fence = FENCE.exec(line.text);
      if (fence && at !== unwrapped) return fenceAt(at, fence[1]!, fence[2]!.toLowerCase());
      if (RULER.test(line.text)) return frontMatterAt(at);
    }
    if (broken < MOST_BROKEN && /^[ \t]*[{[]/.test(line.text)) {
      const object = objectAt(text, lines, at, lines[to - 1]!.end);
      if (object) return object.fields.length > 0 ? of(object, 'object') : undefined;
      broken += 1;
    }
    const found =
      tableAt(lines, at) ??
      (/^[ \t]*</.test(line.text) ? tagsAt(text, lines, at, closes) : undefined) ??
      pairAt({ lines, at, to, isBlock });
    if (found && found.fields.length === 0) return undefined;
    if (!found) noteUnknown(line, isBlock);
    return of(found, 'line');
  }

  function noteUnknown(line: Line, isBlock: boolean): void {
    const pair = pairIn(line);
    if (!pair || pair.value === '' || fieldNamed(pair.key) !== undefined) return;
    if (nearlyNamed(pair.key) !== undefined || (isBlock && line.indent === 0))
      scan.unknown.push(pair.key.trim());
  }

  /** The block from one line `---` to the next: at the start of a text the form, elsewhere where it declares something. */
  function frontMatterAt(at: number): Place | undefined {
    let close = at + 1;
    while (lines[close] && !RULER.test(lines[close]!.text)) close += 1;
    const inside = lines.slice(at + 1, close);
    const isBlock = lines[close] !== undefined && inside.some(({ text: words }) => !EMPTY.test(words));
    if (!isBlock || !inside.every(({ text: words }) => OF_A_MAPPING.test(words))) return undefined;
    const isFirst = at === head;
    // Elsewhere a ruler with an empty line below it is a ruler.
    if (
      !isFirst &&
      EMPTY.test(inside[0]!.text) &&
      !lines.slice(head, at).every(({ text: words }) => /^#|^[ \t]*$/.test(words))
    )
      return undefined;
    const fields = fieldsIn(at + 1, close);
    if (!isFirst && fields.length === 0) return undefined;
    return {
      fields,
      start: lines[at]!.start,
      end: lines[close]!.next,
      first: at,
      next: close + 1,
      kind: 'block',
    };
  }

  const fieldsIn = (from: number, to: number): Field[] =>
    read(from, to, true).flatMap(({ fields }) => fields);

  /** A fence in which a form stands; one that holds all of an answer is read as if it were not there. Any other is code. */
  function fenceAt(at: number, marker: string, language: string): Place | undefined {
    let close = at + 1;
    const isClose = (words: string) => words.startsWith(marker) && /^(?:`+|~+)$/.test(words);
    while (lines[close] && !isClose(lines[close]!.text.trim())) close += 1;
    const end = lines[close]?.next ?? lines.at(-1)!.next;
    const next = Math.min(close + 1, lines.length);
    const start = lines[at]!.start;
    let first = at + 1;
    while (first < close && !isText(first)) first += 1;
    const isRead = LANGUAGES.has(language) && first < close;
    const found = isRead ? formIn(first, close) : undefined;
    const isAll = found && lines.slice(found.next, close).every(({ text: words }) => EMPTY.test(words));
    if (found && isAll) return { ...found, start, end, first: at, next, kind: 'block' };
    const isWhole = isRead && at === head && lines.slice(next).every(({ text: words }) => EMPTY.test(words));
    if (found || isWhole) {
      unwrapped = close;
      return found
        ? { ...found, start, first: at, kind: 'block' }
        : { fields: [], start, end: lines[at]!.next, first: at, next: at + 1, kind: 'line' };
    }
    scan.notOwn.push({ start, end });
    return { fields: [], start, end: start, first: at, next, kind: 'line' };
  }

  /** What a fence begins with, where that is a form. */
  function formIn(first: number, close: number): Found | undefined {
    const found = placeAt(first, close, false);
    if (found && found.kind !== 'line') return found;
    const all = read(first, close, true);
    const isFirst =
      all[0] &&
      lines
        .slice(first, all[0].first)
        .every(({ text: words }) => /^(?:---)?[ \t]*$/.test(words) || WRAPPER.test(words));
    if (!isFirst) return undefined;
    const { end, next } = all.at(-1)!;
    return { fields: all.flatMap(({ fields }) => fields), start: all[0]!.start, end, next };
  }

  scan.places = read(0, lines.length, false).filter(
    ({ fields, kind }) => fields.length > 0 || kind === 'block',
  );
  return scan;
}

/** An item of a list, or a key of YAML with no value: what stands further in below it is a part of that. */
function isParent({ text }: Line): boolean {
  const key = BARE_KEY.exec(text)?.[1];
  return key === undefined ? ITEM.test(text) : !isAround(key);
}

/** The lines that begin inside quotation marks. */
function quotedLines(text: string, lines: readonly Line[]): Set<number> {
  const quoted = new Set<number>();
  let at = 0;
  for (const { 0: words, index } of text.matchAll(QUOTATION)) {
    if (!words.includes('\n')) continue;
    while (lines[at] && lines[at]!.start <= index) at += 1;
    for (let k = at; lines[k] && lines[k]!.start < index + words.length; k += 1) quoted.add(k);
  }
  return quoted;
}
