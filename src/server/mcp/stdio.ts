// MCP over stdin and stdout, for one client; invalid messages are refused.
import { EventEmitter, once } from 'node:events';
import { PassThrough, pipeline, Writable, Transform } from 'node:stream';
import { isUtf8 } from 'node:buffer';
import { setTimeout as delay } from 'node:timers/promises';
import { escapeJson } from '../../core/base/terminal.ts';
import { parseJsonOrUndefined } from '../../core/base/text.ts';
import type { Host } from '../remote/host.ts';
import type { Caller } from '../remote/perform-call.ts';
import { createServerMaker } from './server.ts';
import { listGroupTools } from './council-tool-definitions.ts';

/** Milliseconds for requests sent just before stdin ended: `echo … | council mcp` gets its answers. */
const GRACE_MS = 2000;

/** Serves one client until stdin ends or the host stops. stdout carries only the protocol. */
export async function serveStdio(host: Host, caller: Caller, groups?: readonly string[]): Promise<void> {
  const tools = listGroupTools(groups);
  const make = await createServerMaker(host, () => ({ caller, tools }));
  const stdio = await import('@modelcontextprotocol/server/stdio');
  const open = new Set<unknown>();
  const answered = new EventEmitter();
  const out = createPrintableStream(
    process.stdout,
    (id) => open.delete(id) && open.size === 0 && answered.emit('all'),
  );
  const messages = createMessageStream(
    (id, error) => void out.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`),
    (id) => open.add(id),
  );
  // It does not end with stdin, as the transport would then end all calls.
  const requests = messages.pipe(new PassThrough(), { end: false });
  const ended = new Promise<void>((resolve) => {
    pipeline(process.stdin, messages, () => resolve());
    for (const event of ['end', 'close'] as const) messages.once(event, () => resolve());
    host.stop.addEventListener('abort', () => resolve(), { once: true });
    if (host.stop.aborted) resolve();
  });
  const connection = stdio.serveStdio(make, {
    transport: new stdio.StdioServerTransport(requests, out),
    onerror: (error) => host.note(`MCP: ${error.message}`),
  });
  await ended;
  if (open.size > 0 && !host.stop.aborted) await waitForAnswers(answered, host.stop);
  await connection.close();
  process.stdin.destroy();
}

/** Waits until everything is answered, the host stops, or the grace period ends. */
async function waitForAnswers(answered: EventEmitter, stop: AbortSignal): Promise<void> {
  const finished = new AbortController();
  const stopped = AbortSignal.any([stop, finished.signal]);
  const grace = delay(GRACE_MS, undefined, { signal: stopped });
  // Aborted promises reject: no need to wait for them.
  await Promise.race([once(answered, 'all', { signal: stopped }), grace]).catch(() => undefined);
  finished.abort();
}

/** Escapes output, since hosts show it in terminals and logs. Calls `written` with the id of each sent message. */
function createPrintableStream(out: NodeJS.WritableStream, written: (id: unknown) => void): Writable {
  const escaping = new Writable({
    decodeStrings: false,
    write(message: string | Uint8Array, _encoding, done) {
      const text = message.toString();
      out.write(escapeJson(text), (error) => {
        written((parseJsonOrUndefined(text) as { id?: unknown } | undefined)?.id);
        done(error);
      });
    },
  });
  out.on('error', (error: Error) => escaping.destroy(error));
  return escaping;
}

/** A JSON-RPC error. */
interface LineError {
  code: number;
  message: string;
}

/** For a message with invalid bytes: it would be recorded with other characters than were sent. */
export const NOT_UTF8 = { code: -32700, message: 'Parse error: the message is not valid UTF-8' };
const NOT_JSON = {
  code: -32700,
  message: 'Parse error: the line is no JSON; a message is one line, and a line one message',
};
const BATCH = {
  code: -32600,
  message: 'Invalid request: a batch is not taken over stdio; send each message in a line of its own',
};
const NO_MESSAGE = { code: -32600, message: 'Invalid request: the line is no message of JSON-RPC 2.0' };

const LINE_END = 0x0a;
/** Longer messages are passed on in parts: the transport refuses more than 10 MB. */
const LONGEST_MESSAGE = 16 * 1024 * 1024;

/**
 * Returns a stream of messages, one per line, that passes valid ones on and calls `asked` with the ids of
 * requests; for others it calls `refuse` with the id, or null if unknown.
 */
export function createMessageStream(
  refuse: (id: string | number | null, error: LineError) => void,
  asked: (id: string | number) => void,
): Transform {
  let begun: Buffer[] = [];
  let held = 0;
  let isPart = false;
  const take = (): Buffer => {
    const line = Buffer.concat(begun);
    begun = [];
    held = 0;
    return line;
  };
  const refuseBadLine = (line: Buffer): Buffer | undefined => {
    const error = findLineError(line);
    const { id, isRequest } = readRequestId(line);
    if (error) refuse(error === BATCH ? null : id, error);
    else if (isRequest && id !== null) asked(id);
    return error ? undefined : line;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let from = 0; from < chunk.length;) {
        const end = chunk.indexOf(LINE_END, from);
        const part = chunk.subarray(from, end === -1 ? chunk.length : end + 1);
        begun.push(part);
        held += part.length;
        from += part.length;
        if (end === -1 && held <= LONGEST_MESSAGE) break;
        const line = take();
        const passed = end === -1 || isPart ? line : refuseBadLine(line);
        isPart = end === -1;
        if (passed) this.push(passed);
      }
      done();
    },
    flush(done) {
      const rest = take();
      const passed = rest.length === 0 || isPart ? undefined : refuseBadLine(rest);
      if (passed) this.push(Buffer.concat([passed, Buffer.from([LINE_END])]));
      done();
    },
  });
}

/** Returns what is wrong with a line; undefined for a message or an empty line. */
function findLineError(line: Buffer): LineError | undefined {
  if (!isUtf8(line)) return NOT_UTF8;
  const text = line.toString('utf8').trim();
  if (text === '') return undefined;
  const message = parseJsonOrUndefined(text);
  if (message === undefined) return NOT_JSON;
  if (Array.isArray(message)) return BATCH;
  const { jsonrpc, ...rest } = (message ?? {}) as Record<string, unknown>;
  const isOne = typeof rest.method === 'string' || 'result' in rest || 'error' in rest;
  return jsonrpc === '2.0' && isOne ? undefined : NO_MESSAGE;
}

/** Works even for invalid UTF-8: JSON's syntax is ASCII, so only strings contain replaced bytes. */
function readRequestId(line: Buffer): { id: string | number | null; isRequest: boolean } {
  const { id, method } = (parseJsonOrUndefined(line.toString('utf8')) ?? {}) as {
    id?: unknown;
    method?: unknown;
  };
  const isId = typeof id === 'number' || (typeof id === 'string' && !id.includes('\uFFFD'));
  return { id: isId ? id : null, isRequest: method !== undefined };
}
