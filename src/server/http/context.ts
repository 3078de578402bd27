// The context of a request on its way through the server, and its refusal as a problem document (RFC 9457).
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { formatPrintableJson } from '../../core/base/terminal.ts';
import type { Caller, CallOutcome } from '../remote/perform-call.ts';
import type { StoreTrouble } from '../remote/store-trouble.ts';
import type { Account } from './limits.ts';
import { EXIT_CODES } from '../../core/base/errors.ts';
import type { ErrorCode } from '../../core/base/errors.ts';

export const MCP_PATH = '/mcp';
export const API_PATH = '/api/v1';

/** The types of hono's context: Node's objects, and what the server adds. */
export interface Env {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Set after authentication. */
    caller: Caller;
    /** Returns whether the caller still has access. */
    isStill: () => Promise<boolean>;
    /** The token that was presented; empty if none was needed. */
    token: string;
    account: Account;
    body: unknown;
    /** Why it was refused, for the log. */
    reason: string | undefined;
    /** The path pattern of a page, for logs and metrics. */
    page: string | undefined;
    /** The submitted form, and its required token; only for pages. */
    form: URLSearchParams;
    formToken: string;
    /** Renders a refusal as a page; programs get a problem document. */
    refusing: (refusal: HttpRefusal) => Response;
  };
}
export type Ctx = Context<Env>;

/** Why a request is refused; `rpc` is the JSON-RPC code for MCP. */
export interface HttpRefusal {
  status: ProblemStatus;
  code: string;
  detail: string;
  hint?: string;
  rpc?: number;
  headers?: Record<string, string>;
}

/** Returns the header that asks for a token; `wrong` if an invalid one was sent. */
export const createTokenChallenge = (wrong = false): Record<string, string> => ({
  'WWW-Authenticate': `Bearer realm="council"${wrong ? ', error="invalid_token"' : ''}`,
});

/** Returns the 401 answer, the same for every path. */
export const refuseUnauthorized = (
  c: Ctx,
  { detail, hint, wrong = false }: { detail: string; hint?: string; wrong?: boolean },
): Response => sendProblem(c, createProblem(401, 'unauthorized', detail, hint), createTokenChallenge(wrong));

/** Refuses in the format of the path: JSON-RPC for MCP, a page for people, otherwise a problem document. */
export function refuse(c: Ctx, refusal: HttpRefusal): Response {
  const { status, code, detail, hint, rpc = -32000, headers = {} } = refusal;
  if (c.get('refusing')) {
    c.set('reason', code);
    return c.get('refusing')(refusal);
  }
  if (c.req.path !== MCP_PATH) return sendProblem(c, createProblem(status, code, detail, hint), headers);
  c.set('reason', code);
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: rpc, message: detail }, id: null });
  return c.body(body, status, { 'Content-Type': 'application/json', ...headers });
}

/** Seconds to wait before retrying something temporarily unavailable. */
export const AGAIN_SOON = { 'Retry-After': '5' };

/** The project's store is unavailable: nothing was done. Its location is only for the server's log. */
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
  full: 'There is no space left to write; reading goes on.',
  unreachable: 'The database of the project cannot be reached.',
};

export function sendProblem(c: Ctx, what: Problem, headers: Record<string, string> = {}): Response {
  c.set('reason', what.code);
  return c.body(formatPrintableJson(what), what.status, { 'Content-Type': PROBLEM_TYPE, ...headers });
}

/** A problem document; `document` is what a command prints with --json. */
export interface Problem {
  type: string;
  title: string;
  status: ProblemStatus;
  detail: string;
  code: string;
  hint: string | null;
  /** The code that determines a command's exit code, if different. */
  failed?: string;
  document?: unknown;
  /** The command's notes, for a command line. */
  notes?: string[];
}

export const PROBLEM_TYPE = 'application/problem+json';

const TITLES = {
  400: 'Bad request',
  401: 'Token needed',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  412: 'Changed meanwhile',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Not accepted',
  428: 'Revision needed',
  429: 'Too many requests',
  500: 'Failed',
  503: 'Not now',
  504: 'Timed out',
} as const;
export type ProblemStatus = keyof typeof TITLES;

/** The HTTP status by error code; codes not listed are failures of the server. */
const STATUSES: Partial<Record<ErrorCode, ProblemStatus>> = {
  usage: 422,
  invalid_id: 422,
  invalid_config: 422,
  invalid_agent: 422,
  invalid_mode: 422,
  invalid_text: 422,
  empty_text: 422,
  unknown_mode: 422,
  not_a_file: 422,
  unsafe_path: 422,
  commitment_mismatch: 422,
  key_reused: 422,
  no_project: 404,
  unknown_agent: 404,
  unknown_council: 404,
  unknown_archive: 404,
  unknown_revision: 404,
  name_taken: 409,
  phase_closed: 409,
  not_your_turn: 409,
  different_text: 409,
  reserved: 409,
  stale_lease: 409,
  hand_edit: 409,
  conflict: 409,
  sealed_text_missing: 409,
  forbidden: 403,
  untrusted: 403,
  too_large: 413,
  interrupted: 503,
  store_away: 503,
  commit_uncertain: 503,
  timed_out: 504,
};

/** `failed` is used both for impossible requests and for failures of council itself. */
const chooseHttpStatus = (code: string, isRefused: boolean): ProblemStatus =>
  code === 'failed' && isRefused ? 409 : (STATUSES[code as ErrorCode] ?? 500);

/** Creates a problem document (RFC 9457). */
export const createProblem = (
  status: ProblemStatus,
  code: string,
  detail: string,
  hint: string | null = null,
): Problem => ({ type: `urn:council:problem:${code}`, title: TITLES[status], status, detail, code, hint });

/** Marks a problem as caused by a stale revision. */
export const markStale = (one: Problem): Problem => ({ ...one, title: TITLES[412], status: 412 });

/** Converts a failed call to a problem, with the document that a command would have printed. */
export function toProblem({ document, told, isFault, code: failed = 'failed' }: CallOutcome): Problem {
  const { error } = document as { error?: { code?: string; message?: string; hint?: string | null } };
  const code = error?.code ?? failed;
  const status = chooseHttpStatus(code in EXIT_CODES ? code : failed, error !== undefined && !isFault);
  return {
    ...createProblem(status, code, error?.message ?? 'It failed.', error?.hint ?? null),
    failed,
    document,
    ...(told && { notes: told.notes }),
  };
}
