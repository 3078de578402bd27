// Offline panel: numbers as the language of a document writes them, and its words inside a sentence.
import type { Language } from './says.ts';

/** A number with at most `digits` decimals: "1,234.5", "1 234,5". */
export const formatNumber = (value: number, language: Language, digits = 2): string =>
  value.toLocaleString(language, { maximumFractionDigits: digits });

/** Words of the document in a sentence about them: on one line, and their end where they are too many. */
export function asWritten(text: string, most = 56): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `…${line.slice(line.length - most + 1).trimStart()}`;
}
