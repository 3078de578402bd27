// PostgreSQL driver: which server, database and schema an address names.
import { CouncilError } from '../../base/errors.ts';

/** A place for one project's data. Nothing of it may be shown but `told`: the address can hold a password. */
export interface Place {
  /** The address for the driver of the protocol, without what is council's own. */
  url: string;
  /** As SQL names it, without quotes: a plain name. */
  schema: string;
  /** As people are told: no user, no password. */
  told: string;
}

const DEFAULT_SCHEMA = 'council';
const SCHEMA = /^[a-z_][a-z0-9_]{0,47}$/;
/** What a pooler does not pass on, or what would make sessions differ from each other. */
const REFUSED = ['options', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/**
 * Reads `postgres://user@host:5432/database?schema=name`. `source` says where it was found; `secret`: a password may be in it.
 * Throws `invalid_config`, whose sentence never holds the address.
 */
export function placeOf(address: string, source: string, { secret }: { secret: boolean }): Place {
  const refuse = (why: string, hint: string): CouncilError =>
    new CouncilError('invalid_config', `${source}: ${why}`, { hint });
  const url = URL.parse(address);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw refuse(
      'this is no address of a PostgreSQL database.',
      'Expected: postgres://user@host:5432/database?schema=my_project',
    );
  if (!secret && (url.password !== '' || url.searchParams.has('password')))
    throw refuse(
      'the address holds a password, and everybody who reads the project would read it.',
      'Take it out and change it. Give it with COUNCIL_DATABASE_URL, PGPASSWORD or a .pgpass file.',
    );
  const unfit = REFUSED.find((name) => url.searchParams.has(name));
  if (unfit !== undefined)
    throw refuse(
      `"${unfit}" cannot be given in the address: a connection pooler would not pass it on.`,
      'Set it for the role: ALTER ROLE … SET …',
    );
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA;
  if (!SCHEMA.test(schema) || schema.startsWith('pg_'))
    throw refuse(
      'the schema must be a plain name.',
      'Use 1 to 48 lower-case letters, digits and underscores, for example ?schema=my_project',
    );
  url.searchParams.delete('schema');
  const database = decodeURIComponent(url.pathname.slice(1));
  return { url: url.href, schema, told: `postgres://${url.host}/${database}/${schema}` };
}
