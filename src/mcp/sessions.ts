import type * as Sdk from '@modelcontextprotocol/server';
import type {
  McpHandlerRequestOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { crypto } from '../base/crypto.ts';
import { isSame } from './bearer.ts';
import type { ServerMaker } from './server.ts';

/** Beyond this the session that was used longest ago ends: clients that crash never say goodbye. */
const MOST_SESSIONS = 256;

/** The sessions of clients that speak revisions before 2026-07-28. */
export interface Sessions {
  /** Answers what belongs to a session or opens one; undefined for everything else. */
  answer(request: Request, options: McpHandlerRequestOptions | undefined): Promise<Response | undefined>;
  close(): Promise<void>;
}

interface Session {
  transport: WebStandardStreamableHTTPServerTransport;
  token: string;
}

/**
 * Sessions by their id. Those clients cancel a call by a second request, which can be matched with the first within a
 * session only; everything else would do without. A session works with the token that opened it and no other.
 */
export function sessionsOf(sdk: typeof Sdk, make: ServerMaker, maxRequestBodySize: number): Sessions {
  const open = new Map<string, Session>();

  const begin = async (request: Request, options: McpHandlerRequestOptions): Promise<Response> => {
    const { authInfo } = options;
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto().randomUUID(),
      onsessioninitialized: (id) => {
        open.set(id, { transport, token: authInfo?.token ?? '' });
        const [oldest] = open;
        if (oldest && open.size > MOST_SESSIONS) void oldest[1].transport.close();
      },
      maxRequestBodySize,
    });
    const server = make({ era: 'legacy', ...(authInfo && { authInfo }) });
    await server.connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      if (transport.sessionId !== undefined) open.delete(transport.sessionId);
      onclose?.();
    };
    return transport.handleRequest(request, options);
  };

  return {
    async answer(request, options = {}) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return (await isOpening(sdk, request)) ? begin(request, options) : undefined;
      const session = open.get(id);
      if (!session || !isSame(options.authInfo?.token ?? '', session.token)) return unknownSession();
      // The last of the map is the one that was used last.
      open.delete(id);
      open.set(id, session);
      return session.transport.handleRequest(request, options);
    },
    async close() {
      await Promise.all([...open.values()].map(({ transport }) => transport.close()));
    },
  };
}

async function isOpening({ isInitializeRequest }: typeof Sdk, request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false;
  try {
    return isInitializeRequest(await request.clone().json());
  } catch (error) {
    // No JSON: the handler of everything else says so.
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}

/** A client that is told 404 begins a new session. */
const unknownSession = (): Response =>
  Response.json(
    { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null },
    { status: 404 },
  );
