// Turns errors of a model provider into kinds of failure.
import { keysOf } from '../../base/objects.ts';
import type { APICallError } from 'ai';
import { isMapping } from '../fields.ts';
import type { ModelChoice } from '../providers.ts';
import { redactedLine } from './redact.ts';
import type { Failure, FailureKind } from './speak.ts';

/** The longest pause a provider may ask for: beyond a day, it is not a pause. */
const LONGEST_PAUSE = 24 * 3_600_000;

/** What an error of a provider means: its status decides, its own message is the reason, without the key. */
export function modelFailure(
  error: unknown,
  { provider, model, baseUrl, key }: ModelChoice,
  isApiCall: (error: unknown) => error is APICallError,
  now: number,
): Failure {
  const clean = (text: string): string => redactedLine(text, key === null ? [] : [key]);
  if (!isApiCall(error)) {
    // An error event in the middle of a stream comes as the provider's own object.
    const message = messageOf(error);
    const limited = /overloaded|rate.?limit|RESOURCE_EXHAUSTED/i.test(`${message} ${typeOf(error)}`);
    return { kind: limited ? 'rate-limit' : 'failed', reason: clean(`${provider} broke off: ${message}`) };
  }
  const { statusCode: status, responseHeaders: headers = {}, responseBody = '' } = error;
  if (status === undefined)
    return { kind: 'failed', reason: clean(`${baseUrl} cannot be reached: ${causeOf(error)}`) };
  const kind = kindOf(status, responseBody);
  const about = status === 404 ? ` (model ${JSON.stringify(model)} at ${baseUrl})` : '';
  const pause = kind === 'rate-limit' ? pauseOf(headers, responseBody, now) : undefined;
  return {
    kind,
    reason: clean(`${provider} answered ${status}${about}: ${error.message}`),
    status,
    ...(pause !== undefined && { retryAfterMs: pause }),
  };
}

function kindOf(status: number, body: string): FailureKind {
  // An empty account answers 429 as well, and waiting does not fill it.
  if (status === 429) return body.includes('insufficient_quota') ? 'config' : 'rate-limit';
  if (status === 529) return 'rate-limit';
  if (status === 408) return 'timeout';
  // Any other 4xx is about the request itself: the same one will fail again.
  return status >= 400 && status < 500 ? 'config' : 'failed';
}

/** Milliseconds to wait, where somebody says so: `retry-after-ms`, `retry-after` (seconds or a date), or Google's `retryDelay` in the body. */
function pauseOf(headers: Record<string, string>, body: string, now: number): number | undefined {
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

function messageOf(error: unknown): string {
  if (error instanceof Error) return causeOf(error);
  if (!isMapping(error)) return String(error);
  return typeof error.message === 'string' ? error.message : JSON.stringify(error);
}

const typeOf = (error: unknown): string => (isMapping(error) ? String(error.type ?? '') : '');

/** The innermost message: `fetch failed` and the like say nothing. */
function causeOf(error: Error): string {
  const { code } = keysOf(error);
  if (error.cause instanceof Error) return causeOf(error.cause);
  return error.message === '' && typeof code === 'string' ? code : error.message;
}
