/** A title change, a cleared screen, colours, C1, reversed reading order, hidden tags and bytes, bells, odd line ends. */
export const ESCAPES =
  '\u001b]0;PWNED\u0007 \u001b[2J\u001b[31mred \u009b31m \u202edcba\u2066 \u{e0041}\u{e0042} \u0008\u0007\u007f \u200b\u2060\ufeff😀\ufe01\u{e0101}\u{e0152} \u2028\rover';

/** A single line of it: for options, names of files and keys. */
export const ESCAPES_IN_LINE = ESCAPES.replace(/[\r\u2028]/g, '');

/** What must not leave a process: written out here once more, so that a slip in the source shows. */
const FORBIDDEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]{2}/gu;
/** Colours that `styleText` sets and takes back. */
// eslint-disable-next-line no-control-regex
const OWN_COLOUR = /\u001b\[\d+m/g;

/** The forbidden characters in what a command has printed; with `colours`, our own codes may be there. */
export function findUnprintable(output: string, { colours = false } = {}): string[] {
  const rest = colours ? output.replace(OWN_COLOUR, '') : output;
  return [...new Set(rest.match(FORBIDDEN) ?? [])].map((c) => `U+${c.codePointAt(0)!.toString(16)}`);
}
