// Council's error class, and its codes with their exit codes.

/** All error codes. The value is the process exit code (docs/commands.md#exit-codes). */
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

/** Machine-readable facts of an error. Fields used by council itself are typed; others are passed to `--json`. */
export interface ErrorDetails {
  /** Where a text that could not be recorded was kept, or why it could not be kept. */
  kept?: string | { failed: string };
  /** `not_a_file`: the kind of file found, such as "a FIFO". */
  kind?: string;
  /** `io`: the error code of the system call. */
  errno?: string;
  /** `unknown_archive`: the paths that match a name. */
  matching?: readonly string[];
  /**
   * `store_away`. `gone`: the folder is missing; `replaced`: it is another folder now; `unreachable`: the
   * database does not answer.
   */
  trouble?: 'gone' | 'replaced' | 'read_only' | 'full' | 'unreachable';
  [field: string]: unknown;
}

/** Optional parts of an error: a command that helps, and facts for machines. */
export interface ErrorContext {
  /** What to do next, preferably a command. */
  hint?: string;
  /** Extra fields for `--json` (never a contribution's text during a blind phase). */
  details?: ErrorDetails;
  cause?: unknown;
}

const BRAND = Symbol.for('council.error');

/** Council's only error class: a stable code, a sentence about what was wrong and where, and a hint. */
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

  /** Recognizes errors from other copies of this class, since rarely used parts are bundled separately. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && BRAND in value;
  }

  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}

/** Returns the `code` of a Node system error (`ENOSPC`, `EEXIST` …); undefined for anything else. */
export function getSystemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof CouncilError || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What `work` returns; undefined where council refuses it, with one of these codes if any are named. Throws anything else. */
export function ignoreRefusal<T>(work: () => T, ...codes: ErrorCode[]): T | undefined {
  try {
    return work();
  } catch (error) {
    return ignoreCodes(...codes)(error);
  }
}

/** As ignoreRefusal, for the `catch` of a promise. */
export const ignoreCodes =
  (...codes: ErrorCode[]) =>
  (error: unknown): undefined => {
    if (!(error instanceof CouncilError) || (codes.length > 0 && !codes.includes(error.code))) throw error;
  };

/** What `work` returns, or the error by which council refuses it. Throws anything else. */
export function catchRefusal<T>(work: () => T): T | CouncilError {
  try {
    return work();
  } catch (error) {
    if (error instanceof CouncilError) return error;
    throw error;
  }
}

/** What `work` returns; undefined where the system refuses it, with one of these codes if any are named. Throws anything else. */
export function ignoreSystemFault<T>(work: () => T, ...codes: string[]): T | undefined {
  try {
    return work();
  } catch (error) {
    const code = getSystemCode(error);
    if (code === undefined || (codes.length > 0 && !codes.includes(code))) throw error;
    return undefined;
  }
}

/** System error codes for a full disk. */
export const DISK_FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

export const describeThrown = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Creates an error for wrong usage of a command line or a call, with the correct usage. */
export const createUsageError = (message: string, hint: string): CouncilError =>
  new CouncilError('usage', message, { hint });

/** Converts an error to its form in `--json`. */
export function toErrorDocument(
  error: CouncilError,
): { code: string; message: string; hint: string | null } & Record<string, unknown> {
  return { ...error.details, code: error.code, message: error.message, hint: error.hint ?? null };
}

/** Converts anything thrown to an error for display: a failed system call is `io`, anything unknown a bug. */
export function asCouncilError(thrown: unknown): CouncilError {
  if (thrown instanceof CouncilError) return thrown;
  const code = getSystemCode(thrown);
  if (code)
    return new CouncilError('io', describeThrown(thrown), { details: { system: code }, cause: thrown });
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return new CouncilError('failed', `This is a bug in council: ${stack}`, {
    hint: 'Nothing that was acknowledged is lost. Please report it with the lines above.',
  });
}
