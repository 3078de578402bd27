// Turns errors of a model provider into failures.
import { toUnknownRecord } from '../../base/text.ts';
import type { APICallError } from 'ai';
import { isMapping } from '../front-matter-fields.ts';
import type { ModelChoice } from '../providers.ts';
import { redactedLine } from './redact.ts';
import type { Failure } from './turn-types.ts';

/** The longest pause a provider may ask for: beyond a day, it is not a pause. */
const LONGEST_PAUSE = 24 * 3_600_000;

/** What an error of a provider tells: its own message is the reason, without the key. */
export function modelFailure(
  error: unknown,
  { provider, model, baseUrl, key }: ModelChoice,
  isApiCall: (error: unknown) => error is APICallError,
  now: number,
): Failure {
  const clean = (text: string): string => redactedLine(text, key === null ? [] : [key]);
  const failed = (reason: string): Failure => ({ kind: 'failed', reason: clean(reason) });
  // An error event in the middle of a stream comes as the provider's own object.
  if (!isApiCall(error))
    return {
      ...failed(`${provider} broke off: ${extractProviderMessage(error)}`),
      clue: clean(getErrorType(error)),
    };
  const { statusCode: status, responseHeaders: headers = {}, responseBody = '' } = error;
  if (status === undefined) return failed(`${baseUrl} cannot be reached: ${findInnermostMessage(error)}`);
  const about = status === 404 ? ` (model ${JSON.stringify(model)} at ${baseUrl})` : '';
  const pause = parseRetryPause(headers, responseBody, now);
  return {
    ...failed(`${provider} answered ${status}${about}: ${error.message}`),
    clue: clean(responseBody),
    status,
    ...(pause !== undefined && { retryAfterMs: pause }),
  };
}

/**
 * Milliseconds to wait, from `retry-after-ms`, `retry-after` (seconds or a date), or Google's
 * `retryDelay` in the body. Undefined if the provider names none.
 */
function parseRetryPause(headers: Record<string, string>, body: string, now: number): number | undefined {
  const header = headers['retry-after'];
  const inBody = /"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1];
  const pauses = [
    Number(headers['retry-after-ms'] ?? NaN),
    Number(header ?? NaN) * 1000,
    Date.parse(header ?? '') - now,
    Number(inBody ?? NaN) * 1000,
  ];
  const pause = pauses.find((ms) => Number.isFinite(ms) && ms >= 0);
  return pause === undefined ? undefined : Math.min(Math.round(pause), LONGEST_PAUSE);
}

function extractProviderMessage(error: unknown): string {
  if (error instanceof Error) return findInnermostMessage(error);
  if (!isMapping(error)) return String(error);
  return typeof error.message === 'string' ? error.message : JSON.stringify(error);
}

const getErrorType = (error: unknown): string => (isMapping(error) ? String(error.type ?? '') : '');

/** The innermost message: `fetch failed` and the like say nothing. */
function findInnermostMessage(error: Error): string {
  const { code } = toUnknownRecord(error);
  if (error.cause instanceof Error) return findInnermostMessage(error.cause);
  return error.message === '' && typeof code === 'string' ? code : error.message;
}
