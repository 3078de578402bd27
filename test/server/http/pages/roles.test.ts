// Which pages and forms of the server each role of a token opens, one row a test.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CouncilError } from '../../../../src/core/base/errors.ts';
import type { Host } from '../../../../src/server/remote/host.ts';
import type { Caller } from '../../../../src/server/remote/perform-call.ts';
import type { PageServices } from '../../../../src/server/page/use/page-data.ts';
import { ROLES } from '../../../../src/core/app/app.ts';
import type { Role } from '../../../../src/core/app/app.ts';
import { serveHttp } from '../../../../src/server/http/server.ts';
import { visitorAt } from '../../../helpers/visitor.ts';

/** One letter a role (p, m, w, a). A seat is led from the lists to itself. */
const CELLS: [string, string][] = [
  ['GET /', 'pm a'],
  ['GET /councils/d', 'm a'],
  ['GET /councils/c/seat', 'pm a'],
  ['GET /councils/c/seat/prompt', 'pm a'],
  ['GET /archives', 'pm a'],
  ['GET /archives/x', 'pm a'],
  ['GET /start', 'm a'],
  ['GET /messages', 'm a'],
  ['GET /messages/x', 'm a'],
  ['GET /tasks', 'm a'],
  ['POST /councils/c/seat', 'pm a'],
  ['POST /start', 'm a'],
  ['POST /councils/c/extend', 'a'],
  ['POST /councils/c/excuse', 'a'],
  ['POST /councils/c/retry', 'a'],
  ['POST /councils/c/tick', 'a'],
  ['POST /councils/c/cancel', 'a'],
  ['POST /councils/c/invite', 'a'],
];

const stop = new AbortController();
let url: string;
beforeAll(async () => {
  const holder = async (role: string): Promise<Caller> => ({
    role: role as Role,
    id: role,
    participant: 'ana',
    ...(role === 'participant' && { council: 'c', conversationId: 'x' }),
  });
  // Whoever comes as far as this was let in.
  const passed = {
    document: { error: { code: 'unknown_council' } },
    failed: true,
    code: 'unknown_council',
  } as const;
  const perform: Host['perform'] = async () => passed;
  const host: Host = {
    ...{ version: '1', stop: stop.signal, note: () => undefined, perform, here: perform },
    findTrouble: async () => undefined,
    holder: async () => undefined,
  };
  const head = { name: 'c', revision: 1, phase: 'COLLECT', conversationId: 'x', at: 0 } as const;
  const hints = {
    heads: async () => [],
    head: async () => ({ ...head, spoken: [] }),
    follow: () => () => undefined,
  };
  const gone = async () => Promise.reject(new CouncilError('unknown_archive', 'There is none.'));
  const data: PageServices = {
    project: () => 'shop',
    away: async () => undefined,
    isBeating: async () => true,
    find: gone,
    render: gone,
    exportText: gone,
    archives: async () => [],
    records: async () => ({ records: [], origins: [] }),
    channels: async () => [],
    channel: async () => null,
    standings: async () => new Map(),
    endings: async () => new Map(),
    invite: gone,
    retry: gone,
    findRecorded: async () => null,
    seatable: async () => ({ agents: [], modes: [] }),
    refusal: () => passed,
  };
  const doors = { isOpen: async () => false, holder, findInvited: holder };
  const pages = { doors, publicUrl: undefined, secret: 's', data };
  const common = { hostname: '127.0.0.1', port: 0, onlyMcp: false, log: () => undefined };
  ({ url } = await serveHttp(host, { ...common, doors, hints, pages }));
});
afterAll(() => stop.abort());

describe.each(ROLES)('the session of a %s', (role) => {
  it.each(CELLS)('opens %s or not, as the table says', async (route, cell) => {
    const visitor = visitorAt(url);
    await visitor.join(role);
    const [method, path] = route.split(' ') as [string, string];
    const { status } = await (method === 'POST' ? visitor.post(path) : visitor.get(path));
    expect(status === 403).toBe(!cell.includes(role.charAt(0)));
    expect([200, 303, 403, 404, 422]).toContain(status);
  });

  it('opens the events, as every token does', async () => {
    const visitor = visitorAt(url);
    await visitor.join(role);
    const answer = await fetch(`${url}/events`, { headers: { cookie: visitor.cookie() ?? '' } });
    await answer.body?.cancel();
    expect(answer.status).toBe(200);
  });
});

const CHALLENGE = 'Bearer realm="council"';

it.each(CELLS)('%s asks whoever has no session to join', async (route) => {
  const [method, path] = route.split(' ') as [string, string];
  const visitor = visitorAt(url);
  const sent = (accept: string) =>
    method === 'POST' ? visitor.post(path, {}, { accept }) : visitor.get(path, { accept });
  const { status, headers } = await sent('text/html');
  expect(status).toBe(method === 'POST' ? 401 : 303);
  expect(headers['www-authenticate']).toBe(method === 'POST' ? CHALLENGE : undefined);
  // A program is told as everywhere else.
  const told = await sent('*/*');
  expect(told).toMatchObject({
    status: 401,
    headers: { 'content-type': 'application/problem+json', 'www-authenticate': CHALLENGE },
  });
  expect(JSON.parse(told.body)).toMatchObject({ status: 401, code: 'unauthorized' });
});
