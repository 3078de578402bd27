import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { serveHttp } from '../../../src/server/http/server.ts';
import type { ServerBounds } from '../../../src/server/http/server.ts';
import type { UnknownCaller } from '../../../src/server/remote/token-lookup.ts';
import type { Host } from '../../../src/server/remote/host.ts';
import type { Caller, CallOutcome } from '../../../src/server/remote/perform-call.ts';
import { createTokenAccounts, findCallerLimits } from '../../../src/server/http/limits.ts';
import type { Limits } from '../../../src/server/http/limits.ts';
import { until } from '../../helpers/cli.ts';

const stops: AbortController[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop.abort()));

const OPERATOR = 'token-of-the-operator';
const SMALL: Limits = {
  sessions: 2,
  streams: 2,
  atOnce: 3,
  calls: 1,
  messages: { burst: 1000, perSecond: 1000 },
};
const done = (more: Partial<CallOutcome> = {}): CallOutcome => ({ document: {}, failed: false, ...more });

/** A server whose tokens are "token-ana", "token-bob" and the operator's; `perform` is what its tools do. */
async function server(
  bounds: ServerBounds & { limit?: Partial<Limits> } = {},
  perform: Host['perform'] = async () => done(),
) {
  const stop = new AbortController();
  stops.push(stop);
  const notes: string[] = [];
  const host: Host = {
    version: '1',
    stop: stop.signal,
    note: (line) => void notes.push(line),
    perform,
    findTrouble: async () => undefined,
    holder: async (token) => {
      const participant = /^token-(\w+)$/.exec(token)?.[1];
      return participant === undefined
        ? undefined
        : { role: 'participant', participant, council: 'c', token };
    },
  };
  const { limit, ...rest } = bounds;
  const doors = {
    isOpen: async () => false,
    holder: async (token: string): Promise<Caller | UnknownCaller> =>
      token === OPERATOR ? { role: 'admin' } : ((await host.holder(token)) ?? { unknown: 'unknown_token' }),
  };
  const serving = {
    hostname: '127.0.0.1',
    port: 0,
    doors,
    onlyMcp: true,
    groups: ['all'],
    log: () => undefined,
  };
  const { url } = await serveHttp(host, serving, {
    limits: (caller) =>
      caller.role === 'participant' ? { ...SMALL, ...limit } : { ...SMALL, atOnce: 50, sessions: 50 },
    ...rest,
  });
  return { url, notes };
}

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

async function send(
  url: string,
  token: string,
  body: unknown,
  { method = 'POST', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const request = http.request(url, {
    method,
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
  request.end(body === undefined || body instanceof Buffer ? body : JSON.stringify(body));
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return { status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks).toString() };
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
const padded = (bytes: number) => ({ ...LIST, params: { _meta: { 'test/padding': 'x'.repeat(bytes) } } });
const call = (name: string, args = {}, id = 3) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const session = async (url: string, token: string): Promise<Record<string, string>> => {
  const { headers } = await send(url, token, INITIALIZE);
  return { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': '2025-06-18' };
};

describe('fault 20: a token over HTTP', () => {
  it('ends its own oldest sessions only, however many it opens', async () => {
    const { url } = await server();
    const bob = await session(url, 'token-bob');
    const operator = await session(url, OPERATOR);
    const first = await session(url, 'token-ana');
    const rest = [];
    for (let count = 0; count < 300; count++) rest.push(await session(url, 'token-ana'));
    const status = async (token: string, headers: Record<string, string>) =>
      (await send(url, token, LIST, { headers })).status;
    expect(await status('token-bob', bob)).toBe(200);
    expect(await status(OPERATOR, operator)).toBe(200);
    expect(await status('token-ana', first)).toBe(404);
    expect(await status('token-ana', rest.at(-1)!)).toBe(200);
    expect(await status('token-ana', rest.at(-2)!)).toBe(200);
    expect(await status('token-ana', rest.at(-3)!)).toBe(404);
    // Nobody else's session, whatever its id.
    expect(await status('token-ana', bob)).toBe(404);
  });

  it('is told 429 with the time to wait when it asks too much, and nobody else is', async () => {
    const { url } = await server({ limit: { messages: { burst: 5, perSecond: 0.5 } } });
    const answers = [];
    for (let count = 0; count < 8; count++) answers.push(await send(url, 'token-ana', LIST));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    const { headers, body } = answers.at(-1)!;
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThan(10);
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32000 } });
    expect((await send(url, 'token-bob', LIST)).status).toBe(200);
    expect((await send(url, OPERATOR, LIST)).status).toBe(200);
  });

  it('pays for every message of a batch', async () => {
    const batches = await server({ limit: { messages: { burst: 40, perSecond: 0.5 } } });
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const many = (count: number) => Array.from({ length: count }, (_, id) => ({ ...ping, id }));
    expect((await send(batches.url, 'token-ana', many(33))).status).toBe(413);
    expect((await send(batches.url, 'token-ana', many(30))).status).not.toBe(429);
    expect((await send(batches.url, 'token-ana', LIST)).status).toBe(429);
  });

  it('has one call at work and few that wait, while others go on', async () => {
    const free = Promise.withResolvers<void>();
    const begun: string[] = [];
    let most = 0;
    let ofAna = 0;
    const { url } = await server({}, async ({ caller: { participant = 'operator' } }) => {
      begun.push(participant);
      if (participant === 'ana') {
        most = Math.max(most, ++ofAna);
        await free.promise;
        ofAna--;
      }
      return done();
    });
    const slow = [1, 2, 3].map((id) => send(url, 'token-ana', call('search', { query: 'x' }, id)));
    await until('ana is at work', () => begun.includes('ana'));
    await until('ana has no place left', async () => (await send(url, 'token-ana', LIST)).status === 429);
    expect((await send(url, 'token-ana', LIST)).headers['retry-after']).toBe('1');
    for (const token of ['token-bob', OPERATOR])
      expect((await send(url, token, call('search', { query: 'x' }))).status).toBe(200);
    expect(begun.filter((who) => who === 'ana')).toHaveLength(1);
    free.resolve();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect({ most, begun: begun.filter((who) => who === 'ana').length }).toEqual({ most: 1, begun: 3 });
    expect((await send(url, 'token-ana', LIST)).status).toBe(200);
  });

  it.each([
    ['lists', '['.repeat(7_000_000)],
    ['closed lists', '['.repeat(3_000_000) + ']'.repeat(3_000_000)],
    [
      'objects in a message',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(500_000)}`,
    ],
  ])('fault 19: is told 400 when its body is nested too deep: %s', async (_, body) => {
    const { url, notes } = await server();
    const refused = await fetch(url, {
      method: 'POST',
      headers: { authorization: 'Bearer token-ana', 'content-type': 'application/json' },
      body,
    });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: 'Invalid Request: JSON nested more than 64 deep' },
      id: null,
    });
    expect(notes).toEqual([]);
  });

  it.each([
    ['keys', `{${Array.from({ length: 30_000 }, (_, at) => `"k${at}":1`).join()}}`],
    ['lists', `[${'[],'.repeat(15_000)}[]]`],
    ['numbers that end nowhere', '1,'.repeat(30_000)],
  ])('is told 400 when its body has too many values, before they are parsed: %s', async (_, body) => {
    const { url } = await server({ limit: { messages: { burst: 1, perSecond: 0.01 } } });
    const refused = await send(url, 'token-ana', Buffer.from(body));
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('Invalid Request: JSON of more than 20000 values');
    expect((await send(url, 'token-ana', LIST)).status).toBe(429);
  });

  it('pays for a body that is no JSON', async () => {
    const { url } = await server({ limit: { messages: { burst: 1, perSecond: 0.01 } } });
    expect((await send(url, 'token-ana', Buffer.from('{'.repeat(10).padEnd(2000)))).status).toBe(400);
    expect((await send(url, 'token-ana', LIST)).status).toBe(429);
  });

  it('brings as many values as the largest input has', async () => {
    const { url } = await server();
    const list = Array.from({ length: 1000 }, (_, at) => `one-${at}`);
    const params = { _meta: { labels: list, agents: list, held: list, working: list } };
    expect((await send(url, 'token-ana', { jsonrpc: '2.0', id: 1, method: 'ping', params })).status).not.toBe(
      400,
    );
  });

  it('fault 19: brings brackets in its texts as it likes', async () => {
    const { url } = await server();
    const text = '[",\\'.repeat(30_000);
    const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { text } } };
    expect((await send(url, 'token-ana', message)).status).not.toBe(400);
  });

  it('cannot bring more than a body may have', async () => {
    const { url } = await server();
    expect((await send(url, 'token-ana', padded(9 << 20))).status).toBe(413);
    expect((await send(url, 'token-ana', padded(6 << 20))).status).toBe(200);
  });
});

describe('fault 20: requests without a valid token', () => {
  it('are told 429 when there are too many, each after a while, and keep nobody else out', async () => {
    const { url } = await server({ strangers: { burst: 5, perSecond: 0.01 } });
    const answers = [];
    for (let count = 0; count < 5; count++) answers.push(await send(url, 'wrong', LIST));
    const before = performance.now();
    for (let count = 0; count < 3; count++) answers.push(await send(url, 'wrong', LIST));
    expect(performance.now() - before).toBeGreaterThan(2000);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    expect(Number(answers.at(-1)!.headers['retry-after'])).toBeGreaterThan(0);
    expect(answers.at(-1)!.body).toContain('without a valid token');
    for (const token of ['token-ana', OPERATOR]) expect((await send(url, token, LIST)).status).toBe(200);
  });
});

describe('fault 20: bytes that are not UTF-8', () => {
  it('are refused by name, and nothing is performed', async () => {
    const called: unknown[] = [];
    const { url } = await server({}, async ({ input }) => {
      called.push(input.text);
      return done();
    });
    const body = (text: string, encoding: 'utf8' | 'latin1') =>
      Buffer.from(JSON.stringify(call('respond', { text })), encoding);
    const { status, body: said } = await send(url, 'token-ana', body('caf\u00e9', 'latin1'));
    expect({ status, said: JSON.parse(said) as unknown }).toEqual({
      status: 400,
      said: {
        jsonrpc: '2.0',
        error: { code: -32700, message: 'Parse error: the message is not valid UTF-8' },
        id: null,
      },
    });
    expect((await send(url, 'token-ana', body('caf\u00e9 \uFFFD', 'utf8'))).status).toBe(200);
    expect(called).toEqual(['caf\u00e9 \uFFFD']);
  });
});

describe('fault 20: a slow client', () => {
  const patience = { headersMs: 300, requestMs: 600, strangers: 4, unreadMs: 60_000 };

  /** Opens a connection, sends this much and no more. */
  async function stuck(url: string, text: string): Promise<net.Socket> {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  }
  const closed = (socket: net.Socket): Promise<void> =>
    new Promise((resolve) => {
      socket.resume();
      socket.once('close', () => resolve());
    });

  it('is cut off when its headers or its body do not come', async () => {
    const { url } = await server({ patience });
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer token-ana\r\nContent-Type: application/json\r\n`;
    const sockets = await Promise.all(
      ['POST /mcp HT', head, `${head}Content-Length: 100\r\n\r\n{"jsonrpc":`].map((text) => stuck(url, text)),
    );
    await Promise.all(sockets.map(closed));
    expect((await send(url, 'token-ana', LIST)).status).toBe(200);
  });

  it("takes nobody's place, however many connections it opens", async () => {
    const { url } = await server({ patience: { ...patience, headersMs: 60_000, requestMs: 60_000 } });
    const silent = await Promise.all(Array.from({ length: 12 }, () => stuck(url, '')));
    const ends = silent.map((socket) => {
      let isOver = false;
      socket.resume().once('close', () => (isOver = true));
      return () => isOver;
    });
    await until('the oldest are closed', () => ends.filter((isOver) => isOver()).length >= 8);
    for (const token of ['token-ana', 'token-bob']) expect((await send(url, token, LIST)).status).toBe(200);
    silent.forEach((socket) => socket.destroy());
  });
});

describe('an account', () => {
  it('comes back with time, and not beyond its burst', () => {
    let now = 0;
    const rate = { burst: 10, perSecond: 2 };
    const account = createTokenAccounts(
      () => ({ ...SMALL, messages: rate }),
      () => now,
    )({ role: 'admin' });
    account.noteMessages(15);
    expect(account.admit(false)).toEqual({ retryAfter: 3 });
    now += 3000;
    expect(account.admit(false)).toBeTypeOf('function');
    now += 3_600_000;
    account.noteMessages(10);
    expect(account.admit(false)).toEqual({ retryAfter: 1 });
  });

  it('is one for each participant of each council, and one for the operator', () => {
    const account = createTokenAccounts();
    const ana = account({ role: 'participant', participant: 'ana', council: 'a', token: 't1' });
    expect(account({ role: 'participant', participant: 'ana', council: 'a', token: 't1' })).toBe(ana);
    expect(account({ role: 'participant', participant: 'ana', council: 'b', token: 't2' })).not.toBe(ana);
    expect(account({ role: 'admin' })).toBe(account({ role: 'admin' }));
    expect(findCallerLimits({ role: 'admin' }).sessions).toBeGreaterThan(
      findCallerLimits({ role: 'participant' }).sessions,
    );
  });
});
