// Offline panel: numbers that may be written in the English or the continental way, and what they can mean.
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
