import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readCouncil } from '../../../src/core/council/use/council-access.ts';
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
    expect(asked('ada').input).toMatch(
      /It has 4\d{4} bytes: the prompts of the others show .* first 24576 bytes/,
    );
    expect(asked('bob').input).not.toContain('It has');
    await table.tick();
    const { ledger } = (await readCouncil(table.ports, 'debate')).council.state;
    expect(ledger.challenges).toMatchObject([{ by: 'bob', quote: 'verified' }]);
  });
});

describe('a program that may read files', () => {
  it('finds what it was shown only in part whole in a folder of its launch, with the names that it may see', async () => {
    const read: { folder: string; texts: string[] }[] = [];
    const table = newTable(
      {
        ada: () => ({ say: `${LONG}Ada wrote this.\n` }),
        bob: (phase) => {
          const folder = /whole in `([^`]+)`/.exec(table.launches.at(-1)!.input)?.[1];
          if (folder !== undefined)
            read.push({
              folder,
              texts: fs.readdirSync(folder).map((name) => fs.readFileSync(join(folder, name), 'utf8')),
            });
          return { say: phase === 'CHALLENGE' ? 'I doubt all of it.' : 'position: buy\n\nBuy it.' };
        },
      },
      { ada: '  repair: 0', bob: '  repair: 0\n  runner: claude' },
    );
    await table.convene({ mode: 'debate', read: 'project' });
    await table.tick();
    await table.tick();
    expect(read).toHaveLength(1);
    const [{ folder, texts }] = read as [{ folder: string; texts: string[] }];
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain(HIDDEN);
    expect(texts[0]).toContain('Participant A wrote this.');
    expect(texts[0]).not.toMatch(/Ada/);
    expect(fs.existsSync(folder)).toBe(false);
    // Where it stands changes with each launch: no line that stays tells it.
    const { input } = table.launches.find(({ id, phase }) => id === 'bob' && phase === 'CHALLENGE 2')!;
    expect(input.indexOf(folder)).toBeGreaterThan(input.indexOf('## Who you are'));
  });

  it('has no such folder where nothing is left out', async () => {
    const table = newTable(
      { ada: () => ({ say: 'position: build' }), bob: () => ({ say: 'position: buy' }) },
      { bob: '  repair: 0\n  runner: claude' },
    );
    await table.convene({ mode: 'debate', read: 'project' });
    await table.tick();
    await table.tick();
    expect(table.launches.some(({ input }) => input.includes('whole in'))).toBe(false);
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
