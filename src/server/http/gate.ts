// The checks before a request is served: origin, caller, limits and body.
import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { LOCAL_ID } from '../../core/app/app.ts';
import type { Caller } from '../remote/perform-call.ts';
import type { TokenLookup, UnknownCaller } from '../remote/token-lookup.ts';
import { NOT_UTF8 } from '../mcp/stdio.ts';
import { parseBearerToken, isForeign } from './origin.ts';
import { parseBodyJson, SHAPE, readBodyText, notifyEnd } from './connections.ts';
import type { BodyFault } from './connections.ts';
import { MCP_PATH, refuse, refuseUnauthorized } from './context.ts';
import type { Ctx, Env, HttpRefusal } from './context.ts';
import type { Account, Bucket } from './limits.ts';
import type { OriginClaims } from './origin.ts';

/** Enough for a contribution of 1 MiB with every byte escaped in JSON, plus some room. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Maximum number of MCP messages in a batch, which older revisions support. */
const MAX_BATCH = 32;
const SLOWLY_MS = 1000;

export interface Gate {
  /** Returns the visit of an accepted request, or the answer to a refused one. */
  enter(c: Ctx): Promise<Visit | Response>;
  /** Marks a request's sender as known: its connection no longer counts as a stranger's. */
  isKnown(req: IncomingMessage, res: ServerResponse): void;
  getAccount(caller: Caller): Account;
  /** Reads the body of a request; returns the answer if it is refused. */
  receive(c: Ctx, account: Account): Promise<Response | undefined>;
  /** Returns whether the answer is a long-lived stream, which is counted separately. */
  isStream(c: Ctx): boolean;
  /** Returns an answer other than the usual 429 for a request beyond its sender's limits, or undefined. */
  refuseTooMany?(c: Ctx): Promise<Response> | undefined;
}

/** The caller, and whether access is still valid: a stream may outlast it. */
interface Visit {
  caller: Caller;
  isStill(): Promise<boolean>;
}

/** Lets authorized requests in and answers all others. Tokens and page sessions pass the same gate. */
export const createRequestGate =
  ({ enter, isKnown, getAccount, receive, isStream, refuseTooMany: notNow }: Gate): MiddlewareHandler<Env> =>
  async (c, next) => {
    const visit = await enter(c);
    if (visit instanceof Response) return visit;
    const { incoming, outgoing } = c.env;
    isKnown(incoming, outgoing);
    c.set('caller', visit.caller);
    c.set('isStill', visit.isStill);
    const account = getAccount(visit.caller);
    c.set('account', account);
    const end = account.admit(isStream(c));
    if (typeof end !== 'function') return (await notNow?.(c)) ?? refuseForNow(c, end.retryAfter);
    notifyEnd(outgoing, end);
    return (await receive(c, account)) ?? next();
  };

/**
 * Authenticates by the request's token, for programs. `onlyLocal`: only this machine's names are accepted as Host
 * and Origin, even with a token.
 */
export const admitByToken =
  (doors: TokenLookup, unknown: Bucket, onlyLocal: boolean): Gate['enter'] =>
  async (c) => {
    const isOpen = await doors.isOpen();
    const foreign = isForeign(readRequestClaims(c), onlyLocal || isOpen);
    if (foreign !== undefined) return refuse(c, { status: 403, code: 'forbidden', detail: foreign });
    const given = parseBearerToken(c.req.header('authorization'));
    const caller = given === undefined ? admitLocalOwner(isOpen, c) : await doors.holder(given);
    if ('unknown' in caller) return refuseStranger(c, unknown, caller);
    c.set('token', given ?? '');
    const isStill = async (): Promise<boolean> =>
      given === undefined ? doors.isOpen() : isSameCaller(caller, await doors.holder(given));
    return { caller: withTurn(c, caller), isStill };
  };

/** Adds to the caller what shows whether an agent asks in its turn: the turn's secret, or else the connection. */
export const withTurn = (c: Ctx, caller: Caller): Caller => ({
  ...caller,
  turn: { connection: findOwnConnection(c.env.incoming.socket), secret: c.req.header('council-turn') },
});

/** Returns the ports of a connection from this machine, by any of its addresses. */
function findOwnConnection(socket: Socket): NonNullable<Caller['turn']>['connection'] {
  const { remoteAddress = '', localAddress, remotePort: remote, localPort: local } = socket;
  const isOwn = LOOPBACK.test(remoteAddress) || remoteAddress === localAddress;
  return isOwn && remote !== undefined && local !== undefined ? { local, remote } : undefined;
}

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

const readRequestClaims = ({ req }: Ctx): OriginClaims => ({
  host: req.header('host'),
  origin: req.header('origin'),
  site: req.header('sec-fetch-site'),
  writes: req.method !== 'GET' && req.method !== 'HEAD',
});

/** Returns whether the caller still has access with the same role and seat. */
export const isSameCaller = ({ role, council }: Caller, now: Caller | UnknownCaller): boolean =>
  'role' in now && now.role === role && now.council === council;

/** Without a token, only the owner of this machine has access, and only until a token is created. */
const admitLocalOwner = (isOpen: boolean, c: Ctx): Caller | UnknownCaller =>
  isOpen && c.req.header('authorization') === undefined ? LOCAL : { unknown: 'no_token' };

/** The caller on the loopback address before the first token is created. */
export const LOCAL: Caller = { role: 'admin', id: LOCAL_ID };

const NO_TOKEN = {
  detail: 'A token is needed: Authorization: Bearer TOKEN.',
  hint: 'Whoever runs this server makes one: council token create',
};
/** The reason is only logged: a client that tries tokens must not learn that one was valid before. */
const NOT_KNOWN = {
  detail: 'This token is not known: it is wrong, or was revoked, or has expired.',
  wrong: true,
  hint: 'Whoever runs this server sees which ones are valid with council token list, and makes one with council token create.',
};

/** Answers slowly if there are too many, so that fast retries do not slow down others. */
export async function refuseStranger(
  c: Ctx,
  unknown: Bucket,
  { unknown: why }: UnknownCaller,
): Promise<Response> {
  const seconds = unknown.wait();
  if (seconds === 0) {
    unknown.take(1);
    const answer = refuseUnauthorized(c, why === 'no_token' ? NO_TOKEN : NOT_KNOWN);
    c.set('reason', why);
    return answer;
  }
  await delay(SLOWLY_MS, undefined, { ref: false });
  return refuseForNow(c, seconds, 'Too many requests came without a valid token');
}

const refuseForNow = (
  c: Ctx,
  seconds: number,
  why = 'The limits of this token are used up for now',
): Response =>
  refuse(c, {
    status: 429,
    code: 'too_many_requests',
    detail: `${why}: try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  });

/** Reads a JSON body and counts its messages for the sender. */
export async function receiveJson(c: Ctx, account: Account): Promise<Response | undefined> {
  if (c.req.method !== 'POST') {
    account.noteMessages(1);
    return undefined;
  }
  const sent = await readBodyText(c.env.incoming, MAX_BODY_BYTES);
  const body = sent.kind === 'text' ? parseBodyJson(sent.text) : sent;
  if (body.kind === 'refused') {
    account.noteMessages(1);
    return refuseBody(c, body.why);
  }
  const messages = c.req.path === MCP_PATH && Array.isArray(body.json) ? body.json.length : 1;
  account.noteMessages(Math.max(1, messages));
  if (messages > MAX_BATCH)
    return refuse(c, { status: 413, code: 'too_large', detail: `At most ${MAX_BATCH} messages in a batch.` });
  c.set('body', body.json);
  return undefined;
}

/** Returns the answer to a rejected body; `most` is the limit in bytes to report. */
export function refuseBody(c: Ctx, why: BodyFault, most = MAX_BODY_BYTES): Response {
  // The rest of the body is not read.
  const headers = { Connection: 'close' };
  if (why === 'too large')
    return refuse(c, { status: 413, code: 'too_large', detail: `At most ${most} bytes.`, headers });
  return refuse(c, { status: 400, code: 'bad_request', ...BAD_BODIES[why] });
}

const BAD_BODIES: Record<Exclude<BodyFault, 'too large'>, Pick<HttpRefusal, 'detail' | 'rpc' | 'headers'>> = {
  'no JSON': { detail: 'Parse error: Invalid JSON', rpc: -32700 },
  'not UTF-8': { detail: NOT_UTF8.message, rpc: NOT_UTF8.code },
  'too deep': { detail: `Invalid Request: JSON nested more than ${SHAPE.levels} deep`, rpc: -32600 },
  'too many': { detail: `Invalid Request: JSON of more than ${SHAPE.values} values`, rpc: -32600 },
  // The client has disconnected.
  'broken off': { detail: 'The body ended too early.', headers: { Connection: 'close' } },
};
