// PostgreSQL driver: checks whether a server answers and takes commits, also while a statement waits for it.
import type { Socket } from 'node:net';
import { CHECK_TIMEOUT_MS, waitForCheck } from '../../core/store/local/wait-for-check.ts';
import { measureUptime } from '../../core/store/local/system.ts';
import { storeAway } from '../../core/store/availability.ts';
import type { StoreTrouble } from '../../core/store/availability.ts';
import { asStoreError, getSqlState } from './failures.ts';
import type { DatabasePlace } from './place.ts';
import { findSockets, resolveLogin } from './place.ts';

const HINT = 'Nothing that was acknowledged is lost. Is the server running, and the network up?';

/** How long an unfavourable result is reused, in milliseconds; callers share a check in progress. */
const REUSE_RESULT_MS = 1000;
const checks = new Map<string, { at: number; found: Promise<StoreTrouble | undefined> }>();

/**
 * Checks the server within two seconds, without changes. If it is unreachable, all waiting statements fail at
 * once.
 */
export function findServerTrouble(place: DatabasePlace): Promise<StoreTrouble | undefined> {
  const { url } = place;
  const last = checks.get(url);
  if (last && measureUptime() - last.at < REUSE_RESULT_MS) return last.found;
  const found = checkNow(place).then((trouble) => {
    if (trouble) checks.set(url, { at: measureUptime(), found });
    else checks.delete(url);
    return trouble;
  });
  checks.set(url, { at: Infinity, found });
  return found;
}

/** Checks the server every two seconds until it is stopped. */
export function checkWhileWaiting(place: DatabasePlace): () => void {
  const timer = setInterval(() => void findServerTrouble(place), CHECK_TIMEOUT_MS).unref();
  return () => clearInterval(timer);
}

async function checkNow(place: DatabasePlace): Promise<StoreTrouble | undefined> {
  const sockets = findSockets(place);
  const socket = sockets.open();
  /** Closes the sockets: silently broken connections would keep callers waiting long after the server is back. */
  const drop = (trouble: StoreTrouble): StoreTrouble => {
    sockets.drop(storeAway(trouble));
    return trouble;
  };
  try {
    const answer = await waitForCheck(askServer(place, socket));
    if (answer === 'late')
      return drop({ kind: 'unreachable', message: `${place.displayName} does not answer.`, hint: HINT });
    if (answer) return undefined;
    return {
      kind: 'read_only',
      message: `${place.displayName} is a replica, or read-only: it cannot be written to.`,
      hint: 'Reading goes on. Name the server that is written to in COUNCIL_DATABASE_URL.',
    };
  } catch (error) {
    const { message, hint = HINT } = asStoreError(error, place.displayName);
    const trouble: StoreTrouble = { kind: 'unreachable', message, hint };
    // A server that refuses new connections with a reason may still answer on existing ones.
    return getSqlState(error) === undefined ? drop(trouble) : trouble;
  } finally {
    socket.destroy();
  }
}

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
