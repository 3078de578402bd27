import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CallOutcome } from '../../../src/server/remote/perform-call.ts';
import { isLasting, createLastingCalls } from '../../../src/server/mcp/server.ts';
import type { CallAnswer, LongCall } from '../../../src/server/mcp/server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const DONE: CallOutcome = { document: { councils: [] }, failed: false };
const NEVER = new AbortController().signal;
const CALL: LongCall = { name: 'tick', given: {}, caller: { role: 'admin' }, gone: NEVER };

/** Ticks that end when they are told to, and whether they were ended before. */
function ticking() {
  const begun: { end(): void; signal: AbortSignal }[] = [];
  const wait = createLastingCalls();
  const call = (more: Partial<LongCall> = {}): Promise<CallAnswer> =>
    wait(
      { ...CALL, ...more },
      (signal) => new Promise((resolve) => begun.push({ end: () => resolve(DONE), signal })),
    );
  return { begun, call };
}

it('comes back after 20 s, and the same call again gets the result of what was begun', async () => {
  const { begun, call } = ticking();
  const first = call();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await first).toEqual({ kind: 'goesOn' });
  const second = call();
  begun[0]!.end();
  expect(await second).toEqual({ kind: 'done', done: DONE });
  expect(begun).toHaveLength(1);
  void call();
  expect(begun).toHaveLength(2);
});

it('keeps a result until somebody has got it', async () => {
  const { begun, call } = ticking();
  const first = call();
  await vi.advanceTimersByTimeAsync(20_000);
  await first;
  begun[0]!.end();
  expect(await call()).toEqual({ kind: 'done', done: DONE });
  expect(begun).toHaveLength(1);
});

it('reports every ten seconds to a client that wants to know, and not after the answer', async () => {
  const { call } = ticking();
  const reported: number[] = [];
  const answered = call({ report: (seconds) => void reported.push(seconds) });
  await vi.advanceTimersByTimeAsync(60_000);
  await answered;
  expect(reported[0]).toBe(10);
  expect(reported.length).toBeLessThanOrEqual(2);
});

it('ends with a call that is cancelled only where nobody else waits', async () => {
  const { begun, call } = ticking();
  const [one, other] = [new AbortController(), new AbortController()];
  const calls = [call({ gone: one.signal }), call({ gone: other.signal })];
  one.abort();
  await calls[0];
  expect(begun[0]!.signal.aborted).toBe(false);
  other.abort();
  await calls[1];
  expect(begun.map(({ signal }) => signal.aborted)).toEqual([true]);
});

it('does not end with a call that joined it after another was told that it goes on', async () => {
  const { begun, call } = ticking();
  const first = call();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await first).toEqual({ kind: 'goesOn' });
  const joined = new AbortController();
  const second = call({ gone: joined.signal });
  joined.abort();
  await second;
  expect(begun[0]!.signal.aborted).toBe(false);
  const third = call();
  begun[0]!.end();
  expect(await third).toEqual({ kind: 'done', done: DONE });
  expect(begun).toHaveLength(1);
});

it('joins nobody to the call of another caller, or with other arguments', () => {
  const { begun, call } = ticking();
  void call();
  void call({ given: { name: 'c' } });
  void call({ caller: { role: 'admin', participant: 'ana' } });
  expect(begun).toHaveLength(3);
});

it.each([
  ['tick', {}, true],
  ['task', { action: 'run' }, true],
  ['task', { action: 'list' }, false],
  ['send', { wait: true }, false],
  ['status', {}, false],
] as const)('%s %j lasts: %s', (name, given, wanted) => {
  expect(isLasting({ name, given })).toBe(wanted);
});
