// The tools of a server of the Model Context Protocol, as tools that a model can call.
import type * as Sdk from '@modelcontextprotocol/client';
import { describeThrown } from '../../base/errors.ts';
import { toUnknownRecord } from '../../base/unknown-record.ts';
import { forTerminal } from '../../base/terminal.ts';
import { buildToolName, withVariables } from '../mcp-servers.ts';
import type { McpServer } from '../mcp-servers.ts';
import { toolFault } from '../tools/tool.ts';
import type { Tool } from '../tools/tool.ts';
import { childEnvironment } from './environment.ts';
import { programTransport } from './mcp-transport.ts';
import type { ProgramTransport } from './mcp-transport.ts';

/** Milliseconds until a server has to answer its greeting. */
const CONNECT_MS = 20_000;
/** Longer than what the loop gives a call, so that the loop's own limit is what counts. */
const REQUEST_MS = 120_000;
/** Of what a server says about one of its tools; and how many there may be. */
const MAX_DESCRIPTION = 2000;
const MAX_TOOLS = 100;

interface ServerEnvironment {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Variables that council itself sets. */
  extraEnv: Record<string, string>;
  onSpawn(pid: number): void;
}

/** A server's tools; `close` ends it. */
export interface ServerTools {
  tools: Tool[];
  close(): Promise<void>;
}

/** Connects and asks for the tools. Rejects with why a model has to do without them, in one line. */
export async function serverTools(
  server: McpServer,
  { cwd, env, extraEnv, onSpawn }: ServerEnvironment,
): Promise<ServerTools> {
  const sdk = await import('@modelcontextprotocol/client');
  const ending = new AbortController();
  const transport =
    server.kind === 'program'
      ? programTransport(
          {
            argv: server.command,
            cwd,
            env: childEnvironment(env, [], { ...withVariables(server.env, env), ...extraEnv }),
            onSpawn,
            signal: ending.signal,
          },
          sdk,
        )
      : new sdk.StreamableHTTPClientTransport(new URL(server.url), {
          requestInit: { headers: withVariables(server.headers, env) },
        });
  const client = new sdk.Client({ name: 'council', version: '1' });
  const close = async (): Promise<void> => {
    ending.abort();
    await client.close().catch(() => undefined);
    await transport.close();
  };
  try {
    await client.connect(transport, { timeout: CONNECT_MS });
    const { tools } = await client.listTools(undefined, { timeout: CONNECT_MS });
    return {
      tools: tools.slice(0, MAX_TOOLS).map((tool) => asTool(client, transport, server.name, tool)),
      close,
    };
  } catch (error) {
    await close();
    throw new Error(describeServerError(error, transport), { cause: error });
  }
}

function asTool(
  client: Sdk.Client,
  transport: Sdk.Transport,
  server: string,
  { name, description = '', inputSchema }: Sdk.Tool,
): Tool {
  return {
    name: buildToolName(server, name),
    description: description.slice(0, MAX_DESCRIPTION).toWellFormed(),
    kind: 'mcp',
    input: {
      json: inputSchema,
      read: (value) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? { ok: true, value }
          : { ok: false, problem: 'an object is expected' },
    },
    async call(input, signal) {
      const result = await client
        .callTool({ name, arguments: toUnknownRecord(input) }, { signal, timeout: REQUEST_MS })
        .catch((error: unknown) => {
          throw toolFault(`The MCP server ${server}: ${describeServerError(error, transport)}`);
        });
      const text = renderToolResult(result);
      if (result.isError === true) throw toolFault(text);
      return text;
    },
  };
}

/** What a result says; what is no text is named. */
function renderToolResult({ content, structuredContent }: Sdk.CallToolResult): string {
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'resource' && 'text' in part.resource) return part.resource.text;
    return part.type === 'resource_link' ? part.uri : `[${part.type}]`;
  });
  if (parts.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return parts.join('\n');
}

/** One line, with what the program complained of last. */
function describeServerError(error: unknown, transport: Sdk.Transport | ProgramTransport): string {
  const words = 'lastWords' in transport ? transport.lastWords() : '';
  const why = describeThrown(error).replace(/^MCP error -?\d+: /, '');
  return forTerminal(`${why}${words === '' ? '' : ` (${words.slice(0, 200)})`}`).replace(/\s+/g, ' ');
}
