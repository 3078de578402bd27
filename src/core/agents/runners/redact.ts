// Removes secrets and whatever looks like a key or a token from texts.
import { oneLine } from '../../base/text.ts';
import { findSpelledSecrets } from './secret-spellings.ts';
import type { Range } from './secret-spellings.ts';

/** Shapes of keys and tokens that programs are known to print in their errors. */
const PATTERNS: [RegExp, string][] = [
  // The address of a proxy or of a database.
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
/** Values from here on are found in every spelling. */
const SHORTEST_SECRET = 8;
/** Shorter ones are replaced where they stand alone, if they are no word and no number: "1", "en" and "8080" are no secrets. */
const SHORT_SECRET = /^(?=.*\p{L})(?=.*[^\p{L}\s]).{4,7}$/u;
/** A character may be written with this many: \u0041. */
const LONGEST_ESCAPE = 6;
/** A line of a key that has many. */
const SHORTEST_LINE = 16;

/**
 * `text` with every one of `secrets`, and everything that looks like a key or a token, as `[redacted]`. A secret of 8
 * characters or more is found as it is, escaped as in URLs, JSON and HTML, in base64 and hex, and with white space in it.
 * With `isEnd`, the text is the end of a longer one and may begin within a secret: that beginning is replaced as well.
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
    clean = clean.replace(alone(short), REDACTED);
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}

/** More than is ever shown: a secret is found whole, and cut afterwards. */
const LOOKED_AT = 64 * 1024;

/** One line without secrets, cut at `max` characters. */
export const redactedLine = (text: string, secrets: readonly string[], max = 300): string =>
  oneLine(redact(text.slice(0, LOOKED_AT), secrets), max);

const alone = (word: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d])${word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\d])`, 'gu');

const REDACTED = '[redacted]';

/** A text with these parts of its UTF-8 replaced; parts that overlap or touch are one. */
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
