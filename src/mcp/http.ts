// MCP over HTTP on this machine's loopback address.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type * as Sdk from '@modelcontextprotocol/server';
import type { AuthInfo, McpHandlerRequestOptions } from '@modelcontextprotocol/server';
import { CouncilError, systemCode } from '../base/errors.ts';
import { bearerOf, isSame } from './bearer.ts';
import { bodyOf, DEEPEST, limitStrangers, PATIENCE, timeouts } from './connections.ts';
import type { Patience } from './connections.ts';
import type { Host } from '../app/remote/host.ts';
import type { Caller } from '../app/remote/perform.ts';
import { accountsOf, allowance, limitsOf, STRANGERS } from './limits.ts';
import type { Account, Allowance, Limits, Rate } from './limits.ts';
import { serverMaker } from './server.ts';
import { sessionsOf } from './sessions.ts';
import { NOT_UTF8 } from './utf8.ts';

const ADDRESS = '127.0.0.1';
const PATH = '/mcp';
/** A contribution of 1 MiB, written in JSON with an escape for every byte, and some room. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Messages that may come as one: older revisions know batches. */
const MAX_BATCH = 32;
const SLOWLY_MS = 1000;

/** A server that listens: where, and how to end it. */
export interface Listening {
  url: string;
  /** Resolves when the host has stopped and every connection is closed. */
  closed: Promise<void>;
}

/** What a server of tests may do without: the patience and the limits of the real one. */
export interface Bounds {
  patience?: Patience;
  limits?: (caller: Caller) => Limits;
  strangers?: Rate;
}

/**
 * Serves MCP over HTTP on 127.0.0.1. Requests with another Host or Origin than this machine's are refused with 403, those
 * without `token` or a participant's token with 401, too many of these and those beyond the limits of their token with 429.
 * Throws `io` when the
 * port cannot be had.
 */
export async function serveHttp(
  host: Host,
  port: number,
  token: string,
  { patience = PATIENCE, limits = limitsOf, strangers = STRANGERS }: Bounds = {},
): Promise<Listening> {
  const [{ createServer }, node, sdk] = await Promise.all([
    import('node:http'),
    import('@modelcontextprotocol/node'),
    import('@modelcontextprotocol/server'),
  ]);
  const accountOf = accountsOf(limits);
  const limited: Host = {
    ...host,
    perform: (asked, gone) => accountOf(asked.caller).run(() => host.perform(asked, gone)),
  };
  const onerror = (error: unknown): void =>
    host.note(`MCP: ${error instanceof Error ? error.message : String(error)}`);
  const mcp = await mcpOver(sdk, limited, onerror, (auth) => accountOf(callerOf(auth)).limits.sessions);
  const isHostRight = node.localhostHostValidation();
  const isOriginRight = node.localhostOriginValidation();
  const answer = answerer({
    isLocal: (req, res) => isHostRight(req, res) && isOriginRight(req, res),
    authenticate: (given) => authenticate(host, given, token),
    unknown: allowance(strangers, () => performance.now()),
    isKnown: (req, res) => isKnown(req, res),
    accountOf,
    serve: node.toNodeHandler({ fetch: mcp.fetch }, { onerror, maxRequestBodySize: MAX_BODY_BYTES }),
  });
  const server = createServer(timeouts(patience), (req, res) => {
    answer(req, res).catch((error: unknown) => {
      onerror(error);
      if (!res.headersSent) refuse(res, 500, 'The server failed.');
    });
  });
  const isKnown = limitStrangers(server, patience);
  const url = await listen(server, port);
  return { url, closed: closing(server, host.stop, mcp.close) };
}

/** The protocol itself: sessions of older revisions, everything else without one. */
async function mcpOver(
  sdk: typeof Sdk,
  host: Host,
  onerror: (error: Error) => void,
  mostSessions: (auth: AuthInfo | undefined) => number,
) {
  const make = await serverMaker(host, ({ authInfo }) => callerOf(authInfo));
  const handler = sdk.createMcpHandler(make, { onerror, maxRequestBodySize: MAX_BODY_BYTES });
  const sessions = sessionsOf(sdk, make, MAX_BODY_BYTES);
  return {
    fetch: async (request: Request, options: McpHandlerRequestOptions = {}): Promise<Response> =>
      (await sessions.answer(request, options, mostSessions(options.authInfo))) ??
      handler.fetch(request, options),
    close(): void {
      void handler.close();
      void sessions.close();
    },
  };
}

/** A request, with what the SDK is told of its sender. */
type Authorized = IncomingMessage & { auth?: AuthInfo };

/** What a request has to pass before it is served. */
interface Checks {
  /** True for a request to this machine from this machine; others have been answered. */
  isLocal(req: IncomingMessage, res: ServerResponse): boolean;
  authenticate(given: string): Promise<Caller | undefined>;
  /** How many requests without a valid token are answered at once. */
  unknown: Allowance;
  /** Its connection no longer counts as a stranger's. */
  isKnown(req: IncomingMessage, res: ServerResponse): void;
  accountOf(caller: Caller): Account;
  serve(req: Authorized, res: ServerResponse, body: unknown): Promise<void>;
}

const answerer =
  ({ isLocal, authenticate, unknown, isKnown, accountOf, serve }: Checks) =>
  async (req: Authorized, res: ServerResponse): Promise<void> => {
    if (!isLocal(req, res)) return;
    if (req.url?.split('?')[0] !== PATH) return refuse(res, 404, `Only ${PATH} is served here.`);
    const given = bearerOf(req.headers.authorization);
    const caller = given === undefined ? undefined : await authenticate(given);
    if (given === undefined || !caller) return refuseStranger(res, unknown);
    isKnown(req, res);
    const account = accountOf(caller);
    const end = account.admit(req.method === 'GET');
    if (typeof end !== 'function') return refuseForNow(res, end.retryAfter);
    res.once('close', end);
    const body = await receive(req, res, account);
    if (!body) return;
    req.auth = { token: given, clientId: caller.participant ?? 'operator', scopes: [], extra: { caller } };
    await serve(req, res, body.json);
  };

/** The address of the server once it listens. Throws `io` when the port cannot be had. */
async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, ADDRESS, resolve);
  }).catch((error: unknown) => {
    throw new CouncilError('io', `Cannot listen on port ${port}: ${systemCode(error) ?? String(error)}.`, {
      hint: 'Choose another one, or 0 for any that is free: council mcp --http 0',
      cause: error,
    });
  });
  const address = server.address();
  return `http://${ADDRESS}:${typeof address === 'object' && address ? address.port : port}${PATH}`;
}

/** Resolves when `stop` has closed the server and every connection. */
function closing(server: Server, stop: AbortSignal, closeMcp: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const close = (): void => {
    closeMcp();
    server.close();
    server.closeAllConnections();
  };
  stop.addEventListener('abort', close, { once: true });
  if (stop.aborted) close();
  return closed;
}

async function authenticate(host: Host, given: string, token: string): Promise<Caller | undefined> {
  return isSame(given, token) ? { bound: false } : host.holder(given);
}

/** Too many at a time are answered slowly: who asks again at once takes no time from the others. */
async function refuseStranger(res: ServerResponse, unknown: Allowance): Promise<void> {
  const seconds = unknown.wait();
  if (seconds === 0) {
    unknown.take(1);
    return refuse(res, 401, 'A token is needed: Authorization: Bearer TOKEN.');
  }
  await delay(SLOWLY_MS, undefined, { ref: false });
  refuseForNow(res, seconds, 'Too many requests came without a valid token');
}

/** Nobody gets here without `authenticate`; should it happen, the request opens nothing. */
const callerOf = (auth: AuthInfo | undefined): Caller =>
  (auth?.extra?.caller as Caller | undefined) ?? { bound: true };

/** The body of a request on the account of its sender; undefined when it was refused. */
async function receive(
  req: IncomingMessage,
  res: ServerResponse,
  account: Account,
): Promise<{ json: unknown } | undefined> {
  if (req.method !== 'POST') {
    account.received(1, 0);
    return { json: undefined };
  }
  const body = await bodyOf(req, MAX_BODY_BYTES);
  if (typeof body === 'string') {
    account.received(1, body === 'too large' || body === 'too deep' ? MAX_BODY_BYTES : 0);
    if (body === 'no JSON') refuse(res, 400, 'Parse error: Invalid JSON', -32700);
    if (body === 'not UTF-8') refuse(res, 400, NOT_UTF8.message, NOT_UTF8.code);
    if (body === 'too deep')
      refuse(res, 400, `Invalid Request: JSON nested more than ${DEEPEST} deep`, -32600);
    // Whatever else of it comes is not read.
    if (body === 'too large')
      refuse(res.setHeader('Connection', 'close'), 413, `At most ${MAX_BODY_BYTES} bytes.`);
    return undefined;
  }
  const messages = Array.isArray(body.json) ? body.json.length : 1;
  account.received(Math.max(1, messages), body.bytes);
  if (messages > MAX_BATCH) refuse(res, 413, `At most ${MAX_BATCH} messages in a batch.`);
  return messages > MAX_BATCH ? undefined : body;
}

function refuseForNow(
  res: ServerResponse,
  seconds: number,
  why = 'The limits of this token are used up for now',
): void {
  res.setHeader('Retry-After', String(seconds));
  refuse(res, 429, `${why}: try again in ${seconds} s.`);
}

function refuse(res: ServerResponse, status: number, message: string, code = -32000): void {
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Bearer realm="council"' } : {};
  res.writeHead(status, { 'Content-Type': 'application/json', ...challenge });
  res.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}
