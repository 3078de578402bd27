// HTTP connections: timeouts, limits for unknown clients, request bodies, and closing a server with open connections.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getCrypto } from '../../core/base/ids.ts';
import { findShapeExcess } from '../../core/base/nesting.ts';

/** Timeouts for clients in milliseconds, and the maximum number of unauthenticated connections. */
export interface ConnectionLimits {
  headersMs: number;
  requestMs: number;
  strangers: number;
  /** Time without progress in sending an answer; up to twice as long if some of it was sent. */
  unreadMs: number;
}

export const PATIENCE: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  strangers: 256,
  unreadMs: 60_000,
};

export const chooseTimeouts = ({ headersMs, requestMs }: ConnectionLimits) => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  connectionsCheckingInterval: Math.min(1000, headersMs),
});

/**
 * Closes the oldest connection without an authenticated request if there are too many: a client that opens
 * connections and stays silent loses only its own. The returned function marks a request's connection as known
 * while it is answered.
 */
export function limitStrangers(
  server: Server,
  { strangers: most }: ConnectionLimits,
): (req: IncomingMessage, res: ServerResponse) => void {
  const strangers = new Set<Socket>();
  const add = (socket: Socket): void => {
    strangers.add(socket);
    const [oldest] = strangers;
    if (oldest && strangers.size > most) oldest.destroy();
  };
  server.on('connection', (socket: Socket) => {
    add(socket);
    socket.once('close', () => strangers.delete(socket));
  });
  return ({ socket }, res) => {
    strangers.delete(socket);
    res.once('close', () => {
      if (!socket.destroyed) add(socket);
    });
  };
}

/**
 * Closes answers that the client has stopped reading, as each is held in memory. Node checks for progress once per
 * interval; an answer still being computed has no limit.
 */
export function endUnread(server: Server, { unreadMs }: ConnectionLimits): void {
  server.prependListener('request', (_req, res: ServerResponse) =>
    res.setTimeout(unreadMs, () => {
      if ((res.socket?.writableLength ?? 0) > 0) res.destroy();
    }),
  );
}

/** Calls `tell` when an answer has ended, even if it already has, because the client left during the token lookup. */
export function notifyEnd(res: ServerResponse, tell: () => void): void {
  if (res.destroyed) tell();
  else res.once('close', tell);
}

/** Gives every answer an id, including requests rejected by Node or its adapter. */
export function answerBroken(server: Server): void {
  server.prependListener('request', (_req, res: ServerResponse) =>
    res.setHeader('X-Request-Id', getCrypto().randomUUID()),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const [status, title] =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, 'Request Header Fields Too Large']
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? [408, 'Request Timeout']
          : [400, 'Bad Request'];
    const id = `X-Request-Id: ${getCrypto().randomUUID()}`;
    return socket.end(
      `HTTP/1.1 ${status} ${title}\r\nConnection: close\r\n${id}\r\nContent-Length: 0\r\n\r\n`,
    );
  });
}

/** Why a request body is rejected. */
export type BodyFault = 'too large' | 'too deep' | 'too many' | 'no JSON' | 'not UTF-8' | 'broken off';
type RefusedBody = { kind: 'refused'; why: BodyFault };
type BodyText = { kind: 'text'; text: Buffer } | RefusedBody;
type BodyJson = { kind: 'json'; json: unknown } | RefusedBody;

const toRefused = (why: BodyFault): RefusedBody => ({ kind: 'refused', why });

/**
 * Limits of a body. Messages of MCP have few levels; a library that walks through thousands overflows its stack.
 * The largest input of a call has some thousand values; parsing a million blocks everyone for seconds.
 */
export const SHAPE = { levels: 64, values: 20_000 };

/** Returns whether a body may continue, given its bytes so far, and the newest of them. */
export type BodyLimit = (bytes: number, newest: number) => boolean;

/** Reads the body of a request as text; `takes` is its maximum size in bytes, or is called with every chunk. */
export async function readBodyText(req: IncomingMessage, takes: BodyLimit | number): Promise<BodyText> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of req as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (typeof takes === 'number' ? bytes > takes : !takes(bytes, chunk.length))
        return toRefused('too large');
      chunks.push(chunk);
    }
  } catch {
    // The client disconnected or took too long.
    return toRefused('broken off');
  }
  const text = Buffer.concat(chunks);
  return isUtf8(text) ? { kind: 'text', text } : toRefused('not UTF-8');
}

/** Parses the JSON of a body, with limits on depth and number of values; an empty body is undefined. */
export function parseBodyJson(text: Buffer): BodyJson {
  if (text.length === 0) return { kind: 'json', json: undefined };
  const beyond = findShapeExcess(text, SHAPE);
  if (beyond) return toRefused(beyond === 'levels' ? 'too deep' : 'too many');
  try {
    return { kind: 'json', json: JSON.parse(text.toString('utf8')) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return toRefused('no JSON');
    throw error;
  }
}

/** Milliseconds for a load balancer to notice that this server is no longer ready. */
const LAST_ROUND_MS = 1000;
/** Milliseconds for answering requests received before. */
const FINISH_MS = 4500;

/** Counts requests that were received completely and are not answered yet. */
export function trackRequests() {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    /** Counts one more; the returned function ends it. */
    began() {
      count++;
      return () => {
        if (--count === 0) for (const tell of waiting.splice(0)) tell();
      };
    },
    none: (): Promise<void> =>
      count === 0 ? Promise.resolve() : new Promise((resolve) => (waiting = [...waiting, resolve])),
  };
}

export type InFlight = ReturnType<typeof trackRequests>;

/** What ends with a server: `gentle` lets it finish received requests. */
interface ServerEnding {
  stop: AbortSignal;
  flight: InFlight;
  ends: (() => void)[];
  gentle: boolean;
}

/** Resolves when `stop` has closed the server and all connections. */
export function closeServer(server: Server, { stop, flight, ends, gentle }: ServerEnding): Promise<void> {
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const close = async (): Promise<void> => {
    for (const end of ends) end();
    if (gentle) await delay(LAST_ROUND_MS);
    server.close();
    if (gentle) await Promise.race([flight.none(), delay(FINISH_MS, undefined, { ref: false })]);
    server.closeAllConnections();
  };
  if (stop.aborted) void close();
  else stop.addEventListener('abort', () => void close(), { once: true });
  return closed;
}
