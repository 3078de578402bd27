// Reads an object, or a list of them, in the JSON that people and models write: comments, trailing commas, single quotes, bare words.
import { parseJsonSafely } from '../../../base/text.ts';

/** What begins at `open`, which keys stand in one object twice, and where it ends; undefined where it never ends or cannot be read. Linear time. */
export function readLooseJson(
  text: string,
  open: number,
): { data: object; twice: string[]; end: number } | undefined {
  const found = toStrictJson(text, open);
  if (!found) return undefined;
  for (const json of [text.slice(open, found.end), found.json]) {
    try {
      const data = parseJsonSafely(json);
      const isData = typeof data === 'object' && data !== null;
      return isData ? { data, twice: found.twice, end: found.end } : undefined;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

const LITERALS = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['none', 'null'],
]);
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const SKIPPED = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)+/y;
const DOUBLE = /"(?:\\[^]|[^"\\])*"/y;
/** An apostrophe inside is forgiven: the quote ends where the value does. */
const SINGLE = /'((?:\\[^]|[^'\\\n]|'(?!\s*[,:}\]]))*)'/y;
const CURLY = /“([^“”]*)”/y;
const WORDS = /[^\s,:{}[\]"“'][^,:{}[\]"“\n]*/y;

/** The same object in strict JSON. */
function toStrictJson(
  text: string,
  open: number,
): { json: string; twice: string[]; end: number } | undefined {
  const parts: string[] = [];
  /** The keys of each object that is open. */
  const keys: Set<string>[] = [];
  const twice: string[] = [];
  let at = open;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found;
  };
  while (at < text.length) {
    if (match(SKIPPED)) continue;
    const char = text[at]!;
    if ('{}[],:'.includes(char)) {
      at += 1;
      // A comma with nothing behind it.
      if ((char === '}' || char === ']') && parts.at(-1) === ',') parts.pop();
      if (char === ':') {
        const key = unquoteKey(parts.at(-1));
        if (keys.at(-1)?.has(key)) twice.push(key);
        keys.at(-1)?.add(key);
      }
      parts.push(char);
      if (char === '{' || char === '[') keys.push(new Set());
      else if (char === '}' || char === ']') {
        keys.pop();
        if (keys.length === 0) return { json: parts.join(''), twice, end: at };
      }
      continue;
    }
    const string = match(DOUBLE)?.[0].replace(/\r?\n/g, '\\n');
    const words = string === undefined ? (match(SINGLE)?.[1] ?? match(CURLY)?.[1]) : undefined;
    const bare = string === undefined && words === undefined ? match(WORDS)?.[0].trim() : undefined;
    if (string !== undefined) parts.push(string);
    else if (words !== undefined) parts.push(JSON.stringify(words.replace(/\\(['"\\])/g, '$1')));
    else if (bare !== undefined)
      parts.push(LITERALS.get(bare.toLowerCase()) ?? (NUMBER.test(bare) ? bare : JSON.stringify(bare)));
    else return undefined;
  }
  return undefined;
}

const unquoteKey = (part = ''): string => part.replace(/^"|"$/g, '');
