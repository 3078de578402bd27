import { describe, expect, it } from 'vitest';
import { readOriginalName, takeCensus } from '../../../src/core/store/census.ts';

const parseKey = (name: string) => /^([a-z-]+)\.md$/.exec(name)?.[1];
const census = (names: string[], owners: Record<string, string> = {}) =>
  Object.fromEntries(
    [...takeCensus(names, { parseKey, readOwner: (name) => owners[name] })].map(([name, { kind, of }]) => [
      name,
      of === undefined ? kind : `${kind} ${of}`,
    ]),
  );

describe('takeCensus', () => {
  it.each([
    'ada.sync-conflict-20261126-201500-ABCDEFG.md',
    "ada (Ana's conflicted copy 2026-11-26).md",
    'ada (conflicted copy 2026-11-26 201500).md',
    'ada (Copie en conflit de Ana 2026-11-26).md',
    'ada (SFConflict ana@example.org 2026-11-26-20-15-00).md',
    'ada.Conflict.md',
    'ada (1).md',
    'ada 2.md',
    'ada copy.md',
    'ada - Copy (2).md',
    'ada - Kopie.md',
    'ada-DESKTOP-1A2B3C4.md',
    'ada.bak.md',
  ])('knows %s for a copy where the original is there, and for a file of its own where not', (copy) => {
    expect(census([copy, 'ada.md'])).toEqual({ 'ada.md': 'own ada', [copy]: 'copy ada' });
    expect(census([copy])[copy]).toBe(parseKey(copy) === undefined ? 'foreign' : `own ${parseKey(copy)}`);
    expect(census([copy, '.ada.md.icloud'])).toEqual({
      '.ada.md.icloud': 'put-away ada',
      [copy]: 'copy ada',
    });
  });

  it('goes by what a file says where it says it, and the file that is named so wins', () => {
    expect(census(['a-b.md', 'ada.md', 'zoe.md'], { 'a-b.md': 'ada', 'zoe.md': 'ada' })).toEqual({
      'ada.md': 'own ada',
      'a-b.md': 'copy ada',
      'zoe.md': 'copy ada',
    });
    // Named like a copy, but somebody else by its own words.
    expect(census(['ada 2.md', 'ada.md'], { 'ada 2.md': 'bea' })).toEqual({
      'ada.md': 'own ada',
      'ada 2.md': 'own bea',
    });
    expect(census(['wizard (1).md', 'wizards.md'], { 'wizard (1).md': 'ada', 'wizards.md': 'ada' })).toEqual({
      'wizard (1).md': 'copy ada',
      'wizards.md': 'own ada',
    });
  });

  it('tells what is hidden, foreign or put away', () => {
    expect(census(['.#ada.md', '._ada.md', '.ada.md.swp', 'notes.txt', '.bea.md.icloud'])).toEqual({
      '.#ada.md': 'hidden',
      '._ada.md': 'hidden',
      '.ada.md.swp': 'hidden',
      'notes.txt': 'foreign',
      '.bea.md.icloud': 'put-away bea',
    });
    // The sign that was left beside a file that is back.
    expect(census(['.ada.md.icloud', 'ada.md'])).toEqual({ '.ada.md.icloud': 'hidden', 'ada.md': 'own ada' });
  });

  it.each(['ada-old.md', 'ada-copy.md', 'ada-2.md', 'ada-B.md', 'copy.md', '2026-01-01-topic.md'])(
    'leaves %s alone',
    (name) => {
      expect(readOriginalName(name)).toBeUndefined();
    },
  );
});
