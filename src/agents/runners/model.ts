// Runner that asks a provider's model directly, without a process.
import type { LanguageModel } from 'ai';
import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import type { Agent } from '../agent.ts';
import { chooseModel } from '../providers.ts';
import type { ModelChoice } from '../providers.ts';
import { modelFailure } from './model-failure.ts';
import { NOTHING } from './ended.ts';
import { outcome } from './outcome.ts';
import type { Ended } from './ended.ts';
import { watchTurn, whyStopped } from './program.ts';
import type { Failure, FailureKind, Runner, SpeakRequest, Usage } from './speak.ts';

/**
 * Asks a provider's model directly: the persona as system text, the input as the one message, no tools. There is no
 * process, so `onSpawn` is not called. The answer is streamed: silence and length are noticed while it comes.
 */
export function modelRunner(): Runner {
  return {
    speak: async (request) => {
      const started = performance.now();
      const ended = await ask(request);
      const durationMs = Math.round(performance.now() - started);
      // There is no program: an exit code of 0 stands for "nothing to complain about" and is taken away again.
      const result = outcome(request, { ...NOTHING, exitCode: 0, ...ended, durationMs });
      return { ...result, exitCode: null };
    },
  };
}

async function ask(request: SpeakRequest): Promise<Partial<Ended>> {
  if (request.signal.aborted) return { stoppedFor: 'cancelled' };
  const choice = chooseModel(request.agent, request.env);
  if ('problem' in choice) return { broken: failed('config', choice.problem) };
  const { streamText, APICallError } = await import('ai');
  const model = await languageModel(choice);

  const ending = new AbortController();
  let stoppedFor: Ended['stoppedFor'] = null;
  const stop = (why: Ended['stoppedFor']): void => {
    stoppedFor ??= why;
    ending.abort();
  };
  const watched = watchTurn(request, (why) => stop(whyStopped(why)));
  const answer = collect(request, () => stop('overflow'));
  // Its warnings go to the console, which belongs to the command.
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  try {
    const abortSignal = AbortSignal.any([ending.signal, request.signal]);
    const { stream } = streamText({ model, ...callOf(request), abortSignal });
    for await (const part of stream) {
      watched.alive();
      if (part.type === 'error') throw part.error;
      if (part.type === 'finish') answer.finish(part);
      if (part.type === 'text-delta') answer.take(part.text);
    }
    return { ...answer.ended(), stoppedFor };
  } catch (error) {
    // An abort of ours ends the stream in whatever way the provider's package likes.
    const broken = ending.signal.aborted
      ? null
      : modelFailure(error, choice, APICallError.isInstance, Date.now());
    return { ...answer.ended(), stoppedFor, broken };
  } finally {
    watched.end();
  }
}

const callOf = ({ system, input }: SpeakRequest) => ({
  ...(system === '' ? {} : { instructions: system }),
  prompt: input,
  // Tried again by the heartbeat, under a lease and with a limit.
  maxRetries: 0,
  // Errors are parts of the stream as well; without this they are printed too.
  onError: () => undefined,
});

/** Collects what the model says, up to the limit, and what its last word tells about the turn. */
function collect({ agent, maxOutput = MAX_CONTRIBUTION_BYTES, onOutput }: SpeakRequest, onFull: () => void) {
  const parts: Buffer[] = [];
  let size = 0;
  let failure: Failure | null = null;
  let usage: Usage | null = null;
  const isSilent = (): boolean => parts.every((part) => part.toString('utf8').trim() === '');
  return {
    take(text: string): void {
      const bytes = Buffer.from(text);
      const kept = bytes.subarray(0, maxOutput - size);
      parts.push(kept);
      size += kept.length;
      onOutput?.(size);
      if (kept.length < bytes.length) onFull();
    },
    finish({ totalUsage, finishReason, rawFinishReason }: Finish): void {
      usage = usageOf(agent, totalUsage);
      failure = ofFinish(finishReason, rawFinishReason);
    },
    ended: (): Partial<Ended> => ({
      stdout: Buffer.concat(parts),
      failure: failure ?? (isSilent() ? failed('failed', 'the model answered nothing') : null),
      usage,
    }),
  };
}

interface Finish {
  totalUsage: Used;
  finishReason: string;
  rawFinishReason: string | undefined;
}

interface Used {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
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

const failed = (kind: FailureKind, reason: string): Failure => ({ kind, reason });

function ofFinish(reason: string, raw: string | undefined): Failure | null {
  if (reason === 'stop') return null;
  const said = raw === undefined ? '' : ` (${raw})`;
  if (reason === 'content-filter') return failed('refusal', `the model refused to answer${said}`);
  if (reason === 'length')
    // Asking again would cost the same and fail the same way.
    return failed('config', 'the answer was cut off: the limit of tokens was reached');
  return failed('failed', `the answer was not finished: ${reason}${said}`);
}

function usageOf({ model, prices }: Agent, used: Used): Usage {
  const { inputTokens = null, outputTokens = null } = used;
  const costUsd =
    prices === null || inputTokens === null || outputTokens === null
      ? null
      : (inputTokens * prices.input + outputTokens * prices.output) / 1e6;
  return { model, inputTokens, outputTokens, costUsd };
}
