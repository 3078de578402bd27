// PostgreSQL driver: what an error of the server or of the connection means. No text of a statement is ever told.
import { CouncilError, systemCode } from '../../base/errors.ts';

/** What a caller can do about a failure. */
export type Meaning = 'lost' | 'conflict' | 'busy' | 'refused';

/** SQLSTATEs of a server that goes down, comes up, or ends a connection; class 08 is the connection's own. */
const LOST = /^(?:08...|57P0[1235]|25P03)$/;
/** Serialization failure and deadlock. */
const CONFLICT = /^(?:40001|40P01)$/;
/** A lock or a statement that took too long. */
const BUSY = /^(?:55P03|57014)$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The SQLSTATE of what was thrown; undefined for what did not come from the server. */
export function sqlState(thrown: unknown): string | undefined {
  const code = systemCode(thrown);
  return code !== undefined && SQLSTATE.test(code) && 'severity' in (thrown as object) ? code : undefined;
}

/** `lost`: nobody knows whether the statement took effect. */
export function meaningOf(thrown: unknown): Meaning {
  const state = sqlState(thrown);
  if (state === undefined) return thrown instanceof CouncilError ? 'refused' : 'lost';
  if (LOST.test(state)) return 'lost';
  if (CONFLICT.test(state)) return 'conflict';
  return BUSY.test(state) ? 'busy' : 'refused';
}

/** The failure as council tells it. `told` names the place. */
export function asStoreError(thrown: unknown, told: string): CouncilError {
  if (thrown instanceof CouncilError) return thrown;
  const state = sqlState(thrown);
  const details = {
    sqlstate: state ?? null,
    system: state === undefined ? (systemCode(thrown) ?? null) : null,
  };
  const known = state === undefined ? unreachable(thrown, told) : explained(state, told);
  return new CouncilError(known.code ?? 'io', known.message, {
    hint: known.hint,
    details,
    cause: nameOnly(thrown),
  });
}

interface Explained {
  code?: 'conflict' | 'failed' | 'io';
  message: string;
  hint: string;
}

function unreachable(thrown: unknown, told: string): Explained {
  const code = systemCode(thrown);
  return {
    message: `${told} cannot be reached${code === undefined ? '' : ` (${code})`}.`,
    hint: 'Is the server running? Nothing that was acknowledged is lost. Then run the same command again.',
  };
}

function explained(state: string, told: string): Explained {
  const again = 'Run the same command again in a moment.';
  if (CONFLICT.test(state))
    return { code: 'conflict', message: `${told}: somebody else was faster.`, hint: again };
  if (BUSY.test(state))
    return { code: 'conflict', message: `${told} is busy: a lock was not free in time.`, hint: again };
  if (LOST.test(state)) return { message: `${told} has ended the connection (${state}).`, hint: again };
  if (state === '42P01' || state === '3F000' || state === '42703' || state === '42883')
    return {
      code: 'failed',
      message: `${told} has no tables of council, or those of an older version.`,
      hint: 'Its owner prepares it with: council store migrate',
    };
  if (state === '42501')
    return {
      code: 'failed',
      message: `${told}: this role may not do that.`,
      hint: 'Its owner gives a role what it needs with: council store migrate --app-role ROLE',
    };
  if (state.startsWith('28') || state === '3D000')
    return {
      code: 'failed',
      message: `${told} does not let this user in (${state}).`,
      hint: 'Look at the user, the password and the database in COUNCIL_DATABASE_URL.',
    };
  if (state.startsWith('53'))
    return {
      message: `${told} has run out of something (${state}: ${SHORT_OF[state] ?? 'resources'}).`,
      hint: again,
    };
  if (state === '25006')
    return {
      message: `${told} is a replica, or read-only: it cannot be written to.`,
      hint: 'Name the server that is written to in COUNCIL_DATABASE_URL.',
    };
  return {
    code: 'failed',
    message: `${told} refused a statement of council (SQLSTATE ${state}).`,
    hint: "The server's log says more. Please report it.",
  };
}

const SHORT_OF: Record<string, string> = { '53100': 'disk', '53200': 'memory', '53300': 'connections' };

/** What the server says beside its code can hold a text: only the name of the error goes on. */
const nameOnly = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : 'unknown');
