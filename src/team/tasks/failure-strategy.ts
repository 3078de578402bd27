// What is done about a failure: by the category of its code.
import { isLasting } from '../../core/agents/runners/turn-types.ts';
import type { FailureKind } from '../../core/agents/runners/turn-types.ts';
import { toUnknownRecord } from '../../core/base/text.ts';
import type { TaskError } from './task.ts';

export type Strategy = 'retry' | 'another' | 'fail' | 'human';

/** The pauses before a failed launch is repeated, in milliseconds. */
export const PAUSES = [500, 1000] as const;

/** A failure, and whether time may mend it whatever its code says. */
export interface Failed extends TaskError {
  passing?: boolean;
  /** Milliseconds that the provider asked to wait. */
  waitMs?: number | null;
}

/**
 * Whether an error code concerns the worker rather than the task: late, silent, unavailable or
 * busy.
 */
export const isOfAgent = (code: string): boolean => /^E(?:2[0-2]|3[01])$/.test(code);

/**
 * Timeouts are retried, busy or missing workers replaced. Errors of the task itself fail; what only
 * a person can decide goes to a person.
 */
export function selectFailureStrategy({ code, passing = false }: Failed): Strategy {
  const number = Number(code.slice(1));
  if (passing || (number >= 20 && number <= 22)) return 'retry';
  if (number === 30 || number === 31) return 'another';
  return number >= 40 && number < 90 ? 'human' : 'fail';
}

/** What a runner tells of a launch that failed. */
export interface RunnerFailure {
  failure: FailureKind | null;
  reason: string | null;
  retryAfterMs: number | null;
  /** Which limit it ran into. */
  limit: 'task' | 'agent' | 'silence' | null;
}

const PASSING =
  /\b(?:429|502|503|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|socket hang up|network)\b/i;

/** The code of a launch that failed without a word of the worker's own. */
export function classifyRunnerFailure({ failure, reason, retryAfterMs, limit }: RunnerFailure): Failed {
  const text = reason ?? 'no answer';
  if (failure === 'timeout') return { code: LIMITS[limit ?? 'agent'], text };
  if (failure === 'rate-limit') return { code: 'E31', text, passing: true, waitMs: retryAfterMs };
  if (failure === 'config') return { code: 'E30', text };
  // The same prompt ends in the same way, whatever words stand in the reason.
  if (!isLasting(failure) && PASSING.test(text))
    return { code: 'E30', text, passing: true, waitMs: retryAfterMs };
  return { code: 'E99', text };
}

const LIMITS = { task: 'E20', agent: 'E21', silence: 'E22' } as const;

/** True for an error that is a limit of time: a command ends with 124. */
export const isTimeout = (error: TaskError | null): boolean =>
  error !== null && /^E2[0-2]$/.test(String(toUnknownRecord(error).code));
