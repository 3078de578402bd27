// Reads and writes the typed envelope: header, payload, metadata.
import { PRIORITIES } from '../message.ts';
import type { Message, Priority } from '../message.ts';
import { getPayloadText, ENVELOPE_KINDS, isEnvelopeKind, findPayloadFault, buildPayload } from './payload.ts';
import type { EnvelopeKind } from './payload.ts';
import type { Codec, Decoded, Encoded, EncodeOptions, Failed } from './codec-types.ts';
import { ROLE_OF } from './grammar.ts';
import {
  COUNT,
  createFault,
  findShapeFault,
  formatReceivedValue,
  isObject,
  OBJECT,
  expectChoice,
  makeOptional,
  parseJsonObject,
  TEXT,
  TIME,
} from './json-shape.ts';
import type { JsonObject } from './json-shape.ts';

const VERSION = '1.0';
/** V4's code for an unsupported version. */
const WRONG_VERSION = 'E12';
/** In UTF-16 units of the payload's JSON. */
const MAX_PAYLOAD_SIZE = 262_144;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const TOP = { header: OBJECT, payload: OBJECT, metadata: makeOptional(OBJECT) };
const HEADER = {
  message_id: TEXT,
  from: OBJECT,
  to: OBJECT,
  type: expectChoice(ENVELOPE_KINDS),
  correlation_id: makeOptional(TEXT),
};
/** Receipts must name the message that they answer. */
const RECEIPT = { correlation_id: TEXT };
const AGENT = { agent_type: TEXT, agent_id: TEXT, role: makeOptional(TEXT) };
const METADATA = {
  priority: makeOptional(expectChoice(PRIORITIES)),
  ttl_seconds: makeOptional(COUNT),
  retry_count: makeOptional(COUNT),
};

export const envelopeCodec: Codec = { decode: decodeEnvelope, encode };

function decodeEnvelope(text: string): Decoded {
  const read = parseJsonObject(text);
  if (!read.ok) return read;
  const fault = findEnvelopeFault(read.json);
  if (fault) return fault;
  const {
    header,
    payload,
    metadata = {},
  } = read.json as { header: JsonObject; payload: JsonObject; metadata?: JsonObject };
  const kind = header.type as EnvelopeKind;
  const said = getPayloadText(kind, payload);
  // An error without a text has its code as text.
  const body = kind === 'error' && said === payload.error_code ? undefined : said;
  const value: Message = {
    id: String(header.message_id),
    ...(header.timestamp !== undefined && { time: String(header.timestamp) }),
    ...decodeAgentName('from', header.from as JsonObject),
    ...decodeAgentName('to', header.to as JsonObject),
    kind,
    ...(body !== undefined && { body }),
    payload,
    ...(header.correlation_id !== undefined && { replyTo: String(header.correlation_id) }),
    ...(metadata.priority !== undefined && { priority: metadata.priority as Priority }),
    ...(kind === 'error' && { error: String(payload.error_code) }),
    ...(metadata.ttl_seconds !== undefined && { ttl: Number(metadata.ttl_seconds) }),
    ...(metadata.retry_count !== undefined && { attempts: Number(metadata.retry_count) }),
  };
  return { ok: true, value, warnings: [] };
}

/** Checks in the order of the specification: header fields, version, size, then the payload. */
function findEnvelopeFault(json: JsonObject): Failed | undefined {
  const { header, payload, metadata } = json;
  const shape =
    findShapeFault('', json, TOP) ??
    findShapeFault('header', header, HEADER) ??
    findShapeFault('header.from', (header as JsonObject).from, AGENT) ??
    findShapeFault('header.to', (header as JsonObject).to, AGENT);
  if (shape) return shape;
  const { version, timestamp, type } = header as JsonObject;
  const unrelated = type === 'ack' || type === 'nack' ? findShapeFault('header', header, RECEIPT) : undefined;
  if (unrelated) return unrelated;
  // The specification's example of a control message has neither version nor timestamp.
  const mayLack = type === 'control';
  if (version !== VERSION && !(mayLack && version === undefined))
    return createFault('header.version', VERSION, formatReceivedValue(version), WRONG_VERSION);
  const time = findShapeFault('header', { timestamp }, { timestamp: mayLack ? makeOptional(TIME) : TIME });
  if (time) return time;
  const size = JSON.stringify(payload).length;
  if (size > MAX_PAYLOAD_SIZE)
    return createFault(
      'payload',
      `at most ${MAX_PAYLOAD_SIZE} characters of JSON`,
      String(size),
      'too_large',
    );
  return (
    findPayloadFault(type as (typeof ENVELOPE_KINDS)[number], payload) ??
    (metadata === undefined ? undefined : findShapeFault('metadata', metadata, METADATA))
  );
}

/** Returns `type:id`, or only the wire id if its letter implies the type. */
function decodeAgentName(side: 'from' | 'to', { agent_type, agent_id, role }: JsonObject): Partial<Message> {
  const [type, id] = [String(agent_type), String(agent_id)];
  const name = guessAgentType(id) === type ? id : `${type}:${id}`;
  const part = side === 'from' ? 'fromRole' : 'toRole';
  return { [side]: name, ...(role !== undefined && { [part]: String(role) }) };
}

const guessAgentType = (id: string): string =>
  (/^[OWRG]\d{1,2}(?:\.\w+)?$/.test(id) ? ROLE_OF[id.charAt(0)] : undefined) ?? 'agent';

function buildAgentIdentifier(name: string, role: string | undefined): JsonObject {
  const at = name.indexOf(':');
  const [type, id] = at > 0 ? [name.slice(0, at), name.slice(at + 1)] : [guessAgentType(name), name];
  return { agent_type: type, agent_id: id, ...(role !== undefined && { role }) };
}

function encode(message: Message, { asRead = false }: EncodeOptions = {}): Encoded {
  const { id, time, from = '', to = '', fromRole, toRole, kind, replyTo, priority, ttl, attempts } = message;
  if (!isEnvelopeKind(kind)) return createFault('header.type', `one of ${ENVELOPE_KINDS.join(', ')}`, kind);
  if (!asRead && !UUID.test(id)) return createFault('header.message_id', 'a UUID of version 4', id);
  const metadata = {
    ...(priority !== undefined && { priority }),
    ...(ttl !== undefined && { ttl_seconds: ttl }),
    ...(attempts !== undefined && { retry_count: attempts }),
  };
  const json = {
    header: {
      message_id: id,
      ...(time !== undefined && { timestamp: time }),
      version: VERSION,
      from: buildAgentIdentifier(from, fromRole),
      to: buildAgentIdentifier(to, toRole),
      type: kind,
      ...(replyTo !== undefined && { correlation_id: replyTo }),
    },
    payload: message.payload ?? buildPayload(kind, message),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
  if (time === undefined && !asRead) return createFault('header.timestamp', TIME.said, 'nothing');
  return findEnvelopeFault(json) ?? { ok: true, value: JSON.stringify(json, null, 2) };
}

export const isEnvelope = (json: unknown): boolean => isObject(json) && isObject(json.header);
