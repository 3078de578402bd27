// Patterns of worker output that is meant as a line of the protocol. Data only.
import type { MessageKind } from '../messages/message.ts';

const MARKS = '[\\s*~`]{0,8}';
const BAR = `${MARKS}\\\\?(?:[|｜│¦]|&#124;)${MARKS}`;
const ARROW = '\\s{0,4}[-=]{0,2}\\\\?(?:[>＞\u2190-\u21ff\u2794-\u27be]|&gt;)\\s{0,4}';
const NAME = '(?:\\w(?:[\\w.-]{0,40}\\w)?|W?\\*)';
const PAIR = '[\\p{L}_][\\p{L}\\p{N}_.-]*=';

/** An attempt at a line: an optional number, a route and a type. */
export const LINE = new RegExp(
  `(?:(?<!\\w)(?<id>M(?:SG)?_?(?:\\d+|<[^<>|]{0,9}>|n)|\\d+)${BAR})?(?<!\\w)(?<from>${NAME})${ARROW}(?<to>${NAME})${BAR}(?<type>[A-Z])${BAR}(?<rest>.*)$`,
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
  ['error', new RegExp(`^E?\\s*(?<error>E\\d\\d)\\b[\\s:;,-]*(?<data>${PAIR}.*)$`, 'iu')],
  ['error', /^E\s+(?<error>E\d\d)\b[\s:;,-]*(?<data>.*)$/iu],
  ['error', new RegExp(`^E\\s+(?<data>${PAIR}.*)$`, 'iu')],
  ['clarify', /^C\s+(?<data>(?:question|suggest)=.*)$/iu],
  ['disambiguate', /^D\s+(?<data>(?:question|opt1)=.*)$/iu],
  ['handoff', /^X\s+(?:(?<to>[\w.-]{1,64})\s+)?(?<data>call=.*)$/iu],
];

/** Markup in front of a line: marks, and the number of an item. */
export const DRESS = /^[^\p{L}\p{N}]*(?:\p{N}{1,3}[.)]\s+[^\p{L}\p{N}]*)?/u;
/** What is quoted, or code. */
export const QUOTED = /(?:^|\s)(?:>|&gt;)|["'`“„«‹「『‘]/u;
export const CLOSED_BY: Readonly<Record<string, string>> = {
  ...{ '*': '*', _: '_', '~': '~', '`': '`', '|': '|', '"': '"', "'": "'" },
  ...{ '“': '”', '„': '“', '«': '»', '‹': '›', '「': '」', '『': '』', '‘': '’', '(': ')', '[': ']' },
};
/** The separator between the segments of a line. */
export const PARTING = new RegExp(BAR, 'u');
/** Indented as code is. */
export const CODE = /^(?: {4}|\t)/;
/** A heading or a line that ends in a colon leads to what is below it; so do words right above it that are no sentence or item. */
export const LEADS = /^\s*#|[:：][*_`\s]*$/;
export const LEADS_ON = /^(?!\s*(?:[-*+•]|\d+[.)])\s).*[^.!?…。！？\s][*_`\s]*$/u;
