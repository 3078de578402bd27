import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeTime, newTable } from './table.ts';

beforeEach(fakeTime);
afterEach(() => vi.useRealTimers());

describe('a tick without trust', () => {
  it('fault 15: launches nobody, costs nobody an attempt, and the phase still ends at its deadline', async () => {
    const table = newTable({ ada: () => ({ say: 'Yes.' }), bob: () => ({ say: 'No.' }) });
    table.ports.mayRun = ({ key }) => key !== 'agent:ada';
    await table.convene();
    const first = await table.tick();
    expect(first).toMatchObject({
      launched: ['bob'],
      failed: [{ id: 'ada', reason: 'it waits for trust', kind: 'untrusted' }],
    });
    expect(table.progress).toContainEqual({
      type: 'untrusted',
      council: 'debate',
      participant: 'ada',
      runs: 'x',
    });
    const { participants } = await table.state();
    expect(participants.ada).toMatchObject({ status: 'WAITING', attempts: 0, lease: null, absent: null });
    // It is waited for, and told once, however often it is looked.
    expect((await table.untilIdle()).failed).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect((await table.untilIdle()).archive).toMatch(/^conseils\//);
    expect(table.launches.map(({ id }) => id)).toEqual(['bob']);
  });

  it('fault 15: launches who is trusted later', async () => {
    const table = newTable({ ada: () => ({ say: 'Yes.' }) });
    let trusted = false;
    table.ports.mayRun = () => trusted;
    await table.convene();
    await table.tick();
    trusted = true;
    expect(await table.tick()).toMatchObject({ launched: ['ada'], failed: [] });
  });

  it('fault 15: looks once more at the very agent that is launched, and gives the lease back', async () => {
    const table = newTable({ ada: () => ({ say: 'Yes.' }) });
    const looks = [true, false];
    table.ports.mayRun = () => looks.shift() ?? false;
    await table.convene();
    await table.tick();
    expect(table.launches).toEqual([]);
    expect((await table.state()).participants.ada).toMatchObject({
      status: 'WAITING',
      lease: null,
      absent: null,
    });
    expect(looks).toEqual([]);
  });
});
