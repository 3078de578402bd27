// Patterns for the layout of form lines and what surrounds them. Data only.
import { WRAPPER_NAMES } from './form-words.ts';

export const EMPTY = /^[ \t]*$/;
export const ITEM = /^[ \t]*(?:[-*+•◦–—]|[①-⑳]|\(?(?:\d{1,2}|[a-z])\)|\d{1,2}\.)[ \t]+(.*)$/s;
/** A line that starts like the middle of a sentence. */
export const GOES_ON = /^[ \t]*[([（\p{Ll}]/u;
// eslint-disable-next-line no-control-regex -- It is a control code that is looked for.
export const CODES = /\x1b\[[\d;]*m/g;

/** Heading marks, list markers, a checkbox, and an emoji before a key. */
export const LEAD =
  /^[ \t]*(#{1,6}[ \t]+)?(?:(?:[-*+•?]|\d{1,2}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?(?:[!&]\S+[ \t]+)*(?:(?:[\u2190-\u2BFF]|[\uD83C-\uD83E][\uDC00-\uDFFF]|\uFE0F|\u200D)+[ ]*)?/;
/** Between a key and its value: "Vote: P2", "Vote → P2". */
export const SEPARATOR = /[:：→⇒]|[=-]+>|=/;
/** "**Position** – x": a key in emphasis, followed by a dash. */
export const DASHED = /^([*_]{1,3})([^*_:：]{2,40})\1[ \u00A0\u202F]?[—–-][ \t\u00A0\u202F]+(.+)$/s;
/** "Blocking - x". */
export const DASHED_PLAIN = /^([^—–>-]{2,40}?)[ \u00A0\u202F][—–-]{1,2}[ \u00A0\u202F]+(.+)$/s;
export const FORM_CODE = new Set([
  '',
  ...'yaml yml json json5 jsonc toml markdown md text txt frontmatter xml html'.split(' '),
]);
export const RULER = /^ {0,3}---[ \t]*$/;
/** The underline of a Setext heading. */
export const UNDERLINE = /^ {0,3}(?:-{4,}|={2,})[ \t]*$/;
export const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w-]*)[ \t]*$/;
export const QUOTE = /^ {0,3}>/;
/** A line that ends a paragraph, so it is not a continuation of the quote above. */
export const BEGINS_ANEW = /^ {0,3}(?:[#|]|`{3}|~{3}|[-*+•][ \t]|\d{1,2}[.)][ \t]|---[ \t]*$)/;
export const WRAPPER = new RegExp(`^[ \\t]*</?${WRAPPER_NAMES}>[ \\t]*$`, 'i');
/** A line that a YAML mapping can contain: a pair, an item, a continued value, a comment, a brace. */
export const OF_A_MAPPING = /^(?:[ \t?:].*|[-#{}\]].*|[^\s:#-][^:]*:(?:[ \t].*)?|"[^"]*"[ \t]*:.*)?$/s;
/** A YAML key whose value is indented on the following lines. */
export const BARE_KEY =
  /^[ \t]*(?:[-*+][ \t]+)?["']?([^\s:"'[\]{}#*<>|-][^\s:"'[\]{}#*<>|]*)["']?:[ \t]*(?:[|>][+-]?\d?)?$/;
export const BLANK_LINE = /\n[ \t]*\r?\n/;
/** A tag in angle or square brackets: closing slash, name, attributes. */
export const TAGS = /[<[](\/?)(\p{L}[\p{L}\p{N}_.:-]*)((?:[ =][^<>[\]\n]*)?)[>\]]/gu;
/** A line that starts a block rather than a value. */
export const NO_VALUE = /^[ \t]*(?:[>#|<]|```|~~~|-{3,}[ \t]*$)/;
/** The indicator of a YAML block scalar. */
export const SCALAR = /^[|>][+-]?\d?$/;
