import { afterEach, describe, expect, it } from 'vitest';
import { parseAgent } from '../../../../src/core/agents/agent.ts';
import type { Agent } from '../../../../src/core/agents/agent.ts';
import { findSafeReason } from '../../../../src/core/agents/runners/failure-classes.ts';
import { createModelRunner } from '../../../../src/core/agents/runners/model.ts';
import type { SpeakRequest, SpeakResult } from '../../../../src/core/agents/runners/turn-types.ts';
import { fakeModel } from '../../../helpers/fake-model.ts';
import type { Asked, FakeModel, Reply } from '../../../helpers/fake-model.ts';

const KEY = 'a-very-secret-key';
const servers: FakeModel[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function server(answer?: (asked: Asked) => Reply): Promise<FakeModel> {
  const started = await fakeModel(answer);
  servers.push(started);
  return started;
}

/** An agent for a provider of the fake server. */
function agentOf(model: string, baseUrl: string | null, more: Partial<Agent> = {}): Agent {
  const base = parseAgent('---\ncouncil: { runner: model }\n---\n', 'agents/ana.md', 'project');
  return { ...base, model, baseUrl, apiKey: 'TEST_KEY', ...more };
}

const speak = (agent: Agent, more: Partial<SpeakRequest> = {}): Promise<SpeakResult> =>
  createModelRunner().speak({
    agent,
    input: 'What now?',
    system: 'You are Ana.',
    turn: null,
    toolServers: [],
    cwd: '/',
    env: { TEST_KEY: KEY },
    extraEnv: {},
    signal: new AbortController().signal,
    onSpawn: () => Promise.reject(new Error('there is no process')),
    ...more,
  });

const PROVIDERS = [
  ['anthropic', '/v1', 'anthropic', 'x-api-key', KEY],
  ['google', '/v1beta', 'gemini', 'x-goog-api-key', KEY],
  ['mistral', '/v1', 'chat', 'authorization', `Bearer ${KEY}`],
  ['openai', '/v1', 'chat', 'authorization', `Bearer ${KEY}`],
  ['ollama', '/v1', 'chat', 'authorization', `Bearer ${KEY}`],
  ['openai-compatible', '/v1', 'chat', 'authorization', `Bearer ${KEY}`],
] as const;

describe.each(PROVIDERS)('the model runner with %s', (provider, path, api, header, credential) => {
  it('gives persona and prompt, and takes text and tokens', async () => {
    const { url, log } = await server(() => ({
      text: 'Because, as ever, of the llamas. 🦉',
      usage: { input: 1000, output: 200, cached: 600 },
    }));
    const seen: number[] = [];
    const result = await speak(
      agentOf(`${provider}/some-model`, url + path, { prices: { input: 3, output: 15, cached: 0.3 } }),
      { onOutput: (bytes) => seen.push(bytes) },
    );
    expect(result).toMatchObject({ ok: true, reason: null, failure: null, exitCode: null, signal: null });
    expect(result.output.toString()).toBe('Because, as ever, of the llamas. 🦉');
    expect(seen.at(-1)).toBe(result.output.length);
    expect(seen.length).toBeGreaterThan(1);
    expect(result.usage).toEqual({
      model: `${provider}/some-model`,
      inputTokens: 1000,
      cachedTokens: 600,
      outputTokens: 200,
      costUsd: 0.00438,
    });
    expect(log).toHaveLength(1);
    expect(log[0]!.headers[header]).toBe(credential);
    expect(log[0]!.asked).toMatchObject({
      api,
      model: 'some-model',
      stream: true,
      system: 'You are Ana.',
      users: ['What now?'],
      tools: [],
    });
  });

  it.each([
    [429, { 'retry-after': '7' }, 'rate-limit', 7000],
    [429, { 'retry-after-ms': '250', 'retry-after': '7' }, 'rate-limit', 250],
    [429, {}, 'rate-limit', null],
    [529, {}, 'rate-limit', null],
    [401, {}, 'config', null],
    [403, {}, 'config', null],
    [404, {}, 'config', null],
    [408, {}, 'timeout', null],
    [500, { 'retry-after': '7' }, 'failed', null],
  ] as const)('takes %i %o for %s', async (status, headers, failure, retryAfterMs) => {
    const { url, log } = await server(() => ({ status, headers }));
    const result = await speak(agentOf(`${provider}/some-model`, url + path));
    expect(result).toMatchObject({ ok: false, failure, retryAfterMs, exitCode: null });
    expect(result.reason).toContain(`${provider} answered ${status}`);
    // The pauses between attempts are the heartbeat's.
    expect(log).toHaveLength(1);
  });

  it('tells a refusal from an answer', async () => {
    const finish = { anthropic: 'refusal', gemini: 'SAFETY', chat: 'content_filter' }[api];
    const { url } = await server(() => ({ text: 'I would rather not.', finish }));
    expect(await speak(agentOf(`${provider}/some-model`, url + path))).toMatchObject({
      ok: false,
      failure: 'refusal',
    });
  });

  it('takes an answer that was cut off for none', async () => {
    const finish = { anthropic: 'max_tokens', gemini: 'MAX_TOKENS', chat: 'length' }[api];
    const limit = await server(() => ({ text: 'The first half', finish }));
    const limited = await speak(agentOf(`${provider}/some-model`, limit.url + path));
    expect(limited).toMatchObject({
      ok: false,
      failure: 'limit',
      reason: `stop reason ${finish}`,
      known: { says: 'its answer was cut off at its limit of length' },
    });
    const broken = await server(() => ({ text: 'x'.repeat(100), cut: true }));
    const cut = await speak(agentOf(`${provider}/some-model`, broken.url + path));
    expect(cut).toMatchObject({ ok: false, failure: 'failed', timedOut: false });
  });
});

describe('the beginnings that are to be kept', () => {
  const input = `${'The brief. '.repeat(500)}${'What was said. '.repeat(500)}What now?`;
  const beginnings = [
    { end: 5500, isKept: true },
    { end: 13_000, isKept: false },
  ];

  it('are marked for Anthropic, which finds them in the next prompt', async () => {
    const { url, log } = await server();
    const agent = agentOf('anthropic/m', `${url}/v1`);
    const first = await speak(agent, { input, beginnings });
    const second = await speak(agent, { input: `${input} Again?`, beginnings });
    expect(first.usage?.cachedTokens).toBe(0);
    expect(second.usage?.cachedTokens).toBe(Math.floor((5500 + 'You are Ana.'.length) / 4));
    const { messages } = JSON.parse(log[0]!.raw) as { messages: { content: Record<string, unknown>[] }[] };
    const [{ content } = { content: [] }] = messages;
    expect(content.map(({ text }) => text).join('')).toBe(input);
    expect(content.map((block) => 'cache_control' in block)).toEqual([true, false, false]);
  });

  it('cost no mark where none is to be kept, and are found by others without one', async () => {
    const { url, log } = await server();
    const none = beginnings.map(({ end }) => ({ end, isKept: false }));
    await speak(agentOf('anthropic/m', `${url}/v1`), { input, beginnings: none });
    await speak(agentOf('openai/m', `${url}/v1`), { input, beginnings });
    const again = await speak(agentOf('openai/m', `${url}/v1`), { input, beginnings });
    expect(log.filter(({ raw }) => raw.includes('cache_control'))).toEqual([]);
    expect(again.usage?.cachedTokens).toBeGreaterThan(3000);
  });

  it('are known to a provider from its first byte on', async () => {
    const { url } = await server(() => ({ text: 'x'.repeat(100) }));
    const heard: string[] = [];
    await speak(agentOf('openai/m', `${url}/v1`), {
      onBegin: () => heard.push('begin'),
      onOutput: () => heard.push('output'),
    });
    expect(heard[0]).toBe('begin');
  });
});

describe('the model runner', () => {
  it('stops waiting for a model that hangs, or that was told to', async () => {
    const { url } = await server(() => ({ hang: true }));
    const late = await speak(agentOf('openai/m', `${url}/v1`, { timeout: 300 }));
    expect(late).toMatchObject({ ok: false, timedOut: true, failure: 'timeout' });
    expect(late.reason).toBe('no answer within 300ms');
    const silent = await speak(agentOf('openai/m', `${url}/v1`, { inactivity: 200 }));
    expect(silent).toMatchObject({ ok: false, timedOut: true, failure: 'timeout' });
    expect(silent.reason).toBe('printed nothing for 200ms');
    const abort = new AbortController();
    const speaking = speak(agentOf('openai/m', `${url}/v1`), { signal: abort.signal });
    await expect.poll(() => servers[0]!.log.length).toBe(3);
    abort.abort();
    expect(await speaking).toMatchObject({ ok: false, cancelled: true, failure: 'cancelled' });
  });

  it('asks nothing when it is aborted already', async () => {
    const { url, log } = await server();
    const result = await speak(agentOf('openai/m', `${url}/v1`), { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ ok: false, cancelled: true, failure: 'cancelled' });
    expect(log).toEqual([]);
  });

  it('stops listening at the limit of output', async () => {
    const { url } = await server(() => ({ text: 'é'.repeat(5000) }));
    const result = await speak(agentOf('openai/m', `${url}/v1`), { maxOutput: 1024 });
    expect(result).toMatchObject({ ok: false, truncated: true, reason: 'output exceeds 1 KiB' });
    expect(result.output.length).toBe(1024);
    const exact = await speak(agentOf('openai/m', `${url}/v1`), { maxOutput: 10_000 });
    expect(exact).toMatchObject({ ok: true, truncated: false });
  });

  it('takes nothing and white space for no answer', async () => {
    const { url } = await server(() => ({ text: ' \n' }));
    expect(await speak(agentOf('anthropic/m', `${url}/v1`))).toMatchObject({
      ok: false,
      failure: 'failed',
      reason: 'the model answered nothing',
    });
  });

  it('reads how long to wait from a date, and from what Google says in the body', async () => {
    const at = new Date(Date.now() + 60_000).toUTCString();
    const dated = await server(() => ({ status: 429, headers: { 'retry-after': at } }));
    const wait = (await speak(agentOf('openai/m', `${dated.url}/v1`))).retryAfterMs;
    expect(wait).toBeGreaterThan(50_000);
    expect(wait).toBeLessThanOrEqual(60_000);
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }];
    const body = { error: { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED', details } };
    const google = await server(() => ({ status: 429, body }));
    expect(await speak(agentOf('google/m', `${google.url}/v1beta`))).toMatchObject({
      failure: 'rate-limit',
      retryAfterMs: 34_500,
    });
  });

  it('does not wait for an account to fill', async () => {
    const body = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } };
    const { url } = await server(() => ({ status: 429, body }));
    expect(await speak(agentOf('openai/m', `${url}/v1`))).toMatchObject({ failure: 'config' });
  });

  it.each(['eos', 'eos_token', 'end_turn'])(
    'knows that a turn has ended from the word of its server: %s',
    async (finish) => {
      const { url } = await server(() => ({ text: 'Keep it.', finish }));
      expect(await speak(agentOf('openai-compatible/m', `${url}/v1`))).toMatchObject({ ok: true });
    },
  );

  it('has no word of the provider in what a blind phase shows', async () => {
    const { url } = await server(() => ({ status: 400, body: { error: { message: 'no BLUE-WHALE here' } } }));
    const result = await speak(agentOf('openai/m', `${url}/v1`));
    expect(result).toMatchObject({ failure: 'config', exitCode: null });
    expect(result.reason).toContain('BLUE-WHALE');
    expect(findSafeReason(result)).toBe('wrong configuration');
  });

  it('keeps the key out of its reasons', async () => {
    const body = { error: { message: `Incorrect API key provided: ${KEY}.`, type: 'x', code: 'y' } };
    const { url } = await server(() => ({ status: 401, body }));
    const { reason } = await speak(agentOf('openai/m', `${url}/v1`));
    expect(reason).toContain('Incorrect API key provided: [redacted]');
    expect(reason).not.toContain(KEY);
  });

  it('says what cannot be reached', async () => {
    const gone = await fakeModel();
    await gone.close();
    const result = await speak(agentOf('ollama/llama3.2', `${gone.url}/v1`));
    expect(result).toMatchObject({ ok: false, failure: 'failed', retryAfterMs: null });
    expect(result.reason).toContain(`${gone.url}/v1 cannot be reached`);
    expect(result.reason).toContain('ECONNREFUSED');
  });

  it('sends no persona where there is none, and no key where none is needed', async () => {
    const { url, log } = await server();
    const result = await speak(agentOf('ollama/llama3.2', `${url}/v1/`, { apiKey: null }), { system: '' });
    expect(result.ok).toBe(true);
    expect(log[0]!.asked).toMatchObject({ system: '', model: 'llama3.2' });
    expect(log[0]!.url).toBe('/v1/chat/completions');
    expect(log[0]!.headers.authorization).toBeUndefined();
  });

  it.each([
    [{ model: null }, '"model" must be PROVIDER/NAME'],
    [{ model: 'gpt-9' }, 'but is "gpt-9"'],
    [{ model: 'nobody/x' }, 'one of the providers anthropic, google, mistral, openai, ollama'],
    [{ model: 'openai-compatible/x', baseUrl: null }, '"council.baseUrl" must be a web address'],
    [{ model: 'openai/x', baseUrl: 'file:///etc' }, 'but is "file:///etc"'],
    [{ model: 'openai/x', apiKey: 'MY_KEY' }, 'the variable MY_KEY is not set'],
    [{ model: 'anthropic/x', apiKey: null }, 'the variable ANTHROPIC_API_KEY is not set'],
    [{ model: 'google/x', apiKey: null }, 'GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY is not set'],
  ] as [Partial<Agent>, string][])('does not ask with %o', async (more, reason) => {
    const result = await speak(agentOf('openai/m', null, more), { env: {} });
    expect(result).toMatchObject({ ok: false, failure: 'config', exitCode: null, usage: null });
    expect(result.reason).toContain(reason);
  });
});
