// Tells a document from a question of a line or two.

/** Running text of so many words is a document; with headings, of so few. */
const WORDS = 60;
const WORDS_UNDER_HEADINGS = 12;

/** True when a text is one whose figures, references and parts can be checked. */
export function looksLikeDocument(text: string): boolean {
  const words = text.slice(0, 100_000).match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const headings = /^(?:#{1,6}[ \t]+\S|.+\r?\n(?:=+|-+)[ \t]*$)/m.test(text);
  return words >= WORDS || (headings && words >= WORDS_UNDER_HEADINGS);
}
