// MCP over HTTP, as a function from a request to its answer: with sessions for older revisions, otherwise stateless.
import type * as Sdk from '@modelcontextprotocol/server';
import type {
  AuthInfo,
  McpHandlerRequestOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { asCouncilError } from '../../core/base/errors.ts';
import { getCrypto } from '../../core/base/ids.ts';
import type { Host } from '../remote/host.ts';
import type { Caller } from '../remote/perform-call.ts';
import { createServerMaker } from './server.ts';
import type { ServerMaker } from './server.ts';
import { listGroupTools } from './council-tool-definitions.ts';

/** A request with its authenticated sender and parsed body. */
export interface ClientRequest {
  request: Request;
  body: unknown;
  caller: Caller;
  /** The token of the client, which owns the session. */
  token: string;
}

/** Opens MCP for all clients of a server. `most` returns the maximum number of sessions of a caller. */
export async function createMcpOverHttp(
  host: Host,
  {
    most,
    maxBodyBytes,
    groups,
  }: { most(caller: Caller): number; maxBodyBytes: number; groups?: readonly string[] | undefined },
) {
  const sdk = await import('@modelcontextprotocol/server');
  const onerror = (error: Error): void => host.note(`MCP: ${error.message}`);
  const make = await createServerMaker(host, ({ authInfo }) => ({
    caller: resolveAuthCaller(authInfo),
    tools: listGroupTools(authInfo?.extra?.groups as string[] | undefined),
  }));
  const handler = sdk.createMcpHandler(make, { onerror, maxRequestBodySize: maxBodyBytes });
  const sessions = createMcpSessions(sdk, make, maxBodyBytes);
  return {
    async answer({ request, body, caller, token }: ClientRequest): Promise<Response> {
      const wanted = new URL(request.url).searchParams.get('tools')?.split(',') ?? groups;
      const refused = refuseUnknownGroups(wanted);
      if (refused) return refused;
      const extra = { caller, groups: wanted };
      const authInfo = { token, clientId: caller.participant ?? 'operator', scopes: [], extra };
      const options = { authInfo, parsedBody: body };
      return (await sessions.answer(request, options, most(caller))) ?? handler.fetch(request, options);
    },
    close(): void {
      void handler.close();
      void sessions.close();
    },
  };
}

/** Returns the answer to a request for an unknown group of tools. */
function refuseUnknownGroups(groups: readonly string[] | undefined): Response | undefined {
  try {
    listGroupTools(groups);
    return undefined;
  } catch (error) {
    const { message, hint } = asCouncilError(error);
    const said = { code: -32600, message: `${message} ${hint ?? ''}`.trim() };
    return Response.json({ jsonrpc: '2.0', error: said, id: null }, { status: 400 });
  }
}

/** The token was checked before. A missing caller becomes a participant without a name and rights. */
const resolveAuthCaller = (auth: AuthInfo | undefined): Caller =>
  (auth?.extra?.caller as Caller | undefined) ?? { role: 'participant' };

/** The sessions of one token by id, the most recently used last. */
type TokenSessions = Map<string, WebStandardStreamableHTTPServerTransport>;

/**
 * Manages sessions, for clients that use revisions before 2026-07-28, by token, then by id. Such clients cancel a
 * call by a second request, which can be matched with the first only within a session. A session works only with
 * the token that opened it, and only sessions of the same token displace it.
 */
function createMcpSessions(sdk: typeof Sdk, make: ServerMaker, maxRequestBodySize: number) {
  const open = new Map<string, TokenSessions>();
  const begin = createSessionStarter(sdk, make, maxRequestBodySize);
  return {
    /** Answers requests that belong to a session or open one; undefined for others. `most`: sessions per token. */
    async answer(
      request: Request,
      options: McpHandlerRequestOptions,
      most: number,
    ): Promise<Response | undefined> {
      const token = options.authInfo?.token ?? '';
      const own: TokenSessions =
        open.get(token) ?? new Map<string, WebStandardStreamableHTTPServerTransport>();
      const id = request.headers.get('mcp-session-id');
      const transport = id === null ? undefined : own.get(id);
      // A client may still send the id of a session of an earlier server process.
      if (!transport && sdk.isInitializeRequest(options.parsedBody)) {
        open.set(token, own);
        return (await begin(options, own, most)).handleRequest(request, options);
      }
      if (id === null) return undefined;
      if (!transport) return respondUnknownSession();
      own.delete(id);
      own.set(id, transport);
      return transport.handleRequest(request, options);
    },
    async close(): Promise<void> {
      const all = [...open.values()].flatMap((own) => [...own.values()]);
      await Promise.all(all.map((transport) => transport.close()));
    },
  };
}

/** Opens a session for its token; beyond `most`, the least recently used one ends. */
const createSessionStarter =
  (sdk: typeof Sdk, make: ServerMaker, maxRequestBodySize: number) =>
  async ({ authInfo }: McpHandlerRequestOptions, own: TokenSessions, most: number) => {
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => getCrypto().randomUUID(),
      onsessioninitialized: (id) => {
        own.set(id, transport);
        const [oldest] = own.values();
        if (oldest && own.size > most) void oldest.close();
      },
      maxRequestBodySize,
    });
    const server = make({ era: 'legacy', ...(authInfo && { authInfo }) });
    await server.connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      if (transport.sessionId !== undefined) own.delete(transport.sessionId);
      onclose?.();
    };
    return transport;
  };

/** A client that gets 404 opens a new session. */
const respondUnknownSession = (): Response =>
  Response.json(
    { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null },
    { status: 404 },
  );
