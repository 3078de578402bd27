import net from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { Host } from '../../../src/server/remote/host.ts';
import type { RemoteCall, Caller, CallOutcome } from '../../../src/server/remote/perform-call.ts';
import type { LogLine } from '../../../src/server/http/observe.ts';
import { PATIENCE } from '../../../src/server/http/connections.ts';
import { serveHttp } from '../../../src/server/http/server.ts';
import type { TokenLookup } from '../../../src/server/remote/token-lookup.ts';
import { until } from '../../helpers/cli.ts';

const stops: AbortController[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop.abort()));

/** A server with a token for each role; `perform` is what its use cases do. */
async function served(
  perform: (asked: RemoteCall) => Promise<CallOutcome>,
  more: Partial<TokenLookup> = {},
  bounds: Parameters<typeof serveHttp>[2] = {},
) {
  const stop = new AbortController();
  stops.push(stop);
  const log: LogLine[] = [];
  const asked: RemoteCall[] = [];
  const holder = async (token: string): Promise<Caller | undefined> => {
    const [, role, participant] = /^(member|worker|admin|participant)-?(\w*)$/.exec(token) ?? [];
    if (role === undefined) return undefined;
    return {
      role: role as Caller['role'],
      id: token,
      ...(participant !== '' && { participant }),
      ...(role === 'participant' && { council: 'c' }),
    };
  };
  const host: Host = {
    version: '1',
    stop: stop.signal,
    findTrouble: async () => undefined,
    note: () => undefined,
    holder,
    perform: (one) => (asked.push(one), perform(one)),
  };
  const doors: TokenLookup = {
    isOpen: async () => false,
    holder: async (token) => (await holder(token)) ?? { unknown: 'unknown_token' },
    ...more,
  };
  const serving = {
    hostname: '127.0.0.1',
    port: 0,
    doors,
    onlyMcp: false,
    log: (line: LogLine) => void log.push(line),
  };
  const { url, closed } = await serveHttp(host, serving, bounds);
  const post = (call: string, body?: unknown, headers: Record<string, string> = {}, token = 'admin') =>
    fetch(`${url}/api/v1/${call}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return { url, log, asked, post, stop, closed };
}

const fine = async (): Promise<CallOutcome> => ({
  document: { revision: 7, text: 'é\u0007' },
  failed: false,
});

describe('a call over HTTP', () => {
  it('is answered with the document of its use case, and its revision as a tag', async () => {
    const { post, asked } = await served(fine);
    const answer = await post('status', { name: 'c' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('etag')).toBe('"7"');
    expect(await answer.json()).toEqual({ revision: 7, text: 'é\u0007' });
    expect(asked).toMatchObject([{ name: 'status', input: { name: 'c' }, via: 'api' }]);
    expect((await post('list')).status).toBe(200);
  });

  it.each(['extend', 'excuse', 'cancel'])('decides in %s about a revision that was named', async (call) => {
    const { post, asked } = await served(async () => ({
      document: { error: { code: 'conflict', message: 'Revision 6 is not the newest.', revision: 7 } },
      failed: true,
      code: 'conflict',
    }));
    const status = async (tag?: string, token = 'admin') =>
      (await post(call, {}, tag === undefined ? {} : { 'if-match': tag }, token)).status;
    expect(await status()).toBe(428);
    expect(await status(undefined, 'member')).toBe(403);
    expect(await status('W/"6"')).toBe(422);
    expect(asked).toEqual([]);
    expect(await status('"6"')).toBe(412);
    expect(await status('6')).toBe(412);
    expect(await status('*')).toBe(409);
    expect(asked.map(({ revision }) => revision)).toEqual([6, 6, undefined]);
  });

  it('is told what is wrong as a problem document, with code, hint and what a command prints', async () => {
    const error = { code: 'different_text', message: 'Another text stands.', hint: 'Replace it.' };
    const { post } = await served(async () => ({
      document: { accepted: false, error },
      failed: true,
      code: 'failed',
    }));
    const answer = await post('respond', { agent: 'ada', text: 'x' });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 409,
      body: {
        type: 'urn:council:problem:different_text',
        title: 'Conflict',
        status: 409,
        detail: error.message,
        code: 'different_text',
        hint: error.hint,
        failed: 'failed',
        document: { accepted: false, error },
      },
    });
  });

  it.each([
    ['no JSON', '{"a', {}, 400],
    ['a list', [1], {}, 422],
    ['a text', '"x"', {}, 422],
    ['another type', 'topic=x', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
    ['JSON under another type', '{}', { 'content-type': 'text/plain' }, 415],
    ['a field that it does not take', { trust: true, topic: 'x' }, {}, 422],
    ['too much', { topic: 'x'.repeat(9 << 20) }, {}, 413],
    ['a page of somebody else', {}, { origin: 'https://evil.example' }, 403],
  ])('is refused with a body that is %s', async (_, body, headers: Record<string, string>, status) => {
    const { post, asked } = await served(fine);
    const answer = await post('start', body, headers);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ status, code: expect.any(String) as string });
    expect(answer.headers.get('x-request-id')).toMatch(/\S/);
    expect(asked).toEqual([]);
  });

  it('needs a token, and no page, and its own address', async () => {
    const { post, url, log } = await served(fine);
    const answer = await post('list', {}, {}, 'nobody');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await answer.json()).toMatchObject({
      detail: expect.stringContaining('This token is not known') as string,
      hint: expect.stringContaining('council token list') as string,
    });
    const without = await fetch(`${url}/api/v1/list`, { method: 'POST' });
    expect(await without.json()).toMatchObject({
      detail: expect.stringContaining('A token is needed') as string,
    });
    expect((await post('no-such-call')).status).toBe(404);
    expect((await fetch(`${url}/api/v1/list`, { headers: { authorization: 'Bearer admin' } })).status).toBe(
      405,
    );
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404);
    expect(log.map(({ route, status, reason }) => [route, status, reason])).toEqual([
      ['/api/v1/list', 401, 'unknown_token'],
      ['/api/v1/list', 401, 'no_token'],
      ['/api/v1/{call}', 404, 'not_found'],
      ['/api/v1/list', 405, 'method_not_allowed'],
      ['other', 404, 'not_found'],
    ]);
  });

  it('gives back its place where whoever asks has gone while they are looked up', async () => {
    let come = (): void => undefined;
    let lookedUp = 0;
    const gates: Promise<void>[] = [];
    const { url, post, stop, closed } = await served(fine, {
      holder: async () => {
        lookedUp++;
        await gates.at(-1);
        return { role: 'participant', id: 'p', participant: 'ada', council: 'c' };
      },
    });
    for (let count = 0; count < 12; count++) {
      gates.push(new Promise((resolve) => (come = resolve)));
      const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
      await once(socket, 'connect');
      const head = 'POST /api/v1/list HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer p\r\n';
      socket.write(`${head}Content-Length: 0\r\n\r\n`);
      await until('they are looked up', () => lookedUp > count);
      socket.resetAndDestroy();
      await once(socket, 'close');
      // What comes later has the server see first that the other one has gone.
      await fetch(`${url}/healthz`);
      come();
    }
    expect((await post('list', {}, {}, 'p')).status).toBe(200);
    stop.abort();
    await closed;
  });

  it('keeps the id of a request that is one, in the answer and in the log, and no words', async () => {
    const { post, log } = await served(fine);
    const given = await post('search', { query: 'CANARY-7731' }, { 'x-request-id': 'abc-123.x' });
    expect(given.headers.get('x-request-id')).toBe('abc-123.x');
    const other = await post('search', { query: 'CANARY-7731' }, { 'x-request-id': 'not an id!' });
    expect(other.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(log.map(({ requestId }) => requestId)).toEqual(['abc-123.x', other.headers.get('x-request-id')]);
    expect(JSON.stringify(log)).not.toContain('CANARY');
  });
});

describe('a server that is being stopped', () => {
  it('is not ready, takes what is quick for a second more, finishes what it has, and ends beside a half-sent body', async () => {
    const free = Promise.withResolvers<void>();
    const { url, post, stop, closed, asked } = await served(
      async () => {
        await free.promise;
        return fine();
      },
      {},
      // The half-sent body would outlast the test.
      { patience: { ...PATIENCE, requestMs: 3_600_000 } },
    );
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' });
    const half = net.connect(Number(new URL(url).port), '127.0.0.1');
    half.on('error', () => undefined);
    await once(half, 'connect');
    half.write(
      'POST /api/v1/list HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer admin\r\nContent-Length: 99\r\n\r\n{"a',
    );
    const slow = post('list');
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    const ready = await fetch(`${url}/readyz`);
    expect({ status: ready.status, body: await ready.json() }).toEqual({
      status: 503,
      body: { status: 'stopping' },
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const late = await post('tick');
    expect({ status: late.status, body: await late.json() }).toMatchObject({
      status: 503,
      body: { code: 'interrupted' },
    });
    const quick = post('list');
    while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    free.resolve();
    expect((await slow).status).toBe(200);
    expect((await quick).status).toBe(200);
    await closed;
    await expect(post('list')).rejects.toThrow('fetch failed');
  });

  it('does not wait for ever for a call that does not end', async () => {
    const { post, stop, closed, asked } = await served(() => new Promise(() => undefined));
    const left = post('list').catch((error: unknown) => error);
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    await closed;
    expect(await left).toBeInstanceOf(Error);
  });
});

describe('what Node refuses by itself', () => {
  it('has an id as well', async () => {
    const { url } = await served(fine);
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('NONSENSE\r\n\r\n');
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 400 [\s\S]*X-Request-Id: [0-9a-f-]{36}/);
    socket.destroy();
  });
});

it('measures by the pattern of the address, without anybody in it', async () => {
  const { url, post } = await served(fine);
  await post('respond', { agent: 'ada', text: 'CANARY-1' });
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer admin' } });
  const text = await answer.text();
  expect(text).toContain('council_http_requests_total{route="/api/v1/respond",status="200"} 1');
  expect(text).not.toMatch(/CANARY|ada/);
  const refused = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer member' } });
  expect(refused.status).toBe(403);
});

describe('without tokens', () => {
  it('opens to this machine, by its own names only', async () => {
    const { url } = await served(fine, { isOpen: async () => true });
    const port = new URL(url).port;
    const status = (headers: Record<string, string>): Promise<number> =>
      new Promise((resolve, reject) => {
        const socket = net.connect(Number(port), '127.0.0.1');
        const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(
          ([name, value]) => `${name}: ${value}`,
        );
        socket.on('error', reject);
        socket.once('data', (bytes) => {
          resolve(Number(bytes.toString().split(' ')[1]));
          socket.destroy();
        });
        socket.write(`POST /api/v1/list HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`);
      });
    expect(await status({})).toBe(200);
    expect(await status({ Origin: `http://localhost:${port}` })).toBe(200);
    expect(await status({ Host: 'evil.example' })).toBe(403);
    expect(await status({ Host: `127.0.0.1.evil.example:${port}` })).toBe(403);
    expect(await status({ Host: '@127.0.0.1' })).toBe(400);
    expect(await status({ Origin: `http://[::1]:${port}`, 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
    expect(await status({ 'Sec-Fetch-Site': 'none' })).toBe(200);
    // A page of another program of this machine: no body is needed for a tick.
    expect(await status({ Origin: `http://127.0.0.1:${Number(port) + 1}` })).toBe(403);
    expect(await status({ Origin: `http://localhost` })).toBe(403);
    expect(await status({ 'Sec-Fetch-Site': 'same-site' })).toBe(403);
    expect(await status({ Origin: `http://localhost:${port}`, 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await status({ Origin: 'null' })).toBe(403);
    expect(await status({ Origin: 'https://evil.example' })).toBe(403);
    // A token that is none says more about who sends it than no token.
    expect(await status({ Authorization: 'Bearer nobody' })).toBe(401);
  });
});
