// `npm run demo:postgres`: starts a PostgreSQL server on this machine, plays a council on it as two users would, and shows what
// lies in the tables meanwhile. Nothing stays behind.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../test/helpers/postgres/server.ts';

const CLI = join(import.meta.dirname, '..', 'dist', 'council.js');
if (!existsSync(CLI)) throw new Error('dist/ is missing: build first with "npm run build".');

const scratch = mkdtempSync(join(tmpdir(), 'council-demo-'));
const server = await startPostgres();
try {
  await play();
} finally {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}

async function play(): Promise<void> {
  say(
    `A PostgreSQL server of its own, on 127.0.0.1:${server.port}. Its superuser makes a database and three roles:`,
  );
  for (const sql of [
    "CREATE ROLE council_owner LOGIN PASSWORD 'of-the-owner'",
    "CREATE ROLE council_app LOGIN PASSWORD 'of-council'",
    'CREATE ROLE council_sealer NOLOGIN',
    'GRANT council_sealer TO council_owner',
    "CREATE DATABASE council OWNER council_owner ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0",
  ]) {
    console.log(`  ${sql};`);
    await rowsOf(server.url, sql);
  }
  const as = (user: string, password: string): string =>
    `postgres://${user}:${password}@127.0.0.1:${server.port}/council`;
  const [owner, app] = [as('council_owner', 'of-the-owner'), as('council_app', 'of-council')];

  say('The owner makes the tables, once. From then on council works as a role that owns nothing:');
  council('here', owner, 'store migrate --app-role council_app');
  council('here', app, 'init --no-detect');
  for (const id of ['ada', 'ben']) council('here', app, `agents add ${id} --runner human`);
  council('here', app, 'start "Where should the job queue live?" --agents ada,ben --coordinator none');

  say('Ada answers on this machine, Ben in another checkout. Nobody sees what the other one has said:');
  council('here', app, 'respond ada', 'position: Use PostgreSQL\n\nIt is backed up already.\n');
  council('there', app, 'init --no-detect');
  for (const id of ['ada', 'ben']) council('there', app, `agents add ${id} --runner human`);
  council('there', app, 'respond ben', 'position: Use Redis\n\nLoad will grow tenfold.\n');

  say('What lies in the tables now. A head has no text; a text is written once, with its revision:');
  await table(
    app,
    'SELECT key, revision, phase, live, due_at IS NOT NULL AS has_deadline FROM council.heads ORDER BY project, key',
  );
  await table(
    app,
    'SELECT key, revision, actor, octet_length(text) AS bytes, left(hash, 12) AS hash FROM council.versions ORDER BY at',
  );
  say('The sealed texts, as council itself may look at them: names and sizes. Their table is closed to it:');
  await table(
    app,
    'SELECT l.* FROM council.heads, LATERAL council_sealed.seal_list(conversation) l WHERE conversation IS NOT NULL',
  );
  await table(app, 'SELECT bytes FROM council_sealed.texts');
  await table(
    app,
    'SELECT r.* FROM council.heads, LATERAL council_sealed.seal_reveal(conversation, 1) r WHERE conversation IS NOT NULL',
  );

  say('The next tick closes the round. That is recorded for ever, and only then do the texts come out:');
  council('there', app, 'tick');
  await table(
    app,
    'SELECT c.tour, c.by, c.why FROM council.heads, LATERAL council_sealed.seal_closings(conversation) c WHERE conversation IS NOT NULL',
  );
  council('here', app, 'status');
}

function say(text: string): void {
  console.log(`\n${text}\n`);
}

/** Runs council in a folder of its own, as a user of a machine would. */
function council(where: string, url: string, line: string, input = ''): void {
  const cwd = join(scratch, where);
  mkdirSync(cwd, { recursive: true });
  const file = join(scratch, 'said.md');
  writeFileSync(file, input);
  const args = [...(line.match(/"[^"]*"|\S+/g) ?? [])].map((word) => word.replaceAll('"', ''));
  console.log(`${where}$ council ${line}${input === '' ? '' : ' --file said.md'}`);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [CLI, ...args, ...(input === '' ? [] : ['--file', file])],
    {
      cwd,
      encoding: 'utf8',
      env: {
        ...process.env,
        COUNCIL_DATABASE_URL: url,
        HOME: join(scratch, `home-${where}`),
        XDG_STATE_HOME: join(scratch, `state-${where}`),
        XDG_CONFIG_HOME: join(scratch, `config-${where}`),
      },
    },
  );
  console.log(indented(`${stdout}${stderr}`));
  if (status !== 0) throw new Error(`council ${line} ended with ${status}.`);
}

/** Shows what a statement finds, or how the server refuses it. */
async function table(url: string, sql: string): Promise<void> {
  console.log(`  ${sql};`);
  try {
    const rows = await rowsOf(url, sql);
    const names = Object.keys(rows[0] ?? {});
    const lines = [names, ...rows.map((row) => names.map((name) => String(row[name])))];
    const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
    const drawn = lines.map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    );
    console.log(indented(drawn.length === 1 ? '(no rows)' : drawn.join('\n')));
  } catch (error) {
    console.log(indented(`ERROR: ${(error as Error).message}`));
  }
}

async function rowsOf(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function indented(text: string): string {
  return `${text.trimEnd().replace(/^(?=.)/gm, '    ')}\n`;
}
