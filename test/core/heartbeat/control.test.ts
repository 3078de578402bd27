import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { archivePage } from '../../../src/core/archive/export.ts';
import { readArchive } from '../../../src/core/archive/read.ts';
import { cancel } from '../../../src/core/council/use/advance.ts';
import { readCouncil } from '../../../src/core/council/use/council-access.ts';
import { runningControls } from '../../../src/core/heartbeat/launch/heartbeat-row.ts';
import { fails, fakeTime, newTable, through } from './table.ts';
import type { Part, Play } from './table.ts';

beforeEach(fakeTime);
afterEach(() => vi.useRealTimers());

const says = (position: string, words: string): Play => ({
  say: `---\nposition: ${position}\nconfidence: 0.7\n---\n${words}`,
});

/** Holds `blind` in COLLECT, votes for `last` from then on, and does `control` when it reconsiders alone. */
const speaker =
  (id: string, blind: string, { last = 'P1', control }: { last?: string; control: Play }): Part =>
  (phase) => {
    if (phase === 'CONTROL') return control;
    if (phase === 'COLLECT') return says(blind, `Words of ${id}.`);
    return { say: `---\nvote: ${last}\nbecause: ada.1\n---\nIt holds, says ${id}.` };
  };

const THREE = {
  ada: speaker('ada', 'build', { control: says('build', 'SECRET of ada') }),
  ben: speaker('ben', 'build', { control: says('Build.', 'SECRET of ben') }),
  cleo: speaker('cleo', 'buy', { control: says('build', 'SECRET of cleo') }),
};

async function archived(table: ReturnType<typeof newTable>) {
  await table.untilIdle();
  const [path, text] = table.archive();
  return readArchive(text, path);
}

describe('a control', () => {
  it('asks each program once, alone, and shows nothing of it before the archive', async () => {
    const table = newTable(THREE);
    await table.convene({ mode: 'debate', control: 'self' });
    // Up to RESOLVE, in which every control has ended.
    for (let passes = 0; (await table.state()).currentPhase !== 'RESOLVE'; passes++) {
      expect(passes).toBeLessThan(5);
      await table.tick();
    }
    await through(Promise.all([...runningControls].map(({ done }) => done)));
    expect(await table.text()).not.toContain('SECRET');
    expect((await table.state()).usage).toHaveLength(9);
    const { meta } = await archived(table);
    expect(table.launches.filter(({ phase }) => phase === 'CONTROL 0')).toHaveLength(3);
    for (const { id, phase, input } of table.launches) {
      expect(input.includes('SECRET')).toBe(false);
      const others = ['ada', 'ben', 'cleo'].filter((one) => one !== id);
      if (phase === 'CONTROL 0') expect(input).toContain(`Words of ${id}.`);
      if (phase === 'CONTROL 0')
        for (const other of others) expect(input.includes(`Words of ${other}.`)).toBe(false);
    }
    expect(meta.control?.answers?.map(({ participant, moved }) => [participant, moved])).toEqual([
      ['ada', false],
      ['ben', false],
      ['cleo', true],
    ]);
    // Cleo moved in the debate, and would have moved without it.
    expect(meta.metrics.control).toEqual({ heard: 3, moved: 1, persuaded: 0, unstable: 1 });
    expect(meta.usage).toHaveLength(12);
  });

  it('changes no vote, and stands in a section of the archive', async () => {
    const [without, table] = [newTable(THREE), newTable(THREE)];
    await without.convene({ mode: 'debate' });
    await table.convene({ mode: 'debate', control: 'self' });
    const [plain, archive] = [await archived(without), await archived(table)];
    expect(archive.meta.decision).toEqual(plain.meta.decision);
    expect(archive.altered).toEqual([]);
    const page = archivePage(archive).join('\n');
    expect(page.split('\n## Control\n')[1]).toContain('Moved by themselves: 1 of 3.');
    expect(page).toContain('SECRET of cleo');
    expect(archivePage(plain).join('\n')).not.toContain('Control');
  });

  it('that goes on for ever holds no phase, and is ended with the council', async () => {
    const hanging = { ...THREE, cleo: speaker('cleo', 'buy', { control: { hangs: true } }) };
    const table = newTable(hanging);
    await table.convene({ mode: 'debate', control: 'self' });
    const archive = await archived(table);
    expect(runningControls.size).toBe(0);
    expect(archive.meta.control?.launched).toHaveLength(3);
    expect(archive.meta.control?.answers).toHaveLength(2);
    expect(archivePage(archive).join('\n')).toContain('It had not finished when the council ended.');
  });

  it('is ended where its council is cancelled by another way', async () => {
    const hanging = Object.fromEntries(
      Object.keys(THREE).map((id) => [id, speaker(id, 'build', { last: 'P1', control: { hangs: true } })]),
    );
    const table = newTable({ ...hanging, cleo: speaker('cleo', 'buy', { control: { hangs: true } }) });
    await table.convene({ mode: 'debate', control: 'self' });
    await table.tick();
    await table.tick();
    expect(runningControls.size).toBe(3);
    await through(readCouncil(table.ports, 'debate').then((now) => cancel(table.ports, now, 'enough')));
    await table.tick();
    expect(runningControls.size).toBe(0);
    const { meta } = readArchive(...(table.archive().toReversed() as [string, string]));
    expect(meta.status).toBe('CANCELLED');
    expect(meta.control?.answers).toBeUndefined();
  });

  it('that fails costs its participant nothing', async () => {
    const failing = { ...THREE, cleo: speaker('cleo', 'buy', { control: fails() }) };
    const table = newTable(failing);
    await table.convene({ mode: 'debate', control: 'self' });
    const archive = await archived(table);
    expect(archive.absences).toEqual([]);
    expect(archive.meta.control?.answers?.at(-1)).toMatchObject({
      text: null,
      moved: null,
      failed: 'exit code 1',
    });
    expect(table.count('cleo', 'CONTROL')).toBe(1);
  });

  it('is reserved in the budget, and not launched where that has no room', async () => {
    const table = newTable(THREE);
    await table.convene({ mode: 'debate', control: 'self', budget: { usd: null, tokens: 1_000_000 } });
    const { meta } = await archived(table);
    const launches = meta.control!.launched.map(({ launch }) => launch);
    expect(meta.budget?.reserved?.filter(({ lease }) => launches.includes(lease))).toHaveLength(3);
    expect(meta.usage.filter(({ lease = '' }) => launches.includes(lease))).toHaveLength(3);
    // One that is at work counts by its worst case.
    const poor = newTable({ ...THREE, ada: speaker('ada', 'build', { control: { hangs: true } }) });
    await poor.convene({ mode: 'debate', control: 'self', budget: { usd: null, tokens: 13_000 } });
    const { meta: spent } = await archived(poor);
    expect(spent.control!.launched.length).toBeLessThan(3);
  });
});
