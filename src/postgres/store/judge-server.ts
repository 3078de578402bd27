// PostgreSQL driver: whether the server answers and takes commits, on a connection of its own.
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { JUDGED_WITHIN_MS } from '../../core/store/trouble.ts';
import type { StoreTrouble } from '../../core/store/trouble.ts';
import { asStoreError } from './failures.ts';
import { resolveLogin } from './login.ts';
import type { DatabasePlace } from './place.ts';
import { findSockets } from './sockets.ts';

const HINT = 'Nothing that was acknowledged is lost. Is the server running, and the network up?';

/** Asks the server within two seconds. Changes nothing there. */
export async function judgeServer(place: DatabasePlace): Promise<StoreTrouble | undefined> {
  const socket = findSockets(place).open();
  const ended = new AbortController();
  const late = delay(JUDGED_WITHIN_MS, 'late' as const, { signal: ended.signal, ref: false });
  try {
    const asked = askServer(place, socket);
    asked.catch(() => undefined);
    const answer = await Promise.race([asked, late]);
    if (answer === 'late')
      return { kind: 'unreachable', message: `${place.told} does not answer.`, hint: HINT };
    if (answer) return undefined;
    return {
      kind: 'read_only',
      message: `${place.told} is a replica, or read-only: it cannot be written to.`,
      hint: 'Reading goes on. Name the server that is written to in COUNCIL_DATABASE_URL.',
    };
  } catch (error) {
    const { message, hint = HINT } = asStoreError(error, place.told);
    return { kind: 'unreachable', message, hint };
  } finally {
    ended.abort();
    late.catch(() => undefined);
    socket.destroy();
  }
}

/** Whether the server takes commits. */
async function askServer(place: DatabasePlace, socket: Socket): Promise<boolean> {
  const { default: pg } = await import('pg');
  const connectionString = await resolveLogin(place);
  const client = new pg.Client({
    connectionString,
    stream: () => socket,
    application_name: 'council looking',
  });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ writable: boolean }>(
    `SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writable`,
  );
  return rows[0]?.writable === true;
}
