// The class of a failure in a few words, safe to show during a blind phase.
import type { SpeakResult } from './speak.ts';

/**
 * The class of a failure in a few words, without any word of what the program said: a blind phase shows no more.
 * A program that never ran has said nothing, so there the whole reason stands. Null when it is ok.
 */
export function safeReason(result: SpeakResult): string | null {
  const { ok, failure, exitCode, signal, timedOut, cancelled, truncated, reason, output } = result;
  if (ok) return null;
  if (cancelled) return 'interrupted';
  if (timedOut || failure === 'timeout') return 'no answer in time';
  if (truncated) return 'too much output';
  if (failure === 'rate-limit') return 'rate limit';
  if (failure === 'refusal') return 'refused by the model';
  if (result.safeReason !== undefined) return result.safeReason;
  if (failure === 'config')
    return exitCode === null && signal === null ? (reason ?? '') : 'wrong configuration';
  if (signal !== null) return `ended by ${signal}`;
  if (exitCode === null) return 'no answer';
  if (exitCode !== 0) return `exit code ${exitCode}`;
  return output.toString('utf8').trim() === '' ? 'printed nothing' : 'no usable answer';
}
