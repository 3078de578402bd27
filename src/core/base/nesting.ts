// Container blocks of Markdown, nesting of JSON, and an estimate of what a text costs a parser.
/** Quotes, list items and footnotes: Markdown blocks that contain others. */
export const BLOCK_MARK = String.raw`(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\s]{1,80}\]:)`;
const NESTED = new RegExp(String.raw`^[ \t]*(?:${BLOCK_MARK}[ \t]*){12,}|^[ \t]{200,}\S`);
const PREFIX = new RegExp(String.raw`^[ \t]*(?:${BLOCK_MARK}[ \t]*)*`);
const MARKS = new RegExp(BLOCK_MARK, 'g');
/** A line indented this far continues the list item above it. */
const GOES_ON = /^(?: {2}|\t)/;

/** JSON syntax as UTF-8 bytes, which are never part of another character. */
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = [0x5b, 0x5d, 0x7b, 0x7d, 0x2c];

/** True for a line nested deeper than prose ever is: it would overflow a parser's stack, or take it minutes. */
export const isTooNested = (line: string): boolean => NESTED.test(line.slice(0, 1000));

/**
 * Returns a counter that takes line after line and returns how many quotes and lists start there, rather too
 * many than too few. A parser is quadratic in the number of those that end.
 */
export function createContainerCounter(): (line: string) => number {
  let open = '';
  return (line) => {
    const head = line.slice(0, 300);
    const prefix = PREFIX.exec(head)?.[0] ?? '';
    const marks = prefix.match(MARKS)?.length ?? 0;
    if (marks > 0) {
      const own = prefix.trimEnd().replace(/\d+/g, '1');
      const isSame = own === open;
      open = own;
      return isSame ? marks - 1 : marks;
    }
    // A blank line ends a quote, and a line indented less ends a list.
    if (open.includes('>') || (head.trim() !== '' && !GOES_ON.test(head))) open = '';
    return 0;
  };
}

/** Limits of a JSON text: nesting levels and number of values. */
interface JsonShape {
  levels: number;
  values: number;
}

/** True if lists and objects of a JSON text are nested deeper than `most`. */
export const isDeepJson = (bytes: Uint8Array, most: number): boolean =>
  findShapeExcess(bytes, { levels: most, values: Infinity }) !== undefined;

/**
 * Returns which limit a JSON text exceeds: a parser would overflow its stack, or take seconds for a million
 * keys. One pass before parsing; a text that is no JSON gets some answer.
 */
export function findShapeExcess(
  bytes: Uint8Array,
  { levels, values: most }: JsonShape,
): keyof JsonShape | undefined {
  let depth = 0;
  let values = 1;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > levels) return 'levels';
      if (++values > most) return 'values';
    } else if (byte === COMMA) {
      if (++values > most) return 'values';
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return undefined;
}

/** Marks that a Markdown parser tries to pair: each may make it scan the rest of its paragraph. */
const PAIRED = /[*_~`[\]<]/g;
/** A line that starts a quote or a list item. */
const CONTAINER = /^[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))/;
const QUOTED = /^ {0,3}> ?/;
/** A line that ends a paragraph anywhere: marks before it are not paired with later ones. */
const FRESH_LINE = /^ {0,3}(?:[-+*]|#{1,6})[ \t]+\S/;
/** The line under a heading without `#`. */
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** Additional cost of each of these for a parser and the layout, in time or memory, whichever is more. */
const PIECES: readonly [RegExp, number][] = [
  [/\n|\r(?!\n)/g, 28],
  [/^[ \t]*[\n\r]/gm, 20],
  [/^ {0,3}(?:#{1,6}|[-+*]|\d{1,9}[.)])(?=\s)/gm, 70],
  [/^ {0,3}\[\^/gm, 200],
  [/\|/g, 70],
  [/[ \t]+/g, 6],
  [PAIRED, 20],
  [/\]\(/g, 60],
  [/:\/\/|www\./gi, 40],
  [/[@&]/g, 10],
  [/\\/g, 5],
  [/[\u0080-\uFFFF]+/g, 14],
];
const DELIMITER_ROW = /^\|[ \t:|-]*-[ \t:|-]*\|$/;

/**
 * Estimates the maximum cost of parsing and laying out a Markdown text, in units of a character of plain
 * prose: about 1.4 µs or 0.2 KB each. Infinity for nesting that no parser should get. Linear time. Four
 * things are quadratic in micromark: unpaired marks, by the length of their paragraph; lists and quotes that
 * end, by their number; lines that continue a quote or an item, by theirs; underlined headings, by theirs.
 */
export function parseCost(markdown: string): number {
  const lines = markdown.split(/\r\n|\r|\n/);
  if (lines.some(isTooNested)) return Infinity;
  const underlined = lines.filter((line, at) => at > 0 && UNDERLINE.test(line)).length;
  let cost = markdown.length + underlined ** 2 / 4;
  for (const [piece, each] of PIECES) cost += each * countMatches(markdown, piece);
  for (const run of splitTextRuns(lines)) {
    const others = run.filter((line) => !CONTAINER.test(line.slice(0, 300))).length;
    if (others < run.length) cost += others ** 2 / 64;
    for (const { marks, length } of measureParagraphs(run)) cost += (marks * length) / 64;
  }
  const startsAt = createContainerCounter();
  const containers = lines.reduce((sum, line) => sum + startsAt(line), 0);
  return cost + containers ** 2 / 8;
}

function countMatches(text: string, piece: RegExp): number {
  let count = 0;
  piece.lastIndex = 0;
  while (piece.test(text)) count++;
  return count;
}

/** Yields runs of lines without a blank one; if all of them are quoted, the runs inside the quote. */
function* splitTextRuns(lines: readonly string[]): Generator<string[]> {
  let run: string[] = [];
  for (const line of [...lines, '']) {
    if (line.trim() !== '') run.push(line);
    else if (run.length > 0) {
      if (run.every((one) => QUOTED.test(one)))
        yield* splitTextRuns(run.map((one) => one.replace(QUOTED, '')));
      else yield run;
      run = [];
    }
  }
}

/** Splits a run into the parts within which marks are paired. */
function measureParagraphs(lines: readonly string[]): { marks: number; length: number }[] {
  const rows = isTable(lines);
  const paragraphs = [{ marks: 0, length: 0 }];
  for (const line of lines) {
    if (rows || FRESH_LINE.test(line)) paragraphs.push({ marks: 0, length: 0 });
    const paragraph = paragraphs.at(-1)!;
    paragraph.marks += line.match(PAIRED)?.length ?? 0;
    paragraph.length += line.length;
  }
  return paragraphs;
}

/** True for a table by the rules of GitHub's Markdown. */
function isTable([head = '', rule = '']: readonly string[]): boolean {
  const columns = (row: string) => (row.match(/\\[\\|]|\|/g) ?? []).filter((found) => found === '|').length;
  return /^\|.*[^\\]\|$/.test(head) && DELIMITER_ROW.test(rule) && columns(head) === columns(rule);
}
