// Reads and writes the JSON files of channels, and their names.
import type { Message } from '../message.ts';
import type { Codec, Decoded, Encoded } from './codec-types.ts';
import {
  ANY_TEXT,
  findShapeFault,
  isObject,
  OBJECT,
  allowNull,
  parseJsonObject,
  TEXT,
  TEXTS,
  TIME,
} from './json-shape.ts';
import type { JsonObject } from './json-shape.ts';

const TOP = {
  id: TEXT,
  timestamp: TIME,
  session_id: TEXT,
  from: TEXT,
  to: TEXT,
  type: TEXT,
  content: OBJECT,
  metadata: allowNull(OBJECT),
};
const CONTENT = { text: ANY_TEXT, code: allowNull(ANY_TEXT), artifacts: allowNull(TEXTS) };
const METADATA = { mode: allowNull(TEXT), turn: allowNull(TEXT), in_reply_to: allowNull(TEXT) };
/** Two file types have the kinds of other formats. */
const KIND_OF = new Map([
  ['task_assign', 'request'],
  ['task_result', 'response'],
]);
const TYPE_OF = new Map([...KIND_OF].map(([type, kind]) => [kind, type]));

export const fileCodec: Codec = { decode: decodeMessageFile, encode };

function decodeMessageFile(text: string): Decoded {
  const read = parseJsonObject(text);
  if (!read.ok) return read;
  const { json } = read;
  const metadata = isObject(json.metadata) ? json.metadata : {};
  const fault =
    findShapeFault('', json, TOP) ??
    findShapeFault('content', json.content, CONTENT) ??
    findShapeFault('metadata', metadata, METADATA);
  if (fault) return fault;
  return { ok: true, value: asMessage(json, json.content as JsonObject, metadata), warnings: [] };
}

/** Converts a document whose shape has been checked. */
function asMessage(json: JsonObject, content: JsonObject, metadata: JsonObject): Message {
  const type = String(json.type);
  const { text, code, artifacts } = content as {
    text: string;
    code?: string | null;
    artifacts?: string[] | null;
  };
  const { mode, turn, in_reply_to: replyTo } = metadata as Record<string, string | null | undefined>;
  const extra = {
    ...collectUnknownKeys('', json, TOP),
    ...collectUnknownKeys('content.', content, CONTENT),
    ...collectUnknownKeys('metadata.', metadata, METADATA),
    // Kept if encoding the kind would write another type.
    ...(TYPE_OF.has(type) && { type }),
  };
  return {
    id: String(json.id),
    time: String(json.timestamp),
    channel: String(json.session_id),
    from: String(json.from),
    to: String(json.to),
    kind: KIND_OF.get(type) ?? type,
    ...(text !== '' && { body: text }),
    ...(typeof code === 'string' && { code }),
    ...(Array.isArray(artifacts) && artifacts.length > 0 && { artifacts }),
    ...(typeof mode === 'string' && { mode }),
    ...(typeof turn === 'string' && { turn }),
    ...(typeof replyTo === 'string' && { replyTo }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

const collectUnknownKeys = (path: string, json: JsonObject, known: object): JsonObject =>
  Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) =>
      Object.hasOwn(known, key) ? [] : [[`${path}${key}`, value]],
    ),
  );

function encode(message: Message): Encoded {
  const { extra = {} } = message;
  const metadata = {
    ...(message.mode !== undefined && { mode: message.mode }),
    ...(message.turn !== undefined && { turn: message.turn }),
    ...(message.replyTo !== undefined && { in_reply_to: message.replyTo }),
    ...pickKeptKeys('metadata.', extra, METADATA),
  };
  const json = {
    id: message.id,
    timestamp: message.time,
    session_id: message.channel,
    from: message.from,
    to: message.to,
    type: extra.type ?? TYPE_OF.get(message.kind) ?? message.kind,
    content: {
      text: message.body ?? '',
      code: message.code ?? null,
      artifacts: message.artifacts ?? [],
      ...pickKeptKeys('content.', extra, CONTENT),
    },
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...pickKeptKeys('', extra, TOP),
  };
  const fault = findShapeFault('', json, TOP);
  return fault ?? { ok: true, value: JSON.stringify(json, null, 2) };
}

/** Returns the kept keys of one part of the file, never any that this codec knows itself. */
function pickKeptKeys(path: string, extra: JsonObject, known: object): JsonObject {
  const isHere = (key: string): boolean =>
    path === '' ? !/^(?:content|metadata)\./.test(key) : key.startsWith(path);
  return Object.fromEntries(
    Object.entries(extra).flatMap(([key, value]) => {
      const name = key.slice(path.length);
      return isHere(key) && !Object.hasOwn(known, name) ? [[name, value]] : [];
    }),
  );
}

const FILE_NAME = /^msg-(\d{8})-(\d{6})-([a-z0-9]+(?:-[a-z0-9]+)*)-([0-9a-f]{4})\.json$/;

/** Parses the name of a message file; undefined for any other. The id inside takes precedence over the name. */
export function readFileName(
  name: string,
): { id: string; time: string; agent: string; hex: string } | undefined {
  const [, day, clock, agent, hex] = FILE_NAME.exec(name) ?? [];
  if (day === undefined || clock === undefined || agent === undefined || hex === undefined) return undefined;
  const date = day.replace(/(....)(..)(..)/, '$1-$2-$3');
  const time = `${date}T${clock.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
  return Number.isNaN(Date.parse(time))
    ? undefined
    : { id: name.slice(0, -'.json'.length), time, agent, hex };
}

/** Returns the name of a message's file: second in UTC, sender, and four hex digits. */
export function formatMessageFileName(time: string, agent: string, count: number): string {
  const [day = '', clock = ''] = time.replace(/[-:]/g, '').split('T');
  return `msg-${day}-${clock.slice(0, 6)}-${agent}-${count.toString(16).padStart(4, '0')}.json`;
}
