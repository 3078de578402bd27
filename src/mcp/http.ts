import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuthInfo, McpHandlerRequestOptions } from '@modelcontextprotocol/server';
import { CouncilError, systemCode } from '../base/errors.ts';
import { bearerOf, isSame } from './bearer.ts';
import type { Caller, Host } from './host.ts';
import { serverMaker } from './server.ts';
import { sessionsOf } from './sessions.ts';

const ADDRESS = '127.0.0.1';
const PATH = '/mcp';
/** A contribution of 1 MiB, written in JSON with an escape for every byte, and some room. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** A server that listens: where, and how to end it. */
export interface Listening {
  url: string;
  /** Resolves when the host has stopped and every connection is closed. */
  closed: Promise<void>;
}

/**
 * Serves MCP over HTTP on 127.0.0.1. Requests with another Host or Origin than this machine's are refused with 403, those
 * without `token` or a participant's token with 401. Throws `io` when the port cannot be had.
 */
export async function serveHttp(host: Host, port: number, token: string): Promise<Listening> {
  const [{ createServer }, node, sdk] = await Promise.all([
    import('node:http'),
    import('@modelcontextprotocol/node'),
    import('@modelcontextprotocol/server'),
  ]);
  const onerror = (error: Error): void => host.note(`MCP: ${error.message}`);
  const make = await serverMaker(host, ({ authInfo }) => callerOf(authInfo));
  const handler = sdk.createMcpHandler(make, { onerror, maxRequestBodySize: MAX_BODY_BYTES });
  const sessions = sessionsOf(sdk, make, MAX_BODY_BYTES);
  const fetch = async (request: Request, options?: McpHandlerRequestOptions): Promise<Response> =>
    (await sessions.answer(request, options)) ?? handler.fetch(request, options);
  const serve = node.toNodeHandler({ fetch }, { onerror, maxRequestBodySize: MAX_BODY_BYTES });
  const isHostRight = node.localhostHostValidation();
  const isOriginRight = node.localhostOriginValidation();

  const answer = async (req: IncomingMessage & { auth?: AuthInfo }, res: ServerResponse): Promise<void> => {
    if (!isHostRight(req, res) || !isOriginRight(req, res)) return;
    if (req.url?.split('?')[0] !== PATH) return refuse(res, 404, `There is only ${PATH} here.`);
    const given = bearerOf(req.headers.authorization);
    const caller = given === undefined ? undefined : await authenticate(host, given, token);
    if (!caller) return refuse(res, 401, 'A token is needed: Authorization: Bearer TOKEN.');
    req.auth = { token: given!, clientId: caller.participant ?? 'operator', scopes: [], extra: { caller } };
    await serve(req, res);
  };
  const server = createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      onerror(error as Error);
      if (!res.headersSent) refuse(res, 500, 'The server failed.');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, ADDRESS, resolve);
  }).catch((error: unknown) => {
    throw new CouncilError('io', `Port ${port} cannot be had: ${systemCode(error) ?? String(error)}.`, {
      hint: 'Choose another one, or 0 for any that is free: council mcp --http 0',
      cause: error,
    });
  });
  const closed = new Promise<void>((resolve) => {
    server.once('close', () => resolve());
    const close = (): void => {
      void handler.close();
      void sessions.close();
      server.close();
      server.closeAllConnections();
    };
    host.stop.addEventListener('abort', close, { once: true });
    if (host.stop.aborted) close();
  });
  return { url: `http://${ADDRESS}:${(server.address() as AddressInfo).port}${PATH}`, closed };
}

async function authenticate(host: Host, given: string, token: string): Promise<Caller | undefined> {
  return isSame(given, token) ? { bound: false } : host.holder(given);
}

/** Nobody gets here without `authenticate`; should it happen, the request opens nothing. */
const callerOf = (auth: AuthInfo | undefined): Caller =>
  (auth?.extra?.caller as Caller | undefined) ?? { bound: true };

function refuse(res: ServerResponse, status: number, message: string): void {
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Bearer realm="council"' } : {};
  res.writeHead(status, { 'Content-Type': 'application/json', ...challenge });
  res.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}
