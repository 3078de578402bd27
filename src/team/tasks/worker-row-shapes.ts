// How rows look that are meant as lines of the protocol, and what stands around them, as data.
import type { MessageKind } from '../messages/message.ts';

const MARKS = '[\\s*~`\\p{Cf}]{0,8}';
const BAR = `${MARKS}\\\\?(?:[|｜│┃║¦∣❘ǀ]|&(?:#124|#x7c|vert);)${MARKS}`;
const ARROW = '\\s{0,4}[-=]{0,2}\\\\?(?:[>＞›»\u2190-\u21ff\u2794-\u27be]|&(?:gt|#62|#x3e);)\\s{0,4}';
const NAME = '(?:\\w(?:[\\w.-]{0,40}\\w)?|W?\\*)';
const PAIR = '[\\p{L}_][\\p{L}\\p{N}_.-]*=';

/** An attempt at a line: an optional number, a route and a type. */
export const LINE = new RegExp(
  `(?:(?<![\\p{L}\\d])(?<id>M(?:SG)?_?(?:\\d+|<[^<>|]{0,9}>|n)|\\d+)${BAR})?(?<![\\p{L}\\d])(?<from>${NAME})${ARROW}(?<to>${NAME})${BAR}(?<type>[A-Z])${BAR}(?<rest>.*)$`,
  'iu',
);
/** At least one side of a route must be a known wire id; otherwise it is just a table row. */
export const KNOWN = /^[OWRG]\d{1,3}(?:\.\w+)?$/i;
/** A message of version 1 to 3. */
export const OLDER = new RegExp(`^\\W*(?:\\[MSG_\\d+\\]\\s*$|MSG_\\d+${BAR})`, 'iu');
/** The short forms: a letter, and what its kind cannot do without. */
export const SHORT: readonly [MessageKind, RegExp][] = [
  ['response', new RegExp(`^S\\s+(?<data>${PAIR}.*)$`, 'u')],
  ['update', new RegExp(`^U\\s+(?<data>${PAIR}.*)$`, 'u')],
  ['error', new RegExp(`^(?:E[\\s:]*)?(?<error>E\\d\\d)\\b[\\s:;,-]*(?<data>${PAIR}.*)$`, 'iu')],
  ['error', /^E\s+(?<error>E\d\d)\b[\s:;,-]*(?<data>.*)$/iu],
  ['error', new RegExp(`^E\\s+(?<data>${PAIR}.*)$`, 'iu')],
  ['clarify', /^C\s+(?<data>(?:question|suggest)=.*)$/iu],
  ['disambiguate', /^D\s+(?<data>(?:question|opt1)=.*)$/iu],
  ['handoff', /^X\s+(?:(?<to>[\w.-]{1,64})\s+)?(?<data>call=.*)$/iu],
];

/** Task, priority, format and error code of a line in this order, with any separators. */
export const FIELDS = new RegExp(
  ['(?<![\\p{L}\\p{N}])T\\d{1,3}', 'P[0-2]', '[NRDFX]', '(?:E\\d\\d|-)'].join(
    '(?:<[^<>]{1,9}>|[^\\p{L}\\p{N}]){1,16}?',
  ),
  'u',
);
/** What stands between the bars of a line: four of these in a row are no chance. */
export const CELLS = [
  ...[/^M\d+$/, /^[OWRG]\d+\W{1,6}[OWRG]\d+\W?$/, /^[A-Z]$/, /^T\d{1,3}$/],
  ...[/^P[0-2]$/, /^E\d\d$/, /^S[a-z0-9]{1,7}$/],
];
/** The code of an error apart from other words, and nothing but words of a line before it; or E as a label. */
export const FAILED =
  /^[^\p{L}\p{N}]*(?:(?:id|from|to|type|err(?:or)?|code|M(?:SG)?_?\d+|[OWRGTP]\d+|[EF])[^\p{L}\p{N}]+)*(?:E\d\d(?:\s*$|\s*[^\p{L}\p{N}\s'’]|\s+\w+=)|(?<=[:=|"]\s*)E\d\d(?![\p{L}\p{N}])|E:\s|E\s+desc\b)/iu;

/** Markup in front of a line: marks, and the number of an item. */
export const DRESS = /^[^\p{L}\p{N}]*(?:\p{N}{1,3}[.)]\s+[^\p{L}\p{N}]*)?/u;
/** What is quoted, code, struck out, or a box without its tick. */
export const QUOTED = /(?:^|\s)(?:>|&gt;)|["'`“„«‹「『‘❌✗✘☐🚫]|~~|\[\s*\]/u;
/** What closes each mark. */
export const CLOSED_BY: ReadonlyMap<string, string> = new Map(
  `** __ ~~ \`\` || "" '' “” „“ «» ‹› 「」 『』 ‘’ () []`
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);
/** The separator between the segments of a line. */
export const PARTING = new RegExp(BAR, 'u');
/** Indented as code is. */
export const CODE = /^(?: {4}|\t)/;
/** A heading or a line that ends in a colon leads to what is below it; so do words right above it that are no sentence or item. */
export const LEADS = /^\s*#|[:：][*_`\s]*$/;
export const LEADS_ON = /^(?!\s*(?:[-*+•]|\d+[.)])\s).*[^.!?…。！？\s][*_`\s]*$/u;
