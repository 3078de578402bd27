import { describe, expect, it } from 'vitest';
import { NO_RESULT } from '../../../src/core/heartbeat/launch/result.ts';
import type { LaunchResult } from '../../../src/core/heartbeat/launch/result.ts';
import { createSpool } from '../../../src/core/heartbeat/launch/spool.ts';
import { createMemoryTexts } from '../../../src/core/store/memory/memory-store.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const newSpool = () => {
  const files = new Map<string, Uint8Array>();
  return { files, spool: createSpool(createMemoryTexts(files), ID, 'l') };
};
const record = {
  participant: 'ada',
  phase: 'COLLECT' as const,
  tour: 1,
  at: '2026-02-08T20:00:00.000Z',
  model: 'm',
  inputTokens: 1,
  outputTokens: 2,
  costUsd: 3,
  ms: 4,
  ok: false,
};
const failed: LaunchResult = {
  ...NO_RESULT,
  output: Buffer.from('half an answer'),
  durationMs: 4,
  reason: 'exit code 1: out of cheese',
  safeReason: 'exit code 1',
  failure: 'failed',
  retryAfterMs: 1000,
  usage: record,
  stderrTail: 'out of cheese',
  record,
};

describe('the spool of a launch', () => {
  it.each<[string, LaunchResult]>([
    ['a failure', failed],
    ['an answer', { ...failed, ok: true, reason: null, safeReason: null, failure: null, retryAfterMs: null }],
    ['an interruption', { ...failed, failure: 'cancelled', cancelled: true, record: null, usage: null }],
  ])('gives %s back as it was', async (_, result) => {
    const { spool } = newSpool();
    await spool.write(result);
    expect(await spool.read()).toEqual(result);
  });

  it('keeps its keys, which other versions read', async () => {
    const { spool, files } = newSpool();
    await spool.write(failed);
    const text = Buffer.from(files.get(`${ID}/lease-l-exit.json`)!).toString('utf8');
    expect(Object.keys(JSON.parse(text) as object)).toEqual(
      'ok reason ms brief failure retryAfterMs stderr usage sha256'.split(' '),
    );
  });

  it('reads one of the first version, and none whose output is not the one that was meant', async () => {
    const { spool, files } = newSpool();
    files.set(`${ID}/lease-l-output`, Buffer.from(''));
    files.set(`${ID}/lease-l-exit.json`, Buffer.from('{"ok":false,"reason":"exit code 1","ms":5}'));
    expect(await spool.read()).toEqual({
      ...NO_RESULT,
      durationMs: 5,
      reason: 'exit code 1',
      safeReason: 'it failed',
      failure: 'failed',
    });
    const other = newSpool();
    await other.spool.write(failed);
    other.files.set(`${ID}/lease-l-output`, Buffer.from('cut'));
    expect(await other.spool.read()).toBeUndefined();
  });
});
