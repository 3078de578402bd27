// PostgreSQL driver: what is done on a connection of its own, beside the project's pool: migrating, and looking for the doctor.
import { waysPastTheSeal } from './blindness.ts';
import type { WayIn } from './blindness.ts';
import { createConnectionPool } from './client.ts';
import { asStoreError } from './failures.ts';
import { inspectServer } from './inspect-server.ts';
import type { ServerFacts } from './inspect-server.ts';
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
