// PostgreSQL driver: what is done on a connection of its own: migrating, looking, and judging whether the server answers and takes commits.
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { JUDGED_WITHIN_MS } from '../../core/store/trouble.ts';
import type { StoreTrouble } from '../../core/store/trouble.ts';
import { waysPastTheSeal, inspectServer } from './inspect-server.ts';
import type { WayIn, ServerFacts } from './inspect-server.ts';
import { createConnectionPool, resolveLogin, findSockets } from './client.ts';
import { asStoreError } from './failures.ts';
import { migrate } from './migrate.ts';
import type { Migrated, MigrateOptions, Run } from './migrate.ts';
import type { DatabasePlace } from './place.ts';

const AS_LONG_AS_IT_TAKES = 0;
const INSPECTED_MS = 5000;

/** Brings the tables of a place up to date, and gives a role what council needs. */
export const migrateDatabase = (
  place: DatabasePlace,
  options: Omit<MigrateOptions, 'schema'>,
): Promise<Migrated> =>
  visit(place, AS_LONG_AS_IT_TAKES, (run) => migrate(run, { ...options, schema: place.schema }));

/** What the doctor looks at; `ways`: how the role could get past what guards sealed texts. */
export const inspectDatabase = (place: DatabasePlace): Promise<{ facts: ServerFacts; ways: WayIn[] }> =>
  visit(place, INSPECTED_MS, async (run) => ({
    facts: await inspectServer(run),
    ways: await waysPastTheSeal(run, place.schema),
  }));

async function visit<T>(place: DatabasePlace, answerMs: number, work: (run: Run) => Promise<T>): Promise<T> {
  const connections = await createConnectionPool(place, 1, answerMs);
  try {
    return await connections.lend(({ query }) => work(query));
  } catch (error) {
    throw asStoreError(error, place.told);
  } finally {
    await connections.end();
  }
}

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
