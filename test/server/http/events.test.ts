import http from 'node:http';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { TokenLookup } from '../../../src/server/remote/token-lookup.ts';
import type { CouncilChange, ChangeHints } from '../../../src/server/remote/change-events.ts';
import type { Host } from '../../../src/server/remote/host.ts';
import type { Caller } from '../../../src/server/remote/perform-call.ts';
import { serveHttp } from '../../../src/server/http/server.ts';
import { until } from '../../helpers/cli.ts';
import { listen } from '../../helpers/sse.ts';

const stops: AbortController[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop.abort()));

const change = (name: string, revision: number, more: Partial<CouncilChange> = {}): CouncilChange => ({
  name,
  revision,
  phase: 'COLLECT',
  spoken: [],
  conversationId: `id-of-${name}`,
  at: 1_000_000 + revision * 60_000,
  ...more,
});

/** A server whose councils change by hand. */
async function served(first: CouncilChange[]) {
  const stop = new AbortController();
  stops.push(stop);
  const heads = new Map(first.map((one) => [one.name, one]));
  const followers = new Set<(one: CouncilChange) => void>();
  const late: { head: Promise<void> } = { head: Promise.resolve() };
  const valid = new Set(['admin', 'worker', 'member', 'participant']);
  const hints: ChangeHints = {
    heads: async () => [...heads.values()],
    head: async (name) => (await late.head, heads.get(name)),
    follow(tell) {
      followers.add(tell);
      return () => followers.delete(tell);
    },
  };
  const doors: TokenLookup = {
    isOpen: async () => false,
    holder: async (token) =>
      valid.has(token)
        ? {
            role: token as Caller['role'],
            id: token,
            ...(token === 'participant' && { participant: 'ana', council: 'a', conversationId: 'id-of-a' }),
          }
        : { unknown: 'revoked_token' },
  };
  const host: Host = {
    version: '1',
    stop: stop.signal,
    findTrouble: async () => undefined,
    note: () => undefined,
    holder: async () => undefined,
    perform: async () => ({ document: {}, failed: false }),
  };
  const serving = { hostname: '127.0.0.1', port: 0, doors, onlyMcp: false, log: () => undefined, hints };
  const { url, closed } = await serveHttp(host, serving);
  return {
    url: `${url}/api/v1/events`,
    valid,
    stop,
    closed,
    followers,
    late,
    change(one: CouncilChange) {
      heads.set(one.name, one);
      for (const tell of followers) tell(one);
    },
    open: (token: string, query = '', headers: Record<string, string> = {}) =>
      listen(`${url}/api/v1/events${query}`, { authorization: `Bearer ${token}`, ...headers }),
  };
}

describe('the events', () => {
  it('begin with one for each council, and go on with what changes', async () => {
    const { open, change: happens, followers } = await served([change('a', 1), change('b', 4)]);
    const stream = await open('admin');
    await until('both have come', () => stream.events.length === 2);
    happens(change('b', 5, { spoken: ['ada'] }));
    happens(change('c', 1));
    await until('the changes have come', () => stream.events.length === 4);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.events.map(({ data }) => data)).toEqual([
      { name: 'a', revision: 1, phase: 'COLLECT', spoken: [] },
      { name: 'b', revision: 4, phase: 'COLLECT', spoken: [] },
      { name: 'b', revision: 5, phase: 'COLLECT', spoken: ['ada'] },
      { name: 'c', revision: 1, phase: 'COLLECT', spoken: [] },
    ]);
    await stream.stop();
    await until('nobody follows any more', () => followers.size === 0);
  });

  it('tell each change once, however often a watch comes to it', async () => {
    const { open, change: happens } = await served([change('a', 3)]);
    const stream = await open('admin');
    await until('the head has come', () => stream.events.length === 1);
    happens(change('a', 3));
    happens(change('a', 2));
    happens(change('a', 4));
    happens(change('a', 4));
    happens(change('b', 1));
    await until('the last one has come', () => stream.events.some(({ data }) => data.name === 'b'));
    expect(stream.events.map(({ data }) => data.revision)).toEqual([3, 4, 1]);
    await stream.stop();
  });

  it('have the revision as their id where one council is followed, and go on after it', async () => {
    const { open, change: happens } = await served([change('a', 1), change('b', 4)]);
    const stream = await open('member', '?name=b');
    await until('the head has come', () => stream.events.length === 1);
    happens(change('a', 2));
    happens(change('b', 5));
    await until('the change has come', () => stream.events.length === 2);
    expect(stream.events.map(({ id }) => id)).toEqual(['4', '5']);
    await stream.stop();
    const again = await open('member', '?name=b', { 'last-event-id': '5' });
    happens(change('b', 6));
    await until('only what is new has come', () => again.events.length > 0);
    expect(again.events.map(({ id }) => id)).toEqual(['6']);
    await again.stop();
    expect((await open('member', '?name=gone')).status).toBe(404);
    expect((await open('member', '?name=gone', { 'last-event-id': '3' })).status).toBe(204);
    expect((await open('member', '?name=..%2Fx')).status).toBe(422);
  });

  it('begin again with the councils that have moved since', async () => {
    const { open, change: happens } = await served([change('a', 1), change('b', 1)]);
    const stream = await open('worker');
    await until('both have come', () => stream.events.length === 2);
    const { id } = stream.events.at(-1)!;
    await stream.stop();
    happens(change('b', 9));
    const again = await open('worker', '', { 'last-event-id': id });
    await until('what moved has come', () => again.events.some(({ data }) => data.revision === 9));
    await again.stop();
  });

  it('of a seat are those of its own council, and not of the next one of its name', async () => {
    const { open, change: happens } = await served([change('a', 1), change('b', 4)]);
    expect((await open('participant', '?name=b')).status).toBe(403);
    const stream = await open('participant');
    await until('the head has come', () => stream.events.length === 1);
    happens(change('b', 5));
    happens(change('a', 2, { spoken: ['ada'] }));
    await until('its own has come', () => stream.events.length === 2);
    happens(change('a', 7, { conversationId: 'another', spoken: ['eve'] }));
    await until('it has ended', () => stream.isOver());
    expect(stream.events.map(({ data }) => [data.name, data.revision])).toEqual([
      ['a', 1],
      ['a', 2],
    ]);
    // In an anonymous council the text that has just come would have a name.
    expect(stream.raw()).not.toContain('ada');
    expect((await open('participant')).status).toBe(404);
  });

  it('end with the token, and with the server', async () => {
    const { open, valid, stop, closed } = await served([change('a', 1)]);
    const [revoked, other] = [await open('member'), await open('admin')];
    valid.delete('member');
    await until('the token is missed', () => revoked.isOver());
    expect(other.isOver()).toBe(false);
    stop.abort();
    await closed;
    await until('the server has ended', () => other.isOver());
  });

  it('are so many for a token, and no more', async () => {
    const { open } = await served([change('a', 1)]);
    const streams = await Promise.all([1, 2, 3, 4].map(() => open('participant')));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await open('participant')).status).toBe(429);
    await streams[0]!.stop();
    await until('one may come again', async () => (await open('participant')).status === 200);
  });

  it('are asked about with HEAD, which takes no place and leaves nothing behind', async () => {
    const { url, open, followers } = await served([change('a', 1)]);
    const headers = { authorization: 'Bearer participant' };
    for (let count = 0; count < 12; count++) {
      const { status, headers: told } = await fetch(url, { method: 'HEAD', headers });
      expect({ count, status, type: told.get('content-type') }).toEqual({
        count,
        status: 200,
        type: 'text/event-stream',
      });
    }
    await until('nobody follows', () => followers.size === 0);
    const streams = await Promise.all([1, 2, 3, 4].map(() => open('participant')));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await fetch(url, { method: 'HEAD', headers })).status).toBe(429);
    for (const stream of streams) await stream.stop();
  });

  it('give back the place of a reader that goes before the first of them', async () => {
    const { url, open, followers, late } = await served([change('a', 1)]);
    const { port } = new URL(url);
    for (let count = 0; count < 6; count++) {
      let answer = (): void => undefined;
      late.head = new Promise((resolve) => (answer = resolve));
      const asked = http.get({
        port,
        host: '127.0.0.1',
        path: '/api/v1/events',
        headers: { authorization: 'Bearer participant' },
      });
      asked.on('error', () => undefined);
      await until('it is being answered', () => followers.size > 0);
      const gone = new Promise((resolve) => asked.once('close', resolve));
      asked.destroy();
      await gone;
      answer();
      await until('nobody follows', () => followers.size === 0);
    }
    late.head = Promise.resolve();
    const stream = await open('participant');
    expect(stream.status).toBe(200);
    await stream.stop();
  });

  it('cost a reader that does not read no memory here: it gets the newest of each council', async () => {
    const { url, change: happens } = await served([]);
    const request = http.request(url, { headers: { authorization: 'Bearer admin' }, agent: false });
    request.end();
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    answer.pause();
    // More than the buffers of two sockets take.
    const spoken = Array.from({ length: 200 }, (_, at) => `participant-with-a-long-name-${at}`);
    for (let revision = 1; revision <= 4000; revision++) {
      happens(change('a', revision, { spoken }));
      if (revision % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    let text = '';
    answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
    answer.resume();
    await until('the newest has come', () => text.includes('"revision":4000,'));
    expect(text.match(/^id:/gm)!.length).toBeLessThan(4000);
    request.destroy();
  });
});
