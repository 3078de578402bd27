import type { McpServer } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addResources } from '../../../src/server/mcp/server.ts';
import { CALLS, getCallDefinition } from '../../../src/server/remote/calls.ts';
import type { CallName } from '../../../src/server/remote/calls.ts';
import type { Host } from '../../../src/server/remote/host.ts';
import type { UnknownCaller } from '../../../src/server/remote/token-lookup.ts';
import { TASK_ACTIONS } from '../../../src/team/input/tasks.ts';
import type { Caller } from '../../../src/server/remote/perform-call.ts';
import { ROLES } from '../../../src/core/app/app.ts';
import { findCallerLimits } from '../../../src/server/http/limits.ts';
import { serveHttp } from '../../../src/server/http/server.ts';

/** Who opens what: one letter a role (p, m, w, a), in the words of docs/server/serve.md. */
const CELLS: Record<CallName, string> = {
  list: 'pm a',
  start: 'm a',
  view: 'pm a',
  respond: 'pm a',
  read: 'pm a',
  status: 'm a',
  tick: 'a',
  search: 'pm a',
  show: 'pm a',
  outcome: 'a',
  send: 'm a',
  inbox: 'm a',
  ack: 'm a',
  nack: 'm a',
  sent: 'm a',
  task: 'm a',
  reserve: 'm a',
  release: 'm a',
  reservations: 'm a',
  approvals: 'm a',
  wait: 'pm a',
  history: 'm a',
  ledger: 'm a',
  metrics: 'm a',
  cost: 'm a',
  who: 'm a',
  continue: 'a',
  extend: 'a',
  excuse: 'a',
  cancel: 'a',
  lease: 'w',
  renew: 'w',
  record: 'w',
  fail: 'w',
};
const OTHERS: Record<string, string> = {
  '/api/v1/events?name=c': 'pmwa',
  '/metrics': 'a',
  '/openapi.json': 'pmwa',
  '/mcp': 'pmwa',
};
const INPUT: Partial<Record<CallName, object>> = {
  view: { agent: 'ana' },
  respond: { agent: 'ana', text: 'x' },
};

/** Every address is asked for in a second, by everybody. */
const PLENTY = { burst: 10_000, perSecond: 10_000 };
const limits = (caller: Caller) => ({ ...findCallerLimits(caller), messages: PLENTY });
const stop = new AbortController();
let url: string;
beforeAll(async () => {
  const roles: readonly string[] = [...ROLES, 'nobody'];
  const holder = async (token: string): Promise<Caller | UnknownCaller> => {
    if (!roles.includes(token)) return { unknown: `${token}_token` as UnknownCaller['unknown'] };
    return {
      role: token === 'nobody' ? 'member' : (token as Caller['role']),
      id: token,
      ...(token !== 'nobody' && { participant: 'ana' }),
      ...(token === 'participant' && { council: 'c' }),
    };
  };
  const host: Host = {
    version: '1',
    stop: stop.signal,
    note: () => undefined,
    findTrouble: async () => undefined,
    holder: async () => undefined,
    perform: async () => ({ document: {}, failed: false }),
  };
  const head = { name: 'c', revision: 1, phase: 'COLLECT', spoken: [], conversationId: 'x', at: 0 } as const;
  const hints = {
    heads: async () => [],
    head: async () => ({ ...head, spoken: [] }),
    follow: () => () => undefined,
  };
  const doors = { isOpen: async () => false, holder };
  const serving = { hostname: '127.0.0.1', port: 0, doors, onlyMcp: false, log: () => undefined, hints };
  ({ url } = await serveHttp(host, serving, { strangers: PLENTY, limits }));
});
afterAll(() => stop.abort());

const ask = (path: string, role: string, body?: object): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${role}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'if-match': '*',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
const sent = (method: string, path: string, role: string): Promise<Response> =>
  fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${role}`, accept: 'application/json' },
  });
const opens = (cell: string, role: string): boolean => cell.includes(role.charAt(0));

describe.each(ROLES)('the token of a %s', (role) => {
  it.each(CALLS)('opens %s or not, as the table says', async (call) => {
    const { status } = await ask(`/api/v1/${call}`, role, INPUT[call] ?? {});
    expect(status).toBe(opens(CELLS[call], role) ? 200 : 403);
  });

  it.each(Object.keys(OTHERS))('opens %s or not, as the table says', async (path) => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    };
    const answer = await ask(path, role, path === '/mcp' ? initialize : undefined);
    const { status } = answer;
    await answer.body?.cancel();
    expect(status).toBe(opens(OTHERS[path]!, role) ? 200 : 403);
  });

  it.each(TASK_ACTIONS)('has tasks done or not: %s', async (action) => {
    const { status } = await ask('/api/v1/task', role, { action });
    expect(status).toBe(opens(CELLS.task, role) && action !== 'watch' ? 200 : 403);
  });

  it.each(CALLS)('makes %s with POST alone', async (call) => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'])
      expect({ method, status: (await sent(method, `/api/v1/${call}`, role)).status }).toEqual({
        method,
        status: 405,
      });
  });

  it('follows no other council than its own where it has one', async () => {
    const { status, body } = await ask('/api/v1/events?name=d', role);
    await body?.cancel();
    expect(status).toBe(role === 'participant' ? 403 : 200);
  });

  it('asks with HEAD what it may ask with GET', async () => {
    for (const path of Object.keys(OTHERS).filter((one) => one !== '/mcp'))
      expect({ path, status: (await sent('HEAD', path, role)).status }).toEqual({
        path,
        status: opens(OTHERS[path]!, role) ? 200 : 403,
      });
  });

  it.each(['approve', 'reject'])('decides approvals or not: %s', async (action) => {
    const { status } = await ask('/api/v1/approvals', role, { action, id: 'a1' });
    expect(status).toBe(role === 'admin' ? 200 : 403);
  });

  it('shows archives and councils over MCP or not, as the table says', async () => {
    const shown: string[] = [];
    const server = { registerResource: (name: string) => shown.push(name) } as unknown as McpServer;
    const unasked = () => Promise.reject(new Error('nobody asked'));
    addResources(server, await import('@modelcontextprotocol/server'), { role, id: role }, unasked);
    expect(shown.includes('archive')).toBe(opens(CELLS.show, role));
    expect(shown.includes('council')).toBe(opens(CELLS.status, role));
  });
});

describe.each([
  ['no token', {}],
  ['no token that can be read', { authorization: 'Basic YW5hOmE=' }],
  ['a wrong token', { authorization: 'Bearer unknown' }],
  ['one that was revoked', { authorization: 'Bearer revoked' }],
  ['one that has expired', { authorization: 'Bearer expired' }],
])('whoever comes with %s', (_, headers: Record<string, string>) => {
  const isGiven = headers.authorization?.startsWith('Bearer') === true;
  const asked = {
    status: 401,
    type: 'application/problem+json',
    challenge: `Bearer realm="council"${isGiven ? ', error="invalid_token"' : ''}`,
    body: {
      status: 401,
      code: 'unauthorized',
      detail: expect.stringContaining(isGiven ? 'This token is not known' : 'A token is needed') as string,
      hint: expect.stringContaining('council token create') as string,
    },
  };
  const answerTo = async (path: string, method: string) => {
    const answer = await fetch(`${url}${path}`, { method, headers });
    const text = await answer.text();
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      challenge: answer.headers.get('www-authenticate'),
      body: text === '' ? asked.body : (JSON.parse(text) as object),
    };
  };

  it.each(CALLS)('is asked for one: %s', async (call) => {
    expect(await answerTo(`/api/v1/${call}`, 'POST')).toMatchObject(asked);
  });

  it.each([...Object.keys(OTHERS), '/api/v1/nowhere'])('is asked for one: %s', async (path) => {
    for (const method of ['GET', 'HEAD']) expect(await answerTo(path, method)).toMatchObject(asked);
  });

  it('is asked for one by MCP', async () => {
    expect(await answerTo('/mcp', 'POST')).toMatchObject(asked);
  });

  it.each(['/healthz', '/readyz'])('sees %s', async (path) => {
    expect((await answerTo(path, 'GET')).status).toBe(200);
  });
});

it.each(CALLS)('%s is not made for a page of somebody else, whatever its browser has', async (call) => {
  const foreign = async (headers: Record<string, string>) =>
    (
      await fetch(`${url}/api/v1/${call}`, {
        method: 'POST',
        headers: { authorization: 'Bearer admin', 'if-match': '*', ...headers },
      })
    ).status;
  const { protocol, hostname, port } = new URL(url);
  expect({
    otherSite: await foreign({ origin: 'https://evil.example' }),
    otherPort: await foreign({ origin: `${protocol}//${hostname}:${Number(port) - 1}` }),
    saidByBrowser: await foreign({ 'sec-fetch-site': 'same-site' }),
  }).toEqual({ otherSite: 403, otherPort: 403, saidByBrowser: 403 });
});

it.each(CALLS)('%s says what becomes of it when it is sent twice, if it changes anything', (call) => {
  const { readOnly, actions, again } = getCallDefinition(call);
  expect(again !== undefined).toBe(!readOnly || actions !== undefined);
});

it('says where trust is given, which is not over the API', async () => {
  const answer = await ask('/api/v1/start', 'admin', { topic: 'x', trust: true });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    detail: 'start takes no argument trust over the API.',
    hint: 'Leave it out, or give the command on the machine of the project.',
  });
});

describe('a token that is somebody’s', () => {
  const FIELDS: [CallName, string][] = [
    ['view', 'agent'],
    ['respond', 'agent'],
    ['read', 'agent'],
    ['send', 'from'],
    ['sent', 'from'],
    ['inbox', 'agent'],
    ['ack', 'as'],
    ['nack', 'as'],
    ['reserve', 'as'],
    ['release', 'as'],
  ];
  it.each(FIELDS)('speaks for nobody else in %s', async (call, field) => {
    const as = async (who: string) => (await ask(`/api/v1/${call}`, 'member', { [field]: who })).status;
    expect({ own: await as('ana'), other: await as('bob') }).toEqual({ own: 200, other: 403 });
  });

  it.each(['send', 'sent'] as const)('is needed in %s, which is said by somebody', async (call) => {
    const as = async (token: string) => (await ask(`/api/v1/${call}`, token, {})).status;
    expect({ ana: await as('member'), nobody: await as('nobody') }).toEqual({ ana: 200, nobody: 403 });
    expect((await ask('/api/v1/reservations', 'nobody', {})).status).toBe(200);
  });

  it('waits for its own turn only: when that of others is over tells that they have spoken', async () => {
    const turn = async (of: string) =>
      (await ask('/api/v1/wait', 'participant', { name: 'c', for: `turn:${of}` })).status;
    expect({ own: await turn('ana'), other: await turn('bob'), nobody: await turn('') }).toEqual({
      own: 200,
      other: 403,
      nobody: 403,
    });
  });

  it.each(['view', 'respond', 'read', 'wait'] as const)('opens %s at its own table only', async (call) => {
    const at = async (name: string) => (await ask(`/api/v1/${call}`, 'participant', { name })).status;
    expect({ own: await at('c'), other: await at('d') }).toEqual({ own: 200, other: 403 });
  });
});
