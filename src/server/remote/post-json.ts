// Sends one JSON document to a server, and waits for the answer: for what others do however long it takes, else for a while.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { isDeepJson } from '../../core/base/nesting.ts';
import { MOST_ANSWER } from './client-output.ts';

/** What was answered. */
export interface Posted {
  status: number;
  /** Without its parameters. */
  type: string | undefined;
  /** The body as JSON; undefined where it is none, or nested deeper than any of council's. */
  body: unknown;
  /** Where it sends on to. */
  location?: string;
}

/** What an answer may have: milliseconds until it begins and until it ends, and bytes. */
const MOST = { answer: 180_000, end: 300_000, bytes: MOST_ANSWER };

/** An answer beyond that. */
export class Beyond extends Error {
  readonly bound: keyof typeof MOST;
  readonly most: number;

  constructor(bound: keyof typeof MOST, most: number) {
    super(`The answer goes beyond its bound: ${bound}, ${most}.`);
    this.bound = bound;
    this.most = most;
  }
}

interface Sent {
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  /** Whether the answer may take as long as an agent or a person does. */
  isLong?: boolean;
  most?: typeof MOST;
}

/** How often a connection without traffic is looked after, so that one to a machine that is gone ends. */
const ALIVE_MS = 30_000;

/**
 * Rejects if the server is unreachable, breaks off or answers without end. Not with `fetch`, which
 * gives up after five minutes: turns, tasks and answers can take longer. Redirects are not
 * followed: the token is only for this server.
 */
export async function post(
  url: string,
  { signal, body, isLong, most = MOST, ...sent }: Sent,
): Promise<Posted> {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const headers = { ...sent.headers, 'Content-Length': Buffer.byteLength(body) };
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const within = (bound: 'answer' | 'end', stream: ClientRequest | IncomingMessage): void => {
        clearTimeout(timer);
        timer = setTimeout(() => stream.destroy(new Beyond(bound, most[bound])), most[bound]);
      };
      const asked = request(url, { method: 'POST', headers, signal }, (answer) => {
        within('end', answer);
        readServerAnswer(answer, most.bytes).then(resolve, reject);
      });
      asked.on('error', reject);
      asked.setSocketKeepAlive(true, ALIVE_MS);
      if (!isLong) within('answer', asked);
      asked.end(body);
    });
  } finally {
    clearTimeout(timer);
  }
}

async function readServerAnswer(answer: IncomingMessage, most: number): Promise<Posted> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    // Leaving it ends the connection.
    if ((size += chunk.length) > most) throw new Beyond('bytes', most);
    chunks.push(chunk);
  }
  const { 'content-type': type, location } = answer.headers;
  return {
    status: answer.statusCode ?? 0,
    type: type?.split(';')[0]?.trim().toLowerCase(),
    body: jsonOrNone(Buffer.concat(chunks)),
    ...(location !== undefined && { location }),
  };
}

/** Deepest JSON nesting accepted, so that recursive code cannot overflow the stack. */
const DEEPEST = 200;

function jsonOrNone(body: Buffer): unknown {
  if (isDeepJson(body, DEEPEST)) return undefined;
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
