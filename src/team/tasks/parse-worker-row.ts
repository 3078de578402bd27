// Parses one row of worker output: a protocol line, possibly in markup, or its short form.
import { toOneLine } from '../../core/base/text.ts';
import { parseDataPairs } from '../messages/codecs/data-pairs.ts';
import { convertCode } from '../messages/codecs/codec-types.ts';
import { GRAMMARS } from '../messages/codecs/grammar.ts';
import { createLineCodec } from '../messages/codecs/line-codec.ts';
import type { MessageKind, Message } from '../messages/message.ts';
import type { TaskError } from './task.ts';

/** A row meant as a line: its message, or why it is unclear. An unknown type has an empty kind. */
export interface ParsedRow {
  kind: MessageKind | '';
  message?: Message;
  problem?: TaskError;
}

/** Parses a row as a line; undefined for prose. `isOwn` is false if it must not be taken as a result. */
export function readLine(row: string, isOwn: boolean): ParsedRow | undefined {
  const text = row.trim();
  const { groups = {}, index = 0 } = LINE.exec(text) ?? {};
  const { id = '', from = '', to = '', type = '', rest = '' } = groups;
  if (!KNOWN.test(from) && !KNOWN.test(to))
    return OLDER.test(text) ? refuseRow('', 'E90', 'only versions 4 and 5 are read', text) : undefined;
  const dress = text.slice(0, index);
  const isInside = DRESS.exec(dress)?.[0] !== dress;
  const kind = KINDS[type.toUpperCase()] ?? '';
  const cells = stripClosing(rest, dress).split(PARTING);
  // A sentence may show a route without meaning a line.
  if (isInside && id === '' && cells.length < V4_CELLS) return undefined;
  if (kind === 'response' && (!isOwn || QUOTED.test(dress) || isInside)) return NOT_OWN;
  const plain = dress === '' ? readWhole(kind, text) : undefined;
  if (plain?.message) return plain;
  const head = cells.length === V4_CELLS ? V4_CELLS - 1 : V5_CELLS - 1;
  const data = cells.slice(head).join('|');
  const route = [from, to].map(normalizeWireName).join('>');
  const fields = cells.slice(0, head).map(normalizeSegment);
  const line = [normalizeMessageNumber(id), route, type.toUpperCase(), ...fields];
  return readWhole(kind, [...line, kind === 'response' ? data : toDataText(data)].join('|'));
}

/** Parses a row in a short form such as `S output=…` as a line; undefined otherwise. */
export function readShort(row: string, isOwn: boolean): ParsedRow | undefined {
  const text = row.trim();
  const [dress = ''] = DRESS.exec(text) ?? [];
  const words = stripClosing(text.slice(dress.length), dress);
  for (const [kind, form] of SHORT) {
    const found = form.exec(words)?.groups;
    if (!found) continue;
    const { data = '', error, to } = found;
    const isResult = kind === 'response';
    if (isResult && (!isOwn || QUOTED.test(dress))) return NOT_OWN;
    if (isResult && /[|>]/.test(data)) return refuseRow(kind, 'E12', 'data: expected no | or >', text);
    const said = { id: '', kind, ...(error && { error: error.toUpperCase() }), ...(to && { to }) };
    return { kind, message: withBody(said, toDataText(data)) };
  }
  return undefined;
}

/** Returns why a text counts as unclear: it looks like a line, or ends with a single error. */
export function findUnclear(words: string, isEnd: boolean): TaskError | undefined {
  const rows = words.split('\n').filter((row) => /[\p{L}\p{N}]/u.test(row));
  const isAlone = rows.filter((row) => FAILED.test(row)).length <= 1;
  const isFailed = isAlone && (FAILED.test(words) || FAILED.test(rows.at(-1) ?? ''));
  const isBroken = rows.some((row) => {
    const cells = row.split(PARTING).map((cell) => cell.trim());
    return CELLS.filter((shape) => cells.some((cell) => shape.test(cell))).length >= 4;
  });
  return (isEnd && isFailed) || isBroken || FIELDS.test(words.normalize('NFKC')) ? UNCLEAR : undefined;
}

const UNCLEAR = { code: 'E10', text: 'it looks like a line, and is none that can be read' } as const;

export const NOT_OWN = {
  kind: 'response',
  problem: {
    code: 'E10',
    text: 'a result stands in a row of its own, not in a quotation, reasoning, code, an example or a sentence',
  },
} as const satisfies ParsedRow;
const KINDS: Readonly<Record<string, MessageKind>> = { ...GRAMMARS.v5.types, ...GRAMMARS.v5.readTypes };
/** Number of segments after the type, including DATA. */
const [V5_CELLS, V4_CELLS] = [GRAMMARS.v5.segments.length - 2, GRAMMARS.v4.segments.length - 2];
const v5 = createLineCodec('v5');
const v4 = createLineCodec('v4');

function decodeEitherVersion(line: string): ReturnType<typeof v5.decode> {
  const read = v5.decode(line);
  if (read.ok || line.split('|').length > 9) return read;
  const older = v4.decode(line);
  if (!older.ok || older.value.error === undefined) return older.ok ? older : read;
  // The code may have another meaning in version 4; one without an equivalent is kept as written.
  const { code, isLost } = convertCode(older.value.error, 'v4', 'v5');
  return code === undefined || isLost ? older : { ...older, value: { ...older.value, error: code } };
}

function readWhole(kind: MessageKind | '', line: string): ParsedRow {
  const read = decodeEitherVersion(line);
  if (!read.ok)
    return refuseRow(kind, read.error.code, `${read.error.name}: expected ${read.error.expected}`, line);
  const whole = line.slice(line.lastIndexOf('|') + 1);
  return { kind, message: read.warnings.length > 0 ? withBody(read.value, whole) : read.value };
}

/** Sets the whole DATA, which decoding would truncate. */
const withBody = ({ data: _, ...message }: Message, body: string): Message => {
  const data = parseDataPairs(body);
  return { ...message, ...(body !== '-' && { body }), ...(data && { data }) };
};

const refuseRow = (kind: MessageKind | '', code: string, why: string, row: string): ParsedRow => ({
  kind,
  problem: { code, text: `"${toOneLine(row, 60)}" cannot be read (${why})` },
});

/** Removes the closing counterparts of the markup in front. */
function stripClosing(text: string, dress: string): string {
  const closing = new Set([...dress].map((sign) => CLOSED_BY.get(sign)));
  let left = text.trimEnd();
  while (left !== '' && closing.has(left.at(-1))) left = left.slice(0, -1).trimEnd();
  return left;
}

/** Normalizes a message number; the orchestrator replaces an unreadable one. */
const normalizeMessageNumber = (id: string): string => `M${/^M?(\d{1,4})$/i.exec(id)?.[1] ?? '0'}`;
const normalizeWireName = (name: string): string =>
  /^user$/i.test(name) ? 'User' : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const normalizeSegment = (cell: string): string => {
  const segment = cell.normalize('NFKC').trim().toUpperCase();
  return segment.startsWith('S') ? `S${segment.slice(1).toLowerCase()}` : segment;
};
/** Replaces the characters that DATA must not contain. */
const toDataText = (text: string): string => text.replaceAll('|', '/').replaceAll('>', '›').trim() || '-';

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
/** The short forms: a letter, and the required data of its kind. */
export const SHORT: readonly [MessageKind, RegExp][] = [
  ['response', new RegExp(`^S\\s+(?<data>${PAIR}.*)$`, 'u')],
  ['update', new RegExp(`^U\\s+(?<data>${PAIR}.*)$`, 'u')],
  ['error', new RegExp(`^(?:E[\\s:*_]*)?(?<error>E\\d\\d)\\b[\\s:;,*_-]*(?<data>${PAIR}.*)$`, 'iu')],
  ['error', /^E\s+(?<error>E\d\d)\b[\s:;,-]*(?<data>.*)$/iu],
  ['error', new RegExp(`^E\\s+(?<data>${PAIR}.*)$`, 'iu')],
  ['clarify', /^C[\s:*_]+(?<data>(?:question|suggest)=.*)$/iu],
  ['disambiguate', /^D[\s:*_]+(?<data>(?:question|opt1)=.*)$/iu],
  ['handoff', /^X[\s:*_]+(?:(?<to>[\w.-]{1,64})\s+)?(?<data>call=.*)$/iu],
];

/** Task, priority, state and error code of a line in this order, with any separators. */
export const FIELDS = new RegExp(
  ['(?<![\\p{L}\\p{N}])T\\d{1,3}', 'P[0-2]', '[NRDFX]', '(?:E\\d\\d|-)'].join(
    '(?:<[^<>]{1,9}>|[^\\p{L}\\p{N}]){1,16}?',
  ),
  'u',
);
/** Shapes of a line's segments: four different ones in a row are no coincidence. */
export const CELLS = [
  ...[/^M\d+$/, /^[OWRG]\d+\W{1,6}[OWRG]\d+\W?$/, /^[A-Z]$/, /^T\d{1,3}$/],
  ...[/^P[0-2]$/, /^E\d\d$/, /^S[a-z0-9]{1,7}$/],
];
/** An error code apart from other words, preceded only by words of a line; or E as a label. */
export const FAILED =
  /^[^\p{L}\p{N}]*(?:(?:id|from|to|type|state|status|result|err(?:or)?|code|M(?:SG)?_?\d+|[OWRGTP]\d+|[EFS])[^\p{L}\p{N}]+)*(?:E\d\d(?:\s*$|\s*[^\p{L}\p{N}\s'’]|\s+\w+=)|(?<=[:=|"]\s*)E\d\d(?![\p{L}\p{N}])|E:\s|E\s+desc\b)/iu;

/** Markup in front of a line: marks, and the number of a list item. */
const DRESS = /^[^\p{L}\p{N}]*(?:\p{N}{1,3}[.)]\s+[^\p{L}\p{N}]*)?/u;
/** Quotation, code, struck-out text, or an unticked box. */
export const QUOTED = /(?:^|\s)(?:>|&gt;)|["'`“„«‹「『‘❌✗✘☐🚫]|~~|\[\s*\]/u;
const CLOSED_BY: ReadonlyMap<string, string> = new Map(
  `** __ ~~ \`\` || "" '' “” „“ «» ‹› 「」 『』 ‘’ () []`
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);
/** The separator between the segments of a line. */
const PARTING = new RegExp(BAR, 'u');
/** Indented like code. */
export const CODE = /^(?: {4}|\t)/;
/** A heading, a line ending in a colon, or words directly above that are neither a sentence nor a list item. */
export const LEADS = /^\s*#|[:：][*_`\s]*$/;
export const LEADS_ON = /^(?!\s*(?:[-*+•]|\d+[.)])\s).*[^.!?…。！？\s][*_`\s]*$/u;
