// Problem documents (RFC 9457): how a refusal is told over HTTP.
import { EXIT_CODES } from '../../core/base/errors.ts';
import type { ErrorCode } from '../../core/base/errors.ts';
import type { Done } from '../remote/perform-call.ts';

/** What is wrong, as it goes over the wire; `document` is what a command prints with --json. */
export interface Problem {
  type: string;
  title: string;
  status: ProblemStatus;
  detail: string;
  code: string;
  hint: string | null;
  /** The code whose exit code a command ends with, where that is another one. */
  failed?: string;
  document?: unknown;
  /** The notes of the command, for a command line that asks. */
  notes?: string[];
}

export const PROBLEM_TYPE = 'application/problem+json';

const TITLES = {
  400: 'Bad request',
  401: 'Token needed',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  412: 'Changed meanwhile',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Not accepted',
  428: 'Revision needed',
  429: 'Too many requests',
  500: 'Failed',
  503: 'Not now',
  504: 'Timed out',
} as const;
export type ProblemStatus = keyof typeof TITLES;

/** The status of every code; whatever is not named is a failure of the server. */
const STATUSES: Partial<Record<ErrorCode, ProblemStatus>> = {
  usage: 422,
  invalid_id: 422,
  invalid_config: 422,
  invalid_agent: 422,
  invalid_mode: 422,
  invalid_text: 422,
  empty_text: 422,
  unknown_mode: 422,
  not_a_file: 422,
  unsafe_path: 422,
  commitment_mismatch: 422,
  key_reused: 422,
  no_project: 404,
  unknown_agent: 404,
  unknown_council: 404,
  unknown_archive: 404,
  unknown_revision: 404,
  name_taken: 409,
  phase_closed: 409,
  not_your_turn: 409,
  different_text: 409,
  reserved: 409,
  stale_lease: 409,
  hand_edit: 409,
  conflict: 409,
  sealed_text_missing: 409,
  forbidden: 403,
  untrusted: 403,
  too_large: 413,
  interrupted: 503,
  store_away: 503,
  commit_uncertain: 503,
  timed_out: 504,
};

/** `failed` is told of what cannot be done as things stand, and of what council itself could not do. */
const chooseHttpStatus = (code: string, isRefused: boolean): ProblemStatus =>
  code === 'failed' && isRefused ? 409 : (STATUSES[code as ErrorCode] ?? 500);

export const problem = (
  status: ProblemStatus,
  code: string,
  detail: string,
  hint: string | null = null,
): Problem => ({ type: `urn:council:problem:${code}`, title: TITLES[status], status, detail, code, hint });

/** The same where the revision was not the one that was named. */
export const stale = (one: Problem): Problem => ({ ...one, title: TITLES[412], status: 412 });

/** What did not come off, as a problem: with the document that a command would have printed. */
export function toProblem({ document, told, isFault, code: failed = 'failed' }: Done): Problem {
  const { error } = document as { error?: { code?: string; message?: string; hint?: string | null } };
  const code = error?.code ?? failed;
  const status = chooseHttpStatus(code in EXIT_CODES ? code : failed, error !== undefined && !isFault);
  return {
    ...problem(status, code, error?.message ?? 'It failed.', error?.hint ?? null),
    failed,
    document,
    ...(told && { notes: told.notes }),
  };
}
