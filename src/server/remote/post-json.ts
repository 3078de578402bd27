// Posts one JSON document to a server and returns the answer, or an error that says why it is unreachable.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { isDeepJson } from '../../core/base/nesting.ts';
import { MOST_ANSWER } from './call.ts';
import { CouncilError, describeThrown, getSystemCode } from '../../core/base/errors.ts';
import { formatDuration } from '../../core/base/duration.ts';
import { toOneLine, parseJsonOrUndefined } from '../../core/base/text.ts';

export interface ServerAnswer {
  status: number;
  /** Without its parameters. */
  type: string | undefined;
  /** The body as JSON; undefined if it is invalid or nested too deep. */
  body: unknown;
  /** The target of a redirect. */
  location?: string;
}

/** Limits of an answer: milliseconds until it starts and until it ends, and bytes. */
const ANSWER_LIMITS = { answer: 180_000, end: 300_000, bytes: MOST_ANSWER };

/** The error for an answer that exceeds a limit. */
class AnswerBoundError extends Error {
  readonly bound: keyof typeof ANSWER_LIMITS;
  readonly most: number;

  constructor(bound: keyof typeof ANSWER_LIMITS, most: number) {
    super(`The answer goes beyond its bound: ${bound}, ${most}.`);
    this.bound = bound;
    this.most = most;
  }
}

interface OutgoingRequest {
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  /** Whether the answer may take as long as an agent or a person. */
  isLong?: boolean;
  most?: typeof ANSWER_LIMITS;
}

/** Interval of TCP keep-alive, so that a connection to a dead machine ends. */
const ALIVE_MS = 30_000;

/**
 * Rejects if the server is unreachable, breaks off or answers without end. Does not use `fetch`, which gives up
 * after five minutes: turns, tasks and answers can take longer. Redirects are not followed, as the token is only
 * for this server.
 */
export async function post(
  url: string,
  { signal, body, isLong, most = ANSWER_LIMITS, ...sent }: OutgoingRequest,
): Promise<ServerAnswer> {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const headers = { ...sent.headers, 'Content-Length': Buffer.byteLength(body) };
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const startTimer = (bound: 'answer' | 'end', stream: ClientRequest | IncomingMessage): void => {
        clearTimeout(timer);
        timer = setTimeout(() => stream.destroy(new AnswerBoundError(bound, most[bound])), most[bound]);
      };
      const asked = request(url, { method: 'POST', headers, signal }, (answer) => {
        startTimer('end', answer);
        readServerAnswer(answer, most.bytes).then(resolve, reject);
      });
      asked.on('error', reject);
      asked.setSocketKeepAlive(true, ALIVE_MS);
      if (!isLong) startTimer('answer', asked);
      asked.end(body);
    });
  } finally {
    clearTimeout(timer);
  }
}

async function readServerAnswer(answer: IncomingMessage, most: number): Promise<ServerAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    // Leaving the loop closes the connection.
    if ((size += chunk.length) > most) throw new AnswerBoundError('bytes', most);
    chunks.push(chunk);
  }
  const { 'content-type': type, location } = answer.headers;
  return {
    status: answer.statusCode ?? 0,
    type: type?.split(';')[0]?.trim().toLowerCase(),
    body: parseAnswerJson(Buffer.concat(chunks)),
    ...(location !== undefined && { location }),
  };
}

/** Deepest JSON nesting accepted, so that recursive code cannot overflow the stack. */
const DEEPEST = 200;

function parseAnswerJson(body: Buffer): unknown {
  return isDeepJson(body, DEEPEST) ? undefined : parseJsonOrUndefined(body.toString('utf8'));
}

const NOT_TRUSTED = /CERT|SIGNATURE|^ERR_TLS/;
const OTHER_PROTOCOL = /^(?:ERR_SSL|HPE_|EPROTO$)/;
const NO_SUCH_HOST = ['ENOTFOUND', 'EAI_AGAIN'];
const RIGHT = 'COUNCIL_SERVER, or --server, has its address.';

/** Why a server is unreachable, and what to check first. */
interface UnreachedReason {
  why: string;
  look: string;
}

function explainUnreached(cause: unknown): UnreachedReason {
  const code = getSystemCode(cause);
  if (cause instanceof AnswerBoundError)
    return { why: describeBound(cause), look: 'Its log says more. Try again later.' };
  if (code === undefined) return { why: describeThrown(cause), look: `Is the address right? ${RIGHT}` };
  if (code === 'ECONNREFUSED')
    return { why: `nothing listens there (${code})`, look: `Is council serve running there? ${RIGHT}` };
  if (NO_SUCH_HOST.includes(code))
    return { why: `there is no such host (${code})`, look: `Is the name right? ${RIGHT}` };
  if (NOT_TRUSTED.test(code))
    return {
      why: `its certificate is not trusted (${code})`,
      look: 'NODE_EXTRA_CA_CERTS=FILE names who has signed it.',
    };
  if (OTHER_PROTOCOL.test(code))
    return { why: `it speaks another protocol (${code})`, look: `Is it http or https? ${RIGHT}` };
  return { why: code, look: `Is council serve running there? ${RIGHT}` };
}

const describeBound = ({ bound, most }: AnswerBoundError): string =>
  bound === 'bytes'
    ? `it answers with more than ${most / 1024 / 1024} MiB`
    : bound === 'answer'
      ? `it has not answered for ${formatDuration(most)}`
      : `its answer has not come to an end within ${formatDuration(most)}`;

/** Creates the error for a request without an answer. */
export const createUnreachableError = (server: string, cause: unknown): CouncilError =>
  buildUnreachableError(server, explainUnreached(cause));

/** Creates the error for a server, or a proxy, that reports to be unavailable. */
export const createNotNowError = (server: string, why: string): CouncilError =>
  buildUnreachableError(server, { why, look: 'Try again later.' });

const buildUnreachableError = (server: string, { why, look }: UnreachedReason): CouncilError =>
  new CouncilError(
    'unreachable',
    `The server ${new URL(server).origin} cannot be reached: ${why.replace(/\.$/, '')}.`,
    { hint: look },
  );

/** Creates the error for an answer that is valid but cannot be displayed. */
export const createOddAnswerError = (server: string, cause: unknown): CouncilError =>
  new CouncilError(
    'failed',
    `What ${URL.parse(server)?.origin ?? server} answers cannot be told: it is not what council says.`,
    {
      hint: 'Is it a council server, and does nothing on the way change what it says? --json prints it as it came.',
      cause,
    },
  );

/** Creates the error for an answer that is not a council server's: a login page or another service. */
export function createForeignAnswerError(
  server: string,
  { status, type, location }: ServerAnswer,
): CouncilError {
  const what = location === undefined ? (type ?? 'nothing') : `on to ${toOneLine(location, 200)}`;
  return new CouncilError(
    'unreachable',
    `${new URL(server).origin} answers, but not as council's server does (status ${status}, ${toOneLine(what, 250)}).`,
    { hint: `Is the address right, and does no login page stand in front of it? ${RIGHT}` },
  );
}
