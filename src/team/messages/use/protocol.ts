// Use case `protocol`: parses, checks, converts, explains and signs messages, with one result each.
import { resolve } from 'node:path';
import { CouncilError } from '../../../core/base/errors.ts';
import { decodeText, parseJsonSafely } from '../../../core/base/text.ts';
import { checkLine, createNonce, signLine } from '../codecs/line-agreement.ts';
import { codecs, formatOf } from '../codecs/codecs.ts';
import { createWireFailure } from '../codecs/codec-types.ts';
import { GRAMMARS } from '../codecs/grammar.ts';
import type { WireError } from '../codecs/codec-types.ts';
import { followConversation } from '../conversation.ts';
import { convert } from '../convert.ts';
import { explain } from '../explain.ts';
import type { ExplainedPart } from '../explain.ts';
import type { FieldName, Format, Message } from '../message.ts';
import { MOST_CHARACTERS, createSplitter } from '../split-messages.ts';
import type { RawMessage } from '../split-messages.ts';
import { readPieces } from '../../../core/store/local/read.ts';
import type { App, Result } from '../../../core/app/app.ts';
import type { TextSource } from '../../../core/app/input/fields.ts';
import type { ProtocolInput } from '../../input/tasks.ts';

/** The result for one message, as a line of `--json`. */
export type ProtocolLine =
  | { ok: true; format: Format; message: Message; warnings?: string[]; parts?: ExplainedPart[] }
  | { ok: true; format: Format; text: string; lost: FieldName[]; warnings?: string[] }
  | { ok: false; format: Format; error: WireError };

/** A result, and the line that its message started at. */
export interface NumberedResult {
  line: number;
  result: ProtocolLine;
}

/** Returns a function that processes each message. Throws `usage` for a conversion without target, or a bad map. */
async function createProtocolReader(
  app: App,
  input: ProtocolInput,
): Promise<(raw: RawMessage) => ProtocolLine> {
  const { action, from, to, asRead } = input;
  if (action === 'convert' && to === undefined)
    throw new CouncilError('usage', 'convert needs the format to write.', {
      hint: 'Add --to v4, for example. See: council protocol --help',
    });
  const map = await readWireIdMap(input.map);
  const key = (await readProtocolText(input.key, 'The key'))?.trim();
  if (action === 'check-worker')
    throw new CouncilError('usage', 'A worker is checked on a command line only.', {
      hint: 'council protocol check-worker -- COMMAND',
    });
  if (action === 'sign' && key === undefined)
    throw new CouncilError('usage', 'sign needs the key that both sides have.', {
      hint: 'Add --key FILE. See: council protocol --help',
    });
  const hear = followConversation();
  const used = new Set<string>();
  const isRepeated = (session: string, nonce: string): boolean => {
    const isUsed = used.has(`${session}:${nonce}`);
    used.add(`${session}:${nonce}`);
    return isUsed;
  };
  const now = new Date(app.startedAt).toISOString();
  const convertLine = (text: string, format: Format, target: Format): ProtocolLine => {
    const { session } = input;
    const done = convert(text, format, target, { map, asRead, now, ...(session && { session }) });
    if (!done.ok) return done;
    const { lost, warnings } = done;
    const written = target === 'v5' && key !== undefined ? signProtocolLine(done.text, target) : done;
    return 'text' in written
      ? { ok: true, format: target, text: written.text, lost, ...toWarningFields(warnings) }
      : written;
  };
  const signProtocolLine = (text: string, format: Format): ProtocolLine => {
    const line = format === 'v5' ? signLine(text, createNonce(text, isRepeated), key ?? '') : undefined;
    if (line !== undefined) return { ok: true, format, text: line, lost: [] };
    const expected = format === 'v5' ? 'a session, such as S1 (convert: --session)' : 'a line of V5';
    return { ...createWireFailure('E90', format === 'v5' ? 9 : 0, 'ctx', expected, '-'), format };
  };
  return (raw) => {
    const format = from === 'auto' ? formatOf(raw.text) : from;
    if (raw.isCut) return { ...createLengthFailure(format), format };
    const result = decodeProtocolLine(raw.text, format, action === 'explain');
    if (!result.ok) return result;
    if (action === 'sign') return signProtocolLine(raw.text, format);
    const unsigned = key !== undefined && format === 'v5' ? checkLine(raw.text, key, isRepeated) : undefined;
    if (unsigned) return { ...unsigned, format };
    if (action === 'convert' && to !== undefined) return convertLine(raw.text, format, to);
    const fault = action === 'validate' && 'message' in result ? hear(result.message, format) : undefined;
    return fault ? { ...fault, format } : result;
  };
}

function decodeProtocolLine(text: string, format: Format, isExplained: boolean): ProtocolLine {
  const decoded = codecs[format].decode(text);
  if (!decoded.ok) return { ok: false, format, error: decoded.error };
  const { value: message, warnings } = decoded;
  const parts = isExplained && { parts: explain(text, format, message) };
  return { ok: true, format, message, ...parts, ...toWarningFields(warnings) };
}

const toWarningFields = (warnings: string[]): { warnings?: string[] } =>
  warnings.length > 0 ? { warnings } : {};

/** Reports an oversized message with the code for a wrong number of segments. */
function createLengthFailure(format: Format): ReturnType<typeof createWireFailure> {
  const isJson = format === 'file' || format === 'envelope';
  const most = isJson ? MOST_CHARACTERS.document : MOST_CHARACTERS.line;
  const code = isJson ? 'too_large' : GRAMMARS[format === 'v1' ? 'v2' : format].countCode;
  return createWireFailure(code, 0, 'segments', `at most ${most} characters`, 'more');
}

async function readProtocolText(given: TextSource | undefined, what: string): Promise<string | undefined> {
  return given && decodeText(await given.bytes(), what);
}

async function readWireIdMap(given: TextSource | undefined): Promise<Record<string, string>> {
  const text = await readProtocolText(given, 'The map');
  if (text === undefined) return {};
  let map: unknown;
  try {
    map = parseJsonSafely(text);
  } catch {
    map = undefined;
  }
  const isMap =
    typeof map === 'object' && map !== null && Object.values(map).every((id) => typeof id === 'string');
  if (!isMap || Array.isArray(map))
    throw new CouncilError('usage', 'The map must be a JSON object of names and ids.', {
      hint: 'For example: {"claude-1": "W1", "supervisor": "O1"}',
    });
  return map as Record<string, string>;
}

/** Reads the named file in pieces, because it may not fit into memory. Throws like `readBytes`. */
export const readFilePieces = (app: App, { from }: TextSource): Generator<Uint8Array> =>
  readPieces(resolve(app.cwd, from));

/** Yields the results for a stream of bytes as they come: one list for each piece read. */
export async function* readProtocolLines(
  app: App,
  input: ProtocolInput,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<NumberedResult[]> {
  const read = await createProtocolReader(app, input);
  const tell = (raw: RawMessage): NumberedResult => ({ line: raw.line, result: read(raw) });
  const cut = createSplitter(input.from);
  // An invalid byte spoils only its own message: the others are read.
  const decoder = new TextDecoder('utf-8');
  for await (const piece of pieces) yield cut.push(decoder.decode(piece, { stream: true })).map(tell);
  yield [...cut.push(decoder.decode()), ...cut.end()].map(tell);
}

/** Returns all results as one document, for interfaces without streams. */
export async function processProtocol(
  app: App,
  input: ProtocolInput,
): Promise<Result<{ results: ProtocolLine[] }>> {
  const results: ProtocolLine[] = [];
  for await (const told of readProtocolLines(app, input, [
    (await input.messages?.bytes()) ?? Buffer.alloc(0),
  ]))
    results.push(...told.map(({ result }) => result));
  return { document: { results }, failed: results.every(({ ok }) => ok) ? undefined : 'failed' };
}
