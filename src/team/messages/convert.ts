// Converts a message from one wire format to another, and tells what the other cannot carry.
import { codecs } from './codecs/codecs.ts';
import { UUID } from './codecs/envelope.ts';
import { convertCode } from './codecs/codec-types.ts';
import { getPayloadText, isEnvelopeKind, buildPayload } from './codecs/payload.ts';
import type { EncodeOptions, Failed } from './codecs/codec-types.ts';
import { sha256 } from '../../core/base/ids.ts';
import { toUnknownRecord } from '../../core/base/text.ts';
import { parseDataPairs } from './codecs/data-pairs.ts';
import { CARRIED, PRIORITIES } from './message.ts';
import type { FieldName, Format, Message } from './message.ts';

export interface ConvertOptions extends EncodeOptions {
  /** Names of other formats, and what stands for them in a line: `{"claude-1": "W1"}`. */
  map?: Readonly<Record<string, string>>;
  /** What JSON formats say of a message that has no time, ISO 8601. */
  now?: string;
  /** The session of a line of V5 that comes from a format without sessions. */
  session?: string;
}

/** A refusal has the code of the format that it names: the source's, or the target's. */
export type Converted =
  { ok: true; text: string; lost: FieldName[]; warnings: string[] } | (Failed & { format: Format });

/** A message on its way from one format to another: each step changes what the other writes differently. */
interface Passage {
  message: Message;
  from: Format;
  to: Format;
  options: ConvertOptions;
  lost: Set<FieldName>;
}

/** `text` in another format. The error is the source's code for what cannot be read, and the target's for what it cannot hold. */
export function convert(text: string, from: Format, to: Format, options: ConvertOptions = {}): Converted {
  const decoded = codecs[from].decode(text);
  if (!decoded.ok) return { ...decoded, format: from };
  const { message, lost } = adapt(decoded.value, from, to, options);
  const encoded = codecs[to].encode(message, options);
  if (!encoded.ok) return { ...encoded, format: to };
  return { ok: true, text: encoded.value, lost, warnings: decoded.warnings };
}

/** The message as the other format has it, and the fields that it cannot carry. */
function adapt(
  given: Message,
  from: Format,
  to: Format,
  options: ConvertOptions = {},
): { message: Message; lost: FieldName[] } {
  const passage: Passage = { message: { ...given }, from, to, options, lost: new Set() };
  if (from !== to)
    for (const step of [priorities, failures, results, parents, errors, names, ids, addRequiredFields])
      step(passage);
  tellLost(passage);
  const order = Object.keys(CARRIED) as FieldName[];
  return { message: passage.message, lost: order.filter((field) => passage.lost.has(field)) };
}

const isInline = (format: Format): boolean => format === 'v1' || format === 'v2' || format === 'v3';
const isLine = (format: Format): boolean => format !== 'file' && format !== 'envelope';

/** Council's own files keep it beside what the format knows. */
function priorities({ message, from }: Passage): void {
  const { 'metadata.priority': given, ...extra } = message.extra ?? {};
  const priority = from === 'file' ? PRIORITIES.find((one) => one === given) : undefined;
  if (priority === undefined) return;
  message.priority = priority;
  if (Object.keys(extra).length > 0) message.extra = extra;
  else delete message.extra;
}

/** From V4 on a response is a success: an envelope's that failed is an error there. */
function failures({ message, from, to, lost }: Passage): void {
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

/** What an envelope says that has no text of its own: what it brings, as JSON, or what went wrong. */
function results({ message, from }: Passage): void {
  const { kind, payload, body } = message;
  if (from !== 'envelope' || kind !== 'response' || body !== undefined) return;
  const { result, error } = payload ?? {};
  const { message: text } = toUnknownRecord(error);
  const said = result === undefined || result === null || result === '' ? text : JSON.stringify(result);
  if (typeof said === 'string' && said !== '') message.body = said;
}

/** The code for an unspecified error. */
const OTHER = 'E99';

/** `pid=` in a line is what JSON says that a message answers. On the way back the text still has it. */
function parents({ message, from, to, options: { map = {} } }: Passage): void {
  const parent = parseDataPairs(message.body ?? '')?.pid;
  if (typeof parent !== 'string' || isLine(from) === isLine(to)) return;
  if (isLine(from)) message.replyTo ??= findMappedName(parent, map);
  else if ([parent, findMappedName(parent, map), deriveUuid(parent)].includes(message.replyTo ?? ''))
    delete message.replyTo;
}

/** What an id of a line is called elsewhere, by the map. */
const findMappedName = (id: string, map: Readonly<Record<string, string>>): string =>
  Object.entries(map).find(([, one]) => one === id)?.[0] ?? id;

/** The code by what it means; and out of DATA, or back into it, where V1 to V3 have it. */
function errors({ message, from, to, lost }: Passage): void {
  if (message.error === undefined) return;
  if (to === 'file') {
    // The text of an old line begins with its code.
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

function names(passage: Passage): void {
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

/** A name by the given map, in its direction; and everybody by the word of the other format. */
function mapAgentName({ to, options: { map = {} } }: Passage, name: string): string {
  if (isLine(to)) {
    const id = Object.hasOwn(map, name) ? map[name] : undefined;
    return id ?? (name === 'all' ? '*' : name);
  }
  const found = Object.entries(map).find(([, id]) => id === name);
  return found?.[0] ?? (to === 'file' && name === '*' ? 'all' : name);
}

/** V1 and V2 know one orchestrator and one worker. Who is neither stays as it is, and is refused. */
function withoutNumbers({ message, to, lost }: Passage): void {
  const { from = '', to: recipient = '' } = message;
  const [sender] = /^[OW](?=[1-9]\d?$)/.exec(from) ?? [];
  // The recipient is the other one; to all is to that one as well.
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

function ids({ message, from, to, options: { map = {} }, lost }: Passage): void {
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

/** `MSG_01` as `M1` from V4 on, and back. */
function convertNumberedId(id: string, short: string, long: string, to: Format): string {
  const digits = new RegExp(`^(?:${short}|${long})(\\d+)$`).exec(id)?.[1]?.replace(/^0+(?=\d)/, '');
  if (digits === undefined) return id;
  return isInline(to) ? `${long}${digits.padStart(2, '0')}` : `${short}${digits}`;
}

/** A UUID made of an id of another form: the same for the same, so that answers still find what they answer. */
export function deriveUuid(id: string): string {
  if (UUID.test(id)) return id;
  const hex = sha256(id);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What the other format must have and this one never had. */
function addRequiredFields({ message, from, to, options: { now, session } }: Passage): void {
  if (!isLine(to) && message.time === undefined && now !== undefined) message.time = now;
  if (to === 'file') message.channel ??= 'general';
  if (to !== 'v5' || from === 'v5') return;
  message.depth ??= 0;
  if (session !== undefined) message.context ??= session;
}

function tellLost({ message, from, to, lost }: Passage): void {
  for (const field of Object.keys(message) as FieldName[]) {
    if (message[field] === undefined || CARRIED[field].includes(to)) continue;
    if (field === 'data' && message.body !== undefined) continue;
    // V5 writes 0 for none.
    if (field === 'depth' && message.depth === 0) continue;
    if (field === 'payload' && !saysMore(message)) continue;
    // The beginning of the text has it.
    if (field === 'error' && isInline(from)) continue;
    lost.add(field);
  }
  if (message.priority === 'high' && isLine(to)) lost.add('priority');
  if (to === 'envelope' && !hasPlaceForText(message)) lost.add('body');
}

/** Not every payload has a text: that of an ack does not. */
function hasPlaceForText(message: Message): boolean {
  const { kind, payload, body } = message;
  if (payload !== undefined || body === undefined || !isEnvelopeKind(kind)) return true;
  // It stands in the header.
  if (kind === 'ack' && body === `pid=${String(parseDataPairs(body)?.pid)}`) return true;
  return getPayloadText(kind, buildPayload(kind, message)) === body;
}

/** Whether a payload holds more than the text, which goes along. */
function saysMore(message: Message): boolean {
  const { kind, payload } = message;
  if (!isEnvelopeKind(kind)) return true;
  const plain = buildPayload(kind, {
    ...message,
    ...(payload?.received_at !== undefined && { time: String(payload.received_at) }),
  });
  return JSON.stringify(plain) !== JSON.stringify(payload);
}
