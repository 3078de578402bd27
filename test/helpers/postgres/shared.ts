// The PostgreSQL server of a test run, and a place in it for each test file.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { migrate } from '../../../src/postgres/store/migrate.ts';
import type { StatementRunner } from '../../../src/postgres/store/migrate.ts';
import './on-demand.ts';

export interface SharedServer {
  /** As superuser. */
  url: string;
  port: number;
  folder: string;
  bin: string;
}

/**
 * The server of this run; undefined where none can run, after saying why: then the tests are skipped. In CI that fails
 * them instead.
 */
export async function sharedPostgres(): Promise<SharedServer | undefined> {
  const answer = (await (await fetch(inject('postgres'))).json()) as SharedServer | { why: string };
  if (!('why' in answer)) return answer;
  if (process.env.CI) throw new Error(`No PostgreSQL server, which CI must have. ${answer.why}`);
  console.warn(`Skipped, for there is no PostgreSQL server. ${answer.why}`);
  return undefined;
}

/** What the server has logged so far. */
export const logOf = ({ folder }: SharedServer): string =>
  fs.readFileSync(join(folder, 'server.log'), 'utf8');

/** A schema of a test file, with the two roles that a project has. */
export interface TestSchema {
  schema: string;
  /** Owns the schema, and may make roles; no superuser. */
  owner: string;
  ownerUrl: string;
  /** What council connects as from day to day. */
  app: string;
  appUrl: string;
}

/** Roles of their own for this test file, and the name of a schema that nobody has; all of it goes when the file is done. */
export async function testSchema({ url }: SharedServer): Promise<TestSchema> {
  const id = randomBytes(5).toString('hex');
  const schema = `t_${id}`;
  const [owner, app] = [`${schema}_owner`, `${schema}_app`];
  const as = (role: string): string => {
    const one = new URL(url);
    one.username = role;
    one.password = id;
    one.searchParams.set('schema', schema);
    return one.href;
  };
  await alone(url, async (client) => {
    await client.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${id}'`);
    await client.query(`CREATE ROLE ${app} LOGIN PASSWORD '${id}'`);
    await client.query(`GRANT CREATE ON DATABASE postgres TO ${owner}`);
  });
  afterAll(() =>
    alone(url, async (client) => {
      await client.query(`DROP SCHEMA IF EXISTS ${schema}, ${schema}_sealed CASCADE`);
      const { rows } = await client.query<{ rolname: string }>(
        `SELECT rolname FROM pg_roles WHERE starts_with(rolname, $1)`,
        [`${schema}_`],
      );
      for (const { rolname } of rows) await client.query(`DROP OWNED BY ${rolname} CASCADE`);
      for (const { rolname } of rows) await client.query(`DROP ROLE ${rolname}`);
    }),
  );
  return { schema, owner, app, ownerUrl: as(owner), appUrl: as(app) };
}

/** As superuser, one test file after the other: the server refuses two changes of one database's rights at once. */
const alone = (url: string, work: (client: pg.Client) => Promise<void>): Promise<void> =>
  connected(url, async (client) => {
    await client.query('SELECT pg_advisory_lock(1)');
    await work(client);
  });

/** A schema with its tables, and with a role that has been given what council needs. */
export async function migratedSchema(server: SharedServer): Promise<TestSchema> {
  const made = await testSchema(server);
  const { schema, app } = made;
  await connected(made.ownerUrl, (owner) => migrate(runOn(owner), { schema, appRole: app, dryRun: false }));
  return made;
}

/** Runs statements on a connection, as the migrations want it. */
export const runOn =
  (client: pg.Client): StatementRunner =>
  async (sql, values) => {
    // Of several statements in one text, the last one's rows.
    const result: unknown = await (values ? client.query(sql, [...values]) : client.query(sql));
    return ((Array.isArray(result) ? result.at(-1) : result) as pg.QueryResult<Record<string, unknown>>).rows;
  };

/** A connection for as long as the work takes. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
