import { describe, expect, it } from 'vitest';
import { buildArchivePage } from '../../src/core/app/archives.ts';
import { composeArchive } from '../../src/core/archive/compose-archive.ts';
import {
  cutBestExcerpt,
  collectQueryWords,
  toSearchEntry,
  searchArchives,
} from '../../src/core/archive/search.ts';
import { renderArchive } from '../../src/core/archive/write.ts';

import { renderMarkdown, showPage } from '../../src/core/cli/render-markdown.ts';
import { parseCost } from '../../src/core/base/nesting.ts';
import { archiveFiles } from '../../src/core/store/file/archive-files.ts';
import { searchIndex } from '../../src/core/store/file/search-index.ts';
import { expectBounded, expectLinear } from '../helpers/growth.ts';
import { intricate } from '../helpers/intricate.ts';
import { scratch } from '../core/store/scratch.ts';
import { finished, spoke } from '../core/archive/sample.ts';

const options = { width: 80, color: false };
/** Small pieces that a parser turns into many; each makes about `n` characters. */
const costly: Record<string, (n: number) => string> = {
  'very small tables': (n) => '|a|b|\n|-|-|\n'.repeat(n / 12),
  'tables without outer bars': (n) => 'a|b\n-|-\n'.repeat(n / 8),
  'a tall table': (n) => '|a|b|\n|-|-|\n' + '|c|d|\n'.repeat(n / 6),
  'a wide table': (n) => ['a', '-', 'b'].map((cell) => `${`|${cell}`.repeat(n / 6)}|\n`).join(''),
  'underlined headings': (n) => 'a\n-\n'.repeat(n / 4),
  headings: (n) => '# a\n'.repeat(n / 4),
  'one-letter paragraphs': (n) => 'a\n\n'.repeat(n / 3),
  items: (n) => '- a\n'.repeat(n / 4),
  links: (n) => '[a](b)\n\n'.repeat(n / 8),
  footnotes: (n) => '[^a]: b\n\n'.repeat(n / 9),
  'e-mail addresses': (n) => 'a@b.'.repeat(n / 4),
  'web addresses': (n) => 'www.a.b '.repeat(n / 8),
  dashes: (n) => '— '.repeat(n / 2),
  ampersands: (n) => '&'.repeat(n),
  backslashes: (n) => '\\'.repeat(n),
};

describe('slow inputs', () => {
  it.each(Object.entries(intricate))(
    'fault 19: show of %s ends, and loses nothing of it',
    async (name, make) => {
      const text = make(80_000);
      const archive = composeArchive(
        finished([spoke('henry', 1, text), spoke('sage', 1, 'A *plain* word.')], { topic: 'x' }),
        [],
      );
      let shown = '';
      await expectBounded(name, async () => {
        shown = await showPage(buildArchivePage(archive), options);
      });
      // What is too intricate is shown as it stands and says so; what stands beside it is laid out.
      if (parseCost(text) > 2 * 1024 * 1024)
        expect(shown).toContain('(Too deeply nested to format: shown as it is.)');
      expect(shown).toContain('A plain word.');
    },
  );

  it.each(Object.entries(costly))('fault 19: show of a MiB of %s ends, and says so', async (name, make) => {
    const [text, small] = [make(1_000_000), make(4000)];
    const show = (words: string) =>
      showPage(
        buildArchivePage(composeArchive(finished([spoke('henry', 1, words)], { topic: 'x' }), [])),
        options,
      );
    await expectBounded(name, async () =>
      expect(await show(text)).toContain('(Too deeply nested to format: shown as it is.)'),
    );
    // What people write has some of these, and is laid out.
    expect(parseCost(small)).toBeLessThan(2 * 1024 * 1024);
  });

  it('fault 19: the cost of parsing is seen in linear time', async () => {
    for (const [name, make] of Object.entries({ ...intricate, ...costly }))
      await expectLinear(name, 200_000, (n) => parseCost(make(n)));
  });

  it('fault 19: what is long and plain is laid out', () => {
    const prose = 'Some *words* that `mean` something, [and](more) of them.\n'.repeat(12) + '\n';
    expect(parseCost(prose.repeat(300))).toBeLessThan(2 * 1024 * 1024);
    expect(parseCost('- one item with a *word*\n'.repeat(5000))).toBeLessThan(2 * 1024 * 1024);
    const table = '| Who | *What* |\n| --- | --- |\n' + '| ada | `code` and [more] |\n'.repeat(3000);
    expect(parseCost(table)).toBeLessThan(2 * 1024 * 1024);
  });

  it('fault 19: a table of very many columns is shown', async () => {
    const wide = (n: number) => `${'|a'.repeat(n)}|\n${'|-'.repeat(n)}|\n${'|b'.repeat(n)}|\n`;
    await expectLinear('columns', 1000, (n) => renderMarkdown(wide(n), options));
    const cells = (n: number) =>
      `${'|a'.repeat(10)}|\n${'|-'.repeat(10)}|\n${`${'|some words'.repeat(10)}|\n`.repeat(n / 10)}`;
    await expectLinear('cells', 4900, (n) => renderMarkdown(cells(n), options));
    const tall = `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'|b|\n'.repeat(2000)}`;
    expect((await renderMarkdown(tall, options)).split('\n').length).toBeGreaterThan(2000);
  });

  it('fault 19: an excerpt takes linear time, whatever the number of hits', async () => {
    const wanted = collectQueryWords(['a'], 'a');
    await expectLinear('hits', 100_000, (n) => cutBestExcerpt('*a '.repeat(n), wanted));
    expect(cutBestExcerpt('*a '.repeat(60_000), wanted).excerpt).toBe(
      `*${Array.from({ length: 24 }, () => '**a** *').join('')}`.replace(/ \*$/, '…'),
    );
  });

  it('fault 19: search over 160 KB of one word ends', async () => {
    const dir = scratch();
    const archives = archiveFiles({ root: dir });
    const closing = { path: 'conseils/2026-02-08-x.md', at: '2026-02-08T23:10:00.000Z', why: null };
    await archives.create(
      closing.path,
      renderArchive(finished([spoke('henry', 1, '*a '.repeat(53_000))], { closing }), []),
    );
    const index = searchIndex({ root: dir, env: { XDG_CACHE_HOME: `${dir}/cache` } });
    await expectBounded('hits', async () => {
      const { results } = await searchArchives({ archives, index }, 'a');
      expect(results).toHaveLength(1);
      expect(results[0]!.excerpt).toContain('**a** ***a**');
    });
  });

  it('fault 19: a damaged archive full of markers is indexed in linear time', async () => {
    const damaged = (n: number) => `---\nconversationId: x\n---\n${'<!--council-'.repeat(n / 12)}`;
    await expectLinear('markers', 250_000, (n) => toSearchEntry(damaged(n), 'conseils/x.md'));
    const entry = await toSearchEntry(
      '---\nconversationId: x\n---\none <!--council-response {}-->two<!--/council-response--> three <!--council-x four',
      'conseils/x.md',
    );
    expect(entry?.body).toBe('one two three <!--council-x four');
  });
});
