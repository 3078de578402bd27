// PostgreSQL driver: migrates the tables of a project, and grants council's role what it needs.
import { CouncilError } from '../../core/base/errors.ts';
import { MIGRATIONS, TABLE_GRANTS } from './migrations/tables.ts';
import { nameSchemaObjects } from './migrations/migration.ts';
import type { Migration, SchemaNames } from './migrations/migration.ts';

/** Runs one or several statements; only one with values. */
export type StatementRunner = (
  sql: string,
  values?: readonly unknown[],
) => Promise<Record<string, unknown>[]>;

/** A migration's facts for display. */
export interface AppliedMigration {
  number: number;
  title: string;
  /** The oldest council that may still be used after it. */
  beside: string;
}

export interface MigrationResult {
  schema: string;
  applied: AppliedMigration[];
  /** The number of the schema's last migration afterwards. */
  at: number;
  /** The roles that council may use. */
  roles: string[];
}

export interface MigrateOptions {
  /** A plain name: see place.ts. */
  schema: string;
  /** A role that gets what council needs, in addition to earlier ones. */
  appRole?: string | undefined;
  /** Only report what would be done, and roll it back. */
  dryRun: boolean;
  /** Replaced by tests. */
  migrations?: readonly Migration[];
}

/**
 * Applies missing migrations in one transaction. If two run at once, the second finds nothing to do. Throws
 * `failed` for a schema newer than this program, an unknown role, or rights that the owner lacks.
 */
export async function migrate(run: StatementRunner, options: MigrateOptions): Promise<MigrationResult> {
  const { schema, appRole, dryRun, migrations = MIGRATIONS } = options;
  const names = nameSchemaObjects(schema);
  await run('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
  try {
    await run('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', ['council store migrate', schema]);
    const done = await listAppliedMigrations(run, schema);
    requireKnown(done, migrations, schema);
    const missing = migrations.filter(({ number }) => !done.some((one) => one.number === number));
    if (done.length === 0) await prepare(run, names);
    if (appRole !== undefined) await recordRole(run, names, appRole);
    const roles = await asSealer(run, names, async () => {
      for (const one of missing) await apply(run, names, one);
      return grantAll(run, names);
    });
    await run(dryRun ? 'ROLLBACK' : 'COMMIT');
    const at = Math.max(0, ...[...done, ...missing].map(({ number }) => number));
    return { schema, applied: missing.map(pickMigrationFacts), at, roles };
  } catch (error) {
    await run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const pickMigrationFacts = ({ number, title, beside }: AppliedMigration): AppliedMigration => ({
  number,
  title,
  beside,
});

/** Lists the migrations applied to the schema; empty if it does not exist. */
async function listAppliedMigrations(run: StatementRunner, schema: string): Promise<AppliedMigration[]> {
  const [found] = await run('SELECT to_regclass($1) IS NOT NULL AS is', [`"${schema}".migrations`]);
  if (found?.is !== true) return [];
  const rows = await run(`SELECT number, title, beside FROM "${schema}".migrations ORDER BY number`);
  return rows as unknown as AppliedMigration[];
}

function requireKnown(done: readonly AppliedMigration[], known: readonly Migration[], schema: string): void {
  const strange = done.find(({ number }) => !known.some((one) => one.number === number));
  if (strange)
    throw new CouncilError(
      'failed',
      `The schema ${schema} has been through migration ${strange.number} (${strange.title}), which this council does not know.`,
      { hint: 'Migrate with the newest council that works on it.', details: { migration: strange.number } },
    );
}

/** Creates the schema, and the role that owns the sealed texts. */
async function prepare(run: StatementRunner, { schema, sealer }: SchemaNames): Promise<void> {
  const name = sealer.slice(1, -1);
  const [role] = await run('SELECT rolcanlogin, rolsuper FROM pg_roles WHERE rolname = $1', [name]);
  if (role?.rolcanlogin === true || role?.rolsuper === true)
    throw new CouncilError(
      'failed',
      `The role ${name} is to own the sealed texts, but somebody can log in as it.`,
      {
        hint: `A superuser takes that away: ALTER ROLE ${sealer} NOLOGIN NOSUPERUSER`,
      },
    );
  if (!role)
    await asOwner(run, `CREATE ROLE ${sealer} NOLOGIN`, [
      `CREATE ROLE ${sealer} NOLOGIN`,
      `GRANT ${sealer} TO`,
    ]);
  await asOwner(run, `CREATE SCHEMA IF NOT EXISTS ${schema}`, ['GRANT CREATE ON DATABASE … TO']);
  await run(`
CREATE TABLE ${schema}.migrations (
  number integer PRIMARY KEY, title text NOT NULL, beside text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(), by name NOT NULL DEFAULT SESSION_USER
);
CREATE TABLE ${schema}.roles (role name PRIMARY KEY);`);
}

/** `help`: statements for a superuser if the owner lacks the right; the owner's name is appended to the last. */
async function asOwner(run: StatementRunner, sql: string, help: readonly string[]): Promise<void> {
  const [me] = await run('SELECT quote_ident(current_user) AS name');
  try {
    await run(sql);
  } catch (error) {
    if ((error as { code?: unknown }).code !== '42501') throw error;
    throw new CouncilError('failed', `${String(me?.name)} may not do this here: ${sql}`, {
      hint: `Only the owner of the database migrates it. For ${String(me?.name)}, if that is the owner, a superuser does once: ${help.join('; ')} ${String(me?.name)}`,
      cause: error,
    });
  }
}

/** Lets the owner act as the role that owns the sealed texts only while `work` runs. */
async function asSealer<T>(
  run: StatementRunner,
  { sealer }: SchemaNames,
  work: () => Promise<T>,
): Promise<T> {
  const [can] = await run(
    `SELECT pg_has_role(current_user, $1,
      CASE WHEN current_setting('server_version_num')::integer < 160000 THEN 'MEMBER' ELSE 'SET' END) AS is`,
    [sealer.slice(1, -1)],
  );
  if (can?.is === true) return work();
  await asOwner(run, `GRANT ${sealer} TO CURRENT_USER`, [`GRANT ${sealer} TO`]);
  const done = await work();
  await run(`REVOKE ${sealer} FROM CURRENT_USER`);
  return done;
}

async function apply(
  run: StatementRunner,
  names: SchemaNames,
  { number, title, beside, sql }: Migration,
): Promise<void> {
  await run(sql(names));
  await run(`INSERT INTO ${names.schema}.migrations (number, title, beside) VALUES ($1, $2, $3)`, [
    number,
    title,
    beside,
  ]);
}

async function recordRole(run: StatementRunner, { schema }: SchemaNames, role: string): Promise<void> {
  const [found] = await run('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (!found)
    throw new CouncilError('failed', `There is no role ${role} on this server.`, {
      hint: `CREATE ROLE ${quoteIdentifier(role)} LOGIN PASSWORD '…'`,
    });
  await run(`INSERT INTO ${schema}.roles (role) VALUES ($1) ON CONFLICT DO NOTHING`, [role]);
}

/** Grants each registered role what council needs, and revokes the rest; the owner's rights are kept. */
async function grantAll(run: StatementRunner, names: SchemaNames): Promise<string[]> {
  const { schema, sealed, sealer } = names;
  const roles = await run(
    `SELECT role, role = current_user AS own FROM ${schema}.roles JOIN pg_roles ON rolname = role ORDER BY role`,
  );
  for (const { role, own } of roles) {
    const to = quoteIdentifier(String(role));
    if (own !== true) await grantTables(run, schema, to);
    await run(`SET LOCAL ROLE ${sealer};
      GRANT USAGE ON SCHEMA ${sealed} TO ${to}; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${sealed} TO ${to};
      RESET ROLE`);
  }
  return roles.map(({ role }) => String(role));
}

async function grantTables(run: StatementRunner, schema: string, to: string): Promise<void> {
  await run(
    `GRANT USAGE ON SCHEMA ${schema} TO ${to}; REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${to}`,
  );
  for (const [table, rights] of Object.entries(TABLE_GRANTS))
    await run(`GRANT ${rights} ON ${schema}.${table} TO ${to}`);
}

const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
