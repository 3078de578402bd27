// Tells where a text may be cut without cutting a word, a number or its sign.

// Invisible characters join letters as well: what they hide must not pass as a word of its own.
const WORD = String.raw`[\p{L}\p{N}\p{M}_\u00AD\u200B-\u200D\u2060\uFEFF]`;
const HYPHEN = String.raw`[-\u2010\u2011\u2212]`;
/** Scripts that set no spaces between words: a border may be anywhere. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`;

const buildBorderPatterns = (before: string, after: string): [RegExp, RegExp] => [
  new RegExp(`${before}$`, 'u'),
  new RegExp(`^${after}`, 'u'),
];

/** What may not be parted: "impossible", "non-blocking", "can't", "1.5", "-5", "!ready". */
const TOGETHER = [
  buildBorderPatterns(WORD, WORD),
  buildBorderPatterns(WORD, HYPHEN + WORD),
  buildBorderPatterns(WORD + HYPHEN, WORD),
  buildBorderPatterns(WORD, `'${WORD}`),
  buildBorderPatterns(String.raw`\p{N}`, String.raw`[.,:/]\p{N}`),
  buildBorderPatterns(String.raw`\p{N}[.,:/]`, String.raw`\p{N}`),
  buildBorderPatterns(HYPHEN, String.raw`\p{N}`),
  buildBorderPatterns(String.raw`(?:^|[^\p{L}\p{N}])[!¬]`, WORD),
];
const [UNSPACED_BEFORE, UNSPACED_AFTER] = buildBorderPatterns(UNSPACED, UNSPACED);

/** True when a cut in front of the unit `at` would go through a word or a number, or part it from its sign. */
export function splitsWord(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  if (/[\uDC00-\uDFFF]/.test(text[at]!)) return true;
  const before = text.slice(Math.max(0, at - 4), at);
  const after = text.slice(at, at + 4);
  const isTogether = TOGETHER.some(([left, right]) => left.test(before) && right.test(after));
  return isTogether && !(UNSPACED_BEFORE.test(before) && UNSPACED_AFTER.test(after));
}
