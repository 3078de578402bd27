// Makes text and JSON safe for terminals and adds council's own colours.
import { styleText } from 'node:util';
import { crypto } from './ids.ts';
import { onFirstUse } from './memoize.ts';

/** C0 but tab and line feed, DEL, C1, bidi controls and marks, line separators, annotations, and the tag block U+E0000-E007F. */
export const CONTROLS = String.raw`\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029\uFFF9-\uFFFB\u{E0000}-\u{E007F}`;

/** What has no width but shapes what stands before it, one at a time: each pattern ends with it. */
const SHAPING = [
  // Joiners of Persian, Hindi and others. ASCII has nothing to join.
  String.raw`(?<=[^\u0000-\u007F])(?<=[\p{L}\p{M}])(?<!\p{DI})[\u200C\u200D]`,
  // Emoji made of several, emoji as pictures or as text, keycaps.
  String.raw`(?:\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D(?=\p{Extended_Pictographic})`,
  String.raw`\p{Extended_Pictographic}[\uFE0E\uFE0F]`,
  String.raw`[0-9#*]\uFE0F(?=\u20E3)`,
  // Variants of Chinese characters and of Mongolian letters.
  String.raw`\p{sc=Han}[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
  String.raw`\p{sc=Mongolian}(?<!\p{DI})[\u180B-\u180F]`,
].join('|');

/** What `forTerminal` drops. */
export const UNPRINTED = onFirstUse(() => new RegExp(String.raw`[${CONTROLS}]|\p{DI}(?<!${SHAPING})`, 'gu'));
/**
 * Something that may have to be dropped. All but letters of most of Europe, its quotation marks and most emoji: what knows all takes
 * 1 ms to be made. Without a repetition, which would overflow the stack in a text of 10 MB.
 */
const OTHER = /[^\t\n\x20-\x7E\xA0-\xAC\xAE-\u024F\u2010-\u2027\u{1F300}-\u{1FAFF}]/u;

/**
 * Makes text safe for a terminal. Removes control, bidi and tag characters and other invisible
 * ones, except a single joiner or variation selector where a script or emoji needs it. Keeps `\n`
 * and `\t`.
 */
export function forTerminal(text: string): string {
  // Well-formed first: dropping what stands between two lone halves would join them into a tag character.
  if (!OTHER.test(text)) return text;
  return text.toWellFormed().replace(/\r\n/g, '\n').replace(UNPRINTED(), '');
}

/** A value as JSON that may go to a terminal. */
export const printableJson = (value: unknown, indent?: number): string =>
  escapedJson(JSON.stringify(value, null, indent));

/** JSON with everything that `forTerminal` would drop written as `\uXXXX`: the same document. */
export function escapedJson(json: string): string {
  if (!OTHER.test(json)) return json;
  return json.replace(UNPRINTED(), (character) =>
    character
      .split('')
      .map((unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'))
      .join(''),
  );
}

let ownEscape: string | undefined;
/** Stands for ESC in what we colour ourselves. Drawn anew for every process: no text can have it. */
const escape = (): string => (ownEscape ??= `\u001B${crypto().randomUUID()}`);

/** Text in a style, for `forOutput` to write out. `options` decide whether there are colours at all, as in `styleText`. */
export function styleForOutput(
  style: Parameters<typeof styleText>[0],
  text: string,
  options?: Parameters<typeof styleText>[2],
): string {
  const [before = '', after = ''] = styleText(style, '\0', options).split('\0');
  // Only our own codes are marked: an escape in the text stays foreign.
  return ownCodes(before) + text + ownCodes(after);
}

/** A text whose escapes are all council's own, for `forOutput` to write out: `forTerminal` cleaned it before it was styled. */
export const ownCodes = (text: string): string => text.replaceAll('\u001B', escape());

/** Output text: filtered like `forTerminal`, but with our own style codes. */
export function forOutput(text: string): string {
  return ownEscape === undefined ? forTerminal(text) : text.split(ownEscape).map(forTerminal).join('\u001B');
}
