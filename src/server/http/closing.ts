// How a server ends: readiness fails first, what has begun is finished, and no client can keep it from ending.
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds in which a load balancer sees that this server is no longer ready. */
const LAST_ROUND_MS = 1000;
/** Milliseconds in which what was received is answered. */
const FINISH_MS = 4500;

/** Requests that were received and are not answered yet; one whose body never comes is none. */
export interface InFlight {
  began(): () => void;
  /** Resolves when there is none. */
  none(): Promise<void>;
}

export function inFlight(): InFlight {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    began() {
      count++;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        if (--count === 0) for (const tell of waiting.splice(0)) tell();
      };
    },
    none: () =>
      count === 0 ? Promise.resolve() : new Promise((resolve) => (waiting = [...waiting, resolve])),
  };
}

/** What ends with a server: `gentle` lets it finish what it has received. */
interface Ending {
  stop: AbortSignal;
  flight: InFlight;
  ends: (() => void)[];
  gentle: boolean;
}

/** Resolves when `stop` has closed the server and every connection. */
export function closeServer(server: Server, { stop, flight, ends, gentle }: Ending): Promise<void> {
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const close = async (): Promise<void> => {
    for (const end of ends) end();
    if (gentle) await delay(LAST_ROUND_MS);
    server.close();
    if (gentle) await Promise.race([flight.none(), delay(FINISH_MS, undefined, { ref: false })]);
    server.closeAllConnections();
  };
  if (stop.aborted) void close();
  else stop.addEventListener('abort', () => void close(), { once: true });
  return closed;
}
