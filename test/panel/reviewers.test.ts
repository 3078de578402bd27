import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../src/panel/document.ts';
import { parseFindings } from '../../src/panel/finding.ts';
import { ownerOf, REVIEWER_IDS } from '../../src/panel/reviewer.ts';
import { loadReviewer } from '../../src/panel/reviewers.ts';
import type { ReviewerId } from '../../src/panel/reviewer.ts';
import { turn } from './table.ts';

const product = readFileSync(new URL('product.md', import.meta.url), 'utf8');

async function rulesOf(id: ReviewerId, brief: string): Promise<string[]> {
  const reviewer = await loadReviewer(id);
  return reviewer
    .find(readDocument(brief))
    .map(({ line, rule, subject }) => `${line} ${rule} ${subject}`.trim());
}

describe('plain-language', () => {
  it('finds long sentences, needless words and repeated words, and leaves code and headings alone', async () => {
    const found = await rulesOf('plain-language', product);
    expect(found).toEqual([
      '3 simplify in order to',
      '3 simplify numerous',
      '5 repeated-word the the',
      '8 simplify utilize',
      '14 simplify requirement',
      '14 simplify requirement',
      '14 simplify requirement',
      '30 long-sentence Because the scheduler keeps every …',
    ]);
    expect(await rulesOf('plain-language', '# We utilize it\n\n`in order to`\n\n    in order to\n')).toEqual(
      [],
    );
  });

  it('says nothing about a plain text', async () => {
    expect(await rulesOf('plain-language', 'We met. We talked. We left.\n')).toEqual([]);
  });
});

describe('precision', () => {
  it('asks for figures where none stands in the sentence', async () => {
    expect(await rulesOf('precision', 'It is fast.\n')).toEqual(['1 unquantified fast']);
    expect(await rulesOf('precision', 'It is fast: 3 ms.\n')).toEqual([]);
    expect(await rulesOf('precision', 'It answers in three steps, which is fast.\n')).toEqual([]);
    expect(await rulesOf('precision', 'How many are there? Read the fast-check page on ES2015.\n')).toEqual(
      [],
    );
  });

  it('finds vague words and passives without an actor', async () => {
    expect(await rulesOf('precision', 'It is basically written here.\n')).toEqual([
      '1 weasel-word basically',
    ]);
    expect(await rulesOf('precision', 'The page is written here.\n')).toEqual(['1 passive is written']);
    expect(await rulesOf('precision', 'The page is written by the author rather than a machine.\n')).toEqual(
      [],
    );
  });
});

describe('structure', () => {
  it.each([
    ['# A\n\n### B\n\ntext\n', ['3 heading-increment B']],
    ['# A\n\ntext\n\n# A2\n\ntext\n', ['5 several-titles A2']],
    ['## A\n\ntext\n\n## A\n\ntext\n', ['1 no-title', '5 duplicate-heading A']],
    ['# A\n\n## B\n\n## C\n\ntext\n', ['3 empty-section B']],
    ['# A\n\n## B\n\n### C\n\ntext\n', []],
    [
      '# A\n\n[one][two] ![x][y] [z]\n',
      ['3 undefined-reference [one][two]', '3 undefined-reference ![x][y]', '3 undefined-reference [z]'],
    ],
    ['# A\n\n> [!NOTE]\n> text\n', []],
    [
      '# A\n\n[b](#a) [c](#gone) [d]() <a id="e"></a> [f](#e) [g](#a-1)\n',
      ['3 broken-anchor [c](#gone)', '3 empty-link [d]()'],
    ],
    ['# A\n\n[b]: c.md\n[b]: d.md\n\ntext [b]\n', ['4 duplicate-definition [b]']],
    ['# A\n\n[b]: c.md\n', ['1 empty-section A', '3 unused-definition [b]']],
    ['# A\n\n```\nx\n```\n\n```js\ny\n```\n', ['3 code-language']],
    ['# A\n\n## Install\n\nnpm\n', ['3 no-example Install']],
    ['# A\n\n## Install\n\nnpm\n\n## Usage\n\nrun\n', []],
    [`# A\n\n${'word '.repeat(151)}\n`, ['3 long-paragraph']],
    [`# A\n\n${`${'word '.repeat(101)}\n\n`.repeat(6)}`, ['1 long-section A']],
    [`${'word '.repeat(151)}\n`, ['1 no-title', '1 long-paragraph']],
    ['---\ntitle: A\n---\n\n## B\n\ntext\n', []],
  ])('reads %j', async (brief, expected) => {
    expect(await rulesOf('structure', brief)).toEqual(expected);
  });
});

describe('inclusion', () => {
  it('finds words, images without text, and links without meaning', async () => {
    const brief =
      '# A\n\nPut it on the blacklist; it is simple, see [here](a.md) ![](b.png) ![c](d.png) [the guide](e.md)\n';
    expect(await rulesOf('inclusion', brief)).toEqual([
      '3 insensitive-word blacklist',
      '3 talks-down simple',
      '3 vague-link here',
      '3 no-image-text',
    ]);
  });

  it('does not read code', async () => {
    expect(await rulesOf('inclusion', '# A\n\n`blacklist`\n\n```sh\nblacklist\n```\n')).toEqual([]);
  });
});

describe('every reviewer', () => {
  const readmes = globSync(
    'node_modules/{unified,vfile,commander,fast-check,semver,picomatch,cockatiel,keyv}/[rR]*[mM][eE].md',
  );
  const documents = [
    ['the fixture', product],
    ['the fixture with CRLF', product.replaceAll('\n', '\r\n')],
    ...readmes.map((path) => [path, readFileSync(path, 'utf8')]),
  ] as [string, string][];

  it('has real documents to read', () => {
    expect(readmes.length).toBeGreaterThanOrEqual(6);
  });

  it.each(documents)('quotes only what stands on the named line of %s', async (_name, brief) => {
    const lines = brief.split(/\r\n|\n|\r/);
    let quotes = 0;
    for (const id of REVIEWER_IDS) {
      const reviewer = await loadReviewer(id);
      for (const found of reviewer.find(readDocument(brief))) {
        expect(lines[found.line - 1], `${id} line ${found.line}`).toContain(found.quote);
        expect(found.quote).not.toBe('');
        expect(ownerOf(found.rule)).toBe(id);
      }
      for (const { line, quote } of parseFindings(await turn(id, 'COLLECT', brief, []))) {
        expect(lines[line - 1]).toContain(quote);
        quotes += 1;
      }
    }
    expect(quotes).toBeGreaterThan(0);
  });

  it.each(REVIEWER_IDS)(
    'lists at most twelve findings, counts the rest, and says what it is: %s',
    async (id) => {
      const brief = `# A\n\n${'The the blacklist is fast. We utilize it. [x][y]\n\n'.repeat(40)}`;
      const text = await turn(id, 'COLLECT', brief, []);
      expect(parseFindings(text).length).toBe(12);
      expect(text).toMatch(/^Not listed: \d+ more findings \(`[a-z-]+` \d+/m);
      expect(text.match(/not from a model/g)?.length).toBe(1);
      expect(text).toMatch(/^---\nposition: (?:minor|major)-changes\nconfidence: 0\.\d+\n---\n/);
    },
  );

  it.each(REVIEWER_IDS)('is honest when there is nothing to say: %s', async (id) => {
    const text = await turn(id, 'COLLECT', '# Notes\n\nWe met. We talked. We left.\n', []);
    expect(text).toMatch(/^---\nposition: approve\n/);
    expect(text).toContain('no findings in 7 words of prose');
  });

  it.each(REVIEWER_IDS)('says the same twice: %s', async (id) => {
    expect(await turn(id, 'COLLECT', product, [])).toBe(await turn(id, 'COLLECT', product, []));
  });
});

describe('documents that are none', () => {
  const french = `# Le conseil\n\n${'Le conseil réunit plusieurs personnes qui discutent ensemble avant de prendre une décision sur un sujet. '.repeat(4)}\n\n### Suite\n\nFin.\n`;

  it.each(['plain-language', 'precision', 'inclusion'] as const)(
    '%s abstains on another language, and says why',
    async (id) => {
      const text = await turn(id, 'COLLECT', french, []);
      expect(text).toMatch(/^---\nposition: abstain\nconfidence: 0\n---\n/);
      expect(text).toContain('does not look like English');
    },
  );

  it('structure reads any language', async () => {
    expect(parseFindings(await turn('structure', 'COLLECT', french, [])).map(({ rule }) => rule)).toEqual([
      'heading-increment',
    ]);
  });

  it.each(['', ' \n\n\t\n'])('only structure blocks an empty brief: %j', async (brief) => {
    for (const id of REVIEWER_IDS) {
      const text = await turn(id, 'COLLECT', brief, []);
      if (id === 'structure')
        expect(text).toMatch(/^---\nposition: major-changes\nconfidence: 0\nblocking: \["The brief is empty/);
      else expect(text).toMatch(/^---\nposition: abstain\nconfidence: 0\n---\n/);
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
    ];
    for (const brief of hostile) {
      for (const phase of ['COLLECT', 'CHALLENGE', 'RESOLVE'] as const) {
        const text = await turn(id, phase, brief, []);
        expect(text).toMatch(/^---\nposition: /);
        expect(text).not.toContain('\u0000');
      }
    }
  });

  // Not the clock: how the effort grows. Eight times the text may take 24 times the work; a square would take 64.
  it.each(REVIEWER_IDS)('%s reads long prose in time that grows with its length', async (id) => {
    const part =
      'The quick engine utilizes numerous *workers* in order to [deliver](http://x.example) results. He put it on the blacklist.\n\n## Part\n\n';
    const effort = async (length: number): Promise<number> => {
      const brief = `# A\n\n${part.repeat(Math.floor(length / part.length))}`;
      const before = process.cpuUsage();
      const text = await turn(id, 'COLLECT', brief, []);
      expect(parseFindings(text).length).toBe(12);
      return process.cpuUsage(before).user;
    };
    await effort(20_000);
    const small = await effort(40_000);
    expect((await effort(320_000)) / small).toBeLessThan(24);
  });

  it('reads no more than 256 KiB, and says how much it left', async () => {
    const text = await turn(
      'structure',
      'COLLECT',
      `# A\n\n${`${'word '.repeat(20)}\n\n`.repeat(12_000)}`,
      [],
    );
    expect(text).toMatch(/^[\d,]+ lines could not be read/m);
  });
});
