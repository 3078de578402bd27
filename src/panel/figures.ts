// Offline panel: numbers and words as the language of a document writes them, and what they can mean.
import type { Language } from './says.ts';

/** A number with thousands apart (spaces, points, commas, apostrophes) and decimals; written as people write it. */
export const FIGURE = String.raw`(?:[1-9]\d{0,2}(?:[ \u00A0\u2009\u202F'’.,]\d{3})+(?![\d])|\d+)(?:[.,]\d+)?`;

/** What a number says when points or commas part its decimals. */
export interface Reading {
  value: number;
  decimals: number;
}

/** Which sign parts the decimals. */
export type Custom = '.' | ',';

/** The customs by which a document's numbers may be read, that of its language first. */
export const listNumberCustoms = (language: Language): readonly Custom[] =>
  language === 'fr' ? [',', '.'] : ['.', ','];

/** A number read by a custom; undefined where that custom does not write so. */
export function readFigure(text: string, custom: Custom): Reading | undefined {
  const [point, comma] = custom === '.' ? ['\\.', ','] : [',', '\\.'];
  const form = new RegExp(
    `^(?:[1-9]\\d{0,2}(?:${comma}\\d{3})+|[1-9]\\d{0,2}(?:[ \\u00A0\\u2009\\u202F'’]\\d{3})+|\\d+)(?:${point}(\\d+))?$`,
    'u',
  );
  const match = form.exec(text);
  if (!match) return undefined;
  const decimals = match[1] ?? '';
  const whole = text.slice(0, text.length - (decimals === '' ? 0 : decimals.length + 1)).replace(/\D/g, '');
  return { value: Number(`${whole}.${decimals || 0}`), decimals: decimals.length };
}

/** A number with at most `digits` decimals: "1,234.5", "1 234,5". */
export const formatNumber = (value: number, language: Language, digits = 2): string =>
  value.toLocaleString(language, { maximumFractionDigits: digits });

/** Words of the document in a sentence about them: on one line, and their end where they are too many. */
export function asWritten(text: string, most = 56): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `…${line.slice(line.length - most + 1).trimStart()}`;
}
