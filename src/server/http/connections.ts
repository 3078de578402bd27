// HTTP connections: timeouts, limits for strangers, bodies of requests, and how a server ends though clients hold on.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { crypto } from '../../core/base/ids.ts';
import { beyondShape } from '../../core/base/nesting.ts';

/** How long a client may take, in milliseconds, and how many may be connected without having said who they are. */
export interface Patience {
  headersMs: number;
  requestMs: number;
  strangers: number;
  /** So long nothing of an answer may go out; twice as long where something went out at first. */
  unreadMs: number;
}

export const PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  strangers: 256,
  unreadMs: 60_000,
};

/** Options of Node's server for it. */
export const chooseTimeouts = ({ headersMs, requestMs }: Patience) => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  connectionsCheckingInterval: Math.min(1000, headersMs),
});

/**
 * Ends the oldest connection that has no request of a known token when there are too many: a client that opens connections and
 * stays silent loses these, and takes no place from others. The function returned marks a request's connection as known while
 * it is answered.
 */
export function limitStrangers(
  server: Server,
  { strangers: most }: Patience,
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
 * Ends answers that their client has stopped reading: each is held in memory. Node looks once in that time whether anything went out, and an answer
 * that is still worked on may take as long as it takes.
 */
export function endUnread(server: Server, { unreadMs }: Patience): void {
  server.prependListener('request', (_req, res: ServerResponse) =>
    res.setTimeout(unreadMs, () => {
      if ((res.socket?.writableLength ?? 0) > 0) res.destroy();
    }),
  );
}

/**
 * Calls `tell` when an answer is over, and at once where it already is: a client that leaves while its token is looked up
 * has closed before this listens.
 */
export function notifyEnd(res: ServerResponse, tell: () => void): void {
  if (res.destroyed) tell();
  else res.once('close', tell);
}

/** Whatever is answered has an id, also what Node or its adapter refuses before it is a request. */
export function answerBroken(server: Server): void {
  server.prependListener('request', (_req, res: ServerResponse) =>
    res.setHeader('X-Request-Id', crypto().randomUUID()),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const [status, title] =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, 'Request Header Fields Too Large']
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? [408, 'Request Timeout']
          : [400, 'Bad Request'];
    const id = `X-Request-Id: ${crypto().randomUUID()}`;
    return socket.end(
      `HTTP/1.1 ${status} ${title}\r\nConnection: close\r\n${id}\r\nContent-Length: 0\r\n\r\n`,
    );
  });
}

/** Why the body of a request is not taken. */
export type BodyFault = 'too large' | 'too deep' | 'too many' | 'no JSON' | 'not UTF-8' | 'broken off';
type Refused = { kind: 'refused'; why: BodyFault };
type BodyText = { kind: 'text'; text: Buffer } | Refused;
type BodyJson = { kind: 'json'; json: unknown } | Refused;

const toRefused = (why: BodyFault): Refused => ({ kind: 'refused', why });

/**
 * Messages of MCP are some levels deep; a library that walks through thousands of them overflows its stack. The largest input of a
 * call has some thousand values: to parse a million of them takes seconds of everybody's time.
 */
export const SHAPE = { levels: 64, values: 20_000 };

/** Whether a body may go on: so many bytes of it have come, the newest ones among them. */
export type Takes = (bytes: number, newest: number) => boolean;

/** The body of a request as text; `takes` is asked for every piece of it, or it may have so many bytes. */
export async function readBodyText(req: IncomingMessage, takes: Takes | number): Promise<BodyText> {
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
    // The client went away, or took too long.
    return toRefused('broken off');
  }
  const text = Buffer.concat(chunks);
  return isUtf8(text) ? { kind: 'text', text } : toRefused('not UTF-8');
}

/** The JSON of a body, bounded in depth and number of values; an empty body is undefined. */
export function parseBodyJson(text: Buffer): BodyJson {
  if (text.length === 0) return { kind: 'json', json: undefined };
  const beyond = beyondShape(text, SHAPE);
  if (beyond) return toRefused(beyond === 'levels' ? 'too deep' : 'too many');
  try {
    return { kind: 'json', json: JSON.parse(text.toString('utf8')) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return toRefused('no JSON');
    throw error;
  }
}

/** Milliseconds in which a load balancer sees that this server is no longer ready. */
const LAST_ROUND_MS = 1000;
/** Milliseconds in which what was received is answered. */
const FINISH_MS = 4500;

/** Requests that were received and are not answered yet; one whose body never comes is none. */
export function trackRequests() {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    /** Counts one more; what is returned ends it. */
    began() {
      count++;
      return () => {
        if (--count === 0) for (const tell of waiting.splice(0)) tell();
      };
    },
    /** Resolves when there is none. */
    none: (): Promise<void> =>
      count === 0 ? Promise.resolve() : new Promise((resolve) => (waiting = [...waiting, resolve])),
  };
}

export type InFlight = ReturnType<typeof trackRequests>;

/** What ends with a server: `gentle` lets it finish what it has received. */
interface Ending {
  stop: AbortSignal;
  flight: InFlight;
  ends: (() => void)[];
  gentle: boolean;
}

/** Resolves when `stop` has closed the server and every connection. */
export function closeServer(server: Server, { stop, flight, ends, gentle }: Ending): Promise<void> {
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
