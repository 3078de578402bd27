// Runner that calls a provider's model directly, without a process.
import type * as Ai from 'ai';
import type { LanguageModel, UserModelMessage } from 'ai';
import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import type { Agent } from '../agent.ts';
import { computeCost } from '../prices.ts';
import { chooseModel } from '../providers.ts';
import type { LoopResult } from '../tools/tool.ts';
import type { ModelChoice } from '../providers.ts';
import { classifyModelFailure } from './classify-failure.ts';
import { NOTHING, classifyStopReason, findStopFailure } from './finished-turn.ts';
import { createByteCollector } from './streams.ts';
import { buildTurnResult } from './turn-result.ts';
import type { FinishedTurn } from './finished-turn.ts';
import { watchTurn, findStopReason } from './program.ts';
import type { Failure, FailureKind, Runner, SpeakRequest, Usage } from './turn-types.ts';
import type { OpenLoop } from './tool-loop.ts';

/**
 * Calls a provider's model directly: the persona as system text, the input as the only message. With a loop
 * it may call tools first, and its last text is the answer. There is no process, so `onSpawn` is not called.
 * The answer is streamed, so silence and length are noticed while it arrives.
 */
export function createModelRunner(): Runner {
  return {
    speak: async (request) => {
      const started = performance.now();
      const { loop, ...ended } = await askModel(request).finally(() => request.loop?.close?.());
      const durationMs = Math.round(performance.now() - started);
      // There is no program: an exit code of 0 marks success for `outcome` and is removed again.
      const result = buildTurnResult(request, { ...NOTHING, exitCode: 0, ...ended, durationMs });
      return { ...result, exitCode: null, ...(loop && { loop }) };
    },
  };
}

type ModelTurn = Partial<FinishedTurn> & { loop?: LoopResult };

async function askModel(request: SpeakRequest): Promise<ModelTurn> {
  if (request.signal.aborted) return { stoppedFor: 'cancelled' };
  const choice = chooseModel(request.agent, request.env);
  if ('problem' in choice) return { broken: createFailure('config', choice.problem) };
  const ai = await import('ai');
  if (!request.loop) return streamAnswer(request, choice, ai, buildQuestion(request, choice));
  const { openLoop } = await import('./tool-loop.ts');
  const { options, result } = await openLoop(request.loop, request.input, ai);
  const ended = options ? await streamAnswer(request, choice, ai, options) : {};
  const waits = result.waitsFor.length > 0 && !ended.broken && !ended.stoppedFor;
  return { ...ended, loop: result, ...(waits && { broken: createApprovalFailure(result) }) };
}

const createApprovalFailure = ({ waitsFor }: LoopResult): Failure => ({
  kind: 'cancelled',
  reason: `waits for the approval ${waitsFor.join(', ')}`,
});

type ModelQuestion = { prompt: string | UserModelMessage[] } | NonNullable<OpenLoop['options']>;

/** Builds the prompt. For Anthropic it is split at fixed positions, with a mark on the parts to be cached. */
function buildQuestion({ input, beginnings = [] }: SpeakRequest, { provider }: ModelChoice): ModelQuestion {
  if (provider !== 'anthropic' || !beginnings.some(({ isKept }) => isKept)) return { prompt: input };
  const kept = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  const content = [...beginnings, { end: input.length, isKept: false }].map(({ end, isKept }, at) => ({
    type: 'text' as const,
    text: input.slice(beginnings[at - 1]?.end ?? 0, end),
    ...(isKept && { providerOptions: kept }),
  }));
  return { prompt: [{ role: 'user', content }] };
}

async function streamAnswer(
  request: SpeakRequest,
  choice: ModelChoice,
  { streamText, APICallError }: typeof Ai,
  question: ModelQuestion,
): Promise<Partial<FinishedTurn>> {
  const model = await loadLanguageModel(choice);

  const ending = new AbortController();
  let stoppedFor: FinishedTurn['stoppedFor'] = null;
  const stop = (why: FinishedTurn['stoppedFor']): void => {
    stoppedFor ??= why;
    ending.abort();
  };
  const watched = watchTurn(request, (why) => stop(findStopReason(why)));
  const answer = collectModelAnswer(request, () => stop('overflow'));
  // Turns off warnings on the console, which belongs to the command.
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  try {
    const abortSignal = AbortSignal.any([ending.signal, request.signal]);
    const { stream } = streamText({ model, ...buildStreamOptions(request), ...question, abortSignal });
    for await (const part of stream) {
      watched.alive();
      if (part.type === 'error') throw part.error;
      if (part.type === 'start-step') answer.begin();
      if (part.type !== 'start' && part.type !== 'start-step') request.onBegin?.();
      if (part.type === 'finish-step') answer.finish(part);
      if (part.type === 'text-delta') answer.take(part.text);
    }
    return { ...answer.ended(), stoppedFor };
  } catch (error) {
    // After an abort by council, the error is specific to the provider's package.
    const failure = ending.signal.aborted
      ? null
      : classifyModelFailure(error, choice, APICallError.isInstance, Date.now());
    return { ...answer.ended(), stoppedFor, failure };
  } finally {
    watched.end();
  }
}

const buildStreamOptions = ({ system, agent, loop }: SpeakRequest) => ({
  ...buildInstructions([system, loop?.preface ?? '']),
  ...toModelOptions(agent),
  // The heartbeat retries, under a lease and with a limit.
  maxRetries: 0,
  // Errors are part of the stream, too; without this they are also printed.
  onError: () => undefined,
});

const buildInstructions = (parts: string[]): { instructions?: string } => {
  const said = parts.filter((part) => part !== '');
  return said.length === 0 ? {} : { instructions: said.join('\n\n') };
};

/** Converts the model options of an agent's file to those of the SDK. */
function toModelOptions({ temperature, max_tokens, enable_thinking }: Agent) {
  return {
    ...(temperature !== null && { temperature }),
    ...(max_tokens !== null && { maxOutputTokens: max_tokens }),
    ...(!enable_thinking && { reasoning: 'none' as const }),
  };
}

/** Collects the last text of the model, up to the limit, its stop reason, and the tokens of all steps. */
function collectModelAnswer(
  { agent, maxOutput = MAX_CONTRIBUTION_BYTES, onOutput }: SpeakRequest,
  onFull: () => void,
) {
  const kept = createByteCollector(maxOutput, (count) => onOutput?.(count));
  let failure: Failure | null = null;
  let used: TokensUsed | null = null;
  const isSilent = (): boolean => kept.bytes().toString('utf8').trim() === '';
  return {
    /** Text before tool calls is not part of the answer. */
    begin: kept.forget,
    take: (text: string): void => void (kept.take(Buffer.from(text)) || onFull()),
    finish({ usage, finishReason, rawFinishReason }: StreamFinish): void {
      used = used ? addTokenCounts(used, usage) : usage;
      const told = rawFinishReason ?? finishReason;
      // The provider's package reports unknown reasons as "other".
      const reason = classifyStopReason(told) === undefined ? finishReason : told;
      failure = findStopFailure(reason, `stop reason ${told}`);
    },
    ended: (): Partial<FinishedTurn> => ({
      stdout: kept.bytes(),
      failure: failure ?? (isSilent() ? createFailure('failed', 'the model answered nothing') : null),
      usage: used && computeModelUsage(agent, used),
    }),
  };
}

interface StreamFinish {
  usage: TokensUsed;
  finishReason: string;
  rawFinishReason: string | undefined;
}

interface TokensUsed {
  inputTokens: number | undefined;
  inputTokenDetails: { cacheReadTokens: number | undefined; cacheWriteTokens: number | undefined };
  outputTokens: number | undefined;
}

/** The sum is unknown if either count is. */
const addTokenCounts = (one: TokensUsed, other: TokensUsed): TokensUsed => ({
  inputTokens: addCounts(one.inputTokens, other.inputTokens),
  inputTokenDetails: {
    cacheReadTokens: addCounts(
      one.inputTokenDetails.cacheReadTokens,
      other.inputTokenDetails.cacheReadTokens,
    ),
    cacheWriteTokens: addCounts(
      one.inputTokenDetails.cacheWriteTokens,
      other.inputTokenDetails.cacheWriteTokens,
    ),
  },
  outputTokens: addCounts(one.outputTokens, other.outputTokens),
});

const addCounts = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other;

/** Loads only the provider's own package. */
async function loadLanguageModel(choice: ModelChoice): Promise<LanguageModel> {
  const { provider, model, baseUrl: baseURL, key } = choice;
  const apiKey = key ?? '';
  switch (provider) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic({ baseURL, apiKey })(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle({ baseURL, apiKey })(model);
    case 'mistral':
      return (await import('@ai-sdk/mistral')).createMistral({ baseURL, apiKey })(model);
    default: {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const settings = { name: provider, baseURL, includeUsage: true };
      return createOpenAICompatible(key === null ? settings : { ...settings, apiKey })(model);
    }
  }
}

const createFailure = (kind: FailureKind, reason: string): Failure => ({ kind, reason });

function computeModelUsage({ model, prices }: Agent, used: TokensUsed): Usage {
  const { inputTokens = null, outputTokens = null } = used;
  const { cacheReadTokens: cachedTokens, cacheWriteTokens: writtenTokens } = used.inputTokenDetails;
  const costUsd =
    prices === null || inputTokens === null || outputTokens === null
      ? null
      : computeCost(prices, { inputTokens, cachedTokens, writtenTokens, outputTokens });
  return { model, inputTokens, cachedTokens, outputTokens, costUsd };
}
