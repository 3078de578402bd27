import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../src/panel/document.ts';
import { parseFindings } from '../../src/panel/finding.ts';
import { RULES, REVIEWER_IDS } from '../../src/panel/reviewer.ts';
import { loadReviewer } from '../../src/panel/speak.ts';
import { turn } from './table.ts';
import { takeOneIn } from '../helpers/long.ts';

const product = readFileSync(new URL('product.md', import.meta.url), 'utf8');

describe('every reviewer', () => {
  const readmes = globSync('node_modules/{unified,vfile,semver}/[rR]*[mM][eE].md');
  const planted = globSync('test/fixtures/documents/planted/*.md');
  const documents = [
    ['the fixture', product],
    ['the fixture with CRLF', product.replaceAll('\n', '\r\n')],
    ...[...readmes, ...planted].map((path) => [path, readFileSync(path, 'utf8')]),
  ] as [string, string][];

  /** Of every rule, the one reviewer that has raised it. */
  const raisedBy = new Map<string, string>();

  it('has real documents to read', () => {
    expect([readmes.length, planted.length]).toEqual([3, 10]);
  });

  it.each(takeOneIn(3, documents))('quotes only what stands on the named line of %s', async (name, brief) => {
    const lines = brief.split(/\r\n|\n|\r/);
    let quotes = 0;
    for (const id of REVIEWER_IDS) {
      const reviewer = await loadReviewer(id);
      for (const found of reviewer.find(readDocument(brief))) {
        expect(lines[found.line - 1], `${id} line ${found.line}`).toContain(found.quote);
        expect(found.quote).not.toBe('');
        expect(RULES).toContain(found.rule);
        expect(raisedBy.get(found.rule) ?? id).toBe(id);
        raisedBy.set(found.rule, id);
      }
      for (const { line, quote } of parseFindings(await turn(id, 'COLLECT', brief, []))) {
        expect(lines[line - 1]).toContain(quote);
        quotes += 1;
      }
    }
    expect(quotes > 0 || readmes.includes(name)).toBe(true);
  });

  it.each(REVIEWER_IDS)('is honest when there is nothing to say: %s', async (id) => {
    const text = await turn(id, 'COLLECT', `# Notes\n\n${'We met. We talked. We left. '.repeat(12)}\n`, []);
    expect(text).toBe(
      `**${id}**: I found nothing.\n\n*Fixed rules, no model: they see numbers, words and markup, not meaning.*\n`,
    );
  });

  it.each(REVIEWER_IDS)('says the same twice: %s', async (id) => {
    expect(await turn(id, 'COLLECT', product, [])).toBe(await turn(id, 'COLLECT', product, []));
  });
});

describe('documents that are none', () => {
  const german = `# Der Rat\n\n${'Der Rat ist ein Treffen von Menschen, die miteinander sprechen und dann zu einem Ergebnis kommen. '.repeat(5)}\n\nSiehe [dort](#nirgends).\n`;

  it.each([
    ['German', german],
    [
      'Japanese',
      `# 評議会

${'評議会は人々が集まって話し合い、結論に至る会議です。'.repeat(20)}

1 + 1 = 3 円。
`,
    ],
  ])('in %s are left alone, and every reviewer says why', async (_language, brief) => {
    for (const id of REVIEWER_IDS) {
      const text = await turn(id, 'COLLECT', brief, []);
      expect(text).toContain('know English and French only');
      expect(parseFindings(text)).toEqual([]);
    }
  });

  it.each([
    ['', 'The document is empty.'],
    [' \n\n\t\n', 'The document is empty.'],
    ['Tea or coffee?', 'This is a question, not a document'],
    ['# Tea or coffee?\n\nPlease say.\n', 'This is a question, not a document'],
  ])('are not reviewed: %j', async (brief, reason) => {
    for (const id of REVIEWER_IDS) {
      const text = await turn(id, 'COLLECT', brief, []);
      expect(text).toContain(reason);
      expect(parseFindings(text)).toEqual([]);
    }
  });

  it.each(REVIEWER_IDS)('%s survives bytes, nesting and size', async (id) => {
    const hostile = [
      '\u0000\u0001\u0002PNG'.repeat(500),
      '>'.repeat(30_000),
      '> '.repeat(39) + 'very',
      `${'*a **b '.repeat(3000)}${'c** d*'.repeat(3000)}`,
      '[a](b '.repeat(4000),
      '\n'.repeat(200_000),
      '1 '.repeat(60_000),
      '1 × '.repeat(20_000),
      '12 of 40 (3 %), '.repeat(8000),
      '2026-02-30 to 2026-01-01 '.repeat(8000),
      `${'| 1 '.repeat(12)}|\n${'| --- '.repeat(12)}|\n${`${'| 1 '.repeat(12)}|\n`.repeat(200)}`,
      'It is immediately kept for 30 days, at most 20 days. '.repeat(3000),
    ];
    for (const brief of takeOneIn(3, hostile)) {
      for (const phase of ['COLLECT', 'CHALLENGE', 'RESOLVE'] as const) {
        const text = await turn(id, phase, brief, []);
        expect(text).toMatch(/^\*\*[a-z-]+\*\*: /);
        expect(text).not.toContain('\u0000');
      }
    }
  });

  // Not the clock: how the effort grows. Eight times the text may take 24 times the work; a square would take 64.
  it.each(takeOneIn(2, REVIEWER_IDS))(
    '%s reads long prose in time that grows with its length',
    async (id) => {
      const part =
        'The engine utilizes numerous *workers* in order to [deliver](http://x.example) results within 30 s. He put 5 of 50 (20 %) on the blacklist of 2026-02-30, see [it][x], {owner}.\n\n- Users will love it immediately.\n\n## Part\n\n';
      const effort = async (length: number): Promise<number> => {
        const brief = `# A\n\n${part.repeat(Math.floor(length / part.length))}`;
        const before = process.cpuUsage();
        await turn(id, 'COLLECT', brief, []);
        return process.cpuUsage(before).user;
      };
      await effort(20_000);
      const small = await effort(40_000);
      expect((await effort(250_000)) / small).toBeLessThan(24);
    },
  );

  it('reads no more than 256 KiB, and says how much it left', async () => {
    const text = await turn(
      'structure',
      'COLLECT',
      `# A\n\n${`${'the word '.repeat(10)}\n\n`.repeat(12_000)}`,
      [],
    );
    expect(text).toMatch(/^\d+ lines could not be read/m);
  });
});
