// Removes secrets, and anything that looks like a key or a token, from texts.
import { toOneLine } from '../../base/text.ts';

/** Patterns of keys and tokens that programs are known to print in errors. */
const PATTERNS: [RegExp, string][] = [
  // Credentials in the address of a proxy or a database.
  [/(\w:\/\/)[^\s/:@]+:[^\s/@]+@/g, '$1[redacted]@'],
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, '$1[redacted]'],
  [/\bcouncil_[\w-]{43,}/g, '[redacted]'],
  [/(authorization["']?\s*[:=]\s*["']?basic\s+)[\w+/]{8,}={0,2}/gi, '$1[redacted]'],
  // api_key=…, x-api-key: …, "apiKey": "…"; a value without a digit is a name or a word.
  [/(api[-_]?key["']?\s*[:=]\s*["']?)(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}/gi, '$1[redacted]'],
  [/\b(?:sk-|gsk_|hf_|xai-)[\w-]{8,}/g, '[redacted]'],
  [/\b(gh[opsur]_\w{16,}|github_pat_\w{16,})/g, '[redacted]'],
  [/\b(AKIA|ASIA)[0-9A-Z]{16}\b/g, '[redacted]'],
  [/\bxox[a-z]-[\w-]{8,}/g, '[redacted]'],
  [/\bAIza[\w-]{30,}/g, '[redacted]'],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '[redacted]'],
];
/** Values of at least this length are found in every spelling. */
const SHORTEST_SECRET = 8;
/**
 * Shorter ones are replaced as separate words only, and unless they are a word or a number: "1", "en" and
 * "8080" are not secrets.
 */
const SHORT_SECRET = /^(?=.*\p{L})(?=.*[^\p{L}\s]).{4,7}$/u;
/** Maximum characters per escaped character: \u0041. */
const LONGEST_ESCAPE = 6;
/** Minimum length of a line of a multi-line key. */
const SHORTEST_LINE = 16;

/**
 * Replaces each of `secrets`, and everything that looks like a key or a token, by `[redacted]`. A secret of 8
 * characters or more is found as it is, escaped as in URLs, JSON and HTML, in base64 and hex, and with white
 * space in it. With `isEnd`, the text is the end of a longer one and may start within a secret: that start is
 * replaced as well.
 */
export function redact(text: string, secrets: readonly string[], isEnd = false): string {
  const lines = secrets.flatMap((secret) =>
    secret.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE),
  );
  const known = [...new Set([...secrets, ...lines].map((secret) => secret.trim()))];
  const long = known.filter((secret) => secret.length >= SHORTEST_SECRET);
  const ranges = findSpelledSecrets(text, long);
  const longest = Math.max(0, ...long.map((secret) => Buffer.byteLength(secret)));
  if (isEnd && longest > 0) ranges.push([0, longest * LONGEST_ESCAPE]);
  let clean = maskByteRanges(text, ranges);
  for (const short of known.filter((secret) => SHORT_SECRET.test(secret)))
    clean = clean.replace(buildWordPattern(short), REDACTED);
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}

/** More than is ever shown, so that a secret is found before the text is cut. */
const LOOKED_AT = 64 * 1024;

/** Returns one line without secrets, cut at `max` characters. */
export const redactLine = (text: string, secrets: readonly string[], max = 300): string =>
  toOneLine(redact(text.slice(0, LOOKED_AT), secrets), max);

const buildWordPattern = (word: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d])${word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\d])`, 'gu');

const REDACTED = '[redacted]';

/** Replaces ranges of a text's UTF-8; ranges that overlap or touch are merged. */
function maskByteRanges(text: string, ranges: Range[]): string {
  if (ranges.length === 0) return text;
  const bytes = Buffer.from(text, 'utf8');
  const parts: string[] = [];
  let done = 0;
  let open = false;
  for (const [start, end] of ranges.sort((a, b) => a[0] - b[0])) {
    if (start > done || !open) parts.push(bytes.toString('utf8', done, Math.max(start, done)), REDACTED);
    open = true;
    done = Math.max(done, end);
  }
  return parts.join('') + bytes.toString('utf8', done);
}

/** Decoded bytes with their source ranges: `at[i]` to `end[i]` of the text encode `bytes[i]`. */

interface DecodedBytes {
  /** One character per byte. */
  bytes: string;
  at: number[];
  end: number[];
}

/** A range of the text, as offsets in its UTF-8. */
type Range = [start: number, end: number];

const toLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Escapes of URLs, of JSON and most programming languages, and of HTML. */
const ESCAPES =
  /%[0-9a-f]{2}|(?:\\u[0-9a-f]{4})+|\\x[0-9a-f]{2}|\\[^\n]|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);/gi;
/** White space, no-break space and zero-width characters, in UTF-8. */
const WHITE = /[\t-\r ]|\xc2\xa0|\xe2\x80[\x8b-\x8d]|\xef\xbb\xbf/g;
const LETTERS: Record<string, string> = { n: '\n', r: '\n', t: '\n', b: '\n', f: '\n', v: '\n', 0: '\n' };
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Levels of nested escapes, such as a URL in JSON in HTML: enough for errors about failed requests. */
const DEPTH = 3;

/** Finds `secrets` in `text`: as they are, escaped, in base64 or hex, and with white space between characters. */
function findSpelledSecrets(text: string, secrets: readonly string[]): Range[] {
  const needles = secrets.flatMap(listSecretSpellings);
  if (needles.length === 0) return [];
  const found: Range[] = [];
  let view = asWritten(toLatin1(text));
  for (let depth = 0; depth <= DEPTH; depth++) {
    const compact = rewriteSpelledBytes(view, WHITE, () => '');
    for (const needle of needles) searchSpelling(needle.isWord ? view : compact, needle, found);
    const decoded = rewriteSpelledBytes(view, ESCAPES, decodeEscape);
    if (decoded.bytes === view.bytes) break;
    view = decoded;
  }
  return found;
}

interface SecretSpelling {
  bytes: string;
  /** Its first and last character share bits with the adjacent ones. */
  isBase64?: true;
  /** Not matched across white space, since those words may be in any text: "work space". */
  isWord?: true;
}

const WORD = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u;
const SHORTEST_COMPACT = 8;

function listSecretSpellings(secret: string): SecretSpelling[] {
  const bytes = toLatin1(secret);
  const compact = bytes.replace(WHITE, '');
  const isWord = WORD.test(secret) || compact.length < SHORTEST_COMPACT;
  const hex = Buffer.from(bytes, 'latin1').toString('hex');
  // Parts of the secret that look like escapes are decoded along with those around it.
  const decoded = rewriteSpelledBytes(asWritten(compact), ESCAPES, decodeEscape).bytes;
  const encoded = [hex, hex.toUpperCase(), bytes.replaceAll(' ', '+').replace(WHITE, '')];
  if (decoded.length >= SHORTEST_COMPACT) encoded.push(decoded);
  return [
    isWord ? { bytes, isWord } : { bytes: compact },
    ...encoded
      .filter((spelled) => spelled !== (isWord ? bytes : compact))
      .map((spelled) => ({ bytes: spelled })),
    ...listBase64Spellings(bytes).map((spelled) => ({ bytes: spelled, isBase64: true as const })),
  ];
}

/** Returns the base64 of a secret at any position in an encoded text: three alignments, two alphabets. */
function listBase64Spellings(bytes: string): string[] {
  const cores = [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + bytes, 'latin1').toString('base64');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const core = encoded.slice(first, last);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [...new Set(cores)];
}

function searchSpelling({ bytes, at, end }: DecodedBytes, needle: SecretSpelling, found: Range[]): void {
  const isCode = (index: number): boolean => /[\w+/-]/.test(bytes[index] ?? '');
  for (let from = bytes.indexOf(needle.bytes); from !== -1; from = bytes.indexOf(needle.bytes, from + 1)) {
    const to = from + needle.bytes.length - 1;
    // The adjacent characters contain bits of the secret's first and last byte.
    const first = needle.isBase64 && isCode(from - 1) ? from - 1 : from;
    const last = needle.isBase64 && isCode(to + 1) ? to + 1 : to;
    found.push([at[first]!, end[last]!]);
  }
}

function asWritten(bytes: string): DecodedBytes {
  const at = Array.from(bytes, (_, index) => index);
  return { bytes, at, end: at.map((index) => index + 1) };
}

/** Replaces all matches of `pattern` in a view by their meaning. */
function rewriteSpelledBytes(
  view: DecodedBytes,
  pattern: RegExp,
  explain: (found: string) => string,
): DecodedBytes {
  const parts: string[] = [];
  const at: number[] = [];
  const end: number[] = [];
  const copy = (from: number, to: number): void => {
    parts.push(view.bytes.slice(from, to));
    for (let index = from; index < to; index++) {
      at.push(view.at[index]!);
      end.push(view.end[index]!);
    }
  };
  let done = 0;
  for (const match of view.bytes.matchAll(pattern)) {
    copy(done, match.index);
    done = match.index + match[0].length;
    const meant = explain(match[0]);
    parts.push(meant);
    for (let index = 0; index < meant.length; index++) {
      at.push(view.at[match.index]!);
      end.push(view.end[done - 1]!);
    }
  }
  copy(done, view.bytes.length);
  return { bytes: parts.join(''), at, end };
}

/** Decodes an escape to bytes. */
function decodeEscape(escape: string): string {
  const code = (digits: string, base: number): string => {
    const point = parseInt(digits, base);
    return point <= 0x10ffff ? toLatin1(String.fromCodePoint(point).toWellFormed()) : '';
  };
  if (escape.startsWith('%')) return String.fromCharCode(parseInt(escape.slice(1), 16));
  if (escape.startsWith('&#x') || escape.startsWith('&#X')) return code(escape.slice(3, -1), 16);
  if (escape.startsWith('&#')) return code(escape.slice(2, -1), 10);
  if (escape.startsWith('&')) return ENTITIES[escape.slice(1, -1).toLowerCase()]!;
  if (/^\\x/i.test(escape) && escape.length === 4) return String.fromCharCode(parseInt(escape.slice(2), 16));
  if (/^\\u/i.test(escape) && escape.length >= 6)
    return toLatin1(JSON.parse(`"${escape.replaceAll('\\U', '\\u')}"`) as string);
  return LETTERS[escape[1]!] ?? escape[1]!;
}
