/** Decoded bytes with their source ranges: `at[i]` to `end[i]` of the text spell `bytes[i]`. */
interface Spelled {
  /** One character for a byte. */
  bytes: string;
  at: number[];
  end: number[];
}

/** A part of the text, as offsets in its UTF-8. */
export type Range = [start: number, end: number];

const binary = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Escapes of URLs, of JSON and most programming languages, and of HTML. */
const ESCAPES =
  /%[0-9a-f]{2}|(?:\\u[0-9a-f]{4})+|\\x[0-9a-f]{2}|\\[^\n]|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);/gi;
/** White space, the no-break space and what has no width, in UTF-8. */
const WHITE = /[\t-\r ]|\xc2\xa0|\xe2\x80[\x8b-\x8d]|\xef\xbb\xbf/g;
const LETTERS: Record<string, string> = { n: '\n', r: '\n', t: '\n', b: '\n', f: '\n', v: '\n', 0: '\n' };
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** A URL in JSON in HTML: as deep as what programs print about a request that failed. */
const DEPTH = 3;

/** Where any of `secrets` is spelled in `text`: as it is, escaped, in base64 or hex, and with white space between its characters. */
export function findSpelledSecrets(text: string, secrets: readonly string[]): Range[] {
  const needles = secrets.flatMap(spellings);
  if (needles.length === 0) return [];
  const found: Range[] = [];
  let view = asWritten(binary(text));
  for (let depth = 0; depth <= DEPTH; depth++) {
    const compact = rewriteSpelledBytes(view, WHITE, () => '');
    for (const needle of needles) search(needle.isWord ? view : compact, needle, found);
    const decoded = rewriteSpelledBytes(view, ESCAPES, decodeEscape);
    if (decoded.bytes === view.bytes) break;
    view = decoded;
  }
  return found;
}

interface Needle {
  bytes: string;
  /** Its first and last character share bits with what stands beside them. */
  isBase64?: true;
  /** Taken apart by white space it would be other words, which may stand in any text: "work space". */
  isWord?: true;
}

const WORD = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u;
const SHORTEST_COMPACT = 8;

/** How a secret may be written. */
function spellings(secret: string): Needle[] {
  const bytes = binary(secret);
  const compact = bytes.replace(WHITE, '');
  const isWord = WORD.test(secret) || compact.length < SHORTEST_COMPACT;
  const hex = Buffer.from(bytes, 'latin1').toString('hex');
  // What looks like an escape in the secret itself is taken back together with those around it.
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

/** The characters that a secret makes in base64 wherever it stands in the encoded text: three alignments, two alphabets. */
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

function search({ bytes, at, end }: Spelled, needle: Needle, found: Range[]): void {
  const isCode = (index: number): boolean => /[\w+/-]/.test(bytes[index] ?? '');
  for (let from = bytes.indexOf(needle.bytes); from !== -1; from = bytes.indexOf(needle.bytes, from + 1)) {
    const to = from + needle.bytes.length - 1;
    // Bits of the secret's first and last byte are in the characters beside.
    const first = needle.isBase64 && isCode(from - 1) ? from - 1 : from;
    const last = needle.isBase64 && isCode(to + 1) ? to + 1 : to;
    found.push([at[first]!, end[last]!]);
  }
}

function asWritten(bytes: string): Spelled {
  const at = Array.from(bytes, (_, index) => index);
  return { bytes, at, end: at.map((index) => index + 1) };
}

/** A view with everything that `pattern` finds replaced by what it means. */
function rewriteSpelledBytes(view: Spelled, pattern: RegExp, meaning: (found: string) => string): Spelled {
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
    const meant = meaning(match[0]);
    parts.push(meant);
    for (let index = 0; index < meant.length; index++) {
      at.push(view.at[match.index]!);
      end.push(view.end[done - 1]!);
    }
  }
  copy(done, view.bytes.length);
  return { bytes: parts.join(''), at, end };
}

/** What an escape stands for, as bytes. */
function decodeEscape(escape: string): string {
  const code = (digits: string, base: number): string => {
    const point = parseInt(digits, base);
    return point <= 0x10ffff ? binary(String.fromCodePoint(point).toWellFormed()) : '';
  };
  if (escape.startsWith('%')) return String.fromCharCode(parseInt(escape.slice(1), 16));
  if (escape.startsWith('&#x') || escape.startsWith('&#X')) return code(escape.slice(3, -1), 16);
  if (escape.startsWith('&#')) return code(escape.slice(2, -1), 10);
  if (escape.startsWith('&')) return ENTITIES[escape.slice(1, -1).toLowerCase()]!;
  if (/^\\x/i.test(escape) && escape.length === 4) return String.fromCharCode(parseInt(escape.slice(2), 16));
  if (/^\\u/i.test(escape) && escape.length >= 6)
    return binary(JSON.parse(`"${escape.replaceAll('\\U', '\\u')}"`) as string);
  return LETTERS[escape[1]!] ?? escape[1]!;
}
