import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readArchive } from '../../src/archive/read.ts';
import { costs, fails, fakeTime, newTable } from './table.ts';
import { respond } from '../../src/council/use/respond.ts';

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
      reason: "budget: the council's 1 US$ are spent",
      kind: 'budget',
    });
    expect(table.launches).toHaveLength(2);
    const archive = readArchive(table.archive()[1], table.archive()[0]);
    expect(archive.meta).toMatchObject({ status: 'COMPLETED', spent: { costUsd: 1.2 } });
    expect(archive.synthesis.computed).toBe(true);
    expect(archive.absences.at(-1)).toMatchObject({ participant: 'maman', phase: 'SYNTHESIZE' });
    const text = table.archive()[1];
    expect(text).toContain('The budget was spent in round 2');
    expect(text).toContain("The coordinator, 🤖 maman, was not launched: the council's 1 US\\$ are spent.");
    expect(text).toContain('the budget of the council was spent');
  });

  it('counts what a blind phase has used up, which the state does not show', async () => {
    const table = newTable({
      ada: (_, launch) => (launch === 0 ? fails({ usage: { inputTokens: 90, outputTokens: 20 } }) : costs(0)),
      bob: () => costs(0),
    });
    table.ports.agents.require('ada');
    await table.convene({ budget: { usd: null, tokens: 100 } });
    await table.tick();
    // Both were launched together; the second attempt of ada would have been the third launch.
    expect(table.count('ada')).toBe(1);
    const blind = await table.text();
    expect(blind).toContain("budget: the council's 100 tokens are spent");
    expect(blind).not.toMatch(/"usage"|inputTokens|\b110\b/);
    expect((await table.tick()).reason).toBe('budget');
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
      "ada CHALLENGE budget: ada's 0.5 US$ are spent",
      "ada RESOLVE budget: ada's 0.5 US$ are spent",
    ]);
  });

  it('is not there unless somebody sets one', async () => {
    const table = newTable({ ada: () => costs(1000) });
    await table.convene();
    expect(await table.state()).not.toHaveProperty('budget');
  });
});
