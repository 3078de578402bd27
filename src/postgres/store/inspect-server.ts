// PostgreSQL driver: work on a separate connection: migrations, and inspecting the server and ways past the seal.

import { createConnectionPool } from './client.ts';
import { asStoreError } from './failures.ts';
import { migrate } from './migrate.ts';
import type { MigrationResult, MigrateOptions, StatementRunner } from './migrate.ts';
import type { DatabasePlace } from './place.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { nameSchemaObjects } from './migrations/migration.ts';

const AS_LONG_AS_IT_TAKES = 0;
const INSPECTED_MS = 5000;

export const migrateDatabase = (
  place: DatabasePlace,
  options: Omit<MigrateOptions, 'schema'>,
): Promise<MigrationResult> =>
  visit(place, AS_LONG_AS_IT_TAKES, (run) => migrate(run, { ...options, schema: place.schema }));

/** Collects the facts for doctor; `ways`: how the role could bypass the guards of sealed texts. */
export const inspectDatabase = (place: DatabasePlace): Promise<{ facts: ServerFacts; ways: GuardBypass[] }> =>
  visit(place, INSPECTED_MS, async (run) => ({
    facts: await inspectServer(run),
    ways: await findWaysPastSeal(run, place.schema),
  }));

async function visit<T>(
  place: DatabasePlace,
  answerMs: number,
  work: (run: StatementRunner) => Promise<T>,
): Promise<T> {
  const connections = await createConnectionPool(place, 1, answerMs);
  try {
    return await connections.lend(({ query }) => work(query));
  } catch (error) {
    throw asStoreError(error, place.displayName);
  } finally {
    await connections.end();
  }
}

/** The server as seen by this role. */
export interface ServerFacts {
  /** As in 150004, and for display. */
  version: number;
  versionName: string;
  encoding: string;
  /** A standby that follows another server and takes no commits. */
  isReplica: boolean;
  isReadOnly: boolean;
  fsync: boolean;
  /** Undefined if the connection does not use a network. */
  isEncrypted: boolean | undefined;
  /** Settings that write texts into the server's log. */
  telling: LogSetting[];
}

/** A server setting that logs the texts of statements, or their values. */
interface LogSetting {
  name: string;
  value: string;
}

const FACTS = `
SELECT current_setting('server_version_num')::integer AS version, current_setting('server_version') AS "versionName",
  current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isReplica",
  current_setting('default_transaction_read_only') = 'on' AS "isReadOnly",
  current_setting('fsync') = 'on' AS fsync,
  CASE WHEN inet_server_addr() IS NULL OR host(inet_server_addr()) IN ('127.0.0.1', '::1') THEN NULL
    ELSE coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) END AS "isEncrypted"`;

/** Settings of the server and of possible extensions; those of an extension that is not loaded are null. */
const SETTINGS = [
  'log_statement',
  'log_min_duration_statement',
  'log_min_duration_sample',
  'log_statement_sample_rate',
  'log_transaction_sample_rate',
  'log_parameter_max_length',
  'log_parameter_max_length_on_error',
  'log_min_error_statement',
  'debug_print_plan',
  'auto_explain.log_min_duration',
  'auto_explain.log_parameter_max_length',
  'pgaudit.log',
  'pgaudit.log_parameter',
] as const;
type ServerSettings = Record<(typeof SETTINGS)[number], string | null>;

/** Reads version, role and settings of a server. Throws like `run`. */
export async function inspectServer(run: StatementRunner): Promise<ServerFacts> {
  const [facts] = await run(FACTS);
  const rows = await run(
    'SELECT name, current_setting(name, true) AS value FROM unnest($1::text[]) AS name',
    [SETTINGS],
  );
  const settings = Object.fromEntries(rows.map(({ name, value }) => [name, value])) as ServerSettings;
  const { isEncrypted, ...rest } = facts as unknown as Omit<ServerFacts, 'telling'>;
  return { ...rest, isEncrypted: isEncrypted ?? undefined, telling: findTellingSettings(settings) };
}

/**
 * Council sends texts as values, never inside a statement: a logged statement shows a text only if its values
 * are logged. A separate setting limits their bytes; -1 means all.
 */
function findTellingSettings(settings: ServerSettings): LogSetting[] {
  const number = (name: keyof ServerSettings): number => Number.parseFloat(settings[name] ?? '-1');
  const is = (name: keyof ServerSettings, value: string): boolean => settings[name] === value;
  const withValues = settings.log_parameter_max_length !== '0';
  const audits = !['', 'none', null].includes(settings['pgaudit.log']);
  const telling: (keyof ServerSettings | false)[] = [
    withValues && (is('log_statement', 'all') || is('log_statement', 'mod')) && 'log_statement',
    withValues && number('log_min_duration_statement') >= 0 && 'log_min_duration_statement',
    withValues &&
      number('log_min_duration_sample') >= 0 &&
      number('log_statement_sample_rate') > 0 &&
      'log_min_duration_sample',
    withValues && number('log_transaction_sample_rate') > 0 && 'log_transaction_sample_rate',
    !is('log_parameter_max_length_on_error', '0') &&
      !is('log_min_error_statement', 'panic') &&
      'log_parameter_max_length_on_error',
    is('debug_print_plan', 'on') && 'debug_print_plan',
    settings['auto_explain.log_min_duration'] !== null &&
      number('auto_explain.log_min_duration') >= 0 &&
      !is('auto_explain.log_parameter_max_length', '0') &&
      'auto_explain.log_min_duration',
    audits && is('pgaudit.log_parameter', 'on') && 'pgaudit.log_parameter',
  ];
  return telling.flatMap((name) => (name === false ? [] : [{ name, value: settings[name] ?? '' }]));
}

/** A way past the functions, with the role that has it: this role or one that it can become. */
export interface GuardBypass {
  role: string;
  way: string;
}

/**
 * Lists what the connection's role can do, itself or as any role that it can become, since SET ROLE is no
 * obstacle. Uses `SESSION_USER`, because SET ROLE can be reset.
 */
const WAYS = `
WITH reach AS (
  SELECT oid, rolname, rolsuper, rolcreaterole, rolreplication FROM pg_catalog.pg_roles
  WHERE oid = SESSION_USER::regrole OR pg_has_role(SESSION_USER, oid, 'MEMBER')
), sealed AS (
  SELECT oid, relowner FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace($1) AND relkind = 'r'
), owners AS (
  SELECT relowner AS oid FROM sealed UNION SELECT nspowner FROM pg_catalog.pg_namespace WHERE oid = to_regnamespace($1)
  UNION SELECT proowner FROM pg_catalog.pg_proc WHERE pronamespace = to_regnamespace($1)
)
SELECT rolname AS role, 'is a superuser' AS way FROM reach WHERE rolsuper
UNION ALL SELECT rolname, 'owns the sealed texts' FROM reach WHERE oid IN (SELECT oid FROM owners) AND oid = SESSION_USER::regrole
UNION ALL SELECT SESSION_USER::text, 'can become the role that owns the sealed texts'
  WHERE EXISTS (SELECT FROM owners WHERE oid <> SESSION_USER::regrole AND pg_has_role(SESSION_USER, oid, 'MEMBER'))
UNION ALL SELECT rolname, 'may make roles, and so give itself the one that owns the sealed texts' FROM reach
  WHERE rolcreaterole AND current_setting('server_version_num')::integer < 160000
UNION ALL SELECT rolname, 'may read or change the table of sealed texts' FROM reach
  WHERE EXISTS (SELECT FROM sealed WHERE has_table_privilege(reach.oid, sealed.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
    OR has_any_column_privilege(reach.oid, sealed.oid, 'SELECT, INSERT, UPDATE'))
UNION ALL SELECT rolname, 'may put something beside the functions that guard them' FROM reach
  WHERE has_schema_privilege(reach.oid, $1, 'CREATE')
UNION ALL SELECT rolname, 'may copy the whole server' FROM reach WHERE rolreplication
UNION ALL SELECT rolname, 'may read the files of the server' FROM reach
  WHERE rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')`;

/** Lists how this connection's role could bypass the functions; empty if it cannot. */
export async function findWaysPastSeal(run: StatementRunner, schema: string): Promise<GuardBypass[]> {
  const rows = await run(WAYS, [nameSchemaObjects(schema).sealed.slice(1, -1)]);
  return rows.map(({ role, way }) => ({ role: String(role), way: String(way) }));
}

/** Throws `unsafe_private_dir` if sealed texts could be read. */
export async function requireSealed(run: StatementRunner, schema: string): Promise<void> {
  const [first] = await findWaysPastSeal(run, schema);
  if (!first) return;
  const [me] = await run('SELECT SESSION_USER AS role');
  const by = first.role === me?.role ? '' : `, as ${first.role}`;
  throw new CouncilError(
    'unsafe_private_dir',
    `This council would not be blind: the role ${String(me?.role)} ${first.way}${by}.`,
    {
      hint: 'Connect as a role of its own (docs/postgres.md), or start it without blindness: --open',
      details: { role: me?.role, way: first.way },
    },
  );
}
