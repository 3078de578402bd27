// Tools of an MCP server, as tools that a model can call.
import type * as Sdk from '@modelcontextprotocol/client';
import type { JSONRPCMessage, ReadBuffer, Transport } from '@modelcontextprotocol/client';
import { describeThrown } from '../../base/errors.ts';
import { isObject, toUnknownRecord } from '../../base/text.ts';
import { cleanForTerminal } from '../../base/terminal.ts';
import { buildToolName, expandVariables } from '../mcp-servers.ts';
import type { McpServer } from '../mcp-servers.ts';
import { createToolError } from '../tools/tool.ts';
import type { Tool } from '../tools/tool.ts';
import { buildChildEnvironment } from './find-command.ts';
import { endProgram, startProgram } from './program.ts';
import { keepStderrEnd, onWriteFailure } from './streams.ts';

/** Milliseconds for a server to answer the handshake. */
const CONNECT_MS = 20_000;
/** Longer than the tool loop's limit per call, so that the loop's own limit applies. */
const REQUEST_MS = 120_000;
/** Maximum characters of a tool's description, and maximum number of tools. */
const MAX_DESCRIPTION = 2000;
const MAX_TOOLS = 100;

interface ServerEnvironment {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Variables set by council itself. */
  extraEnv: Record<string, string>;
  onSpawn(pid: number): void;
}

/** A server's tools; `close` ends the server. */
export interface ServerTools {
  tools: Tool[];
  close(): Promise<void>;
}

/** Connects and lists the tools. Rejects with the reason in one line, for a model that works without them. */
export async function connectServerTools(
  server: McpServer,
  { cwd, env, extraEnv, onSpawn }: ServerEnvironment,
): Promise<ServerTools> {
  const sdk = await import('@modelcontextprotocol/client');
  const ending = new AbortController();
  const transport =
    server.kind === 'program'
      ? createProgramTransport(
          {
            argv: server.command,
            cwd,
            env: buildChildEnvironment(env, [], { ...expandVariables(server.env, env), ...extraEnv }),
            onSpawn,
            signal: ending.signal,
          },
          sdk,
        )
      : new sdk.StreamableHTTPClientTransport(new URL(server.url), {
          requestInit: { headers: expandVariables(server.headers, env) },
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
        isObject(value) ? { ok: true, value } : { ok: false, problem: 'an object is expected' },
    },
    async call(input, signal) {
      const result = await client
        .callTool({ name, arguments: toUnknownRecord(input) }, { signal, timeout: REQUEST_MS })
        .catch((error: unknown) => {
          throw createToolError(`The MCP server ${server}: ${describeServerError(error, transport)}`);
        });
      const text = renderToolResult(result);
      if (result.isError === true) throw createToolError(text);
      return text;
    },
  };
}

/** Renders a result as text; other content is named by its type. */
function renderToolResult({ content, structuredContent }: Sdk.CallToolResult): string {
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'resource' && 'text' in part.resource) return part.resource.text;
    return part.type === 'resource_link' ? part.uri : `[${part.type}]`;
  });
  if (parts.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return parts.join('\n');
}

/** Returns the error in one line, with the program's last words on stderr. */
function describeServerError(error: unknown, transport: Sdk.Transport | ProgramTransport): string {
  const words = 'lastWords' in transport ? transport.lastWords() : '';
  const why = describeThrown(error).replace(/^MCP error -?\d+: /, '');
  return cleanForTerminal(`${why}${words === '' ? '' : ` (${words.slice(0, 200)})`}`).replace(/\s+/g, ' ');
}

// A tool server as a program in a process group of its own, with messages as lines.

interface ProgramTransportOptions {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  signal: AbortSignal;
  onSpawn(pid: number): void;
}

/** A transport, with the last output of its program on stderr. */
interface ProgramTransport extends Transport {
  lastWords(): string;
}

/**
 * Starts the program when the client connects; `close` ends its whole group. The official transport leaves
 * grandchildren behind, and survives a killed process: here the guardian ends them.
 */
function createProgramTransport(
  { argv, onSpawn, ...place }: ProgramTransportOptions,
  sdk: typeof Sdk,
): ProgramTransport {
  let stop: (() => Promise<void>) | undefined;
  let write: ((text: string) => void) | undefined;
  let stderr = (): Buffer => Buffer.alloc(0);
  const transport: ProgramTransport = {
    async start() {
      const started = await startProgram(argv, place);
      if (!('child' in started))
        throw new Error('broken' in started ? started.broken.reason : 'cancelled before it was started');
      const { child, pid } = started;
      onSpawn(pid);
      stderr = keepStderrEnd(child.stderr, () => undefined);
      onWriteFailure(child.stdin, () => undefined);
      write = (text) => void child.stdin.write(text);
      stop = async () => {
        stop = undefined;
        write = undefined;
        await endProgram(child, pid, 'done');
        transport.onclose?.();
      };
      const buffer = new sdk.ReadBuffer();
      child.stdout.on('data', (chunk: Buffer) => {
        try {
          buffer.append(chunk);
          deliverMessages(buffer, (message) => transport.onmessage?.(message), transport);
        } catch (error) {
          // A line beyond the buffer's limit.
          transport.onerror?.(error as Error);
          void stop?.();
        }
      });
      child.nodeChildProcess.once('exit', () => void stop?.());
    },
    send(message) {
      if (!write) return Promise.reject(new Error('it has ended'));
      write(sdk.serializeMessage(message));
      return Promise.resolve();
    },
    close: async () => stop?.(),
    lastWords: () => stderr().toString('utf8').trim().split('\n').at(-1) ?? '',
  };
  return transport;
}

/** Skips output that is not a message. */
function deliverMessages(
  buffer: ReadBuffer,
  take: (message: JSONRPCMessage) => void,
  transport: Transport,
): void {
  for (;;) {
    try {
      const message = buffer.readMessage();
      if (message === null) return;
      take(message);
    } catch (error) {
      transport.onerror?.(error as Error);
    }
  }
}
