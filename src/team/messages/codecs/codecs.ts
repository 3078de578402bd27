// All codecs by format name, detection of a text's format, and the codec of V1 blocks (one field per line).
import type { Format, Message } from '../message.ts';
import { createWireFailure } from './codec-types.ts';
import type { Codec, Decoded, Encoded } from './codec-types.ts';
import { envelopeCodec, isEnvelope } from './envelope.ts';
import { fileCodec } from './json-file.ts';
import { parseJsonObject } from './json-shape.ts';
import { createLineCodec } from './line-codec.ts';

const BY_COUNT: Record<number, Format> = { 5: 'v2', 7: 'v3', 8: 'v4', 11: 'v5' };
const MOST_SEGMENTS = 11;

/** Detects the format of a text: by brackets or braces, else by the number of segments and the form of its id. */
export function formatOf(text: string): Format {
  const start = text.trimStart();
  // A JSON list is not a V1 block: the file codec reports what is expected.
  if (/^\[\s*[[{"]/.test(start)) return 'file';
  if (start.startsWith('[')) return 'v1';
  if (start.startsWith('{')) {
    const read = parseJsonObject(text);
    return read.ok
      ? isEnvelope(read.json)
        ? 'envelope'
        : 'file'
      : /"header"\s*:/.test(text)
        ? 'envelope'
        : 'file';
  }
  const named = BY_COUNT[text.split('|', MOST_SEGMENTS + 1).length];
  const isLong = start.startsWith('MSG_');
  // A line with any other count is invalid in every version: the newest one with such ids reports the error.
  if (named !== undefined && isLong === (named === 'v2' || named === 'v3')) return named;
  return isLong ? 'v3' : 'v5';
}

const TYPES = {
  REQ: 'request',
  RES: 'response',
  CLR: 'clarify',
  UPD: 'update',
  ACK: 'ack',
  ERR: 'error',
} as const;
const LETTERS = new Map<string, string>(Object.entries(TYPES).map(([word, kind]) => [kind, word]));

/** V1 has no error codes per check: every error is a wrong format. */
const V1_CODE = 'E02';
const ROLE = /^(?:ORCHESTRATOR|WORKER)$/;
const NONE = '-';
const INLINE_ERROR = /^(E\d{2})(?::|;|$)/;

interface BlockLine {
  label: string;
  name: string;
  expected: string;
  value: RegExp;
  optional?: true;
}

const LINES: readonly BlockLine[] = [
  { label: 'FROM', name: 'from', expected: 'FROM: ORCHESTRATOR or WORKER', value: ROLE },
  { label: 'TO', name: 'to', expected: 'TO: ORCHESTRATOR or WORKER', value: ROLE },
  {
    label: 'TYPE',
    name: 'type',
    expected: 'TYPE: REQ, RES, CLR, UPD, ACK or ERR',
    value: /^(?:REQ|RES|CLR|UPD|ACK|ERR)$/,
  },
  { label: 'TASK', name: 'task', expected: 'TASK: TASK_ and digits', value: /^TASK_\d+$/, optional: true },
  { label: 'DATA', name: 'data', expected: 'DATA: a text', value: /^[^\r\n]*$/ },
];
const HEAD = /^\[(MSG_\d+)\]$/;
const HEAD_EXPECTED = '[MSG_ and digits]';

const blockCodec: Codec = { decode: decodeBlock, encode };

function decodeBlock(text: string): Decoded {
  // One line more than a block can have is enough to detect surplus lines.
  const lines = text.replace(/(?:\r?\n)+$/, '').split('\n', LINES.length + 2);
  const id = HEAD.exec(stripCarriageReturn(lines[0]))?.[1];
  if (id === undefined)
    return createWireFailure(V1_CODE, 1, 'msg', HEAD_EXPECTED, stripCarriageReturn(lines[0]));
  const values: Record<string, string> = {};
  let at = 1;
  for (const line of LINES) {
    const found = stripCarriageReturn(lines[at]);
    const value = found.startsWith(`${line.label}:`) ? found.slice(line.label.length + 1) : undefined;
    if (value === undefined && line.optional) continue;
    const text = value?.replace(/^ /, '');
    if (text === undefined || !line.value.test(text))
      return createWireFailure(V1_CODE, at + 1, line.name, line.expected, found);
    values[line.name] = text;
    at++;
  }
  if (lines.length > at)
    return createWireFailure(V1_CODE, at + 1, 'data', 'the end of the block', stripCarriageReturn(lines[at]));
  return asMessage(id, values, at);
}

const stripCarriageReturn = (line: string | undefined): string => (line ?? '').replace(/\r$/, '');

function asMessage(id: string, values: Record<string, string>, line: number): Decoded {
  const kind = TYPES[values.type as keyof typeof TYPES];
  const { data = '' } = values;
  if (data === '' && kind !== 'ack')
    return createWireFailure(V1_CODE, line, 'data', 'a text, or - (only an ACK has none)', '');
  const body = data === '' || data === NONE ? undefined : data;
  const error = kind === 'error' && body !== undefined ? INLINE_ERROR.exec(body)?.[1] : undefined;
  const value: Message = {
    id,
    from: values.from!,
    to: values.to!,
    kind,
    ...(values.task !== undefined && { task: values.task }),
    ...(body !== undefined && { body }),
    ...(error !== undefined && { error }),
  };
  return { ok: true, value, warnings: [] };
}

function encode(message: Message): Encoded {
  const type = LETTERS.get(message.kind);
  const values = [message.from, message.to, type ?? message.kind, message.task, encodeBlockBody(message)];
  if (!/^MSG_\d+$/.test(message.id)) return createWireFailure(V1_CODE, 1, 'msg', HEAD_EXPECTED, message.id);
  const lines = [`[${message.id}]`];
  for (const [at, line] of LINES.entries()) {
    const value = values[at];
    if (value === undefined && line.optional) continue;
    if (value === undefined || !line.value.test(value))
      return createWireFailure(V1_CODE, lines.length + 1, line.name, line.expected, value ?? NONE);
    lines.push(value === '' ? `${line.label}:` : `${line.label}: ${value}`);
  }
  return { ok: true, value: lines.join('\n') };
}

function encodeBlockBody({ kind, body, error }: Message): string {
  const text = body ?? '';
  if (kind === 'error' && error !== undefined && INLINE_ERROR.exec(text)?.[1] !== error)
    return text === '' ? error : `${error}:${text}`;
  return text === '' && kind !== 'ack' ? NONE : text;
}

export const codecs: Record<Format, Codec> = {
  v1: blockCodec,
  v2: createLineCodec('v2'),
  v3: createLineCodec('v3'),
  v4: createLineCodec('v4'),
  v5: createLineCodec('v5'),
  file: fileCodec,
  envelope: envelopeCodec,
};
