// Converts a message from one wire format to another, and reports what the target cannot carry.
import { codecs } from './codecs/codecs.ts';
import { UUID } from './codecs/envelope.ts';
import { convertCode } from './codecs/codec-types.ts';
import { getPayloadText, isEnvelopeKind, buildPayload } from './codecs/payload.ts';
import type { EncodeOptions, Failed } from './codecs/codec-types.ts';
import { sha256 } from '../../core/base/ids.ts';
import { toUnknownRecord } from '../../core/base/text.ts';
import { parseDataPairs } from './codecs/data-pairs.ts';
import { FORMATS_BY_FIELD, PRIORITIES } from './message.ts';
import type { FieldName, Format, Message } from './message.ts';

export interface ConvertOptions extends EncodeOptions {
  /** Names in other formats, and their ids in lines: `{"claude-1": "W1"}`. */
  map?: Readonly<Record<string, string>>;
  /** The time for JSON formats if the message has none, ISO 8601. */
  now?: string;
  /** The session of a line of V5 that comes from a format without sessions. */
  session?: string;
}

/** A failure has the code of the format that it names: the source's, or the target's. */
export type Converted =
  { ok: true; text: string; lost: FieldName[]; warnings: string[] } | (Failed & { format: Format });

/** A message being converted: each step adapts what the target writes differently. */
interface Conversion {
  message: Message;
  from: Format;
  to: Format;
  options: ConvertOptions;
  lost: Set<FieldName>;
}

/** Converts `text` to another format. The error is the source's for reading, and the target's for writing. */
export function convert(text: string, from: Format, to: Format, options: ConvertOptions = {}): Converted {
  const decoded = codecs[from].decode(text);
  if (!decoded.ok) return { ...decoded, format: from };
  const { message, lost } = adaptMessage(decoded.value, from, to, options);
  const encoded = codecs[to].encode(message, options);
  if (!encoded.ok) return { ...encoded, format: to };
  return { ok: true, text: encoded.value, lost, warnings: decoded.warnings };
}

/** Returns the message as the target has it, and the fields that it cannot carry. */
function adaptMessage(
  given: Message,
  from: Format,
  to: Format,
  options: ConvertOptions = {},
): { message: Message; lost: FieldName[] } {
  const passage: Conversion = { message: { ...given }, from, to, options, lost: new Set() };
  if (from !== to)
    for (const step of [
      adaptPriority,
      adaptFailure,
      adaptResult,
      adaptParent,
      adaptErrorCode,
      adaptNames,
      adaptIds,
      addRequiredFields,
    ])
      step(passage);
  markLostFields(passage);
  const order = Object.keys(FORMATS_BY_FIELD) as FieldName[];
  return { message: passage.message, lost: order.filter((field) => passage.lost.has(field)) };
}

const isInline = (format: Format): boolean => format === 'v1' || format === 'v2' || format === 'v3';
const isLine = (format: Format): boolean => format !== 'file' && format !== 'envelope';

/** Council's own files have the priority in their metadata, outside the format. */
function adaptPriority({ message, from }: Conversion): void {
  const { 'metadata.priority': given, ...extra } = message.extra ?? {};
  const priority = from === 'file' ? PRIORITIES.find((one) => one === given) : undefined;
  if (priority === undefined) return;
  message.priority = priority;
  if (Object.keys(extra).length > 0) message.extra = extra;
  else delete message.extra;
}

/** From V4 on a response is a success: an envelope's failed response becomes an error. */
function adaptFailure({ message, from, to, lost }: Conversion): void {
  const { kind, payload } = message;
  if (from !== 'envelope' || isInline(to) || !isLine(to)) return;
  if (kind !== 'response' || payload?.status !== 'failed') return;
  const { error_code: code = OTHER, message: text } = toUnknownRecord(payload.error);
  lost.add('kind');
  message.kind = 'error';
  message.error = String(code);
  message.state = 'F';
  if (typeof text === 'string') message.body = text;
}

/** Gives a response without text one: its result as JSON, or the message of its error. */
function adaptResult({ message, from }: Conversion): void {
  const { kind, payload, body } = message;
  if (from !== 'envelope' || kind !== 'response' || body !== undefined) return;
  const { result, error } = payload ?? {};
  const { message: text } = toUnknownRecord(error);
  const said = result === undefined || result === null || result === '' ? text : JSON.stringify(result);
  if (typeof said === 'string' && said !== '') message.body = said;
}

/** The code for an unspecified error. */
const OTHER = 'E99';

/** Converts `pid=` in a line to `replyTo` in JSON. In the other direction the text already has it. */
function adaptParent({ message, from, to, options: { map = {} } }: Conversion): void {
  const parent = parseDataPairs(message.body ?? '')?.pid;
  if (typeof parent !== 'string' || isLine(from) === isLine(to)) return;
  if (isLine(from)) message.replyTo ??= findMappedName(parent, map);
  else if ([parent, findMappedName(parent, map), deriveUuid(parent)].includes(message.replyTo ?? ''))
    delete message.replyTo;
}

const findMappedName = (id: string, map: Readonly<Record<string, string>>): string =>
  Object.entries(map).find(([, one]) => one === id)?.[0] ?? id;

/** Converts the code by its meaning, and moves it out of DATA, or back into it, for V1 to V3. */
function adaptErrorCode({ message, from, to, lost }: Conversion): void {
  if (message.error === undefined) return;
  if (to === 'file') {
    // In V1 to V3, the text begins with the code.
    if (!isInline(from)) lost.add('error');
    return;
  }
  const [, rest] = /^E\d{2}[:;]?(.*)$/s.exec(message.body ?? '') ?? [];
  if (isInline(from) && rest !== undefined)
    setOrDrop(message, 'body', rest === '-' || rest === '' ? undefined : rest);
  const isCarried = message.kind === 'error' || to === 'v4' || to === 'v5';
  const { code, isLost } = convertCode(message.error, from, to);
  if (isLost || !isCarried) lost.add('error');
  setOrDrop(message, 'error', isCarried ? code : undefined);
}

function setOrDrop(message: Message, field: 'body' | 'error', value: string | undefined): void {
  if (value === undefined) delete message[field];
  else message[field] = value;
}

const IN_WORDS: Record<string, string> = { ORCHESTRATOR: 'O1', WORKER: 'W1' };
const WORD_OF: Record<string, string> = { O: 'ORCHESTRATOR', W: 'WORKER' };

function adaptNames(passage: Conversion): void {
  const { message, from, to } = passage;
  if (from === 'v2') [message.from, message.to] = message.role === 'O' ? ['O1', 'W1'] : ['W1', 'O1'];
  delete message.role;
  for (const side of ['from', 'to'] as const) {
    const name = message[side];
    if (name === undefined) continue;
    message[side] = mapAgentName(passage, (from === 'v1' ? IN_WORDS[name] : undefined) ?? name);
  }
  if (to === 'v1' || to === 'v2') withoutNumbers(passage);
}

/** Maps a name in the direction of the conversion, and "everyone" to the target's word. */
function mapAgentName({ to, options: { map = {} } }: Conversion, name: string): string {
  if (isLine(to)) {
    const id = Object.hasOwn(map, name) ? map[name] : undefined;
    return id ?? (name === 'all' ? '*' : name);
  }
  const found = Object.entries(map).find(([, id]) => id === name);
  return found?.[0] ?? (to === 'file' && name === '*' ? 'all' : name);
}

/** V1 and V2 know one orchestrator and one worker. Any other name is left as it is, and refused. */
function withoutNumbers({ message, to, lost }: Conversion): void {
  const { from = '', to: recipient = '' } = message;
  const [sender] = /^[OW](?=[1-9]\d?$)/.exec(from) ?? [];
  // The recipient is the other one; so is "everyone".
  const [other] = /^[OW](?=[1-9]\d?$)/.exec(recipient) ?? [
    recipient === '*' ? (sender === 'O' ? 'W' : 'O') : undefined,
  ];
  if (sender === undefined || other === undefined || sender === other) return;
  if (from !== `${sender}1`) lost.add('from');
  if (recipient !== `${other}1`) lost.add('to');
  if (to === 'v1') {
    [message.from, message.to] = [WORD_OF[sender]!, WORD_OF[other]!];
    return;
  }
  message.role = sender === 'O' ? 'O' : 'W';
  delete message.from;
  delete message.to;
}

function adaptIds({ message, from, to, options: { map = {} }, lost }: Conversion): void {
  if (Object.hasOwn(map, message.id)) message.id = map[message.id]!;
  if (to === 'envelope') {
    if (message.replyTo !== undefined) message.replyTo = deriveUuid(message.replyTo);
    const id = deriveUuid(message.id);
    if (id !== message.id) lost.add('id');
    message.id = id;
  }
  if (!isLine(from) || !isLine(to)) return;
  message.id = convertNumberedId(message.id, 'M', 'MSG_', to);
  if (message.task !== undefined) message.task = convertNumberedId(message.task, 'T', 'TASK_', to);
}

/** Converts `MSG_01` to `M1` for V4 and later, and back. */
function convertNumberedId(id: string, short: string, long: string, to: Format): string {
  const digits = new RegExp(`^(?:${short}|${long})(\\d+)$`).exec(id)?.[1]?.replace(/^0+(?=\d)/, '');
  if (digits === undefined) return id;
  return isInline(to) ? `${long}${digits.padStart(2, '0')}` : `${short}${digits}`;
}

/** Derives a UUID from another id. Equal ids give equal UUIDs, so that answers still refer to their messages. */
export function deriveUuid(id: string): string {
  if (UUID.test(id)) return id;
  const hex = sha256(id);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Adds fields that the target requires and the source never has. */
function addRequiredFields({ message, from, to, options: { now, session } }: Conversion): void {
  if (!isLine(to) && message.time === undefined && now !== undefined) message.time = now;
  if (to === 'file') message.channel ??= 'general';
  if (to !== 'v5' || from === 'v5') return;
  message.depth ??= 0;
  if (session !== undefined) message.context ??= session;
}

function markLostFields({ message, from, to, lost }: Conversion): void {
  for (const field of Object.keys(message) as FieldName[]) {
    if (message[field] === undefined || FORMATS_BY_FIELD[field].includes(to)) continue;
    if (field === 'data' && message.body !== undefined) continue;
    // V5 writes 0 for no depth.
    if (field === 'depth' && message.depth === 0) continue;
    if (field === 'payload' && !hasMoreThanText(message)) continue;
    // The text begins with it.
    if (field === 'error' && isInline(from)) continue;
    lost.add(field);
  }
  if (message.priority === 'high' && isLine(to)) lost.add('priority');
  if (to === 'envelope' && !hasPlaceForText(message)) lost.add('body');
}

/** False if the target payload has no place for the text, as in an ack. */
function hasPlaceForText(message: Message): boolean {
  const { kind, payload, body } = message;
  if (payload !== undefined || body === undefined || !isEnvelopeKind(kind)) return true;
  // In an ack, `pid=` is in the header.
  if (kind === 'ack' && body === `pid=${String(parseDataPairs(body)?.pid)}`) return true;
  return getPayloadText(kind, buildPayload(kind, message)) === body;
}

/** True if a payload contains more than its text, which is converted. */
function hasMoreThanText(message: Message): boolean {
  const { kind, payload } = message;
  if (!isEnvelopeKind(kind)) return true;
  const plain = buildPayload(kind, {
    ...message,
    ...(payload?.received_at !== undefined && { time: String(payload.received_at) }),
  });
  return JSON.stringify(plain) !== JSON.stringify(payload);
}
