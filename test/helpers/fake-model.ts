import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './fake-model/anthropic.ts';
import { sampleOf, sendEvents } from './fake-model/dialect.ts';
import type { Asked, Dialect, Reply } from './fake-model/dialect.ts';
import { gemini } from './fake-model/gemini.ts';
import { chat, responses } from './fake-model/openai.ts';
import { createPromptCache } from './fake-model/prompt-cache.ts';

export type { Asked, Reply } from './fake-model/dialect.ts';

const DIALECTS: Dialect[] = [chat, responses, anthropic, gemini];

/** A request that reached the server. `asked` is null for what is no question to the model. */
export interface Logged {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  /** The body as it came. */
  raw: string;
  asked: Asked | null;
}

/** A model server on loopback, for real clients. */
export interface FakeModel {
  /** Without a path: clients add `/v1`, `/v1beta` or what their settings say. */
  url: string;
  log: Logged[];
  /** The questions to the model among the requests, oldest first. */
  asked(): Asked[];
  close(): Promise<void>;
}

/**
 * Starts a server that answers like OpenAI (chat completions, responses), Anthropic, Google, Mistral and Ollama's
 * OpenAI-compatible endpoint, whole or streamed. `answer` decides on each question; what it leaves open is
 * `FAKE:<model>:<hash of the last user text>`, or a document where the client wants one. It also counts tokens and lists models.
 */
export async function fakeModel(answer: (asked: Asked) => Reply = () => ({})): Promise<FakeModel> {
  const log: Logged[] = [];
  const cache = createPromptCache();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const raw = Buffer.concat(chunks).toString('utf8');
      const path = url.split('?')[0]!;
      const dialect = method === 'POST' ? DIALECTS.find((one) => one.path.test(path)) : undefined;
      if (!dialect) {
        log.push({ method, url, headers, raw, asked: null });
        return aside(method, path, raw, response);
      }
      const body = JSON.parse(raw) as Record<string, unknown>;
      const asked = { api: dialect.api, raw, ...dialect.read(body, path) };
      log.push({ method, url, headers, raw, asked });
      respond(dialect, asked, { reply: answer(asked), ...cache(asked) }, response);
    });
  });
  // Clients that try a web socket first fall back to plain requests.
  server.on('upgrade', (_, socket) =>
    socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    asked: () => log.flatMap(({ asked }) => asked ?? []),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function respond(
  dialect: Dialect,
  asked: Asked,
  { reply, cached, written }: { reply: Reply; cached: number; written: number },
  response: ServerResponse,
): void {
  if (reply.hang) return;
  if (reply.status !== undefined)
    return json(response, reply.body ?? dialect.error(reply.status), reply.status, reply.headers);
  const text = reply.text ?? ((reply.tool ?? reply.tools) ? '' : textFor(asked));
  const counted = {
    ...{ input: tokens(asked.raw), output: tokens(text) },
    ...{ cached: countQuarters(cached), written: countQuarters(written) },
  };
  // Where a test says its own figures, nothing was in the cache but what it says.
  const usage = reply.usage ? { cached: 0, written: 0, ...reply.usage } : counted;
  const full = { ...reply, text, usage, id: randomUUID().replaceAll('-', '') };
  if (!asked.stream) return json(response, dialect.whole(asked, full), 200, reply.headers);
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  sendEvents(response, dialect.events(asked, full), reply.cut === true);
}

function textFor({ model, users, schema }: Asked): string {
  if (schema) return JSON.stringify(sampleOf(schema));
  const hash = createHash('sha256')
    .update(users.at(-1) ?? '')
    .digest('hex')
    .slice(0, 8);
  return `FAKE:${model}:${hash}`;
}

/** What clients ask beside the model: how long a prompt is, which models there are. */
function aside(method: string, path: string, raw: string, response: ServerResponse): void {
  if (/\/count_tokens$|:countTokens$/.test(path))
    return json(response, { input_tokens: tokens(raw), totalTokens: tokens(raw) });
  if (method === 'GET' && /\/models(\/.*)?$/.test(path)) {
    const model = {
      id: 'fake-model',
      object: 'model',
      type: 'model',
      created: 1,
      display_name: 'fake-model',
    };
    return json(response, { object: 'list', data: [model], models: [] });
  }
  if (method === 'HEAD' || path === '/') return json(response, {});
  json(response, { error: { message: `not found: ${method} ${path}` } }, 404);
}

const tokens = (text: string): number => Math.max(1, Math.ceil(text.length / 4));
const countQuarters = (characters: number): number => Math.floor(characters / 4);

function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
