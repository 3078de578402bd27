import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FailureKind } from '../../../src/core/agents/runners/turn-types.ts';
import { fails, fakeTime, newTable } from './table.ts';

beforeEach(fakeTime);
afterEach(() => vi.useRealTimers());

const failing = (failure: FailureKind, over = {}) => fails({ failure, reason: `${failure}!`, ...over });

describe('another attempt', () => {
  it.each([
    ['config', 1],
    ['refusal', 1],
    ['timeout', 2],
    ['failed', 3],
    ['rate-limit', 3],
  ] as const)('after %s: %i launches in all', async (kind, launches) => {
    const table = newTable({ ada: () => failing(kind) });
    await table.convene({ blind: false });
    const done = await table.tick();
    expect(table.count('ada')).toBe(launches);
    expect(done.failed).toEqual([{ id: 'ada', reason: `${kind}!` }]);
    expect((await table.state()).participants.ada!.absent).toBe(`failed: ${kind}!`);
  });

  it.each([
    ['\u200B', 'printed nothing that can be read'],
    ['<think>\nHm.\n</think>', 'printed nothing but its reasoning'],
    ['---\nposition:\n---', 'printed nothing but the empty form'],
  ])('after %j, which says nothing and counts as no answer', async (text, reason) => {
    const table = newTable({ ada: (_, n) => ({ say: n === 0 ? text : 'Yes.' }), bob: () => ({ say: text }) });
    await table.convene();
    const done = await table.tick();
    expect([table.count('ada'), table.count('bob')]).toEqual([2, 3]);
    expect(done.failed).toEqual([{ id: 'bob', reason }]);
    const { ada, bob } = (await table.state()).participants;
    expect([ada!.status, bob!.absent]).toEqual(['RESPONDED', `failed: ${reason}`]);
  });

  it('fault 8: none after a text that is refused for its size, which is kept once', async () => {
    const full = Array.from({ length: 15 }, (_, n) => `p${n}`);
    const say = (launch: number): string => `${launch}`.padEnd(1024 * 1024, 'x');
    const parts = ['big', ...full].map((id) => [id, (_: string, n: number) => ({ say: say(n) })] as const);
    const table = newTable(Object.fromEntries(parts));
    const kept: string[] = [];
    table.ports.lateFiles.keep = async (_, name) => (kept.push(name), name);
    await table.convene({ blind: false });
    const done = await table.tick();
    // Fifteen texts of 1 MiB fit; whoever comes last does not.
    expect(done.failed).toEqual([
      { id: expect.any(String), reason: expect.stringContaining('the limit is 16777216 (16 MiB)') },
    ]);
    expect(table.count(done.failed[0]!.id)).toBe(1);
    expect(kept).toHaveLength(1);
  });

  it('waits as long as the provider asks', async () => {
    const table = newTable({
      ada: (_, n) => (n === 0 ? failing('rate-limit', { retryAfterMs: 20_000 }) : { say: 'Yes.' }),
    });
    await table.convene();
    await table.tick();
    const [first, second] = table.launches.map(({ at }) => at);
    expect(second! - first!).toBeGreaterThanOrEqual(20_000);
    expect((await table.state()).participants.ada!.status).toBe('RESPONDED');
  });

  it('is not made by another tick while the provider wants to be left alone', async () => {
    const table = newTable({
      ada: (_, n) => {
        // The tick that waits is stopped in the middle of its pause.
        if (n === 0) setTimeout(() => table.controller.abort(), 5000);
        return n === 0 ? failing('rate-limit', { retryAfterMs: 20_000 }) : { say: 'Yes.' };
      },
    });
    await table.convene();
    await table.tick();
    const { participants, createdAt } = await table.state();
    const { retryAt } = participants.ada!;
    expect(Date.parse(retryAt!) - Date.parse(createdAt)).toBeGreaterThanOrEqual(20_000);
    expect(participants.ada).toMatchObject({ attempts: 1, lease: null, absent: null });
    const other = await table.tick(undefined, new AbortController().signal);
    expect(other.failed).toEqual([
      { id: 'ada', reason: `paused until ${retryAt} (rate limit)`, kind: 'paused', until: retryAt },
    ]);
    vi.setSystemTime(Date.parse(retryAt!));
    await table.tick(undefined, new AbortController().signal);
    const after = (await table.state()).participants.ada!;
    expect(after).toMatchObject({ status: 'RESPONDED', attempts: 2 });
    expect(after).not.toHaveProperty('retryAt');
  });

  it('is not waited for beyond the end of the phase', async () => {
    const table = newTable({ ada: () => failing('rate-limit', { retryAfterMs: 3_600_000 }) });
    await table.convene({ blind: false });
    await table.tick();
    expect(table.count('ada')).toBe(1);
    expect((await table.state()).participants.ada!.absent).toBe('failed: rate-limit!');
  });

  it.each(['failed', 'timeout'] as const)('after %s does not begin when the phase is over', async (kind) => {
    const table = newTable({
      ada: () => {
        // The launch took until a moment before the deadline.
        vi.setSystemTime(Date.now() + 3_600_000 - 100);
        return failing(kind);
      },
    });
    await table.convene({ blind: false });
    await table.tick();
    expect(table.count('ada')).toBe(1);
    expect((await table.state()).participants.ada!.absent).toBe(`failed: ${kind}!`);
  });

  it('does not count when the launch was interrupted', async () => {
    const table = newTable({
      ada: () => {
        table.controller.abort();
        return failing('cancelled', { cancelled: true });
      },
    });
    await table.convene();
    await table.tick();
    expect((await table.state()).participants.ada).toMatchObject({ attempts: 0, lease: null, absent: null });
  });
});
