import * as sdk from '@modelcontextprotocol/server';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { createServerMaker } from '../../../src/server/mcp/server.ts';
import { listGroupTools } from '../../../src/server/mcp/council-tool-definitions.ts';
import type { Host } from '../../../src/server/remote/host.ts';
import type { Caller, CallOutcome, RemoteCall } from '../../../src/server/remote/perform-call.ts';
import { stateOf } from '../../core/council/fixtures.ts';

type Answers = Partial<
  Record<RemoteCall['name'], (input: RemoteCall['input']) => CallOutcome | Promise<CallOutcome>>
>;

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

const done = (document: unknown): CallOutcome => ({ document, failed: false });
const REFUSED: CallOutcome = {
  document: {
    error: { code: 'unknown_archive', message: 'There is no archive.', hint: 'See: council list' },
  },
  failed: true,
};

/** A client of the tools of council, whose calls are answered by `answers`. */
async function connect(answers: Answers, caller: Caller = { role: 'admin' }) {
  const calls: RemoteCall[] = [];
  const host: Host = {
    version: '1.0.0',
    stop: new AbortController().signal,
    findTrouble: () => Promise.resolve(undefined),
    holder: () => Promise.resolve(undefined),
    note: () => undefined,
    async perform(call) {
      calls.push(call);
      return (await answers[call.name]?.(call.input)) ?? done({ councils: [] });
    },
  };
  const make = await createServerMaker(host, () => ({ caller, tools: listGroupTools() }));
  const [near, far] = sdk.InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  await Promise.all([make({ era: 'legacy' }).connect(far), client.connect(near)]);
  ended.push(() => client.close());
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    return { text: (content as { text: string }[])[0]!.text, isError: isError === true };
  };
  return { client, calls, call, names: () => calls.map(({ name }) => name) };
}

describe('the list of tools', () => {
  it('takes at most 1,000 tokens of the context of a client that says nothing else', async () => {
    const { client } = await connect({});
    const { tools } = await client.listTools();
    expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(1000);
    for (const { description } of tools) expect(description).toMatch(/^Use it /);
  });

  it('says what changes nothing, and of the rest that it destroys nothing', async () => {
    const { client } = await connect({});
    const { tools } = await client.listTools();
    const told = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(told).toEqual({
      ask: { readOnlyHint: false, destructiveHint: false },
      verdict: { readOnlyHint: false, destructiveHint: false },
      archives: { readOnlyHint: true, openWorldHint: false },
      view: { readOnlyHint: true, openWorldHint: false },
      respond: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
  });
});

it('the prompt convene joins the words that a client hands on one argument each', async () => {
  const { client } = await connect({});
  const words = { question: 'Should', second: 'we', third: 'buy it?' };
  const { messages } = await client.getPrompt({ name: 'convene', arguments: words });
  const { text } = messages[0]!.content as { text: string };
  expect(text).toContain('on this question: Should we buy it?\n');
  expect(text).toContain('Call ask with the whole question');
  expect(text).toContain('call verdict');
});

describe('ask', () => {
  it('hands on what it was given, and refuses what it does not take', async () => {
    const { call, calls } = await connect({ ask: () => REFUSED });
    const given = { question: 'Buy it?', context: '# Facts', seats: 'a,b', table: 'plan', debate: true };
    expect(await call('ask', given)).toMatchObject({ isError: true });
    expect(calls.find(({ name }) => name === 'ask')).toMatchObject({
      via: 'mcp',
      input: {
        topic: 'Buy it?',
        brief: '# Facts',
        agents: 'a,b',
        table: 'plan',
        debate: true,
        name: 'buy-it',
      },
    });
    const before = calls.length;
    expect(await call('ask', { question: 'Buy it?', budgetUsd: 1 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('takes no argument budgetUsd') as string,
    });
    expect(await call('ask')).toMatchObject({
      isError: true,
      text: expect.stringContaining('The argument question is missing') as string,
    });
    expect(calls).toHaveLength(before);
  });

  it('is for those who may launch agents', async () => {
    const { call, calls } = await connect({}, { role: 'member', participant: 'ana' });
    expect(await call('ask', { question: 'Buy it?' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('council token create --role admin') as string,
    });
    expect(calls).toEqual([]);
  });
});

describe('verdict', () => {
  const councils = [{ ...stateOf({ name: 'buy-it' }) }];

  it('takes up the active council where this process has asked none', async () => {
    const { call, names, calls } = await connect({
      status: () => done({ councils }),
      run: () => REFUSED,
    });
    await call('verdict');
    expect(names()).toContain('run');
    expect(calls.find(({ name }) => name === 'run')!.input).toEqual({ name: 'buy-it', resume: true });
  });

  it('tells a member how it stands, and launches nobody', async () => {
    const { call, names } = await connect({ status: () => done({ councils }) }, { role: 'member' });
    expect((await call('verdict')).text).toBe('buy-it: COLLECT: 0 of 3, waiting for a, b, c');
    expect(names()).toEqual(['status']);
  });

  it('shows the newest archive where no council is active, or the one that was named', async () => {
    const { call, calls } = await connect({ show: () => REFUSED });
    await call('verdict');
    await call('verdict', { name: 'older' });
    expect(calls.filter(({ name }) => name === 'show').map(({ input }) => input.archive)).toEqual([
      'last',
      'older',
    ]);
  });
});

describe('archives', () => {
  const archives = [
    { id: '2026-01-01-buy', topic: 'Buy\nit?', outcome: 'Decided: P1.' },
    { id: '2026-01-02-sell', topic: 's'.repeat(500) },
  ];

  it('lists a line or two for each, and how the next page is called', async () => {
    const { call } = await connect({ list: () => done({ archives, nextCursor: 'c2' }) });
    const { text } = await call('archives');
    expect(text.split('\n').slice(0, 2)).toEqual(['- 2026-01-01-buy: Buy it?', '  Decided: P1.']);
    expect(text).toMatch(/\nMore: archives \{"action":"list","cursor":"c2"\}$/);
    expect(Buffer.byteLength(text)).toBeLessThan(500);
  });

  it('says that there is none, and that nothing was found', async () => {
    const { call } = await connect({
      list: () => done({ archives: [] }),
      search: () => done({ results: [] }),
    });
    expect((await call('archives')).text).toBe('There is no archive yet.');
    expect((await call('archives', { action: 'search', query: 'x' })).text).toBe('Nothing found.');
  });

  it('names the query again for the next page of a search', async () => {
    const results = [{ id: 'a', topic: 'Buy it?', excerpt: 'because it is **cheap**' }];
    const { call, calls } = await connect({ search: () => done({ results, nextCursor: 'c2' }) });
    const { text } = await call('archives', { action: 'search', query: 'cheap' });
    expect(text).toContain('because it is **cheap**');
    expect(text).toContain('archives {"action":"search","query":"cheap","cursor":"c2"}');
    expect(calls.at(-1)!.input).toMatchObject({ query: 'cheap' });
  });

  it('shows an archive in pages of the same size as a verdict', async () => {
    const content = 'A line of the archive.\n\n'.repeat(4000);
    const { call } = await connect({
      show: () => done({ meta: { id: '2026-01-01-buy' } }),
      export: () => done({ content }),
    });
    const first = await call('archives', { action: 'show' });
    expect(first.text).toMatch(
      /^Page 1 of \d+\. Call archives \{"action":"show","archive":"2026-01-01-buy"\} again with the cursor "2"/,
    );
    expect(Buffer.byteLength(first.text)).toBeLessThanOrEqual(4800);
    const second = await call('archives', { action: 'show', archive: '2026-01-01-buy', cursor: '2' });
    expect(second.text).toMatch(/^Page 2 of /);
    expect(await call('archives', { action: 'show', cursor: '9999' })).toMatchObject({ isError: true });
  });
});
