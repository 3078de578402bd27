// The error of council, and its codes with their exit codes.

/** Every way council can refuse or fail, by code. The value is the process exit code (docs/commands.md#exit-codes). */
export const EXIT_CODES = {
  usage: 2,
  no_project: 2,
  invalid_id: 2,
  invalid_config: 2,
  invalid_agent: 2,
  invalid_mode: 2,
  unknown_agent: 2,
  unknown_council: 2,
  unknown_mode: 2,
  unknown_archive: 2,
  unknown_revision: 2,
  no_verdict: 3,
  name_taken: 1,
  phase_closed: 1,
  not_your_turn: 1,
  different_text: 1,
  key_reused: 1,
  forbidden: 1,
  reserved: 1,
  untrusted: 1,
  stale_lease: 1,
  empty_text: 1,
  invalid_text: 1,
  too_large: 1,
  sealed_text_missing: 1,
  commitment_mismatch: 1,
  hand_edit: 1,
  corrupt: 1,
  unsafe_private_dir: 1,
  not_a_file: 1,
  unsafe_path: 1,
  no_hard_links: 1,
  io: 1,
  store_away: 1,
  failed: 1,
  commit_uncertain: 75,
  conflict: 75,
  unreachable: 75,
  timed_out: 124,
  interrupted: 130,
} as const;

export type ErrorCode = keyof typeof EXIT_CODES;

/** Facts of an error for machines. What council itself reads of them has a type; the rest goes to `--json` as it is. */
export interface ErrorDetails {
  /** Where a text was kept that could not be recorded, or why it could not be kept. */
  kept?: string | { failed: string };
  /** `not_a_file`: what lies there, such as "a FIFO". */
  kind?: string;
  /** `io`: the code of the system call. */
  errno?: string;
  /** `unknown_archive`: the paths that a name may mean. */
  matching?: readonly string[];
  /**
   * `store_away`. `gone`: the folder is not there; `replaced`: another one stands in its place; `unreachable`: the database does
   * not answer.
   */
  trouble?: 'gone' | 'replaced' | 'read_only' | 'full' | 'unreachable';
  [field: string]: unknown;
}

/** What an error carries besides its sentence: the command that helps, and facts for machines. */
export interface ErrorContext {
  /** What to do next, preferably a command. */
  hint?: string;
  /** Extra fields for `--json` (never a contribution's text while a phase is blind). */
  details?: ErrorDetails;
  cause?: unknown;
}

const BRAND = Symbol.for('council.error');

/** The one error class of council: a stable code, a sentence that says what was wrong and where, a hint. */
export class CouncilError extends Error {
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = 'CouncilError';
    this.code = code;
    this.hint = context.hint;
    this.details = context.details ?? {};
  }

  /** Also those of another copy of this class: parts of the program that few need are bundled by themselves. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && BRAND in value;
  }

  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}

/** The `code` of a Node system error (`ENOSPC`, `EEXIST` …), or undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof CouncilError || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What `work` returns; undefined where council refuses it, with this code if one is named. Throws anything else. */
export function ignoreRefusal<T>(work: () => T, code?: ErrorCode): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof CouncilError && (code === undefined || error.code === code)) return undefined;
    throw error;
  }
}

/** What `work` returns; undefined where the system refuses it. Throws anything else. */
export function ignoreSystemFault<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Codes of the system for a disk that is full. */
export const DISK_FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** What was thrown, in words. */
export const describeThrown = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** What a command line or a call asks wrongly, and how to ask. */
export const createUsageError = (message: string, hint: string): CouncilError =>
  new CouncilError('usage', message, { hint });

/** An error as `--json` carries it. */
export function errorDocument(
  error: CouncilError,
): { code: string; message: string; hint: string | null } & Record<string, unknown> {
  return { ...error.details, code: error.code, message: error.message, hint: error.hint ?? null };
}

/** What was thrown, as the error that is shown: a failing system call is `io`, anything unknown a bug. */
export function asCouncilError(thrown: unknown): CouncilError {
  if (thrown instanceof CouncilError) return thrown;
  const code = systemCode(thrown);
  if (code)
    return new CouncilError('io', describeThrown(thrown), { details: { system: code }, cause: thrown });
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return new CouncilError('failed', `This is a bug in council: ${stack}`, {
    hint: 'Nothing that was acknowledged is lost. Please report it with the lines above.',
  });
}
