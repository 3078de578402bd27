// A way to a server that can be cut: what the server answers to a statement never arrives.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { portOf } from './ports.ts';

export interface Proxy {
  /** The same address, by way of this. */
  url: string;
  /**
   * Cuts the connection that next sends a statement with `word` in it: `after` the server has got it (its answer is lost), or
   * `before` it gets it. With `away`, no new connection is taken afterwards.
   */
  cut(word: string, when: 'before' | 'after', options?: { away?: boolean }): void;
  /**
   * From now on, or from the next statement with `word` in it, nothing passes, and nobody is told so: as where a network drops
   * packets. What was sent passes after `resume`.
   */
  stall(word?: string): void;
  /** Ends every connection and takes no new one: as where the server is stopped. */
  refuse(): void;
  resume(): void;
  /** How many connections were opened. */
  opened(): number;
  /** How many connections were cut. */
  cuts(): number;
  close(): void;
}

/** How long the server is given to do what it was sent before its answer is thrown away. */
const DONE_MS = 300;

export async function proxyTo(url: string): Promise<Proxy> {
  const to = new URL(url);
  const sockets = new Set<Socket>();
  let wanted: { word: string; when: 'before' | 'after'; away: boolean } | undefined;
  let cuts = 0;
  let opened = 0;
  let isStalled = false;
  let isAway = false;
  let stalledBy: string | undefined;
  const stall = (): void => {
    isStalled = true;
    for (const socket of sockets) socket.pause();
  };
  const server = createServer((client) => {
    if (isAway) return void client.destroy();
    opened++;
    const upstream = connect(Number(to.port), to.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      if (isStalled) queueMicrotask(() => socket.pause());
    }
    let isDeaf = false;
    client.on('data', (bytes) => {
      if (stalledBy !== undefined && bytes.includes(stalledBy)) {
        stalledBy = undefined;
        stall();
      }
      const now = wanted?.word !== undefined && bytes.includes(wanted.word) ? wanted : undefined;
      if (!now) return void upstream.write(bytes);
      wanted = undefined;
      cuts++;
      isAway = now.away;
      if (now.when === 'before') return void (client.destroy(), upstream.destroy());
      isDeaf = true;
      upstream.write(bytes);
      setTimeout(() => (client.destroy(), upstream.destroy()), DONE_MS);
    });
    upstream.on('data', (bytes) => isDeaf || client.write(bytes));
    client.on('close', () => isDeaf || upstream.destroy());
    upstream.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(url);
  own.port = String(portOf(server));
  return {
    url: own.href,
    cut(word, when, { away = false } = {}) {
      wanted = { word, when, away };
    },
    refuse() {
      isAway = true;
      for (const socket of sockets) socket.destroy();
    },
    stall(word) {
      stalledBy = word;
      if (word === undefined) stall();
    },
    resume() {
      isStalled = false;
      isAway = false;
      for (const socket of sockets) socket.resume();
    },
    opened: () => opened,
    cuts: () => cuts,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
