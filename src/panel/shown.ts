// Offline panel: numbers as the language of a document writes them.
import type { Language } from './says.ts';

/** A number with at most `digits` decimals: "1,234.5", "1 234,5". */
export const shown = (value: number, language: Language, digits = 2): string =>
  value.toLocaleString(language, { maximumFractionDigits: digits });
