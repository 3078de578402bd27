// PostgreSQL driver: whether the role that council works as could read sealed texts past the functions that guard them.
import { CouncilError } from '../../core/base/errors.ts';
import type { Run } from './migrate.ts';
import { nameSchemaObjects } from './migrations/migration.ts';

/** A way past the functions: the role that has it, which may be one that this role can become. */
export interface WayIn {
  role: string;
  way: string;
}

/**
 * Everything that the role of this connection can do, itself or as a role that it can become: SET ROLE is no obstacle, so
 * that it is asked of every role in reach. `SESSION_USER`, because what was set can be reset.
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

/** How the role of this connection could get past the functions; empty where it cannot. */
export async function waysPastTheSeal(run: Run, schema: string): Promise<WayIn[]> {
  const rows = await run(WAYS, [nameSchemaObjects(schema).sealed.slice(1, -1)]);
  return rows.map(({ role, way }) => ({ role: String(role), way: String(way) }));
}

/** Refuses what would not be blind. Throws `unsafe_private_dir`. */
export async function requireSealed(run: Run, schema: string): Promise<void> {
  const [first] = await waysPastTheSeal(run, schema);
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
