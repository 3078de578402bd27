// Vitest's globalSetup: one PostgreSQL server for the whole run, started when the first test asks for it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { portOf } from './ports.ts';
import { startPostgres } from './server.ts';
import type { PostgresServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the server. */
    postgres: string;
  }
}

/** Vitest loads this file once for each of its projects; the server is one for all of them. */
const run = globalThis as { councilPostgres?: Promise<PostgresServer> };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const desk = createServer((_request, response) => {
    run.councilPostgres ??= startPostgres({ settings: ['max_prepared_transactions=10'] });
    run.councilPostgres.then(
      ({ url, port, folder, bin }) => response.end(JSON.stringify({ url, port, folder, bin })),
      (error: unknown) => response.end(JSON.stringify({ why: (error as Error).message })),
    );
  }).listen(0, '127.0.0.1');
  await once(desk, 'listening');
  desk.unref();
  project.provide('postgres', `http://127.0.0.1:${portOf(desk)}/`);
  return async () => {
    desk.close();
    await run.councilPostgres?.then((server) => server.stop()).catch(() => undefined);
  };
}
