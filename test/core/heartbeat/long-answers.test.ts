import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readCouncil } from '../../../src/core/council/use/update-council.ts';
import { fails, fakeTime, newTable } from './table.ts';
import type { Play } from './table.ts';

beforeEach(fakeTime);
afterEach(() => vi.useRealTimers());

const HIDDEN = 'The last line is a claim that nobody was shown.';
const LONG = `position: build\n\n${'One of many sentences that fill this answer.\n'.repeat(900)}${HIDDEN}\n`;
const tooLong = (): Play =>
  fails({ failure: 'limit', reason: 'too long', known: { class: 'context', says: 'too long', mend: '' } });

describe('an answer that is longer than others are shown', () => {
  it('stands in their prompts with its beginning, and a quote of the rest is verified', async () => {
    const table = newTable(
      {
        ada: () => ({ say: LONG }),
        bob: (phase) => ({
          say: phase === 'CHALLENGE' ? `@ada.1 I doubt this.\n\n> ${HIDDEN}\n` : 'position: buy\n\nBuy it.',
        }),
      },
      { ada: '  repair: 0', bob: '  repair: 0' },
    );
    await table.convene({ mode: 'debate' });
    await table.tick();
    await table.tick();
    const asked = (id: string) => table.launches.find((one) => one.id === id && one.phase === 'CHALLENGE 2')!;
    expect(asked('bob').input).toMatch(/Only the first 24\d\d\d of 40\d\d\d bytes are shown/);
    expect(asked('bob').input).toContain('`council view bob --full --name debate`');
    expect(asked('bob').input).not.toContain(HIDDEN);
    // Its author has all of it.
    expect(asked('ada').input).toContain(HIDDEN);
    await table.tick();
    const { ledger } = (await readCouncil(table.ports, 'debate')).council.state;
    expect(ledger.challenges).toMatchObject([{ by: 'bob', quote: 'verified' }]);
  });
});

describe('a prompt that is too long for its model', () => {
  it('is asked once more with shorter contributions, and not a third time', async () => {
    const table = newTable({
      ada: (phase) => (phase === 'CHALLENGE' ? tooLong() : { say: LONG }),
      bob: () => ({ say: LONG.replace('build', 'buy') }),
    });
    await table.convene({ mode: 'debate' });
    await table.tick();
    await table.tick();
    const asked = table.launches.filter(({ id, phase }) => id === 'ada' && phase === 'CHALLENGE 2');
    expect(asked).toHaveLength(2);
    expect(asked[1]!.input.length).toBeLessThan(asked[0]!.input.length / 3);
    expect((await table.state()).participants.ada!.absent).toBe('failed: too long');
  });

  it('counts as answered where the shorter one is', async () => {
    const table = newTable({
      ada: (phase, n) => (phase === 'CHALLENGE' && n === 0 ? tooLong() : { say: LONG }),
      bob: () => ({ say: LONG.replace('build', 'buy') }),
    });
    await table.convene({ mode: 'debate' });
    await table.tick();
    await table.tick();
    expect(table.count('ada', 'CHALLENGE')).toBe(2);
    expect((await table.state()).participants.ada!.status).toBe('RESPONDED');
  });

  it('is not asked again in COLLECT, where nothing can be left out', async () => {
    const table = newTable({ ada: tooLong });
    await table.convene();
    await table.tick();
    expect(table.count('ada')).toBe(1);
  });
});
