// Separates the quote from a text's own words, as plain text, to show both in one line of a list.

export interface QuoteAndWords {
  /** The lines of its first quote; empty if it has none. */
  quote: string;
  /** The text outside quotes. */
  words: string;
}

/** Much more than a line shows, in characters. */
const READ = 4000;
const QUOTED = /^[ \t]*>/;

export function quoteAndWords(text: string): QuoteAndWords {
  const lines = text.slice(0, READ).split(/\r\n?|\n/);
  const from = lines.findIndex((line) => QUOTED.test(line));
  const length = from === -1 ? 0 : lines.slice(from).findIndex((line) => !QUOTED.test(line));
  const quoted = from === -1 ? [] : lines.slice(from, length === -1 ? undefined : from + length);
  return {
    quote: stripMarkdown(quoted.map((line) => line.replace(/^[ \t]*(?:>[ \t]?)+/, ''))),
    words: stripMarkdown(lines.filter((line) => !QUOTED.test(line))),
  };
}

/** Removes Markdown markup. */
const stripMarkdown = (lines: readonly string[]): string =>
  lines
    .map((line) => line.replace(/^[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)/, ''))
    .join(' ')
    .replace(/!?\[([^[\]]{1,300})\]\([^()\s]{0,300}\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)([^*_]{1,500}?)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}_*])([*_])(?=\S)([^*_]{1,500}?)\1(?![\p{L}\p{N}_*])/gu, '$2')
    .replace(/`([^`]{1,500})`/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
