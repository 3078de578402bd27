import { getEventListeners } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { throwIfGone, watchStore } from '../../../src/core/app/heartbeat.ts';
import {
  createTroubleFinder,
  explainFailure,
  awaitWhileReadable,
} from '../../../src/server/remote/store-trouble.ts';
import type { App } from '../../../src/core/app/app.ts';
import { watchCouncil } from '../../../src/core/app/wait.ts';
import { CouncilError } from '../../../src/core/base/errors.ts';
import { layOutProject } from '../../../src/core/store/local/project.ts';
import { memoryStore } from '../../../src/core/store/memory/memory-store.ts';
import type { StoreTrouble } from '../../../src/core/store/availability.ts';

const trouble = (kind: StoreTrouble['kind'], message: string = kind): StoreTrouble => ({
  kind,
  message,
  hint: 'Look.',
});
const NEVER = new Promise<never>(() => undefined);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('the watch of a store', () => {
  it('tells when it goes, changes and comes back, and calls back then', async () => {
    let now: StoreTrouble | undefined;
    const lines: string[] = [];
    const watch = watchStore(
      async () => now,
      (line) => void lines.push(line),
    );
    const back = vi.fn();
    watch.onBack(back);
    expect(await watch.isUsable()).toBe(true);
    now = trouble('unreachable');
    expect([await watch.isUsable(), await watch.isUsable()]).toEqual([false, false]);
    expect(lines).toEqual(['unreachable Look.']);
    now = trouble('read_only');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lines).toEqual(['unreachable Look.', 'read_only Look.']);
    now = undefined;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lines.at(-1)).toBe('The store can be used again.');
    expect(lines).toHaveLength(3);
    expect(back).toHaveBeenCalledTimes(1);
    watch.stop();
  });

  it.each([
    ['gone', true],
    ['replaced', true],
    ['read_only', false],
    ['unreachable', false],
  ] as const)('ends the process that waits a minute for one that is %s: %s', async (kind, ends) => {
    const watch = watchStore(
      async () => trouble(kind),
      () => undefined,
    );
    await watch.isUsable();
    vi.spyOn(process, 'uptime').mockReturnValue(process.uptime() + 61);
    await vi.advanceTimersByTimeAsync(4000);
    expect(watch.gone.aborted).toBe(ends);
    if (ends) expect(() => throwIfGone(watch)).toThrow(expect.objectContaining({ code: 'store_away' }));
    else expect(() => throwIfGone(watch)).not.toThrow();
    watch.stop();
    vi.restoreAllMocks();
  });
});

describe('work on a store', () => {
  it('fails as soon as the store is found away, however long an answer would take', async () => {
    const waiting = awaitWhileReadable(async () => trouble('unreachable', 'It is cut off.'), NEVER);
    const failed = expect(waiting).rejects.toMatchObject({ code: 'store_away', message: 'It is cut off.' });
    await vi.advanceTimersByTimeAsync(2000);
    await failed;
  });

  it('goes on where the store answers, or can only be read', async () => {
    for (const found of [undefined, trouble('read_only')]) {
      const slow = new Promise<string>((resolve) => setTimeout(() => resolve('done'), 9000));
      const waiting = awaitWhileReadable(async () => found, slow);
      await vi.advanceTimersByTimeAsync(9000);
      expect(await waiting).toBe('done');
    }
  });

  it('is judged without a word where there is no project: the call itself says so', async () => {
    const env = { COUNCIL_ROOT: '/no/such/folder' };
    const app = { cwd: '/', env, root: undefined, features: [] } as unknown as App;
    expect(await createTroubleFinder(app)()).toBeUndefined();
  });

  it('tells as the reason of a failure that the store is away, and keeps what says why itself', async () => {
    const away = async () => trouble('read_only', 'It is read-only.');
    for (const code of ['io', 'failed', 'no_project'] as const)
      expect(await explainFailure(away, new CouncilError(code, 'no'))).toMatchObject({ code: 'store_away' });
    const own = new CouncilError('phase_closed', 'too late');
    expect(await explainFailure(away, own)).toBe(own);
    const failure = new CouncilError('io', 'odd');
    expect(await explainFailure(async () => undefined, failure)).toBe(failure);
    for (const details of [{ errno: 'ENOSPC' }, { errno: 'EDQUOT' }, { sqlstate: '53100' }]) {
      const full = new CouncilError('io', 'full', { details });
      expect(await explainFailure(async () => undefined, full)).toMatchObject({
        code: 'store_away',
        message: 'full',
        details: { trouble: 'full' },
      });
    }
  });
});

describe('the watch of a council', () => {
  it('takes a council that cannot be found for archived only where the folder of the project is there', async () => {
    const root = fs.mkdtempSync(join(tmpdir(), 'council-watch-'));
    const store = { ...memoryStore(), read: async () => undefined };
    const watch = watchCouncil({ store, project: layOutProject(root) }, 'q');
    expect(await watch.read()).toBeUndefined();
    fs.rmdirSync(root);
    await expect(watch.read()).rejects.toMatchObject({ code: 'store_away' });
    watch.stop();
  });

  it('leaves no timer and no listener behind where the store fails', async () => {
    const failure = new CouncilError('io', 'odd');
    const store = { ...memoryStore(), revision: () => Promise.reject(failure) };
    const watch = watchCouncil({ store, project: layOutProject(tmpdir()) }, 'q');
    const { signal } = new AbortController();
    await expect(watch.untilChange(1, undefined, signal)).rejects.toBe(failure);
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
    watch.stop();
  });
});
