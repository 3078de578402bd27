// Reads and writes lines of V2 to V5 by the grammar of their version.
import type { Message, Priority, TaskState } from '../message.ts';
import { parseDataPairs, writeData } from './data-pairs.ts';
import { GRAMMARS, PRIORITY_OF } from './grammar.ts';
import type { Grammar, SegmentContent, LineVersion, Segment } from './grammar.ts';
import { createWireFailure } from './codec-types.ts';
import type { Codec, Decoded, Encoded, EncodeOptions, Failed } from './codec-types.ts';

const NONE = '-';
/** Lines have no `high`: P1 is the nearest that does not interrupt. */
const WRITTEN_PRIORITY: Record<Priority, string> = { critical: 'P0', high: 'P1', normal: 'P1', low: 'P2' };
/** The code at the start of DATA in E lines of V2 and V3. */
const INLINE_ERROR = /^(E\d{2})(?::|;|$)/;

/** Decodes and encodes each part of a line except its type; `write` returns undefined if the message lacks it. */
const PARTS: Record<
  Exclude<SegmentContent, 'kind'>,
  { read(part: string): Partial<Message>; write(message: Message): string | undefined }
> = {
  id: { read: (id) => ({ id }), write: ({ id }) => id },
  role: { read: (role) => ({ role: role as 'O' | 'W' }), write: ({ role }) => role },
  route: {
    read(part) {
      const [from = '', to = ''] = part.split('>');
      return { from, to };
    },
    write: ({ from, to }) => (from === undefined || to === undefined ? undefined : `${from}>${to}`),
  },
  task: { read: (task) => ({ task }), write: ({ task }) => task },
  priority: {
    read: (part) => ({ priority: PRIORITY_OF[part]! }),
    write: ({ priority }) => priority && WRITTEN_PRIORITY[priority],
  },
  state: { read: (state) => ({ state: state as TaskState }), write: ({ state }) => state },
  error: { read: (error) => ({ error }), write: ({ error }) => error },
  depth: { read: (depth) => ({ depth: Number(depth) }), write: ({ depth }) => depth?.toString() },
  context: {
    read(part) {
      const [context = '', nonce, signature] = part.split(':');
      if (!nonce || !signature) return { context };
      return { context, auth: { nonce: nonce.toLowerCase(), signature: signature.toLowerCase() } };
    },
    write: ({ context, auth }) =>
      auth && context !== undefined ? `${context}:${auth.nonce}:${auth.signature}` : context,
  },
  budget: {
    read: (part) => ({ budget: Number(part.slice(1)) }),
    write: ({ budget }) => (budget === undefined ? undefined : `B${budget}`),
  },
};

/** A version, its grammar, and its types by letter and vice versa. */
interface Dialect {
  version: LineVersion;
  grammar: Grammar;
  kinds: Map<string, string>;
  letters: Map<string, string>;
}

/** The codec of one version of the line protocol. */
export function createLineCodec(version: LineVersion): Codec {
  const grammar = GRAMMARS[version];
  const kinds = new Map(Object.entries({ ...grammar.types, ...grammar.readTypes }));
  const letters = new Map([...kinds].map(([letter, kind]) => [kind as string, letter]));
  const dialect = { version, grammar, kinds, letters };
  return {
    decode: (text) => decodeLine(dialect, text),
    encode: (message, options = {}) => encode(dialect, message, options),
  };
}

function decodeLine({ version, grammar, kinds }: Dialect, text: string): Decoded {
  const line = text.replace(/\r?\n$/, '');
  const count = grammar.segments.length + 1;
  const parts = line.split('|', count + 1);
  if (parts.length !== count) return createCountFailure(grammar, line);
  const message: Message = { id: '', kind: '' };
  for (const [at, { optional, read, code, name, expected, holds }] of grammar.segments.entries()) {
    const part = parts[at]!;
    if (part === NONE && optional) continue;
    if (!read.test(part)) return createWireFailure(code, at + 1, name, expected, part);
    Object.assign(message, holds === 'kind' ? { kind: kinds.get(part) } : PARTS[holds].read(part));
  }
  return findMissingTask(version, grammar, message) ?? withData(version, grammar, message, parts[count - 1]!);
}

function createCountFailure(grammar: Grammar, line: string): Failed {
  let found = 1;
  for (let at = line.indexOf('|'); at !== -1; at = line.indexOf('|', at + 1)) found++;
  const wanted = `${grammar.segments.length + 1} segments separated by |`;
  return createWireFailure(grammar.countCode, 0, 'segments', wanted, String(found));
}

/** In V2, only an ACK may lack a task. */
function findMissingTask(
  version: LineVersion,
  { segments }: Grammar,
  { task, kind }: Message,
): Failed | undefined {
  if (version !== 'v2' || task !== undefined || kind === 'ack') return undefined;
  const at = segments.findIndex(({ holds }) => holds === 'task');
  const { code, name, expected } = segments[at]!;
  return createWireFailure(code, at + 1, name, expected, NONE);
}

function withData(version: LineVersion, grammar: Grammar, message: Message, given: string): Decoded {
  const segment = grammar.segments.length + 1;
  const { forbidden, named, code, most } = grammar.data;
  if (given === '') return createWireFailure(grammar.countCode, segment, 'data', 'a text, or -', given);
  const warnings: string[] = [];
  let body = given;
  if (most && given.length > most.characters) {
    const { kept, length } = takeFirstCharacters(given, most.characters);
    if (kept.length < given.length)
      warnings.push(`DATA has ${length} characters; the first ${most.characters} are kept.`);
    body = kept;
  }
  if (forbidden.test(body))
    return createWireFailure(code, segment, 'data', `no ${named}, no line break`, body);
  if (body === NONE) return { ok: true, value: message, warnings };
  message.body = body;
  const data = parseDataPairs(body);
  if (data) message.data = data;
  if (message.kind === 'error' && isInline(version)) {
    const found = INLINE_ERROR.exec(body)?.[1];
    if (found !== undefined) message.error = found;
  }
  return { ok: true, value: message, warnings };
}

/** V1 to V3 have no segment for an error code: DATA begins with it. */
const isInline = (version: LineVersion): boolean => version === 'v2' || version === 'v3';

/** Returns the first code points of a text, and its total length in code points. */
function takeFirstCharacters(text: string, most: number): { kept: string; length: number } {
  let length = 0;
  let end = text.length;
  let at = 0;
  for (const character of text) {
    if (length === most) end = at;
    length++;
    at += character.length;
  }
  return { kept: text.slice(0, end), length };
}

function encode(
  { version, grammar, letters }: Dialect,
  message: Message,
  { asRead = false }: EncodeOptions,
): Encoded {
  const parts: string[] = [];
  for (const [at, segment] of grammar.segments.entries()) {
    const { holds, read, write, code, name, expected } = segment;
    const part = holds === 'kind' ? (letters.get(message.kind) ?? message.kind) : PARTS[holds].write(message);
    const left = writeAbsentSegment(segment, message, asRead);
    if (part === undefined && left !== undefined) {
      parts.push(left);
      continue;
    }
    const pattern = asRead ? read : (write ?? read);
    if (part === undefined || !pattern.test(part))
      return createWireFailure(code, at + 1, name, expected, part ?? NONE);
    parts.push(part);
  }
  const missing = findMissingTask(version, grammar, message);
  if (missing) return missing;
  const data = writeDataSegment(version, grammar, message);
  return data.ok ? { ok: true, value: [...parts, data.value].join('|') } : data;
}

/** Returns the placeholder for a segment that the message lacks; undefined if it is required. */
function writeAbsentSegment(
  { holds, optional }: Segment,
  { auth }: Message,
  asRead: boolean,
): string | undefined {
  if (holds === 'depth') return asRead ? NONE : '0';
  if (holds === 'context' && auth) return undefined;
  return optional ? NONE : undefined;
}

function writeDataSegment(version: LineVersion, grammar: Grammar, message: Message): Encoded {
  const segment = grammar.segments.length + 1;
  const { forbidden, named, code, most } = grammar.data;
  const said = message.body ?? (message.data ? writeData(message.data) : '');
  if (said === undefined)
    return createWireFailure(
      code,
      segment,
      'data',
      'pairs that can be read back',
      JSON.stringify(message.data),
    );
  const text = isInline(version) ? withError(message, said) : said;
  if (text === '') return { ok: true, value: NONE };
  if (forbidden.test(text))
    return createWireFailure(code, segment, 'data', `no ${named}, no line break`, text);
  if (most && text.length > most.characters) {
    const { length } = takeFirstCharacters(text, most.characters);
    const advice = `at most ${most.characters} characters; refer to longer texts, such as #REF:T1:S`;
    if (length > most.characters)
      return createWireFailure(most.code, segment, 'data', advice, `${length} characters`);
  }
  return { ok: true, value: text };
}

function withError({ kind, error }: Message, text: string): string {
  if (kind !== 'error' || error === undefined || INLINE_ERROR.exec(text)?.[1] === error) return text;
  return text === '' || text === NONE ? error : `${error}:${text}`;
}
