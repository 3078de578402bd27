// Ports of this machine, for servers of the tests.
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';

/** The port that a server listens on. */
export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port of this machine is free.');
  return address.port;
}

/** A port that nobody listens on, for a program that takes none by itself. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const port = portOf(probe);
  await new Promise((done) => probe.close(done));
  return port;
}
