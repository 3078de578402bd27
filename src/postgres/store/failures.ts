// PostgreSQL driver: classifies errors of the server and the connection. Errors never show a statement's text.
import { CouncilError, getSystemCode } from '../../core/base/errors.ts';

/** The classes of failures, by what a caller can do. */
export type FailureMeaning = 'lost' | 'conflict' | 'busy' | 'refused';

/** SQLSTATEs of a server that stops, starts, or ends a connection; class 08 is the connection's. */
const LOST = /^(?:08...|57P0[1235]|25P03)$/;
/** Serialization failure and deadlock. */
const CONFLICT = /^(?:40001|40P01)$/;
/** A lock or a statement that took too long. */
const BUSY = /^(?:55P03|57014)$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Returns an error's SQLSTATE, or undefined if it did not come from the server. */
export function getSqlState(thrown: unknown): string | undefined {
  const code = getSystemCode(thrown);
  return code !== undefined && SQLSTATE.test(code) && 'severity' in (thrown as object) ? code : undefined;
}

/** `lost`: it is unknown whether the statement took effect. */
export function classifyDatabaseError(thrown: unknown): FailureMeaning {
  const state = getSqlState(thrown);
  if (state === undefined) return thrown instanceof CouncilError ? 'refused' : 'lost';
  if (LOST.test(state)) return 'lost';
  if (CONFLICT.test(state)) return 'conflict';
  return BUSY.test(state) ? 'busy' : 'refused';
}

/** Converts a failure to council's error. `displayName` names the place. */
export function asStoreError(thrown: unknown, displayName: string): CouncilError {
  if (thrown instanceof CouncilError) return thrown;
  const state = getSqlState(thrown);
  const details = {
    sqlstate: state ?? null,
    system: state === undefined ? (getSystemCode(thrown) ?? null) : null,
  };
  const known =
    state === undefined ? explainUnreachable(thrown, displayName) : explainSqlState(state, displayName);
  return new CouncilError(known.code ?? 'io', known.message, {
    hint: known.hint,
    details,
    cause: nameOnly(thrown),
  });
}

interface FailureExplanation {
  code?: 'conflict' | 'failed' | 'io';
  message: string;
  hint: string;
}

/** Messages of `pg` that have no code, and their meaning. */
const WITHOUT_CODE: readonly (readonly [RegExp, string, string])[] = [
  [
    /client password must be/,
    'asks for a password, and none is given',
    'Give it in COUNCIL_DATABASE_URL, in PGPASSWORD, or in ~/.pgpass.',
  ],
  [
    /does not support SSL/,
    'takes no encrypted connections',
    'Let the server offer them (ssl = on), or take sslmode out of the address.',
  ],
];
const NO_SUCH_HOST = /^(?:ENOTFOUND|EAI_AGAIN)$/;
const NOT_TRUSTED = /CERT|SIGNATURE|^ERR_TLS/;

function explainUnreachable(thrown: unknown, displayName: string): FailureExplanation {
  const code = getSystemCode(thrown);
  const said = thrown instanceof Error ? thrown.message : '';
  const known = code === undefined && WITHOUT_CODE.find(([pattern]) => pattern.test(said));
  if (known) return { code: 'failed', message: `${displayName} ${known[1]}.`, hint: known[2] };
  if (code !== undefined && NOT_TRUSTED.test(code))
    return {
      code: 'failed',
      message: `The certificate of ${displayName} is not trusted (${code}).`,
      hint: 'Name who has signed it in the address: sslmode=verify-full&sslrootcert=FILE',
    };
  const where = code !== undefined && NO_SUCH_HOST.test(code) ? 'Is the name of the host right? ' : '';
  return {
    message: `${displayName} cannot be reached${code === undefined ? '' : ` (${code})`}.`,
    hint: `${where}Is the server running? Nothing that was acknowledged is lost. Then run the same command again.`,
  };
}

function explainSqlState(state: string, displayName: string): FailureExplanation {
  const again = 'Run the same command again in a moment.';
  if (CONFLICT.test(state))
    return { code: 'conflict', message: `${displayName}: somebody else was faster.`, hint: again };
  if (BUSY.test(state))
    return { code: 'conflict', message: `${displayName} is busy: a lock was not free in time.`, hint: again };
  if (LOST.test(state))
    return { message: `${displayName} has ended the connection (${state}).`, hint: again };
  if (state === '42P01' || state === '3F000' || state === '42703' || state === '42883')
    return {
      code: 'failed',
      message: `${displayName} has no tables of council, or those of an older version.`,
      hint: 'Its owner prepares it with: council store migrate',
    };
  if (state === '42501')
    return {
      code: 'failed',
      message: `${displayName}: this role may not do that.`,
      hint: 'Its owner gives a role what it needs with: council store migrate --app-role ROLE',
    };
  const login = LOGIN[state] ?? (state.startsWith('28') ? LOGIN['28000'] : undefined);
  if (login) return { code: 'failed', message: `${displayName} ${login[0]} (${state}).`, hint: login[1] };
  if (state === '53100')
    return {
      message: `The disk of ${displayName} is full (${state}).`,
      hint: 'Nothing was changed, and what was acknowledged stays. Make space there, then run the same command again.',
    };
  if (state.startsWith('53'))
    return {
      message: `${displayName} has run out of something (${state}: ${SHORT_OF[state] ?? 'resources'}).`,
      hint: again,
    };
  if (state === '25006')
    return {
      message: `${displayName} is a replica, or read-only: it cannot be written to.`,
      hint: 'Name the server that is written to in COUNCIL_DATABASE_URL.',
    };
  return {
    code: 'failed',
    message: `${displayName} refused a statement of council (SQLSTATE ${state}).`,
    hint: "The server's log says more. Please report it.",
  };
}

const SHORT_OF: Record<string, string> = { '53200': 'memory', '53300': 'connections' };

/** Why a server refuses a connection, and what to do. */
const LOGIN: Record<string, readonly [why: string, hint: string]> = {
  '28P01': [
    'does not let this user in: the name or the password is wrong',
    'The password is looked for in COUNCIL_DATABASE_URL, then in PGPASSWORD, then in ~/.pgpass.',
  ],
  '28000': [
    'does not let this user in',
    'Does the role exist, and does pg_hba.conf on the server let it in from this machine?',
  ],
  '3D000': [
    'is not there: the server has no such database',
    "Look at its name in the address, or make it: CREATE DATABASE … ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0",
  ],
};

/** The server's message may contain a text, so only the error's name is passed on. */
const nameOnly = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : 'unknown');
