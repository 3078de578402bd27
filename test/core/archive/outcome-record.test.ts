import { describe, expect, it } from 'vitest';
import { addOutcome, describeTurnout, readOutcomes } from '../../../src/core/archive/outcome-record.ts';
import type { Outcome } from '../../../src/core/archive/outcome-record.ts';
import { archivePage, exportArchive } from '../../../src/core/archive/export.ts';
import { findArchive, listArchives } from '../../../src/core/archive/read.ts';
import { renderArchive } from '../../../src/core/archive/write.ts';
import { loadWords } from '../../../src/core/base/words/words.ts';
import { createMemoryArchives } from '../../../src/core/store/memory/memory-store.ts';
import { debate, finished, PATH } from './sample.ts';

const outcome = (over: Partial<Outcome> = {}): Outcome => ({
  right: 'P2',
  position: 'spaces: "always"',
  note: null,
  on: '2026-12-24',
  at: '2026-12-24T10:00:00.000Z',
  ...over,
});

describe('an outcome', () => {
  it('lies beside its archive, which stays as it was, and keeps what it replaces', async () => {
    const files = createMemoryArchives();
    const text = renderArchive(finished(debate()), []);
    await files.create(PATH, text);
    expect(await readOutcomes(files, PATH)).toEqual([]);
    const [first, second] = [outcome(), outcome({ right: 'other', position: null, note: '# A third: way' })];
    expect(await addOutcome(files, PATH, first)).toBe('conseils/2026-02-08-tabs-or-spaces.outcome-1.md');
    expect(await addOutcome(files, PATH, second)).toBe('conseils/2026-02-08-tabs-or-spaces.outcome-2.md');
    expect(await readOutcomes(files, PATH)).toEqual([first, second]);
    expect(await files.read(PATH)).toBe(text);
  });

  it('is no archive: it is neither listed nor found, and stands in what is shown of its own', async () => {
    const files = createMemoryArchives();
    await files.create(PATH, renderArchive(finished(debate()), []));
    await addOutcome(files, PATH, outcome());
    await addOutcome(files, PATH, outcome({ right: 'none', position: null }));
    const { archives, problems } = await listArchives(files);
    expect([archives.length, problems]).toEqual([1, []]);
    await expect(findArchive(files, '2026-02-08-tabs-or-spaces.outcome-1')).rejects.toThrow('no archive');
    const { archive } = await findArchive(files, 'spaces');
    expect(exportArchive(archive, 'json').outcomes).toHaveLength(2);
    const page = archivePage(archive);
    const at = page.indexOf('## What turned out');
    expect(page.slice(at + 1, at + 4)).toEqual([
      '**No position turned out to be right (2026-12-24).**',
      'It replaces what was recorded before:',
      '- P2 spaces: "always" turned out to be right (2026-12-24).',
    ]);
  });

  it('written by several at once is written by each', async () => {
    const files = createMemoryArchives();
    const all = ['P1', 'P2', 'P3'].map((right) => outcome({ right }));
    await Promise.all(all.map((one) => addOutcome(files, PATH, one)));
    expect((await readOutcomes(files, PATH)).map(({ right }) => right).sort()).toEqual(['P1', 'P2', 'P3']);
  });

  it('says in both languages what it was, with words of people as words', () => {
    const one = outcome({ position: '<b>', note: '*so*' });
    expect(describeTurnout(one, loadWords('en'))).toBe(
      'P2 \\<b> turned out to be right (2026-12-24). \\*so\\*',
    );
    expect(describeTurnout(outcome({ right: 'none' }), loadWords('fr'))).toBe(
      'Aucune position ne s’est avérée juste (2026-12-24).',
    );
  });

  it.each([
    ['right: P0', 'right'],
    ['right: P1\nposition: 3', 'position'],
  ])('that was edited into something else (%s) names its file and the key', async (front, key) => {
    const files = createMemoryArchives();
    await files.create(PATH.replace('.md', '.outcome-1.md'), `---\n${front}\n---\n`);
    await expect(readOutcomes(files, PATH)).rejects.toThrow(
      `conseils/2026-02-08-tabs-or-spaces.outcome-1.md: the key "${key}" is wrong`,
    );
  });
});
