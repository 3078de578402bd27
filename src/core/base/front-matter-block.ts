// Extracts front matter from a Markdown file, without parsing its YAML.

/** The front matter of a Markdown file, not parsed. */
interface FrontMatterBlock {
  /** The lines between the two fences, including line ends. */
  yaml: string;
  /** The text after the closing fence's line, unchanged. */
  body: string;
  /** Offset of `yaml` in the text. */
  start: number;
}

const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSING = /[ \t]*(\r?\n|$)/y;

/** True if the text starts with a line `---`, so that callers can load the YAML reader lazily. */
export const startsWithFrontMatter = (text: string): boolean => OPENING.test(text);

/**
 * Extracts the lines between a first line `---` and the next line `---`. Returns undefined if the text starts
 * differently or the block is not closed. One linear scan, no YAML parser.
 */
export function cutFrontMatter(text: string): FrontMatterBlock | undefined {
  const start = OPENING.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  for (let at = text.indexOf('\n---', start - 1); at !== -1; at = text.indexOf('\n---', at + 1)) {
    CLOSING.lastIndex = at + 4;
    const rest = CLOSING.exec(text);
    if (rest) return { yaml: text.slice(start, at + 1), body: text.slice(at + 4 + rest[0].length), start };
  }
  return undefined;
}

/** Minimum words for a text to count as a document; fewer if it has headings. */
const WORDS = 60;
const WORDS_UNDER_HEADINGS = 12;

/** True for a text whose figures, references and sections can be checked. */
export function looksLikeDocument(text: string): boolean {
  const words = text.slice(0, 100_000).match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const headings = /^(?:#{1,6}[ \t]+\S|.+\r?\n(?:=+|-+)[ \t]*$)/m.test(text);
  return words >= WORDS || (headings && words >= WORDS_UNDER_HEADINGS);
}
