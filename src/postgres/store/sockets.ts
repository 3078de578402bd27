// PostgreSQL driver: the way to a server: its password, and the sockets that are open.
import { Socket } from 'node:net';
import type { CouncilError } from '../../core/base/errors.ts';
import type { DatabasePlace } from './place.ts';

/** The driver of the protocol looks there as well, but warns that it will not for long. */
export async function resolveLogin({ url }: DatabasePlace): Promise<string> {
  const address = new URL(url);
  const { hostname: host, port, username, password, pathname } = address;
  if (password !== '' || address.searchParams.has('password') || process.env.PGPASSWORD || username === '')
    return url;
  const { default: pgpass } = await import('pgpass');
  const found = await new Promise<string | undefined>((resolve) =>
    pgpass(
      {
        host,
        port: Number(port || '5432'),
        user: decodeURIComponent(username),
        database: decodeURIComponent(pathname.slice(1)),
      },
      resolve,
    ),
  );
  if (found !== undefined) address.password = encodeURIComponent(found);
  return address.href;
}

interface Sockets {
  open: Set<Socket>;
  isClosed: boolean;
}

const byAddress = new Map<string, Sockets>();

/** The sockets to one server. Closing them fails every statement and every connect that waits for an answer. */
export function findSockets({ url }: Pick<DatabasePlace, 'url'>) {
  const sockets = byAddress.get(url) ?? { open: new Set(), isClosed: false };
  byAddress.set(url, sockets);
  const drop = (why?: CouncilError): void => {
    for (const socket of sockets.open) socket.destroy(why);
  };
  return {
    open(): Socket {
      const socket = new Socket();
      sockets.open.add(socket);
      // The protocol's driver connects it first.
      if (sockets.isClosed) setImmediate(() => socket.destroy());
      return socket.once('close', () => sockets.open.delete(socket));
    },
    /** Closes those that are open; `why` is the error of the statements that wait. Later ones are opened anew. */
    drop,
    /** Closes those that are open, and every later one: this process is about to end. */
    close(): void {
      sockets.isClosed = true;
      drop();
    },
  };
}
