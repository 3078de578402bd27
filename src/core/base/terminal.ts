// Makes text and JSON safe for terminals, and adds council's own colours.
import { styleText } from 'node:util';
import { getCrypto } from './ids.ts';
import { makeOnFirstUse } from './memoize.ts';

/**
 * C0 except tab and line feed, DEL, C1, bidi controls and marks, line separators, annotations, and the tag
 * block U+E0000-E007F.
 */
export const CONTROLS = String.raw`\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029\uFFF9-\uFFFB\u{E0000}-\u{E007F}`;

/** Zero-width characters that shape the one before them; each pattern ends with one. */
const SHAPING = [
  // Joiners of Persian, Hindi and others; ASCII has none.
  String.raw`(?<=[^\u0000-\u007F])(?<=[\p{L}\p{M}])(?<!\p{DI})[\u200C\u200D]`,
  // Combined emoji, emoji as pictures or as text, keycaps.
  String.raw`(?:\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D(?=\p{Extended_Pictographic})`,
  String.raw`\p{Extended_Pictographic}[\uFE0E\uFE0F]`,
  String.raw`[0-9#*]\uFE0F(?=\u20E3)`,
  // Variants of Chinese characters and of Mongolian letters.
  String.raw`\p{sc=Han}[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
  String.raw`\p{sc=Mongolian}(?<!\p{DI})[\u180B-\u180F]`,
].join('|');

/** The characters that `cleanForTerminal` removes. */
export const UNPRINTED = makeOnFirstUse(
  () => new RegExp(String.raw`[${CONTROLS}]|\p{DI}(?<!${SHAPING})`, 'gu'),
);
/**
 * A quick test for characters that may have to be removed: anything but most European letters, quotation
 * marks and most emoji. The exact pattern takes 1 ms to compile. It has no repetition, which would overflow
 * the stack in a text of 10 MB.
 */
const OTHER = /[^\t\n\x20-\x7E\xA0-\xAC\xAE-\u024F\u2010-\u2027\u{1F300}-\u{1FAFF}]/u;

/**
 * Makes text safe for a terminal. Removes control, bidi and tag characters and other invisible ones, except a
 * single joiner or variation selector where a script or emoji needs it. Keeps `
 * ` and `\t`.
 */
export function cleanForTerminal(text: string): string {
  // Well-formed first: removing characters between two lone surrogates could form a tag character.
  if (!OTHER.test(text)) return text;
  return text.toWellFormed().replace(/\r\n/g, '\n').replace(UNPRINTED(), '');
}

/** Formats a value as JSON that is safe for a terminal. */
export const formatPrintableJson = (value: unknown, indent?: number): string =>
  escapeJson(JSON.stringify(value, null, indent));

/** Escapes everything in JSON that `cleanForTerminal` would remove as `\uXXXX`; the document stays the same. */
export function escapeJson(json: string): string {
  if (!OTHER.test(json)) return json;
  return json.replace(UNPRINTED(), (character) =>
    character
      .split('')
      .map((unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'))
      .join(''),
  );
}

let ownEscape: string | undefined;
/** Replaces ESC in council's own colours. Random for every process, so that no text can contain it. */
const getOwnEscape = (): string => (ownEscape ??= `\u001B${getCrypto().randomUUID()}`);

/** Styles text for output by `cleanForOutput`. `options` decide whether there are colours, as in `styleText`. */
export function styleForOutput(
  style: Parameters<typeof styleText>[0],
  text: string,
  options?: Parameters<typeof styleText>[2],
): string {
  const [before = '', after = ''] = styleText(style, '\0', options).split('\0');
  // Only council's own codes are marked: an escape in the text stays foreign.
  return markOwnCodes(before) + text + markOwnCodes(after);
}

/**
 * Marks all escapes of a text as council's own, for output by `cleanForOutput`: it was cleaned by `cleanForTerminal`
 * before it was styled.
 */
export const markOwnCodes = (text: string): string => text.replaceAll('\u001B', getOwnEscape());

/** Filters text like `cleanForTerminal`, but keeps council's own style codes. */
export function cleanForOutput(text: string): string {
  return ownEscape === undefined
    ? cleanForTerminal(text)
    : text.split(ownEscape).map(cleanForTerminal).join('\u001B');
}
