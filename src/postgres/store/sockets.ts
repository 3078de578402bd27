// PostgreSQL driver: the open sockets of this process. The protocol's driver lets go of one only when the server has answered.
import { Socket } from 'node:net';
import type { DatabasePlace } from './place.ts';

interface Sockets {
  open: Set<Socket>;
  isClosed: boolean;
}

const byAddress = new Map<string, Sockets>();

/** The sockets to one server. Closing them has whatever waits for an answer fail at once, also while it connects. */
export function findSockets({ url }: Pick<DatabasePlace, 'url'>) {
  const sockets = byAddress.get(url) ?? { open: new Set(), isClosed: false };
  byAddress.set(url, sockets);
  const drop = (): void => {
    for (const socket of sockets.open) socket.destroy();
  };
  return {
    open(): Socket {
      const socket = new Socket();
      sockets.open.add(socket);
      // The protocol's driver connects it first.
      if (sockets.isClosed) setImmediate(() => socket.destroy());
      return socket.once('close', () => sockets.open.delete(socket));
    },
    /** Closes those that are open; later ones are opened anew. */
    drop,
    /** Closes those that are open, and every later one: this process is about to end. */
    close(): void {
      sockets.isClosed = true;
      drop();
    },
  };
}
