// A schema for each project of the end-to-end tests, when they are run on PostgreSQL.
import { randomBytes } from 'node:crypto';
import { migrate } from '../../../src/postgres/store/migrate.ts';
import { connected, runOn, sharedPostgres } from './shared.ts';

const OWNER = 'e2e_owner';
const APP = 'e2e_app';
const PASSWORD = 'e2e';

let roles: Promise<string | undefined> | undefined;

/** The address of a schema that nobody has used, as council's own role. It goes with the server; undefined without one. */
export async function databaseForProject(): Promise<string | undefined> {
  const url = await (roles ??= makeRoles());
  if (url === undefined) return undefined;
  const schema = `p_${randomBytes(6).toString('hex')}`;
  const as = (role: string): string => {
    const one = new URL(url);
    one.username = role;
    one.password = PASSWORD;
    one.searchParams.set('schema', schema);
    return one.href;
  };
  await connected(as(OWNER), (owner) => migrate(runOn(owner), { schema, appRole: APP, dryRun: false }));
  return as(APP);
}

/** Once for a server, whichever test file is first. */
async function makeRoles(): Promise<string | undefined> {
  const server = await sharedPostgres();
  if (!server) return undefined;
  await connected(server.url, async (root) => {
    await root.query('SELECT pg_advisory_lock(1)');
    const { rowCount } = await root.query('SELECT FROM pg_roles WHERE rolname = $1', [APP]);
    if (rowCount !== 0) return;
    await root.query(`CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD '${PASSWORD}'`);
    await root.query(`CREATE ROLE ${APP} LOGIN PASSWORD '${PASSWORD}'`);
    await root.query(`GRANT CREATE ON DATABASE postgres TO ${OWNER}`);
  });
  return server.url;
}
