// What a request carries on its way through the server, and how it is refused.
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { printableJson } from '../../core/base/terminal.ts';
import type { Caller } from '../remote/perform-call.ts';
import type { StoreTrouble } from '../../core/app/store-trouble.ts';
import type { Account } from './limits.ts';
import { problem, PROBLEM_TYPE } from './problem.ts';
import type { Problem, ProblemStatus } from './problem.ts';

export const MCP_PATH = '/mcp';
export const API_PATH = '/api/v1';

/** Of hono: what Node gave, and what the server has found out. */
export interface Env {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Set once the caller was let in. */
    caller: Caller;
    /** Whether who was let in still may be here. */
    isStill: () => Promise<boolean>;
    /** What was shown; empty where nothing had to be. */
    token: string;
    account: Account;
    body: unknown;
    /** Why it was refused, for the log. */
    reason: string | undefined;
    /** The pattern that a page was added with: for the log and the measures. */
    page: string | undefined;
    /** What a form brought, and what it has to bring along: of pages alone. */
    form: URLSearchParams;
    formToken: string;
    /** How a page refuses; programs get a problem document. */
    refusing: (refusal: Refusal) => Response;
  };
}
export type Ctx = Context<Env>;

/** Why a request is refused; `rpc` is the code of JSON-RPC at the address of MCP. */
export interface Refusal {
  status: ProblemStatus;
  code: string;
  detail: string;
  hint?: string;
  rpc?: number;
  headers?: Record<string, string>;
}

/** The header that asks a client for a token; `wrong` where it has sent one that is not valid. */
export const challenge = (wrong = false): Record<string, string> => ({
  'WWW-Authenticate': `Bearer realm="council"${wrong ? ', error="invalid_token"' : ''}`,
});

/** The same refusal at every address. */
export const refuseUnauthorized = (
  c: Ctx,
  { detail, hint, wrong = false }: { detail: string; hint?: string; wrong?: boolean },
): Response => sendProblem(c, problem(401, 'unauthorized', detail, hint), challenge(wrong));

/** A refusal in the form of the address: JSON-RPC for MCP, a page for people, a problem document elsewhere. */
export function refuse(c: Ctx, refusal: Refusal): Response {
  const { status, code, detail, hint, rpc = -32000, headers = {} } = refusal;
  if (c.get('refusing')) {
    c.set('reason', code);
    return c.get('refusing')(refusal);
  }
  if (c.req.path !== MCP_PATH) return sendProblem(c, problem(status, code, detail, hint), headers);
  c.set('reason', code);
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: rpc, message: detail }, id: null });
  return c.body(body, status, { 'Content-Type': 'application/json', ...headers });
}

/** When what is away for a moment may be asked again, in seconds. */
export const AGAIN_SOON = { 'Retry-After': '5' };

/** What keeps the project is away: nothing of the request was done. Where it lies is for the log of the server alone. */
export const refuseAway = (c: Ctx, kind: StoreTrouble['kind']): Response =>
  refuse(c, {
    status: 503,
    code: 'store_away',
    detail: AWAY[kind],
    hint: 'Try again in a moment: the same request is safe.',
    headers: AGAIN_SOON,
  });

const AWAY: Record<StoreTrouble['kind'], string> = {
  gone: 'The folder of the project is not there.',
  replaced: 'Another folder stands in the place of the project.',
  read_only: 'The project cannot be written now; reading goes on.',
  unreachable: 'The database of the project cannot be reached.',
};

/** A problem document as an answer. */
export function sendProblem(c: Ctx, what: Problem, headers: Record<string, string> = {}): Response {
  c.set('reason', what.code);
  return c.body(printableJson(what), what.status, { 'Content-Type': PROBLEM_TYPE, ...headers });
}
