// PostgreSQL driver: parses a database address, looks up its password, and tracks open sockets.
import { CouncilError } from '../../core/base/errors.ts';
import { requireConversationId, requireFileName } from '../../core/store/names.ts';
import { isSealed } from '../../core/store/small-files.ts';
import type { PrivateTexts } from '../../core/store/small-files.ts';
import { Socket } from 'node:net';

/** The address of one project's data. Only `displayName` may be shown: the URL can contain a password. */
export interface DatabasePlace {
  /** The address for `pg`, without council's own parameters. */
  url: string;
  /** The schema's SQL name, unquoted: a plain name. */
  schema: string;
  /** For display: without user and password. */
  displayName: string;
}

const DEFAULT_SCHEMA = 'council';
const SCHEMA = /^[a-z_][a-z0-9_]{0,47}$/;
/** Parameters that a pooler does not pass on, or that would make sessions differ. */
const REFUSED = ['options', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/** Parameters that `pg` knows, or ignores because they are meant for other drivers. */
const KNOWN = new Set(
  `schema user password host port database dbname sslmode sslcert sslkey sslrootcert sslnegotiation ssl uselibpqcompat
   application_name fallback_application_name client_encoding connect_timeout channel_binding keepalives
   target_session_attrs`.split(/\s+/),
);
/** `pg` treats the second to fourth as `verify-full`, and prints a long warning. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const AS_FULL = new Set(['prefer', 'require', 'verify-ca']);

/**
 * Parses `postgres://user@host:5432/database?schema=name`. `source` says where it was found; `secret`: it may
 * contain a password. Throws `invalid_config`, whose message never contains the address.
 */
export function parseDatabaseAddress(
  address: string,
  source: string,
  { secret }: { secret: boolean },
): DatabasePlace {
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
  requireKnown(url.searchParams, refuse);
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA;
  if (!SCHEMA.test(schema) || schema.startsWith('pg_'))
    throw refuse(
      'the schema must be a plain name.',
      'Use 1 to 48 lower-case letters, digits and underscores, for example ?schema=my_project',
    );
  url.searchParams.delete('schema');
  if (AS_FULL.has(url.searchParams.get('sslmode') ?? '') && !url.searchParams.has('uselibpqcompat'))
    url.searchParams.set('sslmode', 'verify-full');
  const database = decodeURIComponent(url.pathname.slice(1));
  return { url: url.href, schema, displayName: `postgres://${url.host}/${database}/${schema}` };
}

/** A misspelt parameter would be ignored: `?shema=mine` would select another project. */
function requireKnown(
  parameters: URLSearchParams,
  refuse: (why: string, hint: string) => CouncilError,
): void {
  // Its name is not shown: after a "&" in a password, it is part of the password.
  if ([...parameters.keys()].some((name) => !KNOWN.has(name)))
    throw refuse(
      'the address has a parameter that council does not know.',
      'For example: ?schema=my_project&sslmode=verify-full. In a password write & as %26.',
    );
  const mode = parameters.get('sslmode');
  if (mode !== null && !MODES.includes(mode))
    throw refuse('the address has an sslmode that there is not.', `Use one of ${MODES.join(', ')}`);
}

/** A marker next to a sealed text whose commit was acknowledged. A database needs none: it loses no such commit. */
export const isMark = (name: string): boolean => name.startsWith('committed-');

/** Returns the path of a private text, existing or not. */
export const formatPrivatePath = (
  displayName: string,
  local: Pick<PrivateTexts, 'path'>,
  conversation: string,
  name: string,
): string =>
  isSealed(name) || isMark(name)
    ? `${displayName}/sealed/${requireConversationId(conversation)}/${requireFileName(name)}`
    : local.path(conversation, name);

/** Looks up the password in .pgpass. `pg` does so as well, but warns that this will end. */
export async function resolveLogin({ url }: DatabasePlace): Promise<string> {
  const address = new URL(url);
  const { hostname: host, port, username, password, pathname } = address;
  if (password !== '' || address.searchParams.has('password') || process.env.PGPASSWORD || username === '')
    return url;
  const { default: pgpass } = await import('pgpass');
  const found = await new Promise<string | undefined>((resolve) =>
    pgpass(
      {
        host,
        port: Number(port || '5432'),
        user: decodeURIComponent(username),
        database: decodeURIComponent(pathname.slice(1)),
      },
      resolve,
    ),
  );
  if (found !== undefined) address.password = encodeURIComponent(found);
  return address.href;
}

interface Sockets {
  open: Set<Socket>;
  isClosed: boolean;
}

const byAddress = new Map<string, Sockets>();

/** The sockets to one server. Closing them fails all statements and connects that wait for an answer. */
export function findSockets({ url }: Pick<DatabasePlace, 'url'>) {
  const sockets = byAddress.get(url) ?? { open: new Set(), isClosed: false };
  byAddress.set(url, sockets);
  const drop = (why?: CouncilError): void => {
    for (const socket of sockets.open) socket.destroy(why);
  };
  return {
    open(): Socket {
      const socket = new Socket();
      sockets.open.add(socket);
      // `pg` connects it first.
      if (sockets.isClosed) setImmediate(() => socket.destroy());
      return socket.once('close', () => sockets.open.delete(socket));
    },
    /** Closes open sockets; `why` is the error for waiting statements. New ones can be opened. */
    drop,
    /** Closes open sockets, and every later one: the process is about to exit. */
    close(): void {
      sockets.isClosed = true;
      drop();
    },
  };
}
