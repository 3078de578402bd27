// The scene of the page about PostgreSQL: a server on this machine that calls itself db.example, with the roles of the set-up.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../test/helpers/postgres/server.ts';
import type { Sandbox } from './sandbox.ts';

/** The server ends with this process. */
export async function postgres(scene: Sandbox): Promise<void> {
  const { url, port } = await startPostgres();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const sql of [
    "CREATE ROLE council_owner LOGIN PASSWORD 'of-the-owner'",
    "CREATE ROLE council_app LOGIN PASSWORD 'of-council'",
    'CREATE ROLE council_sealer NOLOGIN',
    'GRANT council_sealer TO council_owner',
    "CREATE DATABASE council OWNER council_owner ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0",
  ])
    await client.query(sql);
  await client.end();
  await scene.shell('git init -q; council init --no-detect; council agents add ada --runner human; council agents add ben --runner human');
  const home = join(scene.root, '..', 'home');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, '.pgpass'), ['owner:of-the-owner', 'app:of-council'].map((one) => `127.0.0.1:${port}:*:council_${one}\n`).join(''));
  chmodSync(join(home, '.pgpass'), 0o600);
  // What the page calls by name is on this machine, at a port of the day.
  const here = `127.0.0.1:${port}`;
  scene.program(
    'at-example',
    `COUNCIL_DATABASE_URL=$(echo "\${COUNCIL_DATABASE_URL:-postgres://council_app@db.example/council}" | sed 's/db\\.example/${here}/') "$@" 2>&1 | sed 's/${here}/db.example/g'`,
  );
  await scene.shell(`mv ../bin/council ../bin/council-itself`);
  scene.program('council', 'exec at-example council-itself "$@"');
}
