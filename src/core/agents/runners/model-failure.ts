// Turns errors of a model provider into failures.
import { toUnknownRecord } from '../../base/text.ts';
import type { APICallError } from 'ai';
import { isMapping } from '../front-matter-fields.ts';
import type { ModelChoice } from '../providers.ts';
import { readWait } from './classify-failure.ts';
import { redactedLine } from './redact.ts';
import type { Failure } from './turn-types.ts';

/** What an error of a provider tells: its own message is the reason, without the key. */
export function modelFailure(
  error: unknown,
  { provider, model, baseUrl, key }: ModelChoice,
  isApiCall: (error: unknown) => error is APICallError,
  now: number,
): Failure {
  const clean = (text: string): string => redactedLine(text, key === null ? [] : [key]);
  const createFailure = (reason: string): Failure => ({ kind: 'failed', reason: clean(reason) });
  // An error event in the middle of a stream comes as the provider's own object.
  if (!isApiCall(error))
    return {
      ...createFailure(`${provider} broke off: ${extractProviderMessage(error)}`),
      clue: clean(getErrorType(error)),
    };
  const { statusCode: status, responseHeaders: headers = {}, responseBody = '' } = error;
  if (status === undefined)
    return createFailure(`${baseUrl} cannot be reached: ${findInnermostMessage(error)}`);
  const about = status === 404 ? ` (model ${JSON.stringify(model)} at ${baseUrl})` : '';
  const names = ['retry-after-ms', 'retry-after'].filter((name) => name in headers);
  const told = [...names.map((name) => `${name}: ${headers[name]}`), responseBody].join('\n');
  const pause = readWait(told, now);
  return {
    ...createFailure(`${provider} answered ${status}${about}: ${error.message}`),
    clue: clean(responseBody),
    status,
    ...(pause !== null && { retryAfterMs: pause }),
  };
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
