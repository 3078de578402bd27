// The HTTP API: all calls under one path, with the documents that commands print.
import type { Hono } from 'hono';
import { formatPrintableJson } from '../../core/base/terminal.ts';
import { performReceivedCall } from '../remote/call-access.ts';
import { getCallDefinition, CALLS, isCall } from '../remote/calls.ts';
import type { CallName } from '../remote/calls.ts';
import type { Host } from '../remote/host.ts';
import type { CallOutcome } from '../remote/perform-call.ts';
import { TOLD_TYPE, isLong } from '../remote/call.ts';
import { AGAIN_SOON, API_PATH, refuse, sendProblem, toProblem, markStale } from './context.ts';
import type { Ctx, Env } from './context.ts';

/**
 * Adds `POST /api/v1/CALL` for every call. While the host is stopping, short calls are answered as long as the
 * server `accepts`: a load balancer needs a moment to notice that it is not ready.
 */
export function addCalls(app: Hono<Env>, host: Host, accepts: () => boolean): void {
  app.post(`${API_PATH}/:call`, async (c) => {
    const name = c.req.param('call');
    if (!isCall(name))
      return refuse(c, {
        status: 404,
        code: 'not_found',
        detail: 'There is no such call.',
        hint: `There are: ${CALLS.join(', ')}.`,
      });
    const given = readBodyObject(c);
    if (given instanceof Response) return given;
    const revision = readIfMatch(c, name);
    if (revision instanceof Response) return revision;
    const key = readIdempotencyKey(c, name);
    if (key instanceof Response) return key;
    const asked = {
      ...given,
      ...revision,
      ...key,
      name,
      caller: c.get('caller'),
      via: 'api',
      tells: isTold(c),
    } as const;
    if (host.stop.aborted && !(accepts() && isQuick({ name, input: given.given })))
      return refuseWhileStopping(c);
    const done = await performReceivedCall(host, asked, c.req.raw.signal);
    return answer(c, done, revision);
  });
  app.all(`${API_PATH}/:call`, (c) =>
    refuse(c, {
      status: isCall(c.req.param('call')) ? 405 : 404,
      code: isCall(c.req.param('call')) ? 'method_not_allowed' : 'not_found',
      detail: 'A call is sent with POST.',
      headers: { Allow: 'POST' },
    }),
  );
}

const isQuick = (asked: Parameters<typeof isLong>[0]): boolean => asked.name !== 'wait' && !isLong(asked);

/** A stopping server accepts nothing more; the client should retry with another one or the next one. */
export const refuseWhileStopping = (c: Ctx): Response =>
  refuse(c, {
    status: 503,
    code: 'interrupted',
    detail: 'This server is being stopped.',
    hint: 'Try again: the same request is safe.',
    headers: { 'Retry-After': '1' },
  });

/** Returns whether a command line asks, which wants more than the document. */
const isTold = (c: Ctx): boolean => c.req.header('accept')?.includes(TOLD_TYPE) === true;

/** Reads the input of a call; the use case validates it. */
function readBodyObject(c: Ctx): { given: Record<string, unknown> } | Response {
  const body = c.get('body');
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (body === undefined) return { given: {} };
  if (type !== 'application/json')
    return refuse(c, { status: 415, code: 'usage', detail: 'Send JSON: Content-Type: application/json.' });
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse(c, { status: 422, code: 'usage', detail: 'The input of a call is a JSON object.' });
  return { given: { ...body } };
}

/**
 * Reads the required revision of a council from If-Match: the ETag of an earlier answer, or `*` for any. Decisions
 * must name one, so that none applies to a council that has changed since.
 */
function readIfMatch(c: Ctx, name: CallName): { revision?: number } | Response {
  const given = c.req.header('if-match');
  const { again, roles } = getCallDefinition(name);
  if (given === '*') return {};
  if (given === undefined) {
    if (again !== 'revision' || !roles.includes(c.get('caller').role)) return {};
    return refuse(c, {
      status: 428,
      code: 'revision_needed',
      detail: `${name} needs If-Match: the revision of the council that it is meant for.`,
      hint: 'status tells it, and every answer about a council as its ETag. If-Match: * takes whatever it is.',
    });
  }
  const revision = /^"?(\d{1,10})"?$/.exec(given)?.[1];
  if (revision !== undefined && again === 'revision') return { revision: Number(revision) };
  return refuse(c, {
    status: 422,
    code: 'usage',
    detail:
      revision === undefined
        ? 'If-Match must be the revision of a council, such as "7", or *.'
        : `${name} takes no If-Match but *.`,
  });
}

/** Reads the key of a retryable request from Idempotency-Key: plain, or as a quoted string. */
function readIdempotencyKey(c: Ctx, name: CallName): { key?: string } | Response {
  const given = c.req.header('idempotency-key');
  if (given === undefined) return {};
  const key = /^("?)([\x21\x23-\x5b\x5d-\x7e]{1,200})\1$/.exec(given)?.[2];
  if (key !== undefined && getCallDefinition(name).again === 'key') return { key };
  return refuse(c, {
    status: 422,
    code: 'usage',
    detail:
      key === undefined
        ? 'Idempotency-Key must have 1 to 200 printable ASCII characters, and no spaces.'
        : `${name} takes no Idempotency-Key.`,
  });
}

/** Answers with the document of the use case, or a problem document if it failed. */
function answer(c: Ctx, done: CallOutcome, { revision: wanted }: { revision?: number }): Response {
  if (done.failed) {
    const problem = toProblem(done);
    // A conflict that names the current revision.
    const { error } = done.document as { error?: { revision?: unknown } };
    const told = wanted !== undefined && error?.revision !== undefined ? markStale(problem) : problem;
    return sendProblem(c, told, problem.status === 503 ? AGAIN_SOON : {});
  }
  const revision = findDocumentRevision(done.document);
  const tag: Record<string, string> = revision === undefined ? {} : { ETag: `"${revision}"` };
  const { document, told } = done;
  const body = told ? { document, ...told } : document;
  return c.body(formatPrintableJson(body), 200, {
    'Content-Type': told ? TOLD_TYPE : 'application/json',
    ...tag,
  });
}

function findDocumentRevision(document: unknown): number | undefined {
  const { revision, councils } = document as { revision?: unknown; councils?: unknown };
  if (Array.isArray(councils) && councils.length === 1) return findDocumentRevision(councils[0]);
  return typeof revision === 'number' ? revision : undefined;
}

/** Returns the pattern of a path for logs and metrics, which must not contain a client's own words. */
export function nameRoutePattern(path: string): string | undefined {
  const call = path.startsWith(`${API_PATH}/`) ? path.slice(API_PATH.length + 1) : undefined;
  if (call !== undefined) return call === 'events' || isCall(call) ? path : `${API_PATH}/{call}`;
  return PATHS.has(path) ? path : undefined;
}

const PATHS = new Set(['/mcp', '/healthz', '/readyz', '/metrics', '/openapi.json']);
