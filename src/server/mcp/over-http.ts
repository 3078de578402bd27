// MCP over HTTP, as a function from a request to its answer: sessions of older revisions, everything else without one.
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Host } from '../remote/host.ts';
import type { Caller } from '../remote/perform-call.ts';
import { serverMaker } from './server.ts';
import { createMcpSessions } from './sessions.ts';

/** A request whose sender and body are known. */
export interface FromClient {
  request: Request;
  body: unknown;
  caller: Caller;
  /** What the client showed: a session belongs to it. */
  token: string;
}

/** MCP for everybody who reaches one server. */
export interface McpOverHttp {
  answer(from: FromClient): Promise<Response>;
  close(): void;
}

/** `most`: the sessions that a caller may have. */
export async function mcpOverHttp(
  host: Host,
  { most, maxBodyBytes }: { most(caller: Caller): number; maxBodyBytes: number },
): Promise<McpOverHttp> {
  const sdk = await import('@modelcontextprotocol/server');
  const onerror = (error: Error): void => host.note(`MCP: ${error.message}`);
  const make = await serverMaker(host, ({ authInfo }) => resolveAuthCaller(authInfo));
  const handler = sdk.createMcpHandler(make, { onerror, maxRequestBodySize: maxBodyBytes });
  const sessions = createMcpSessions(sdk, make, maxBodyBytes);
  return {
    async answer({ request, body, caller, token }) {
      const authInfo = { token, clientId: caller.participant ?? 'operator', scopes: [], extra: { caller } };
      const options = { authInfo, parsedBody: body };
      return (await sessions.answer(request, options, most(caller))) ?? handler.fetch(request, options);
    },
    close(): void {
      void handler.close();
      void sessions.close();
    },
  };
}

/** The token was checked before. A missing caller becomes a nameless participant without rights. */
const resolveAuthCaller = (auth: AuthInfo | undefined): Caller =>
  (auth?.extra?.caller as Caller | undefined) ?? { role: 'participant' };
