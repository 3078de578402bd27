import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../src/core/base/ids.ts';
import { readArchive } from '../../../src/core/archive/read.ts';
import { exportArchive } from '../../../src/core/archive/export.ts';
import { cancel } from '../../../src/core/council/use/advance.ts';
import { readCouncil } from '../../../src/core/council/use/council-access.ts';
import { costs, fails, fakeTime, newTable, through } from './table.ts';

beforeEach(fakeTime);
afterEach(() => vi.useRealTimers());

const SECRET = 'zanzibar';
const noisy = fails({ reason: `exit code 1: ${SECRET}`, stderrTail: `first line\n${SECRET} <!-- -->\n` });

describe('what launches use up', () => {
  it('stays out of the state while a phase is blind, and comes in when it closes', async () => {
    const table = newTable(
      {
        ada: () => costs(0.25, 987_654),
        bob: (_, launch) =>
          launch === 0 ? { ...noisy, usage: { outputTokens: 123_457 } } : costs(0.5, 31_337),
        eve: () => noisy,
      },
      Object.fromEntries(['ada', 'bob', 'eve'].map((id) => [id, '  repair: 0'])),
    );
    await table.convene({ mode: 'debate' });
    await table.tick();
    const blind = await table.text();
    expect((await table.state()).currentPhase).toBe('COLLECT');
    for (const word of ['usage', 'Tokens', '987654', '123457', '31337', '0.25', SECRET, 'stderr'])
      expect(blind).not.toContain(word);
    expect(table.progress.map((p) => JSON.stringify(p)).join()).not.toContain(SECRET);
    expect((await table.state()).participants.eve).toMatchObject({
      absent: 'failed: exit code 1',
      attempts: 3,
    });

    await table.tick();
    const { usage, absences, currentPhase } = await table.state();
    expect(currentPhase).toBe('CHALLENGE');
    const collect = usage!.filter(({ tour }) => tour === 1);
    expect(
      collect.map((u) => `${u.participant} ${u.ok} ${u.outputTokens} ${u.costUsd} ${u.model}`).sort(),
    ).toEqual([
      'ada true 987654 0.25 m-ada',
      'bob false 123457 null m-bob',
      'bob true 31337 0.5 m-bob',
      'eve false null null m-eve',
      'eve false null null m-eve',
      'eve false null null m-eve',
    ]);
    expect(absences).toMatchObject([
      { participant: 'eve', reason: `failed: exit code 1: ${SECRET}`, stderr: noisy.stderrTail },
    ]);
  });

  it('is in the state at once in an open phase, once for each launch', async () => {
    const table = newTable({ ada: () => costs(0.25), eve: () => noisy });
    await table.convene({ blind: false });
    await table.tick();
    const { usage, participants } = await table.state();
    expect(usage!.map((u) => `${u.participant} ${u.ok}`).sort()).toEqual([
      'ada true',
      'eve false',
      'eve false',
      'eve false',
    ]);
    expect(participants.eve).toMatchObject({
      absent: `failed: ${noisy.reason}`,
      failure: { reason: noisy.reason, stderr: noisy.stderrTail },
    });
    await table.untilIdle();
    const archive = readArchive(table.archive()[1], table.archive()[0]);
    expect(archive.meta.usage).toEqual(usage);
  });

  it('stands in the archive, with the sums and what failing programs printed', async () => {
    const table = newTable({ ada: () => costs(0.25), bob: () => ({ say: 'No.' }), eve: () => noisy });
    await table.convene({ coordinator: 'ada', budget: { usd: 9, tokens: null } });
    await table.untilIdle();
    const [path, text] = table.archive();
    expect(text).toContain('### Cost');
    expect(text).toMatch(/\| 🤖 ada \| 1 \| 100 \| 60 \| 10 \| 0\.25 \|/);
    expect(text).toContain('Launches that reported no tokens: 4; no cost: 4.');
    expect(text).toContain('Budget: $9.00.');
    expect(text).toContain(`\`\`\`\nfirst line\n${SECRET} <\\!-- -->\n\`\`\``);
    const archive = readArchive(text, path);
    expect(archive.altered).toEqual([]);
    expect(archive.meta.spent).toEqual({
      launches: 5,
      inputTokens: 100,
      cachedTokens: 60,
      outputTokens: 10,
      costUsd: 0.25,
      prompt: { bytes: 0, cacheable: 0 },
      unknownTokens: 4,
      unknownCost: 4,
    });
    expect(archive.absences).toMatchObject([{ participant: 'eve', stderr: noisy.stderrTail }]);
    expect(exportArchive(archive, 'json').meta.usage).toHaveLength(5);
    expect(archive.meta.metrics).toMatchObject({ tokens: 110, cost: 0.25 });
  });

  it('is known of a council that is cancelled while it is blind', async () => {
    const table = newTable({ ada: () => costs(0.25), eve: () => noisy });
    await table.convene();
    await table.tick();
    const { council } = await cancel(table.ports, await readCouncil(table.ports, 'debate'), 'enough');
    expect(council.state.usage).toHaveLength(4);
    expect(council.state.absences).toMatchObject([{ participant: 'eve', reason: `failed: ${noisy.reason}` }]);
  });

  it('counts a launch that finished while its tick died, from the spool', async () => {
    const table = newTable({ ada: () => costs(0.25), bob: () => noisy });
    await table.convene();
    const { conversationId } = await table.state();
    const { applyEvent } = await import('../../../src/core/council/use/council-access.ts');
    const lease = (id: string) => ({
      id,
      attempt: 1,
      host: 'here',
      bootId: 'boot',
      pid: process.pid,
      startTime: '1',
      until: '2026-02-08T21:00:00.000Z',
    });
    const usage = {
      phase: 'COLLECT' as const,
      tour: 1,
      at: '2026-02-08T20:00:00.000Z',
      model: 'm',
      inputTokens: 1,
      outputTokens: 2,
      costUsd: 3,
      ms: 4,
    };
    for (const [id, ok] of [
      ['ada', true],
      ['bob', false],
    ] as const) {
      await applyEvent(table.ports, 'debate', {
        type: 'lease',
        participant: id,
        lease: lease(`l-${id}`),
        replaces: null,
      });
      const output = Buffer.from(ok ? 'Recovered.' : '');
      const exit = {
        ok,
        reason: ok ? null : 'refused: no',
        ms: 4,
        brief: ok ? null : 'refused by the model',
        failure: ok ? null : 'refusal',
        stderr: '',
        usage: { ...usage, participant: id, ok },
        sha256: sha256(output),
      };
      table.files.set(`${conversationId}/lease-l-${id}-output`, output);
      table.files.set(`${conversationId}/lease-l-${id}-exit.json`, Buffer.from(JSON.stringify(exit)));
    }
    await table.tick();
    await table.untilIdle();
    // A refusal is final, also from the spool: nobody was launched.
    expect(table.launches).toEqual([]);
    const { meta, absences } = readArchive(table.archive()[1], table.archive()[0]);
    expect(meta.spent).toMatchObject({ launches: 2, costUsd: 6 });
    expect(absences).toMatchObject([{ participant: 'bob', reason: 'failed: refused: no' }]);
  });

  it('reads spools of older versions, and goes on after one that was cut short', async () => {
    const table = newTable({ ada: () => costs(1) });
    await table.convene();
    const { conversationId } = await table.state();
    table.files.set(`${conversationId}/lease-1-exit.json`, Buffer.from('{"ok":true,"reason":null,"ms":5}'));
    table.files.set(`${conversationId}/lease-2-exit.json`, Buffer.from('{"ok":tr'));
    await through(table.untilIdle());
    expect(readArchive(table.archive()[1], table.archive()[0]).meta.spent).toMatchObject({ launches: 1 });
  });
});
