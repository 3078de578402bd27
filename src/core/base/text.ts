// Texts: size limits, comment escaping, strict decoding, single lines, JSON inside comments, and fences.
import { CouncilError } from './errors.ts';
import { cleanForTerminal } from './terminal.ts';
import { sha256 } from './ids.ts';

/** Maximum size of a contribution, and of all texts of a council, in bytes. */
export const MAX_CONTRIBUTION_BYTES = 1024 * 1024;
export const MAX_COUNCIL_BYTES = 16 * 1024 * 1024;
/** Maximum size of a state file. Leaves room to close a full council (ledger, leases, absences). */
export const MAX_DOCUMENT_BYTES = MAX_COUNCIL_BYTES + 2 * 1024 * 1024;

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/**
 * Escapes human text between engine markers, so that no comment can start inside it. `restore(escape(x)) ===
 * x` for every string (design, section 3).
 */
export function escapeComments(text: string): string {
  return text.includes('!--') ? text.replace(/<(\\*)!--/g, '<\\$1!--') : text;
}

/** The inverse of `escapeComments`. */
export function restoreComments(text: string): string {
  return text.includes('<\\') ? text.replace(/<\\(\\*)!--/g, '<$1!--') : text;
}

/**
 * Decodes UTF-8 strictly: keeps a BOM, adds no replacement characters. Throws `invalid_text` for invalid
 * UTF-8 and for NUL; `what` names the text in the error.
 */
export function decodeText(bytes: Uint8Array, what: string): string {
  const utf16 = detectUtf16(bytes);
  if (utf16 !== undefined)
    throw new CouncilError(
      'invalid_text',
      `${what} is ${utf16}, and UTF-8 is read (${bytes.length} bytes).`,
      {
        hint: `Save it as UTF-8, for example with iconv -f ${utf16} -t UTF-8.`,
      },
    );
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CouncilError('invalid_text', `${what} is not valid UTF-8 (${bytes.length} bytes).`, {
      hint: 'Convert it to UTF-8 first, for example with iconv -t UTF-8.',
    });
  }
  requireCleanText(text, what);
  return text;
}

/** Detects a BOM; without one, NUL as every other byte near the start. */
function detectUtf16(bytes: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'UTF-16LE';
  if (first === 0xfe && second === 0xff) return 'UTF-16BE';
  const head = [...bytes.subarray(0, 64)];
  const nulls = (odd: number): number => head.filter((byte, at) => byte === 0 && at % 2 === odd).length;
  const [even, odd] = [nulls(0), nulls(1)];
  const many = head.length / 4;
  if (head.length < 8) return undefined;
  return odd > many && even === 0 ? 'UTF-16LE' : even > many && odd === 0 ? 'UTF-16BE' : undefined;
}

/** Throws `invalid_text` for NUL and lone surrogates, which cannot safely be stored as UTF-8. */
export function requireCleanText(text: string, what: string): void {
  if (text.includes('\0'))
    throw new CouncilError(
      'invalid_text',
      `${what} contains a NUL character at offset ${text.indexOf('\0')}.`,
      { hint: 'Remove the NUL characters: it may be a binary file.' },
    );
  if (LONE_SURROGATE.test(text))
    throw new CouncilError(
      'invalid_text',
      `${what} contains half of a surrogate pair at offset ${text.search(LONE_SURROGATE)}.`,
      { hint: 'Send whole Unicode characters.' },
    );
}

/** Formats "1 file", "3 files"; English, for the terminal. */
export const formatCount = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;

/** Formats text as one safe line: white space collapsed, cut at `max` characters with an ellipsis. */
export function toOneLine(text: string, max = 200): string {
  // Only the start of a long text is needed; it grows if too much of it is white space or unprintable.
  for (let size = 8 * max + 200; ; size *= 4) {
    const line = cleanForTerminal(text.slice(0, size)).replace(/\s+/g, ' ').trim();
    const chars = [...line];
    // The end of a cut text may be rendered differently than in the whole text.
    if (size < text.length && chars.length < max + 50) continue;
    return chars.length > max ? chars.slice(0, max - 1).join('') + '…' : line;
  }
}

/** Formats JSON for use inside an HTML comment: `<`, `>`, `&`, U+2028 and U+2029 are written as `\uXXXX`. */
export function toCommentSafeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'),
  );
}

/** `JSON.parse` that refuses keys which reach into a prototype. Throws `SyntaxError`. */
export function parseJsonSafely(text: string): unknown {
  return JSON.parse(
    text,
    /__proto__|constructor|prototype|\\u00[567]/.test(text) ? refuseProtoKeys : undefined,
  );
}

/** Parses JSON; undefined for invalid JSON. */
export function parseJsonOrUndefined(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Like `parseJsonSafely`; undefined for a text that is no JSON. */
export const tryParseJson = (text: string): unknown => parseJsonOrUndefined(text, parseJsonSafely);

function refuseProtoKeys(key: string, value: unknown): unknown {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype')
    throw new SyntaxError(`The key ${JSON.stringify(key)} is not allowed.`);
  return value;
}

/** The last cached text with its bytes. Comparing identical strings costs nothing. */
let cached: { text: string; bytes: Buffer } = { text: '', bytes: Buffer.alloc(0) };

/**
 * Caches the UTF-8 of a well-formed text that is likely to be needed next. Neither argument may be modified
 * later.
 */
export function cacheUtf8(text: string, bytes: Buffer): void {
  cached = { text, bytes };
}

/** Returns the UTF-8 of a text, which must not be changed; undefined if the text has a lone surrogate. */
export function encodeUtf8(text: string): Buffer | undefined {
  if (text === cached.text) return cached.bytes;
  return text.isWellFormed() ? Buffer.from(text) : undefined;
}

/** Whether it is an object of JSON or YAML, and not a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object as a record of unknown values; an empty record for anything else. */
export const toUnknownRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/**
 * Quotes a word for a shell, in commands that people copy. Control characters, which must not reach a
 * terminal, are written as $'…' escapes of bash, zsh and ksh.
 */
export function quoteShellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!CONTROL.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/[\\']/g, '\\$&').replace(CONTROLS, escapeControlChar)}'`;
}

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;
const CONTROLS = new RegExp(CONTROL, 'g');
const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes a control character as in C; the shells above and systemd read it alike. */
export const escapeControlChar = (char: string): string =>
  NAMED[char] ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

export const sumFigures = (figures: readonly number[]): number =>
  figures.reduce((sum, figure) => sum + figure, 0);

/** Sums the known figures; null if there are none. */
export function sumKnown(figures: readonly (number | null | undefined)[]): number | null {
  const known = figures.filter((figure) => figure !== null && figure !== undefined);
  return known.length === 0 ? null : sumFigures(known);
}

/** Puts a text between two marker lines that do not occur in it. */
export interface Fence {
  (text: string): string;
  marker: string;
}

/** The start of every marker. */
export const MARKER_PREFIX = 'council-text-';

/** Builds a fence from a marker that is known not to occur in its texts. */
export const buildFence = (marker: string): Fence =>
  Object.assign((text: string) => `BEGIN ${marker}\n${text}\nEND ${marker}`, { marker });

/**
 * Creates the fence of one prompt. Its marker is derived from `seed` and all of `shown`, repeatedly until it
 * does not occur there.
 */
export function createFence(seed: readonly unknown[], shown: string): Fence {
  const start = sha256(JSON.stringify([...seed, sha256(shown)]));
  for (let attempt = 0; ; attempt++) {
    const marker = `${MARKER_PREFIX}${sha256(`${start} ${attempt}`).slice(0, 16)}`;
    if (shown.includes(marker)) continue;
    return buildFence(marker);
  }
}

/** Minimum length of the longest line in hand-wrapped text. */
const WRAPPED = 40;

/**
 * Returns for each line but the last whether its end was intended: at a hand-wrapped line's end, the next
 * word would not have fitted.
 */
export function findIntendedBreaks(lines: readonly string[]): boolean[] {
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  return lines.slice(1).map((following, at) => {
    const [next = ''] = following.split(' ');
    return longest < WRAPPED || lines[at]!.length + 1 + next.length <= longest;
  });
}
