/** Quotes, list items and footnotes: what holds other blocks of Markdown. */
const MARK = String.raw`(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\s]{1,80}\]:)`;
const NESTED = new RegExp(String.raw`^[ \t]*(?:${MARK}[ \t]*){12,}|^[ \t]{200,}\S`);
const PREFIX = new RegExp(String.raw`^[ \t]*(?:${MARK}[ \t]*)*`);
const MARKS = new RegExp(MARK, 'g');
/** A line this far in goes on with the list item above it. */
const GOES_ON = /^(?: {2}|\t)/;

/** Signs of JSON as bytes of UTF-8: none of them is a part of another character. */
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = [0x5b, 0x5d, 0x7b, 0x7d, 0x2c];

/** True for a line nested deeper than prose ever is: it overflows the stack of a parser, or takes it minutes. */
export const isTooNested = (line: string): boolean => NESTED.test(line.slice(0, 1000));

/**
 * Is told line after line, and says how many quotes and lists begin there, or rather too many than too few. A parser takes
 * the square of the number of those that end.
 */
export function containerCounter(): (line: string) => number {
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
    // A blank line ends a quote, and a line that stands further out a list.
    if (open.includes('>') || (head.trim() !== '' && !GOES_ON.test(head))) open = '';
    return 0;
  };
}

/** What a JSON text may have: levels of lists and objects, and how many values. */
export interface JsonShape {
  levels: number;
  values: number;
}

/** True when lists and objects of a JSON text stand deeper in each other than `most`. */
export const isDeepJson = (bytes: Uint8Array, most: number): boolean =>
  beyondShape(bytes, { levels: most, values: Infinity }) !== undefined;

/**
 * What of its shape a JSON text has more of than it may: a parser overflows its stack, or takes seconds for a million of keys. One
 * pass, before anything is parsed; a text that is no JSON gets some answer.
 */
export function beyondShape(
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
