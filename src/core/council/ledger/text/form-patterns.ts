// How lines of a form, and what stands around it, are set. Data only.
import { AROUND } from './form-words.ts';

export const EMPTY = /^[ \t]*$/;
export const ITEM = /^[ \t]*(?:[-*+•◦–—]|[①-⑳]|\(?(?:\d{1,2}|[a-z])\)|\d{1,2}\.)[ \t]+(.*)$/s;
/** A line that begins as the middle of a sentence does. */
export const GOES_ON = /^[ \t]*[([（\p{Ll}]/u;
// eslint-disable-next-line no-control-regex -- It is a control code that is looked for.
export const CODES = /\x1b\[[\d;]*m/g;

/** A heading's marks, a list's, a box, and a picture in front of a key. */
export const LEAD =
  /^[ \t]*(#{1,6}[ \t]+)?(?:(?:[-*+•?]|\d{1,2}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?(?:[!&]\S+[ \t]+)*(?:(?:[\u2190-\u2BFF]|[\uD83C-\uD83E][\uDC00-\uDFFF]|\uFE0F|\u200D)+[ ]*)?/;
/** What stands between a key and its value: "Vote: P2", "Vote → P2". */
export const SEPARATOR = /[:：→⇒]|[=-]+>|=/;
/** "**Position** – x", where the emphasis sets the key off. */
export const DASHED = /^([*_]{1,3})([^*_:：]{2,40})\1[ \u00A0\u202F]?[—–-][ \t\u00A0\u202F]+(.+)$/s;
/** "Blocking - x". */
export const DASHED_PLAIN = /^([^—–>-]{2,40}?)[ \u00A0\u202F][—–-]{1,2}[ \u00A0\u202F]+(.+)$/s;
export const FORM_CODE = new Set([
  '',
  ...'yaml yml json json5 jsonc toml markdown md text txt frontmatter xml html'.split(' '),
]);
export const RULER = /^ {0,3}---[ \t]*$/;
/** What stands under a heading of two lines. */
export const UNDERLINE = /^ {0,3}(?:-{4,}|={2,})[ \t]*$/;
export const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w-]*)[ \t]*$/;
export const QUOTE = /^ {0,3}>/;
/** What ends a paragraph, so that it is no part of the quote above it. */
export const BEGINS_ANEW = /^ {0,3}(?:[#|]|`{3}|~{3}|[-*+•][ \t]|\d{1,2}[.)][ \t]|---[ \t]*$)/;
export const WRAPPER = new RegExp(`^[ \\t]*</?${AROUND}>[ \\t]*$`, 'i');
/** A line that a YAML mapping can have: a pair, an item, a value that goes on, a comment, a brace. */
export const OF_A_MAPPING = /^(?:[ \t?:].*|[-#{}\]].*|[^\s:#-][^:]*:(?:[ \t].*)?|"[^"]*"[ \t]*:.*)?$/s;
/** A key of YAML with nothing but what stands further in below it. */
export const BARE_KEY =
  /^[ \t]*(?:[-*+][ \t]+)?["']?([^\s:"'[\]{}#*<>|-][^\s:"'[\]{}#*<>|]*)["']?:[ \t]*(?:[|>][+-]?\d?)?$/;
export const BLANK_LINE = /\n[ \t]*\r?\n/;
/** A tag, or one in square brackets: whether it closes, its name, and its attributes. */
export const TAGS = /[<[](\/?)(\p{L}[\p{L}\p{N}_.:-]*)((?:[ =][^<>[\]\n]*)?)[>\]]/gu;
/** What begins a block that is no value. */
export const NO_VALUE = /^[ \t]*(?:[>#|<]|```|~~~|-{3,}[ \t]*$)/;
/** How YAML begins a text of several lines. */
export const SCALAR = /^[|>][+-]?\d?$/;
