// Slow clients of every kind beside a hundred good ones: these are all answered, and whoever sends nothing more is cut off.
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { CouncilChange, ChangeHints } from '../../../src/server/remote/change-events.ts';
import type { Host } from '../../../src/server/remote/host.ts';
import { findCallerLimits } from '../../../src/server/http/limits.ts';
import type { Caller } from '../../../src/server/remote/perform-call.ts';
import { serveHttp } from '../../../src/server/http/server.ts';
import { until } from '../../helpers/cli.ts';
import { listen } from '../../helpers/sse.ts';

const stops: AbortController[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop.abort()));

const GOOD = 100;
/** More than the buffers of both sides hold. */
const MUCH = 16 << 20;

/** A server that has little patience, and whose councils change by hand. */
async function served({ unreadMs = 60_000 } = {}) {
  const stop = new AbortController();
  stops.push(stop);
  const followers = new Set<(one: CouncilChange) => void>();
  const host: Host = {
    version: '1',
    stop: stop.signal,
    note: () => undefined,
    findTrouble: async () => undefined,
    holder: async () => undefined,
    perform: async ({ input }) => ({
      document: { heard: input, ...(input.text === 'much' && { much: 'x'.repeat(MUCH) }) },
      failed: false,
    }),
  };
  const hints: ChangeHints = {
    heads: async () => [],
    head: async () => undefined,
    follow(tell) {
      followers.add(tell);
      return () => followers.delete(tell);
    },
  };
  const doors = {
    isOpen: async () => false,
    holder: async (id: string) => ({ role: 'member', id }) as const,
  };
  const serving = { hostname: '127.0.0.1', port: 0, doors, onlyMcp: false, log: () => undefined, hints };
  const patience = { headersMs: 3000, requestMs: 4000, strangers: 256, unreadMs };
  const limits = (caller: Caller) => ({
    ...findCallerLimits(caller),
    ...(caller.id === 'alone' && { atOnce: 1 }),
  });
  const { url } = await serveHttp(host, serving, { patience, limits });
  const changes = (revision: number): void => {
    const one = {
      name: `c${revision}`,
      phase: 'COLLECT',
      spoken: [],
      conversationId: 'x',
      at: revision,
    } as const;
    for (const tell of followers) tell({ ...one, spoken: [], revision });
  };
  return { url, changes, followers };
}

/** A connection that sends this much and no more, and reads nothing. */
async function stuck(url: string, text: string): Promise<net.Socket> {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket.pause();
}

const HEAD = 'POST /api/v1/read HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer slow\r\n';
const BODY = `${HEAD}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"text":"`;
const READER = 'GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer slow\r\n\r\n';

it('a slow client of each kind keeps none of a hundred others waiting, and one that sends is cut off', async () => {
  const { url, changes, followers } = await served();
  const [head, body] = [await stuck(url, HEAD), await stuck(url, BODY)];
  const reader = await stuck(url, READER);
  await until('the reader follows', () => followers.size === 1);
  const ended = [head, body].map(async (socket) => once(socket.resume(), 'close'));

  const streams = await Promise.all(
    Array.from({ length: GOOD }, async (_, at) =>
      listen(`${url}/api/v1/events`, { authorization: `Bearer good-${at}` }),
    ),
  );
  const answers = await Promise.all(
    Array.from({ length: GOOD }, async (_, at) => {
      const answer = await fetch(`${url}/api/v1/read`, {
        method: 'POST',
        headers: { authorization: `Bearer good-${at}`, 'content-type': 'application/json' },
        body: JSON.stringify({ text: `text ${at}` }),
      });
      return { status: answer.status, body: await answer.json() };
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: GOOD }, () => 200));
  expect(JSON.stringify(answers[42])).toContain('text 42');

  for (let revision = 1; revision <= 50; revision++) changes(revision);
  await until('every stream has the last change', () =>
    streams.every(({ events }) => events.at(-1)?.data.revision === 50),
  );
  await Promise.all(ended);
  await Promise.all(streams.map(async ({ stop }) => stop()));
  reader.destroy();
  await until('nobody follows any more', () => followers.size === 0);
});

it('an answer that nobody reads is ended, and its place is free again', async () => {
  const { url } = await served({ unreadMs: 300 });
  const ask = async (text: string) =>
    fetch(`${url}/api/v1/read`, {
      method: 'POST',
      headers: { authorization: 'Bearer alone', 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
  const body = '{"text":"much"}';
  const unread = await stuck(
    url,
    `${HEAD.replace('slow', 'alone')}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await until('its only place is taken', async () => (await ask('little')).status === 429);
  await until('its place is free', async () => (await ask('little')).status === 200);
  const chunks: Buffer[] = [];
  unread.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  await once(unread, 'close');
  expect(Buffer.concat(chunks).length).toBeLessThan(MUCH);
});
