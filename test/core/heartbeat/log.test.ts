import { describe, expect, it } from 'vitest';
import { NOTHING } from '../../../src/core/agents/runners/finished-turn.ts';
import { renderPrintedOutput } from '../../../src/core/agents/runners/turn-result.ts';
import { storeLog, readLogs } from '../../../src/core/heartbeat/launch/launch-log.ts';
import { NO_RESULT } from '../../../src/core/heartbeat/launch/result.ts';
import type { Launch, LaunchResult } from '../../../src/core/heartbeat/launch/result.ts';
import { CouncilError } from '../../../src/core/base/errors.ts';
import { createMemoryTexts } from '../../../src/core/store/memory/memory-store.ts';

const ID = '9f3c1a52-6d7e-4b8f-a1c2-3d4e5f607182';
const launch = (attempt: number): Launch =>
  ({
    state: { conversationId: ID },
    participant: 'ada',
    lease: { id: `l${attempt}`, attempt },
  }) as unknown as Launch;
const result = (attempt: number): LaunchResult => ({
  ...NO_RESULT,
  reason: 'exit code 1',
  exitCode: 1,
  renderPrinted: () => ({ stdout: `out ${attempt}`, stderr: '' }),
  record: {
    participant: 'ada',
    phase: 'COLLECT',
    tour: 1,
    at: new Date(1_700_000_000_000 + attempt).toISOString(),
    model: null,
    inputTokens: null,
    outputTokens: null,
    costUsd: null,
    ms: 5,
    ok: false,
  },
});

describe('the private log of launches', () => {
  it('keeps the last 20 launches of a participant, in their order', async () => {
    const files = createMemoryTexts();
    for (let attempt = 1; attempt <= 25; attempt++) await storeLog(files, launch(attempt), result(attempt));
    const kept = await readLogs(files, ID, 'ada');
    expect(kept.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 20 }, (_, at) => `out ${at + 6}`));
    expect(await readLogs(files, ID, 'ad')).toEqual([]);
  });

  it('leaves out what is no log, whatever it holds', async () => {
    const files = createMemoryTexts();
    await storeLog(files, launch(1), result(1));
    for (const [at, text] of ['{"participant":"x","stdout":5}', '[]', 'null', '{"stdout":', ''].entries())
      await files.write(ID, `log-ada.00000000000000${at}`, Buffer.from(text), { durable: false });
    expect((await readLogs(files, ID, 'ada')).map(({ stdout }) => stdout)).toEqual(['out 1']);
  });

  it('costs no turn when the disk is full', async () => {
    const full = {
      ...createMemoryTexts(),
      write: () => Promise.reject(new CouncilError('io', 'No space left.')),
    };
    await expect(storeLog(full, launch(1), result(1))).resolves.toBeUndefined();
  });

  it('leaves the middle of a long output out, and no secret that a cut goes through', () => {
    const KEY = 'sEcr3tToken_9f81_0123456789';
    const before = 32 * 1024 - 10;
    const stdout = Buffer.from(`${'a'.repeat(before)}${KEY}${'b'.repeat(300_000)}the end`);
    const printed = renderPrintedOutput({ ...NOTHING, stdout }, [KEY]);
    expect(printed.stdout.length).toBeLessThan(129 * 1024);
    expect(printed.stdout).toContain('bytes left out …]');
    expect(printed.stdout.endsWith('the end')).toBe(true);
    expect(printed.stdout).not.toContain('sEcr3');
  });
});
