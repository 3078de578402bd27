// Runner that asks a provider's model directly, without a process.
import type { LanguageModel } from 'ai';
import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import type { Agent } from '../agent.ts';
import { chooseModel } from '../providers.ts';
import type { ModelChoice } from '../providers.ts';
import { modelFailure } from './model-failure.ts';
import type { ModelFailure } from './model-failure.ts';
import { NOTHING, outcome } from './outcome.ts';
import type { Ended } from './outcome.ts';
import { watchTurn, whyStopped } from './program.ts';
import type { Runner, SpeakRequest, SpeakResult, Usage } from './speak.ts';

/**
 * Asks a provider's model directly: the persona as system text, the input as the one message, no tools. There is no
 * process, so `onSpawn` is not called. The answer is streamed: silence and length are noticed while it comes.
 */
export function modelRunner(): Runner {
  return {
    speak: async (request) => {
      const started = performance.now();
      const turn = await ask(request);
      return result(request, turn, Math.round(performance.now() - started));
    },
  };
}

/** What is known when the model's turn is over. */
interface ModelEnded {
  text: Buffer;
  stoppedFor: Ended['stoppedFor'];
  failed: ModelFailure | null;
  usage: Usage | null;
}

const UNASKED: ModelEnded = { text: Buffer.alloc(0), stoppedFor: null, failed: null, usage: null };

async function ask(request: SpeakRequest): Promise<ModelEnded> {
  const { agent, signal, maxOutput = MAX_CONTRIBUTION_BYTES } = request;
  if (signal.aborted) return { ...UNASKED, stoppedFor: 'cancelled' };
  const choice = chooseModel(agent, request.env);
  if ('problem' in choice) return { ...UNASKED, failed: lasting('config', choice.problem) };
  const { streamText, APICallError } = await import('ai');
  const model = await languageModel(choice);

  const ending = new AbortController();
  let stoppedFor: Ended['stoppedFor'] = null;
  const watched = watchTurn(request, (why) => {
    stoppedFor ??= whyStopped(why);
    ending.abort();
  });
  const parts: Buffer[] = [];
  let size = 0;
  let failed: ModelFailure | null = null;
  let usage: Usage | null = null;
  // Its warnings go to the console, which belongs to the command.
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  try {
    const { stream } = streamText({
      model,
      ...(request.system === '' ? {} : { instructions: request.system }),
      prompt: request.input,
      // Tried again by the heartbeat, under a lease and with a limit.
      maxRetries: 0,
      abortSignal: AbortSignal.any([ending.signal, signal]),
      // Errors are parts of the stream as well; without this they are printed too.
      onError: () => undefined,
    });
    for await (const part of stream) {
      watched.alive();
      if (part.type === 'error') throw part.error;
      if (part.type === 'finish') {
        usage = usageOf(agent, part.totalUsage);
        failed = ofFinish(part.finishReason, part.rawFinishReason);
      }
      if (part.type !== 'text-delta') continue;
      const bytes = Buffer.from(part.text);
      const kept = bytes.subarray(0, maxOutput - size);
      parts.push(kept);
      size += kept.length;
      request.onOutput?.(size);
      if (kept.length === bytes.length) continue;
      stoppedFor ??= 'overflow';
      ending.abort();
    }
  } catch (error) {
    // An abort of ours ends the stream in whatever way the provider's package likes.
    if (!ending.signal.aborted) failed = modelFailure(error, choice, APICallError.isInstance, Date.now());
  } finally {
    watched.end();
  }
  return { text: Buffer.concat(parts), stoppedFor, failed, usage };
}

/** The provider's package is the only one that is loaded. */
async function languageModel(choice: ModelChoice): Promise<LanguageModel> {
  const { provider, model, baseUrl: baseURL, key } = choice;
  const apiKey = key ?? '';
  switch (provider) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic({ baseURL, apiKey })(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle({ baseURL, apiKey })(model);
    case 'mistral':
      return (await import('@ai-sdk/mistral')).createMistral({ baseURL, apiKey })(model);
    case 'openai':
    case 'ollama':
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const settings = { name: provider, baseURL, includeUsage: true };
      return createOpenAICompatible(key === null ? settings : { ...settings, apiKey })(model);
    }
  }
}

const lasting = (failure: ModelFailure['failure'], reason: string): ModelFailure => ({
  failure,
  reason,
  retryAfterMs: null,
});

function ofFinish(reason: string, raw: string | undefined): ModelFailure | null {
  if (reason === 'stop') return null;
  const said = raw === undefined ? '' : ` (${raw})`;
  if (reason === 'content-filter') return lasting('refusal', `the model refused to answer${said}`);
  if (reason === 'length')
    // Asking again would cost the same and fail the same way.
    return lasting('config', 'the answer was cut off: the limit of tokens was reached');
  return lasting('failed', `the answer was not finished: ${reason}${said}`);
}

function usageOf(
  { model, prices }: Agent,
  used: { inputTokens: number | undefined; outputTokens: number | undefined },
): Usage {
  const { inputTokens = null, outputTokens = null } = used;
  const costUsd =
    prices === null || inputTokens === null || outputTokens === null
      ? null
      : (inputTokens * prices.input + outputTokens * prices.output) / 1e6;
  return { model, inputTokens, outputTokens, costUsd };
}

function result(
  request: SpeakRequest,
  { text, stoppedFor, failed, usage }: ModelEnded,
  durationMs: number,
): SpeakResult {
  // There is no program: an exit code of 0 stands for "nothing to complain about" and is taken away again.
  const base = outcome(request, { ...NOTHING, stdout: text, exitCode: 0, stoppedFor, durationMs });
  const silent =
    base.failure === 'failed' && stoppedFor === null ? { reason: 'the model answered nothing' } : {};
  const failure = stoppedFor === null && failed ? { ok: false, ...failed } : {};
  return { ...base, ...silent, ...failure, exitCode: null, usage };
}
