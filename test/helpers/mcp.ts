import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CLI, until } from './cli.ts';
import type { Project, Running } from './cli.ts';

/** The official clients: v1, v2 as it connects by default, and v2 with the newest revision of the protocol. */
export const CLIENTS = ['v1', 'v2', 'v2 (2026-07-28)'] as const;
export type ClientKind = (typeof CLIENTS)[number];

/** What a tool gave. */
export interface Result<T = Record<string, unknown>> {
  text: string;
  json: T;
  isError: boolean;
}

/** A connected client, the same for every version. */
export interface Connected {
  tools(): Promise<{ name: string; annotations?: Record<string, unknown> | undefined }[]>;
  call<T>(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Result<T>>;
  /** The same; what is reported on the way goes to `reported`. */
  follow(name: string, args: Record<string, unknown>, reported: string[]): Promise<Result>;
  resources(): Promise<string[]>;
  read(uri: string): Promise<string>;
  prompts(): Promise<string[]>;
  prompt(name: string, args: Record<string, string>): Promise<string>;
  close(): Promise<void>;
}

const INFO = { name: 'test', version: '1.0.0' };

/** A client of `council mcp`, which it starts in the project's folder. */
export async function overStdio(
  kind: ClientKind,
  project: Project,
  env: Record<string, string> = {},
): Promise<Connected> {
  const all = { ...(project.env as Record<string, string>), ...env };
  return startedAs(kind, [process.execPath, CLI, 'mcp', '--tools', 'all'], project.root, all);
}

/** A client of a server that it starts with this command, and in this folder and environment. */
export async function startedAs(
  kind: ClientKind,
  [command = '', ...args]: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Connected> {
  const server = { command, args, cwd, env, stderr: 'ignore' as const };
  return kind === 'v1' ? connectV1(new StdioV1(server)) : connectV2(kind, new StdioV2(server));
}

/** A client of a server that listens on `url`. */
export async function overHttp(kind: ClientKind, url: string, token: string): Promise<Connected> {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  return kind === 'v1'
    ? connectV1(new HttpV1(new URL(url), { requestInit }))
    : connectV2(kind, new v2.StreamableHTTPClientTransport(new URL(url), { requestInit }));
}

async function connectV1(transport: TransportV1): Promise<Connected> {
  const client = new ClientV1(INFO);
  await client.connect(transport);
  return wrap(client as unknown as AnyClient);
}

async function connectV2(kind: ClientKind, transport: v2.Transport): Promise<Connected> {
  const mode = kind === 'v2' ? ('legacy' as const) : { pin: '2026-07-28' };
  const client = new v2.Client(INFO, { versionNegotiation: { mode } });
  await client.connect(transport);
  return wrap(client as unknown as AnyClient);
}

/** What the clients have in common; their own types differ from version to version. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string; annotations?: Record<string, unknown> }[] }>;
  callTool(request: object, ...rest: unknown[]): Promise<Record<string, unknown>>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(request: { uri: string }): Promise<{ contents: { text: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(request: object): Promise<{ messages: { content: { text: string } }[] }>;
  close(): Promise<void>;
}

function wrap(client: AnyClient): Connected {
  const call = async <T>(name: string, args: Record<string, unknown>, more: object): Promise<Result<T>> => {
    const request = { name, arguments: args };
    const options = { ...more, timeout: 60_000 };
    const result =
      client instanceof ClientV1
        ? await client.callTool(request, undefined, options)
        : await client.callTool(request, options);
    const [first] = result.content as { text: string }[];
    return { text: first!.text, json: result.structuredContent as T, isError: result.isError === true };
  };
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, args = {}, signal) => call(name, args, signal ? { signal } : {}),
    follow: (name, args, reported) =>
      call(name, args, {
        onprogress: ({ message }: { message?: string }) => reported.push(message ?? ''),
      }),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri) => (await client.readResource({ uri })).contents[0]!.text,
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name, args) =>
      (await client.getPrompt({ name, arguments: args })).messages[0]!.content.text,
    close: async () => client.close(),
  };
}

/** `council mcp --http 0` of a project, once it listens. */
export async function listening(
  project: Project,
  env: Record<string, string> = {},
): Promise<{ url: string; token: string; running: Running; stop(): Promise<void> }> {
  const running = project.launch(['mcp', '--http', '0', '--tools', 'all'], { env });
  await until('the server listens', () => /Bearer /.test(running.output()));
  const [, url] = /listens on (\S+)/.exec(running.output())!;
  const [, token] = /Bearer ([^"\s]+)/.exec(running.output())!;
  return {
    url: url!,
    token: env.COUNCIL_MCP_TOKEN ?? token!,
    running,
    async stop() {
      running.child.kill('SIGTERM');
      await running.ended;
    },
  };
}

/** A proxy that adds a token and passes everything else on as it came, Host and Origin included. */
export async function withToken(
  target: string,
  token: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const { port, pathname } = new URL(target);
  const proxy = http.createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${token}` };
    const onward = http.request(
      { host: '127.0.0.1', port, path: req.url, method: req.method, headers },
      (answer) => {
        res.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(res);
      },
    );
    // A stream that is open when one side ends: the other side ends with it.
    onward.on('error', () => res.destroy());
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

/** One request as it goes over the wire, with headers of one's own. */
export async function post(
  url: string,
  headers: Record<string, string>,
  method = 'POST',
): Promise<{ status: number; headers: http.IncomingHttpHeaders }> {
  const request = http.request(url, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: INFO },
  };
  request.end(method === 'POST' ? JSON.stringify(body) : undefined);
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  answer.resume();
  return { status: answer.statusCode!, headers: answer.headers };
}
