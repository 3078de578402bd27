// The row of a heartbeat: when it is written, when it is lost, and whose leases it holds.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CouncilError } from '../../../src/core/base/errors.ts';
import { createHeartbeatRenewal } from '../../../src/core/heartbeat/launch/heartbeat-row.ts';
import { isHeld } from '../../../src/core/heartbeat/launch/recover.ts';
import { memoryHeartbeats } from '../../helpers/memory-drivers.ts';
import { identifyThisProcess } from '../../../src/core/store/local/liveness.ts';
import { heartbeat } from '../../contracts/heartbeats.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-02-08T20:00:00.000Z') }));
afterEach(() => vi.useRealTimers());

function beating() {
  const rows = memoryHeartbeats(() => Date.now());
  let isAway = false;
  let held: Promise<void> | undefined;
  const notes: string[] = [];
  const renew = async (row: Parameters<typeof rows.renew>[0]): Promise<void> => {
    if (isAway) throw new CouncilError('io', 'The database is away.');
    await held;
    await rows.renew(row);
  };
  /** Renewals that begin from now on wait for the returned function to be called. */
  const hold = (is = true): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = is ? promise : undefined;
    return resolve;
  };
  const heart = createHeartbeatRenewal({ ...rows, renew }, 'mine', {
    row: () => heartbeat('mine'),
    note: (line) => void notes.push(line),
    measureElapsed: () => Date.now(),
  });
  const age = async (): Promise<number | undefined> => (await rows.list())[0]?.ageMs;
  return { rows, heart, notes, age, hold, away: (is: boolean) => (isAway = is) };
}

describe('a heart', () => {
  it('writes its row when it begins, renews it every ten seconds, and takes it away at the end', async () => {
    const { heart, age, rows } = beating();
    expect(await age()).toBeUndefined();
    await Promise.all([heart.begin(), heart.begin()]);
    await vi.advanceTimersByTimeAsync(95_000);
    expect(await age()).toBe(5000);
    await heart.end();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await rows.list()).toEqual([]);
  });

  it('is renewed at once where what keeps it is back, and is not out of touch then', async () => {
    const { heart, away, notes, rows } = beating();
    heart.renew();
    expect(await rows.list()).toEqual([]);
    await heart.begin();
    away(true);
    const before = heart.inTouch();
    await vi.advanceTimersByTimeAsync(18_000);
    away(false);
    heart.renew();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(before.aborted).toBe(false);
    expect(notes).toEqual(['The database is away.']);
  });

  it('is out of touch 20 s after the last renewal, before anybody takes it for dead, and says so once', async () => {
    const { heart, away, age, notes } = beating();
    await heart.begin();
    away(true);
    const before = heart.inTouch();
    await vi.advanceTimersByTimeAsync(19_000);
    expect(before.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect(before.aborted).toBe(true);
    expect(await age()).toBeLessThan(30_000);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(notes.filter((line) => line.includes('20 s'))).toHaveLength(1);
    away(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(heart.inTouch().aborted).toBe(false);
  });

  it('counts the time in which its process was stopped', async () => {
    const { heart } = beating();
    await heart.begin();
    vi.setSystemTime(Date.now() + 25_000);
    const stopped = heart.inTouch();
    await vi.advanceTimersByTimeAsync(5000);
    expect(stopped.aborted).toBe(true);
  });

  it('counts it also where the next thing it does is to renew', async () => {
    const { heart } = beating();
    await heart.begin();
    await vi.advanceTimersByTimeAsync(9000);
    vi.setSystemTime(Date.now() + 25_000);
    const stopped = heart.inTouch();
    await vi.advanceTimersByTimeAsync(1000);
    expect(stopped.aborted).toBe(true);
    expect(heart.inTouch().aborted).toBe(false);
  });

  it('stays in touch where a renewal that was held up is done after a later one', async () => {
    const { heart, hold } = beating();
    await heart.begin();
    const go = hold();
    await vi.advanceTimersByTimeAsync(10_000);
    hold(false);
    await vi.advanceTimersByTimeAsync(19_000);
    go();
    const now = heart.inTouch();
    await vi.advanceTimersByTimeAsync(0);
    await vi.advanceTimersByTimeAsync(6000);
    expect([now.aborted, heart.inTouch().aborted]).toEqual([false, false]);
  });

  it('may be begun again where the first row could not be written', async () => {
    const { heart, away, age } = beating();
    away(true);
    await expect(heart.begin()).rejects.toMatchObject({ code: 'io' });
    away(false);
    await heart.begin();
    expect(await age()).toBe(0);
  });
});

describe('a lease of another host', () => {
  const until = '2026-02-08T20:10:00.000Z';
  const lease = { ...identifyThisProcess(), id: 'l', host: 'elsewhere', until, heartbeat: 'theirs' };
  const clock = { now: () => Date.now(), clocks: () => undefined };
  const held = (heartbeats: ReturnType<typeof memoryHeartbeats>, over = {}): Promise<boolean> =>
    isHeld({ self: identifyThisProcess(), clock, heartbeats }, { ...lease, ...over });

  it('is held while its heartbeat lives, free 30 s after its last renewal or once the row is gone', async () => {
    const rows = memoryHeartbeats(() => Date.now());
    expect(await held(rows)).toBe(false);
    await rows.renew(heartbeat('theirs'));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(await held(rows)).toBe(true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await held(rows)).toBe(false);
    await rows.renew(heartbeat('theirs'));
    expect(await held(rows)).toBe(true);
    await rows.remove('theirs');
    expect(await held(rows)).toBe(false);
  });

  it('of an older council, which names no heartbeat, is held as long as it lasts', async () => {
    expect(await held(memoryHeartbeats(), { heartbeat: undefined })).toBe(true);
    expect(await held(memoryHeartbeats(), { heartbeat: undefined, until: '2026-02-08T19:59:00.000Z' })).toBe(
      false,
    );
  });

  it('of this host is judged by its pid alone', async () => {
    const { host, pid } = identifyThisProcess();
    const parent = { host, pid: process.ppid, startTime: '' };
    expect(pid).not.toBe(parent.pid);
    expect(await held(memoryHeartbeats(), parent)).toBe(true);
    expect(await held(memoryHeartbeats(), { host, pid: 2 ** 22 + 7 })).toBe(false);
  });
});
