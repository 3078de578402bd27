import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findDearestPrice, findModelPrice } from '../../../src/core/agents/prices.ts';
import { readArchive } from '../../../src/core/archive/read.ts';
import { readCouncil } from '../../../src/core/council/use/council-access.ts';
import { atWork } from '../../../src/core/heartbeat/launch/heartbeat-row.ts';
import { takeLease } from '../../../src/core/heartbeat/launch/lease.ts';
import { costs, fails, fakeTime, newTable, through } from './table.ts';
import { respond } from '../../../src/core/council/use/respond.ts';

beforeEach(fakeTime);
afterEach(() => vi.useRealTimers());

describe('a budget', () => {
  it('closes the phases one after the other when it is spent, and the archive says so', async () => {
    const table = newTable({ ada: () => costs(0.6), bob: () => costs(0.6), maman: () => costs(0.6) });
    await table.convene({ mode: 'debate', coordinator: 'maman', budget: { usd: 1, tokens: null } });
    const done = await table.untilIdle();
    expect(done.transitions.map((t) => `${t.from} ${t.reason}`)).toEqual([
      'COLLECT all-responded',
      'CHALLENGE budget',
      'RESOLVE budget',
      'SYNTHESIZE budget',
    ]);
    expect(done.launched).toEqual(['ada', 'bob']);
    expect(done.failed[0]).toEqual({
      id: 'ada',
      reason: "budget: the council's budget of $1.00 is spent",
      kind: 'budget',
    });
    expect(table.launches).toHaveLength(2);
    const archive = readArchive(table.archive()[1], table.archive()[0]);
    expect(archive.meta).toMatchObject({ status: 'COMPLETED', spent: { costUsd: 1.2 } });
    expect(archive.synthesis.computed).toBe(true);
    expect(archive.absences.at(-1)).toMatchObject({ participant: 'maman', phase: 'SYNTHESIZE' });
    const text = table.archive()[1];
    expect(text).toContain('From round 2 on the budget had no room for every launch.');
    expect(text).toContain(
      "The coordinator, 🤖 maman, was not launched: the council's budget of \\$1.00 is spent.",
    );
    expect(text).toContain('the budget of the council had no room for more');
  });

  it('counts what a blind phase has used up, which the state does not show', async () => {
    const table = newTable({
      ada: (_, launch) =>
        launch === 0 ? fails({ usage: { inputTokens: 8000, outputTokens: 20 } }) : costs(0),
      bob: () => costs(0),
    });
    await table.convene({ budget: { usd: null, tokens: 12_000 } });
    await table.tick();
    // Both were launched together; the second attempt of ada would have been the third launch.
    expect(table.count('ada')).toBe(1);
    const blind = await table.text();
    expect(blind).toMatch(
      /budget: a launch may take \d+ tokens, more than is left of the council's budget of 12000 tokens/,
    );
    expect(blind).not.toMatch(/"usage"|\b80[02]0\b/);
    expect((await table.tick()).reason).toBe('budget');
  });

  it('is never exceeded by launches that run side by side: who does not fit beside the others waits for them', async () => {
    const ids = ['ada', 'bob', 'cleo', 'dan'];
    const table = newTable(Object.fromEntries(ids.map((id) => [id, () => costs(0, 900)])));
    await table.convene({ budget: { usd: null, tokens: 11_000 } });
    const [first] = [await table.tick()];
    expect(first.launched).toHaveLength(2);
    expect(first.failed.map(({ kind }) => kind)).toEqual(['waits', 'waits']);
    const done = await table.untilIdle();
    expect(done.failed).toEqual([]);
    expect(ids.map((id) => table.count(id))).toEqual([1, 1, 1, 1]);
  });

  it('launches nobody whose prompt alone does not fit, and launches who does', async () => {
    const table = newTable({ ada: () => costs(0), bob: () => costs(0) }, { bob: '  maxOutput: 100' });
    await table.convene({ budget: { usd: null, tokens: 3000 } });
    const done = await table.untilIdle();
    expect([table.count('ada'), table.count('bob')]).toEqual([0, 1]);
    expect(done.failed).toEqual([
      { id: 'ada', kind: 'budget', reason: expect.stringContaining('a launch may take') as string },
    ]);
    expect(done.transitions[0]).toMatchObject({ from: 'COLLECT', reason: 'budget' });
  });

  it.each([
    [100_000, 'debate', 'the budget ended before the debate'],
    [125_000, 'part', 'Not everybody was heard to the end'],
  ] as const)('of %i tokens says in the decision what it has cut', async (tokens, cut, says) => {
    const holds = (position: string) => () => costs(0, 30_000, `position: ${position}`);
    const parts = { ada: holds('build'), bob: holds('build'), cleo: holds('buy') };
    const table = newTable(parts, { ada: '  repair: 0', bob: '  repair: 0', cleo: '  repair: 0' });
    await table.convene({ mode: 'debate', budget: { usd: null, tokens } });
    await table.untilIdle();
    const [path, text] = table.archive();
    const { decision } = readArchive(text, path).meta;
    expect(decision).toMatchObject({ decided: true, cut, why: expect.stringContaining(says) as string });
    expect(text.split(says).length).toBeGreaterThan(2);
  });

  it('reserves what a program added to an earlier prompt', async () => {
    const usage = (input: number) => ({
      say: 'Yes.',
      usage: { inputTokens: input, outputTokens: 5, costUsd: 0 },
    });
    const table = newTable({ ada: () => usage(30_000), bob: () => costs(0) });
    await table.convene({ mode: 'debate', budget: { usd: null, tokens: 60_000 } });
    await table.tick();
    await table.tick();
    const { reserved } = (await table.state()).budget!;
    expect(reserved).toHaveLength(3);
    expect(reserved![2]).toMatchObject({ participant: 'bob' });
    expect((await table.state()).participants.ada!.absent).toMatch(
      /^budget: a launch may take 3[45]\d00 tokens/,
    );
  });

  it('counts a launch of which nobody can tell by what was reserved for it', async () => {
    const table = newTable({ ada: () => costs(0), bob: () => costs(0) });
    await table.convene({ budget: { usd: null, tokens: 9000 } });
    const { state } = await readCouncil(table.ports, 'debate').then(({ council }) => council);
    const taken = await through(
      takeLease(table.ports, { state, participant: 'ada', runner: 'ada', dead: null }),
    );
    if (taken.type !== 'lease') return expect.unreachable(taken.type);
    atWork.delete(taken.lease.id);
    // Its process is gone, and with it what it launched.
    const done = await table.untilIdle();
    expect(new Map(done.failed.map(({ id, kind }) => [id, kind]))).toEqual(
      new Map([
        ['ada', 'budget'],
        ['bob', 'budget'],
      ]),
    );
    expect(table.launches).toEqual([]);
  });

  it('counts what a blind phase has used up on a machine whose spools are not here', async () => {
    const table = newTable({ ada: () => costs(1), bob: () => costs(1) });
    await table.convene({ budget: { usd: 2, tokens: null } });
    await table.tick();
    const { privateFiles } = table.ports;
    const { conversationId } = await table.state();
    for (const name of await privateFiles.list(conversationId))
      if (name.startsWith('lease-')) await privateFiles.remove(conversationId, name);
    // The phase closes here, and nobody is launched in the next one.
    await table.tick();
    expect((await table.state()).usage).toHaveLength(2);
    expect(table.count('ada')).toBe(1);
  });

  it('leaves people time, and closes with the reason of who is silent at the end', async () => {
    const table = newTable({ ada: () => costs(1), ana: () => ({}) });
    const human = table.ports.agents.require('ana');
    human.runner = 'human';
    await table.convene({ mode: 'debate', budget: { usd: 1, tokens: null } });
    const said = {
      name: 'debate',
      participant: 'ana',
      flags: { agree: false, done: false, block: [] },
      replace: false,
    };
    await table.untilIdle();
    await respond(table.ports, { ...said, bytes: Buffer.from('Mine.') });
    const second = await table.untilIdle();
    expect(second).toMatchObject({ from: 'COLLECT', to: 'CHALLENGE', reason: 'all-responded' });
    expect((await table.state()).participants).toMatchObject({
      ada: { absent: expect.stringMatching(/^budget: /) as string },
      ana: { absent: null, status: 'WAITING' },
    });
    await respond(table.ports, { ...said, bytes: Buffer.from('Mine again.') });
    expect(await table.untilIdle()).toMatchObject({ from: 'CHALLENGE', to: 'RESOLVE', reason: 'budget' });
    vi.setSystemTime(Date.now() + 3_600_001);
    const late = await table.untilIdle();
    expect(late.transitions[0]).toMatchObject({ from: 'RESOLVE', reason: 'timeout' });
    expect(readArchive(table.archive()[1], table.archive()[0]).meta.status).toBe('TIMEOUT');
  });

  it('of one agent makes that agent absent, and nobody else', async () => {
    const table = newTable(
      { ada: () => costs(0.5), bob: () => costs(0.5) },
      { ada: '  budget: { usd: 0.5 }', bob: '  repair: 0' },
    );
    await table.convene({ mode: 'debate' });
    expect((await table.state()).budget).toEqual({
      usd: null,
      tokens: null,
      agents: { ada: { usd: 0.5, tokens: null } },
    });
    const done = await table.untilIdle();
    expect([table.count('ada'), table.count('bob')]).toEqual([1, 3]);
    expect(done.transitions.map((t) => t.reason)).toEqual(Array(4).fill('all-responded'));
    const archive = readArchive(table.archive()[1], table.archive()[0]);
    expect(archive.absences.map((a) => `${a.participant} ${a.phase} ${a.reason}`)).toEqual([
      "ada CHALLENGE budget: ada's budget of $0.50 is spent",
      "ada RESOLVE budget: ada's budget of $0.50 is spent",
    ]);
  });

  it('counts an estimate for launches that tell nothing, failed ones too, and says so', async () => {
    const table = newTable(
      { ada: () => ({ say: 'A'.repeat(4000) }), bob: () => fails() },
      { ada: '  repair: 0\n  prices: { input: 0, output: 10 }', bob: '  prices: { input: 10, output: 10 }' },
    );
    await table.convene({ mode: 'debate', budget: { usd: 0.1, tokens: null } });
    const done = await table.untilIdle();
    const { usage, spent } = readArchive(table.archive()[1], table.archive()[0]).meta;
    expect(done.failed.some(({ kind }) => kind === 'budget')).toBe(true);
    expect(spent).toMatchObject({ costUsd: null, inputTokens: null });
    const ada = usage.find(({ participant }) => participant === 'ada')!;
    expect(ada).toMatchObject({ costUsd: null, estimate: { outputTokens: 1000, costUsd: 0.01 } });
    const [bob] = usage.filter(({ participant }) => participant === 'bob');
    const asked = table.launches.find(({ id }) => id === 'bob')!.input;
    expect(bob!.estimate!.inputTokens).toBe(Math.ceil(Buffer.byteLength(asked) / 4));
    const told = table.progress.flatMap((one) => ('note' in one ? [one.note] : []));
    expect(told).toContain('it told no cost, so an estimate counts for the budget');
    expect(table.archive()[1]).toMatch(/Launches that did not report all that the budget needs: \d/);
  });

  it.each([
    [
      'tells tokens, for a limit in tokens',
      { usd: null, tokens: 9000 },
      { inputTokens: 5, outputTokens: 5 },
      undefined,
    ],
    [
      'tells tokens, for a limit in US$',
      { usd: 1, tokens: null },
      { inputTokens: 1_000_000, outputTokens: 0 },
      3,
    ],
    ['tells a cost, for a limit in US$', { usd: 1, tokens: null }, { costUsd: 0.1 }, undefined],
  ])('estimates what a limit needs of a launch that %s', async (_, budget, usage, costUsd) => {
    const table = newTable(
      { ada: () => ({ say: 'Yes.', usage }) },
      { ada: '  prices: { input: 3, output: 15 }' },
    );
    await table.convene({ mode: 'debate', budget });
    await table.untilIdle();
    const [first] = readArchive(table.archive()[1], table.archive()[0]).meta.usage;
    expect(first!.estimate?.costUsd).toBe(costUsd);
  });

  it('counts the dearest model that a program may have chosen where no price is known', () => {
    const dear = (runner: 'claude' | 'codex' | 'command') => findDearestPrice({ runner });
    for (const model of ['claude-opus-5-5', 'sonnet', 'claude-opus-4-1'])
      expect(dear('claude').output).toBeGreaterThanOrEqual(findModelPrice(model, {})!.output);
    expect(dear('codex').output).toBeGreaterThanOrEqual(findModelPrice('gpt-5.5', {})!.output);
    expect(dear('command').output).toBeGreaterThanOrEqual(dear('codex').output);
  });

  it('is not there unless somebody sets one', async () => {
    const table = newTable({ ada: () => costs(1000) });
    await table.convene();
    expect(await table.state()).not.toHaveProperty('budget');
  });
});
