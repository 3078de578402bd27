import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseAgent } from '../../../../src/core/agents/agent.ts';
import type { Agent } from '../../../../src/core/agents/agent.ts';
import { createModelRunner } from '../../../../src/core/agents/runners/model.ts';
import type { SpeakRequest, SpeakResult } from '../../../../src/core/agents/runners/turn-types.ts';
import type { Journal, ToolCall, ToolLoop, Tool } from '../../../../src/core/agents/tools/tool.ts';
import { createToolError, createTool } from '../../../../src/core/agents/tools/tool.ts';
import { fakeModel } from '../../../helpers/fake-model.ts';
import type { Asked, FakeModel, Reply } from '../../../helpers/fake-model.ts';

const servers: FakeModel[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A model that gives these answers one after the other, and then the last one again. */
async function modelThatSays(...replies: (Reply | ((asked: Asked) => Reply))[]): Promise<FakeModel> {
  let turn = 0;
  const started = await fakeModel((asked) => {
    const reply = replies[Math.min(turn++, replies.length - 1)]!;
    return typeof reply === 'function' ? reply(asked) : reply;
  });
  servers.push(started);
  return started;
}

const SHAPES = [
  ['anthropic', '/v1'],
  ['google', '/v1beta'],
  ['mistral', '/v1'],
  ['openai-compatible', '/v1'],
] as const;
type Provider = (typeof SHAPES)[number][0];

function agentOf(
  { url }: FakeModel,
  provider: Provider = 'openai-compatible',
  more: Partial<Agent> = {},
): Agent {
  const base = parseAgent('---\ncouncil: { runner: model }\n---\n', 'agents/ana.md', 'project');
  const path = SHAPES.find(([name]) => name === provider)![1];
  return { ...base, model: `${provider}/some-model`, baseUrl: url + path, apiKey: 'TEST_KEY', ...more };
}

const speak = (
  agent: Agent,
  loop: Partial<ToolLoop> = {},
  more: Partial<SpeakRequest> = {},
): Promise<SpeakResult> =>
  createModelRunner().speak({
    agent,
    input: 'How many llamas are there?',
    system: 'You are Ana.',
    turn: null,
    toolServers: [],
    cwd: '/',
    env: { TEST_KEY: 'k' },
    extraEnv: {},
    signal: new AbortController().signal,
    onSpawn: () => Promise.reject(new Error('there is no process')),
    loop: { tools: [counter().tool], maxIterations: 50, limitReached: 'That was the last call.', ...loop },
    ...more,
  });

/** A tool that remembers what it was asked. */
function counter(answer: (herd: string) => unknown = (herd) => ({ herd, llamas: herd.length })) {
  const seen: string[] = [];
  const tool = createTool(
    z,
    { name: 'count', description: 'Counts the llamas of a herd.' },
    z.strictObject({ herd: z.string().describe('its name') }),
    ({ herd }) => {
      seen.push(herd);
      return answer(herd);
    },
  );
  return { tool, seen };
}

function memoryJournal(entries: string[] = []): Journal & { entries: string[] } {
  return {
    entries,
    read: () => Promise.resolve([...entries]),
    append: (entry) => Promise.resolve(void entries.push(entry)),
  };
}

const count = (herd: string): NonNullable<Reply['tool']> => ({ name: 'count', input: { herd } });
const USED = { input: 100, output: 10 };

describe.each(SHAPES)('the tool loop with %s', (provider) => {
  it('lets the model call a tool, gives it the result, and adds up its tokens', async () => {
    const model = await modelThatSays({ tool: count('north'), usage: USED }, { text: 'Five.', usage: USED });
    const { tool, seen } = counter();
    const result = await speak(agentOf(model, provider, { prices: { input: 3, output: 15 } }), {
      tools: [tool],
    });
    expect(result).toMatchObject({ ok: true, reason: null });
    expect(result.output.toString()).toBe('Five.');
    expect(seen).toEqual(['north']);
    expect(result.usage).toMatchObject({ inputTokens: 200, outputTokens: 20, costUsd: 0.0009 });
    expect(result.loop).toMatchObject({
      calls: [{ tool: 'count', kind: 'tool', ok: true }],
      waitsFor: [],
      limited: false,
    });
    const [first, second] = model.asked();
    expect(first).toMatchObject({ tools: ['count'], toolResult: false, system: 'You are Ana.' });
    expect(first!.raw).toContain('its name');
    expect(second!.toolResult).toBe(true);
    expect(second!.raw).toMatch(/llamas\W+5/);
  });

  it('makes several calls of one answer', async () => {
    const model = await modelThatSays({ tools: [count('north'), count('southwest')] }, { text: 'Fourteen.' });
    const { tool, seen } = counter();
    const result = await speak(agentOf(model, provider), { tools: [tool] });
    expect(result.output.toString()).toBe('Fourteen.');
    expect(seen.sort()).toEqual(['north', 'southwest']);
    expect(result.loop!.calls).toHaveLength(2);
    expect(model.asked()[1]!.raw).toMatch(/llamas\W+5.*llamas\W+9/s);
  });

  it('tells the model of arguments that do not fit, and goes on', async () => {
    const wrong = { name: 'count', input: { herd: 7, goats: true } };
    const model = await modelThatSays({ tool: wrong }, { tool: count('east') }, { text: 'Four.' });
    const { tool, seen } = counter();
    const result = await speak(agentOf(model, provider), { tools: [tool] });
    expect(result.output.toString()).toBe('Four.');
    expect(seen).toEqual(['east']);
    expect(model.asked()[1]!.raw).toContain('expected string, received number');
  });

  it('has the model answer when it has called as often as it may, and keeps what it learned', async () => {
    const model = await modelThatSays((asked) =>
      asked.raw.includes('That was the last call.') ? { text: 'At least five.' } : { tool: count('north') },
    );
    const { tool, seen } = counter();
    const result = await speak(agentOf(model, provider), { tools: [tool], maxIterations: 3 });
    expect(result).toMatchObject({ ok: true });
    expect(result.output.toString()).toBe('At least five.');
    expect(seen).toHaveLength(3);
    expect(result.loop).toMatchObject({ limited: true });
    expect(model.asked()).toHaveLength(4);
  });

  it('tells the model of a denial, and goes on', async () => {
    const model = await modelThatSays({ tool: count('north') }, { text: 'I may not count.' });
    const { tool, seen } = counter();
    const permit = () => Promise.resolve({ denied: 'maria says: not on a Sunday' });
    const result = await speak(agentOf(model, provider), { tools: [tool], permit });
    expect(result.output.toString()).toBe('I may not count.');
    expect(seen).toEqual([]);
    expect(model.asked()[1]!.raw).toContain('not on a Sunday');
  });

  it('ends the launch where a call waits for approval, and goes on with it once it is approved', async () => {
    const model = await modelThatSays(
      { text: '', tools: [count('north'), count('south')], usage: USED },
      { text: 'Done.', usage: USED },
    );
    const { tool, seen } = counter();
    const journal = memoryJournal();
    const approved = new Set<string>();
    const permit = ({ input }: ToolCall) => {
      const { herd } = input as { herd: string };
      const isFree = herd === 'north' || approved.has(herd);
      return Promise.resolve(isFree ? { allowed: true as const } : { waits: 'a1' });
    };
    const agent = agentOf(model, provider);
    const first = await speak(agent, { tools: [tool], permit, journal });
    expect(first).toMatchObject({
      ok: false,
      failure: 'cancelled',
      reason: 'waits for the approval a1',
      loop: { waitsFor: ['a1'] },
      usage: { inputTokens: 100, outputTokens: 10 },
    });
    expect(seen).toEqual(['north']);
    const still = await speak(agent, { tools: [tool], permit, journal });
    expect(still).toMatchObject({ failure: 'cancelled', loop: { waitsFor: ['a1'] } });
    expect(model.asked()).toHaveLength(1);
    approved.add('south');
    const last = await speak(agent, { tools: [tool], permit, journal });
    expect(last).toMatchObject({ ok: true });
    expect(last.output.toString()).toBe('Done.');
    expect(seen).toEqual(['north', 'south']);
    expect(model.asked()).toHaveLength(2);
    expect(model.asked()[1]!.users.filter((text) => text.includes('How many llamas'))).toHaveLength(1);
  });
});

describe('the tool loop', () => {
  it.each([
    ['half of it', '{"herd": "nor'],
    ['words', 'the northern herd, please'],
    ['a list', '["north"]'],
    ['nothing', ''],
    ['too much', '{"herd":"north"} and thanks'],
  ])('answers arguments that are no JSON (%s) with an error, and does not break off', async (_, input) => {
    const model = await modelThatSays({ tool: { name: 'count', input } }, { text: 'Sorry.' });
    const { tool, seen } = counter();
    const result = await speak(agentOf(model), { tools: [tool] });
    expect(result).toMatchObject({ ok: true });
    expect(result.output.toString()).toBe('Sorry.');
    expect(seen).toEqual([]);
    expect(model.asked()[1]).toMatchObject({ toolResult: true });
  });

  it('tells the model of a tool that there is not, and of one that fails', async () => {
    const model = await modelThatSays(
      { tools: [{ name: 'rm_rf', input: {} }, count('north')] },
      { text: 'Neither worked.' },
    );
    const { tool } = counter(() => {
      throw createToolError('The herd is asleep.');
    });
    const result = await speak(agentOf(model), { tools: [tool] });
    expect(result.output.toString()).toBe('Neither worked.');
    expect(model.asked()[1]!.raw).toContain('rm_rf');
    expect(model.asked()[1]!.raw).toContain('The herd is asleep.');
    expect(result.loop!.calls).toMatchObject([{ tool: 'count', ok: false }]);
  });

  it('cuts a result that is too long, and says so', async () => {
    const model = await modelThatSays({ tool: count('north') }, { text: 'Long.' });
    const { tool } = counter(() => '🦙'.repeat(40_000));
    await speak(agentOf(model), { tools: [tool] });
    const { raw } = model.asked()[1]!;
    expect(raw).toContain('[cut: 80000 characters, 32000 of them shown]');
    expect(raw.length).toBeLessThan(80_000);
  });

  it('gives up a call that takes too long, and goes on', async () => {
    const model = await modelThatSays({ tool: count('north') }, { text: 'It hangs.' });
    const hanging: Tool = { ...counter().tool, call: () => new Promise(() => undefined) };
    const result = await speak(agentOf(model), { tools: [hanging], callTimeout: 50 });
    expect(result.output.toString()).toBe('It hangs.');
    expect(model.asked()[1]!.raw).toContain('no answer within 50ms');
    expect(result.loop!.calls).toMatchObject([{ ok: false }]);
  });

  it('goes on after a failure with what was said before', async () => {
    const model = await modelThatSays({ tool: count('north') }, { status: 500 }, { text: 'Five after all.' });
    const { tool, seen } = counter();
    const journal = memoryJournal();
    const agent = agentOf(model);
    expect(await speak(agent, { tools: [tool], journal })).toMatchObject({ ok: false, failure: 'failed' });
    const again = await speak(agent, { tools: [tool], journal });
    expect(again.output.toString()).toBe('Five after all.');
    expect(seen).toEqual(['north']);
    expect(model.asked()[2]).toMatchObject({ toolResult: true });
  });

  it('counts calls over all launches, and says what is new in the next one', async () => {
    const model = await modelThatSays(
      { tool: count('north') },
      { text: 'Which herd?' },
      { tool: count('south') },
      { text: 'Ten.' },
    );
    const { tool, seen } = counter();
    const journal = memoryJournal();
    const agent = agentOf(model);
    const loop = { tools: [tool], journal, maxIterations: 1 };
    expect((await speak(agent, loop)).output.toString()).toBe('Which herd?');
    const next = await speak(agent, loop, { input: 'The southern one.' });
    // There was one call already: this answer is asked for without tools, and a call is none.
    expect(next.loop!.limited).toBe(true);
    expect(seen).toEqual(['north']);
    expect(model.asked()[2]!.users).toEqual([
      'How many llamas are there?',
      'The southern one.',
      'That was the last call.',
    ]);
  });

  it('never makes an approved call twice, also after a crash', async () => {
    const model = await modelThatSays({ tool: count('north') }, { text: 'Perhaps five.' });
    const { tool, seen } = counter();
    const journal = memoryJournal();
    const agent = agentOf(model);
    const waits = () => Promise.resolve({ waits: 'a1' });
    await speak(agent, { tools: [tool], journal, permit: waits });
    const permit = () => Promise.resolve({ allowed: true as const });
    // As if the process had died in the middle of the call.
    const dying = {
      ...journal,
      append: (entry: string) =>
        entry.includes('"ended"') ? new Promise<void>(() => undefined) : journal.append(entry),
    };
    const abort = new AbortController();
    const dead = speak(agent, { tools: [tool], journal: dying, permit }, { signal: abort.signal });
    await expect.poll(() => seen).toEqual(['north']);
    abort.abort();
    await dead;
    const after = await speak(agent, { tools: [tool], journal, permit });
    expect(after.output.toString()).toBe('Perhaps five.');
    expect(seen).toEqual(['north']);
    expect(model.asked()[1]!.raw).toContain('it may or may not have taken effect');
  });

  it('does without entries that a crash has cut off', async () => {
    const model = await modelThatSays({ text: 'Five.' });
    const journal = memoryJournal(['{"type":"messages","messages":[{"ro']);
    expect(await speak(agentOf(model), { journal })).toMatchObject({ ok: true });
  });

  it('ends with the turn, tools included, and closes what it opened', async () => {
    const model = await modelThatSays({ tool: count('north') }, { text: 'Never said.' });
    const abort = new AbortController();
    let closed = 0;
    const hanging: Tool = { ...counter().tool, call: () => new Promise(() => abort.abort()) };
    const result = await speak(
      agentOf(model),
      { tools: [hanging], close: () => Promise.resolve(void closed++) },
      { signal: abort.signal },
    );
    expect(result).toMatchObject({ ok: false, cancelled: true, failure: 'cancelled' });
    expect(closed).toBe(1);
  });

  it('says how the model is to answer as its provider knows it', async () => {
    const settings = { temperature: 0, max_tokens: 512, enable_thinking: false };
    const bodies = await Promise.all(
      SHAPES.map(async ([provider]) => {
        const model = await modelThatSays({ text: 'Yes.' });
        await speak(agentOf(model, provider, settings));
        return model.asked()[0]!.raw;
      }),
    );
    expect(JSON.parse(bodies[0]!)).toMatchObject({ temperature: 0, max_tokens: 512 });
    expect(JSON.parse(bodies[1]!)).toMatchObject({
      generationConfig: { temperature: 0, maxOutputTokens: 512 },
    });
    expect(JSON.parse(bodies[2]!)).toMatchObject({ temperature: 0, max_tokens: 512 });
    expect(JSON.parse(bodies[3]!)).toMatchObject({
      temperature: 0,
      max_tokens: 512,
      reasoning_effort: 'none',
    });
  });
});
