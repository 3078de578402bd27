// Agent Client Protocol: a session's model, and the meaning of stop reasons, errors and usage for a turn.
import { isObject, toUnknownRecord } from '../../base/text.ts';
import { findStopFailure } from './finished-turn.ts';
import { toCount } from './presets/read-usage.ts';
import type { Failure, FailureKind, SpeakRequest, Usage } from './turn-types.ts';

/** The outcome of a conversation with an agent; its text is collected elsewhere. */
export interface ConversationOutcome {
  /** Null if it answered. */
  failure: Failure | null;
  model: string | null;
  /** The raw response to `session/prompt`; undefined if the conversation failed earlier. */
  ended?: Record<string, unknown>;
}

/**
 * Creates the outcome of a failed conversation. Configuration and protocol errors contain none of the agent's
 * answer, so they are safe to show.
 */
export const toFailedConversation = (kind: FailureKind, reason: string): ConversationOutcome => ({
  failure: {
    kind,
    reason,
    safeReason: kind === 'config' ? 'wrong configuration' : 'no answer over the protocol',
  },
  model: null,
});

/** Converts the protocol's stop reason to an outcome. */
export const toStopOutcome = (ended: Record<string, unknown>, model: string | null): ConversationOutcome => ({
  failure: findStopFailure(typeof ended.stopReason === 'string' ? ended.stopReason : 'no reason given'),
  model,
  ended,
});

const AUTH_REQUIRED = -32000;
const METHOD_NOT_FOUND = -32601;

/** True for the error that requires a login first. */
export const isAuthRequired = (error: unknown): boolean =>
  error instanceof Error && toUnknownRecord(error).code === AUTH_REQUIRED;

/** Converts an error response of the agent. `initialized` is its response to `initialize`. */
export function toErrorOutcome(
  error: Error & { data?: unknown },
  { agent }: SpeakRequest,
  initialized: unknown,
): ConversationOutcome {
  const reason = `${error.message}${formatErrorDetail(error.data)}`;
  // A program that does not speak the protocol will not do so on a second attempt.
  if (toUnknownRecord(error).code === METHOD_NOT_FOUND) return toFailedConversation('config', reason);
  if (!isAuthRequired(error)) return toFailedConversation('failed', reason);
  const methods = filterMappings(isObject(initialized) ? initialized.authMethods : undefined);
  const ways = methods.map(({ name, description }) => String(description ?? name)).join('; ');
  const login = `start ${agent.command[0]} once by hand and log in${ways === '' ? '' : ` (${ways})`}`;
  return toFailedConversation(
    'config',
    `it is not logged in: ${login}, or declare its key under council.env. It said: ${reason}`,
  );
}

/** Reads the details that agents put in `data`, as a text or as an object with a message or details. */
function formatErrorDetail(data: unknown): string {
  const detail = isObject(data) ? (data.message ?? data.details ?? data.error) : data;
  return typeof detail === 'string' && detail !== '' ? `: ${detail}` : '';
}

/**
 * Reads tokens and cost, if the agent reports them: as `usage` of the turn's result, as Gemini's
 * `_meta.quota`, or as the cost of its session (`costUsd`, which starts anew for every turn).
 */
export function readAcpUsage(
  told: ConversationOutcome | null,
  wanted: string | null,
  costUsd: number | null,
): Usage | null {
  const ended = told?.ended ?? {};
  const quota = isObject(ended._meta) && isObject(ended._meta.quota) ? ended._meta.quota : {};
  const tokens = [ended.usage, quota.token_count].find(isObject) ?? {};
  const input = toCount(tokens.inputTokens ?? tokens.input_tokens);
  const outputTokens = toCount(tokens.outputTokens ?? tokens.output_tokens);
  if (input === null && outputTokens === null && costUsd === null) return null;
  const [read, written] = [toCount(tokens.cachedReadTokens), toCount(tokens.cachedWriteTokens)];
  const withCached = (input ?? 0) + (read ?? 0) + (written ?? 0);
  // Some agents include cached tokens in the input, some do not: the total shows which.
  const isBeside = withCached + (outputTokens ?? 0) <= (toCount(tokens.totalTokens) ?? 0);
  return {
    model: told?.failure === null ? told.model : wanted,
    inputTokens: read !== null && isBeside ? withCached : input,
    ...(read !== null && { cachedTokens: read }),
    outputTokens,
    costUsd,
  };
}

/** The models offered by a session, and the call that selects one. */
interface ModelChoices {
  current: string | null;
  ids: string[];
  select: { method: string; params: (id: string) => Record<string, unknown> };
}

/**
 * Reads the models from the response to `session/new`: a configuration option of the category `model`, or the
 * older `models`. Returns undefined if the agent offers no choice.
 */
export function readModelChoices(session: Record<string, unknown>): ModelChoices | undefined {
  const option = filterMappings(session.configOptions).find(
    (one) => one.type === 'select' && (one.category ?? one.id) === 'model',
  );
  if (option) {
    const entries = filterMappings(option.options).flatMap((one) =>
      Array.isArray(one.options) ? filterMappings(one.options) : [one],
    );
    return {
      current: asTextOrNull(option.currentValue),
      ids: entries.map(({ value }) => String(value)),
      select: {
        method: 'session/set_config_option',
        params: (value) => ({ configId: option.id, value }),
      },
    };
  }
  if (!isObject(session.models)) return undefined;
  return {
    current: asTextOrNull(session.models.currentModelId),
    ids: filterMappings(session.models.availableModels).map(({ modelId }) => String(modelId)),
    select: { method: 'session/set_model', params: (modelId) => ({ modelId }) },
  };
}

/** Returns the id of the model `wanted`: an exact match, or the only one ending in it after a provider's name. */
export function findModel(wanted: string, ids: string[]): string | undefined {
  if (ids.includes(wanted)) return wanted;
  const [id, another] = ids.filter((one) => one.endsWith(`/${wanted}`));
  return another === undefined ? id : undefined;
}

/** Returns the mappings in a list, skipping other values. */
export const filterMappings = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const asTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
