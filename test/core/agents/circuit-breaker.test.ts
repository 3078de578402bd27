import fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAgentHealth, readHealthStamp } from '../../../src/core/store/agent-health.ts';
import {
  checkAdmission,
  addFailure,
  releaseTrial,
  blockDuringTrial,
} from '../../../src/core/agents/circuit-breaker.ts';
import type { Health } from '../../../src/core/store/agent-health.ts';
import { fileStore } from '../../../src/core/store/file/file-store.ts';
import { scratch } from '../store/scratch.ts';

const T = Date.parse('2026-11-21T10:00:00.000Z');
const failed = (times: number, now = T): Health | undefined =>
  Array.from({ length: times }).reduce<Health | undefined>(
    (h) => addFailure(h, 'exit code 1', now),
    undefined,
  );

describe('the breaker', () => {
  it('opens at the third failure in a row, for a minute, then lets one trial through', () => {
    expect(checkAdmission(undefined, T)).toEqual({ go: true, isTrial: false });
    expect(checkAdmission(failed(2), T)).toEqual({ go: true, isTrial: false });
    expect(checkAdmission(failed(3), T)).toEqual({
      go: false,
      until: T + 60_000,
      reason: '3 launches failed in a row: exit code 1',
    });
    expect(checkAdmission(failed(3), T + 59_999).go).toBe(false);
    expect(checkAdmission(failed(3), T + 60_000)).toEqual({ go: true, isTrial: true });
    const onTrial = blockDuringTrial(failed(3)!, 5000, T + 60_000);
    expect(checkAdmission(onTrial, T + 60_001).go).toBe(false);
    expect(checkAdmission(onTrial, T + 65_000)).toEqual({ go: true, isTrial: true });
    expect(checkAdmission(releaseTrial(onTrial, T + 61_000), T + 61_000)).toEqual({
      go: true,
      isTrial: true,
    });
    expect(checkAdmission(addFailure(onTrial, 'x', T + 62_000), T + 63_000).go).toBe(false);
  });

  it('is never prolonged by a clock that was set back, and never shut for longer than it was meant to be', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -1e9, max: 1e9 }), (times, later) => {
        const admitted = checkAdmission(failed(times), T + later);
        expect(admitted.go).toBe(times < 3 || later < 0 || later >= 60_000);
      }),
    );
  });
});

describe('the book of health', () => {
  const storeIn = (dir: string) =>
    fileStore({
      dir,
      prefix: '',
      readStamp: readHealthStamp,
      warn: (message) => expect.unreachable(message),
    });

  it('is shared by everybody who opens the store, and loses no change of several at once', async () => {
    const dir = join(scratch(), '.health');
    const books = [openAgentHealth(storeIn(dir)), openAgentHealth(storeIn(dir))] as const;
    expect(await books[0].read()).toEqual({});
    expect(fs.existsSync(dir)).toBe(false);
    const fail = (book: number, id: string) =>
      books[book]!.change(id, (health) => ({
        next: addFailure(health, 'no', T),
        result: health?.failures ?? 0,
      }));
    const before = await Promise.all([fail(0, 'ada'), fail(1, 'ada'), fail(0, 'bob'), fail(1, 'ada')]);
    expect(before.toSorted()).toEqual([0, 0, 1, 2]);
    expect(await books[1].read()).toMatchObject({ ada: { failures: 3 }, bob: { failures: 1, until: null } });
    await books[1].change('ada', () => ({ next: undefined, result: null }));
    expect(Object.keys(await books[0].read())).toEqual(['bob']);
  });

  it('belongs to an agent and a host: one without a login pauses nobody else', async () => {
    const store = storeIn(join(scratch(), '.health'));
    const [laptop, gpu] = [openAgentHealth(store, 'laptop'), openAgentHealth(store, 'gpu#4026')];
    const fail = (book: typeof gpu, until: string) =>
      book.change('ada', () => ({ next: { ...addFailure(undefined, 'login', T), until }, result: null }));
    await fail(laptop, '2026-02-08T20:09:00.000Z');
    expect([Object.keys(await laptop.read()), await gpu.read()]).toEqual([['ada'], {}]);
    expect(await laptop.readHosts(['laptop', 'gpu#4026'])).toEqual({});
    await fail(gpu, '2026-02-08T20:05:00.000Z');
    expect(await laptop.readHosts(['laptop', 'gpu#4026'])).toMatchObject({
      ada: { until: '2026-02-08T20:05:00.000Z' },
    });
    await gpu.change('ada', () => ({ next: undefined, result: null }));
    expect(Object.keys(await laptop.read())).toEqual(['ada']);
  });

  it('takes an entry without a host, of an older council, for one of every host, until it changes there', async () => {
    const store = storeIn(join(scratch(), '.health'));
    await openAgentHealth(store).change('ada', () => ({
      next: addFailure(undefined, 'no', T),
      result: null,
    }));
    const gpu = openAgentHealth(store, 'gpu');
    expect(Object.keys(await gpu.read())).toEqual(['ada']);
    await gpu.change('ada', () => ({ next: undefined, result: null }));
    expect(await gpu.read()).toEqual({});
  });

  it('writes nothing where nothing changes', async () => {
    const dir = join(scratch(), '.health');
    const book = openAgentHealth(storeIn(dir));
    await book.change('ada', () => ({ next: undefined, result: null }));
    expect(fs.existsSync(join(dir, 'agents.md'))).toBe(false);
  });

  it('knows its own documents from others', () => {
    expect([readHealthStamp('{'), readHealthStamp('[]'), readHealthStamp('{"revision":1}')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(readHealthStamp('{"revision":1,"textSha256":"x"}')).toEqual({
      id: 'agent-health',
      revision: 1,
      intact: false,
    });
  });
});
