import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assessDocument } from '../../src/panel/reviewer.ts';
import { consistency } from '../../src/panel/consistency.ts';
import { readDocument } from '../../src/panel/document.ts';
import { loadReviewer } from '../../src/panel/speak.ts';
import { SEATED } from './table.ts';

/** Enough around a few lines to be a document, without a word that a rule looks for; English or French. */
const AROUND = {
  en: `\n\n## More\n\n${'We met in the big room, and then we talked about all of it with the others. '.repeat(6)}\n`,
  fr: `\n\n## Suite\n\n${'Nous en avons parlé dans la grande salle avec les autres, et puis nous sommes rentrés chez nous. '.repeat(6)}\n`,
};

async function found(brief: string, language: 'en' | 'fr' = 'en'): Promise<string[]> {
  const document = readDocument(`# Notes\n\n${brief}${AROUND[language]}`);
  const reviewers = await Promise.all(SEATED.map(loadReviewer));
  return reviewers
    .flatMap((reviewer) => assessDocument(reviewer, document).all)
    .map(({ line, also, severity, rule }) => `${severity} ${rule} ${[line, ...also].join(',')}`);
}

const none: string[] = [];

describe('dates', () => {
  it.each([
    ['Start: 2026-02-30.', ['first date 3']],
    ['It ends on 31 June 2026, they say.', ['first date 3']],
    ['It ends on June 31, 2026.', ['first date 3']],
    ['On 29 February 2028 all is well.', none],
    ['Version 2026-13-02 of the API', ['first date 3']],
    ['Date: 2026/02/30', ['first date 3']],
    ['It begins on 1 March 2026 and ends on 15 February 2026.', ['first order 3']],
    ['See `2026-02-30` and https://example.org/2026-02-30/x.', none],
    ['We meet on Monday, 3 March 2026.', ['first weekday 3']],
    ['We meet on Tuesday, 3 March 2026.', none],
    ['It runs from 5 May 2026 to 2 April 2026.', ['first order 3']],
    ['Between 2026-05-05 and 2026-04-02 nothing happened.', none],
  ])('reads %j', async (brief, expected) => expect(await found(brief)).toEqual(expected));

  it.each([
    ['Le 31 novembre 2025, dit-il.', ['first date 3']],
    ['Le mardi 6 avril 2026 à midi.', ['first weekday 3']],
    ['Du 1er mars 2026 au 15 février 2026.', ['first order 3']],
    ['Le lundi 6 avril 2026.', none],
  ])('reads French: %j', async (brief, expected) => expect(await found(brief, 'fr')).toEqual(expected));

  it('run backwards in timetables only', async () => {
    const list = '- 2026-04-07: one\n- 2026-04-21: two\n- 2026-04-14: three\n- 2026-05-12: four\n';
    expect(await found(`## Rollout\n\n${list}`)).toEqual(['first order 7,6']);
    expect(await found(`## Whom we met\n\n${list}`)).toEqual(none);
    expect(await found('## History\n\n- 2026-04-21: two\n- 2026-04-14: one\n- 2026-03-01: none\n')).toEqual(
      none,
    );
    const table =
      '| Phase | From | To |\n| --- | --- | --- |\n| A | 2026-07-06 | 2026-07-17 |\n| B | 2026-08-17 | 2026-08-07 |\n';
    expect(await found(table)).toEqual(['first order 6']);
  });
});

describe('sums, shares, products and units', () => {
  const table = (sum: string, head = 'Item') =>
    `| ${head} | € |\n| --- | ---: |\n| a | 1,200 |\n| b | 300.50 |\n| **Total** | **${sum}** |\n`;
  it.each([
    [table('1,500.50'), none],
    [table('1,600.50'), ['first sum 7']],
    ['| | Hit rate |\n| --- | --- |\n| a | 80 % |\n| b | 90 % |\n| Total | 85 % |\n', none],
    ['We asked 48 people: 30 administrators, 12 members and 8 guests.', ['first sum 3']],
    ['We asked 50 people: 30 administrators, 12 members and 8 guests.', none],
    ['We asked about 48 people: 30 administrators, 12 members and 8 guests.', none],
    ['There are 5 clusters: one for mail, 2 for search.', none],
    ['The server is 3 weeks, the apps are 5 weeks, tests are 2 weeks: 11 weeks in all.', ['first sum 3']],
    ['That affects 12 of our 240 customers (5 %).', none],
    ['That affects 12 of our 240 customers (8 %).', ['first share 3']],
    ['61 of 92 people answered. Of 92 people, 61 answered (66 %).', none],
    ['It takes 40 % of the time for mail, 35 % for reports and 35 % for images.', ['first share 3']],
    ['40 % of the users are new, and 80 % of the users are here on Mondays.', none],
    ['That is 52 × 170 = 8,480 € a year.', ['first product 3']],
    ['That is 52 × 170 = 8,840 € a year.', none],
    ['With 31 × 1.2 = 37 GB there is room.', none],
    ['At peak 25 a second, that is 1,600 a minute.', ['first product 3']],
    ['The rent is 21 € per m². We take 1,150 m², that is 26,150 € a month.', ['first product 3']],
    ['The rent is 21 € per m². We take 1,150 m², that is 24,150 € a month.', none],
    ['It took 1,900 ms (1.09 s) and 380 ms (0.38 s).', ['first unit 3']],
    ['A file has 50 MB (52,428,800 bytes), or 1 GB (1,024 MB).', none],
    ['The timeout is 30 s (60 s at most).', none],
    ['It is 1.2 km (1,200 m) and about 2 h (100 min).', none],
    ['The cluster has 3 brokers × 8 GB RAM = 32 GB RAM.', ['first product 3']],
    ['We expect 10,000 messages per second at 2 KB each, i.e. 2 MB/s.', ['first product 3']],
    ['We expect 10,000 messages per second at 2 KB each, i.e. 20 MB/s.', none],
    ['It takes 2 developers for 3 months, i.e. 8 person-months.', ['first product 3']],
    ['It takes 2 developers for 3 months, i.e. 6 person-months.', none],
    ['Out of 20 criteria, the first one met 14 (90 %).', ['first share 3']],
    ['Of 92 people, 61 answered (66 %).', none],
    ['It drops from 250 ms to 100 ms, a 70 % reduction.', ['first share 3']],
    ['It drops from 250 ms to 100 ms, a 60 % reduction.', none],
    ['It rises from $2,000 to $2,500 a month (+20 %).', ['first share 3']],
    ['3 million events per day (35 events per second) come in.', none],
  ])('reads %j', async (brief, expected) => expect(await found(brief)).toEqual(expected));

  it.each([
    ['We pay 200 € + 300 € = 700 € a month.', ['first sum 3']],
    ['**200 €** + *300 €* = **700 €**', ['first sum 3']],
    ['200 + 300 +\n150 = 700', ['first sum 3']],
    ['We need 2 + 2 = 5 servers.', ['first sum 3']],
    ['10 servers + 5 servers = 20 servers', ['first sum 3']],
    ['| Seats | left |\n| --- | --- |\n| A | 10 - 3 = 6 |', ['first sum 5']],
    ['The fee is 1,200 × 0.02 = 30 €.', ['first product 3']],
    ['1.200,50 + 300 = 1.600,50', ['first sum 3']],
    ['1\u202f200 + 300 = 1\u202f600 and 1 200 + 300 = 1 500', ['first sum 3']],
    ['2 + 3 × 4 = 14. (2 + 3) × 4 = 20. 10 - 13 = -3. -5 + 2 = -3.', none],
    ['It said "2 + 2 = 5". See 3 + 4 = 8, which is wrong. We work 9 - 5 = 8 hours.', none],
    ['We pay 200 € + 300 € = 700 € (see below).', ['first sum 3']],
    ['Pages 10-3, go 1.21 + 1.22 = both, 2026-01-02 - 2026-01-05 = 3 nights.', none],
    ['About 200 + 310 = 500. ~ 3 × 33 = 100. 1 + 2 + … = 10. 3 × 3.33 = 10.', none],
    ['33 % + 33 % + 33 % = 100 %. 0.1 + 0.2 = 0.3. 1/2 + 1/4 = 3/4.', none],
    ['500 + 500 = 1 GB. 2 h + 30 min = 2 h 30 min. 500,000 + 500,000 = 1 million.', none],
    ['We go from 100 to 150 users, an increase of 30 %.', ['first share 3']],
    ['It falls from 8 % to 4 %, a decrease of 50 %, or a decrease of 4 points.', none],
    ['Traffic: 50 % web, 30 % mail and 30 % invoices.', ['first share 3']],
    ['There are 50 % web, 30 % mail and 30 % invoices.', ['worth share 3']],
    ['It is 50 % faster, 40 % cheaper and 30 % smaller.', none],
    ['1 TB = 1024 MB', ['first unit 3']],
    ['1 TB = 1024 GB, 1 TB = 1,000 GB, 2 × 30 min = 1 h.', none],
    ['It costs 50 a month, 500 a year.', ['worth product 3']],
    ['It costs 50 € a month, that is 500 € a year.', ['first product 3']],
    ['It costs 50 € a month, 500 € a year if paid at once.', none],
    ['It runs for 3 months, from 1 January to 1 May 2026.', ['first period 3']],
    ['It runs for 3 months, from 1 January to 31 March 2026.', none],
    ['It runs from 1 November to 31 January 2027 (3 months).', none],
    ['- Servers: **200 €**\n- Storage: 300 €\n- **Total: 600 €**', ['first sum 5']],
    ['- Servers: 200 €\n- Storage: 300 €\n- Total: 500 €', none],
    ['- Tests: 120\n- Failures: 3\n- Total: 120', none],
    ['- Price excl. VAT: 100 €\n- Fee: 30 €\n- Total: 120 €', none],
  ])('calculates %j again', async (brief, expected) => expect(await found(brief)).toEqual(expected));

  it.each([
    ['Cela fait 1\u202f200,50 € + 300 € = 1\u202f600,50 €.', ['first sum 3']],
    ['La remise vaut 1 200 × 0,02 = 30 €.', ['first product 3']],
    ['Nous passons de 100 à 150 postes, une hausse de 30 %.', ['first share 3']],
    ['Le trafic : 50 % web, 30 % courrier et 30 % factures.', ['first share 3']],
    ["L'essai dure 3 mois, du 1er janvier au 1er mai 2026.", ['first period 3']],
    ['Cela coûte 50 € par mois, soit 500 € par an.', ['first product 3']],
    ['- Serveurs : 1 200,50 €\n- Stockage : 300 €\n- Total : 1 600,50 €', ['first sum 5']],
    ['Il faut 12 − 15 = −3 et 3 × 1 200 € = 3 600 €. Environ 3 × 33 = 100.', none],
  ])('calculates in French: %j', async (brief, expected) =>
    expect(await found(brief, 'fr')).toEqual(expected),
  );

  it('shows the calculation in what it says', () => {
    const advice = (brief: string): string[] =>
      consistency.find(readDocument(`# Notes\n\n${brief}${AROUND.en}`)).map(({ advice: words }) => words);
    expect(advice('We pay 3 × 800 = 2,500 a month.')).toEqual(['3 × 800 = 2,500 a month → gives 2,400.']);
    expect(advice('From 100 to 150 users, an increase of 30 %.')).toEqual([
      '100 to 150 users, an increase of 30 % → the change is 50 %.',
    ]);
  });

  it('finds the row that breaks what all others follow', async () => {
    const rows = (last: string) =>
      `| n | each | all |\n| --- | --- | --- |\n| 3 | 48 | 144 |\n| 2 | 60 | 120 |\n| 4 | 9 | ${last} |\n`;
    expect(await found(rows('36'))).toEqual(none);
    expect(await found(rows('63'))).toEqual(['first product 7']);
  });

  it('reads French numbers', async () => {
    expect(await found('Soit 2 × 1,559 = 3118.', 'fr')).toEqual(none);
    expect(await found('Soit 12 × 12,30 = 147,60 €. La durée est de 6,5 h (390 min).', 'fr')).toEqual(none);
    expect(await found('La base contient 820 Go (0,82 To), en 45 min (0,57 h).', 'fr')).toEqual([
      'first unit 3',
    ]);
  });
});

describe('counts', () => {
  const items = (count: number) => Array.from({ length: count }, (_, at) => `- item ${at}`).join('\n');
  it.each([
    [`We looked at three options:\n\n${items(3)}`, none],
    [`We looked at three options:\n\n${items(4)}`, ['first count 3']],
    [`There are 2 reasons for this:\n\n${items(3)}`, ['first count 3']],
    [`At least three options:\n\n${items(4)}`, none],
    ['There are 4 kinds:\n\n- `a`: one\n- `b` / `c` / `d`: the others', none],
    [`Ask (max 2 questions):\n\n${items(4)}`, none],
    [`The two options differ in this:\n\n${items(4)}`, none],
    [`The tasks of Wave 2 tasks:\n\n${items(4)}`, none],
    [`Three servers run it:\n\n${items(2)}`, none],
    [`There are two options:\n\n1. one\n\n\`\`\`\nx\n\`\`\`\n\n2. two\n`, none],
    [`There are two components:\n\n1. one\n  - a\n1. two\n`, none],
    ['There are four risks: it takes longer, the network is late, people leave.', ['first count 3']],
    ['Two people can do it: Ana, Benoît and whoever is there.', ['worth items 3']],
  ])('reads %j', async (brief, expected) => expect(await found(brief)).toEqual(expected));

  it('reads French', async () => {
    expect(await found(`Nous avons trois contraintes :\n\n${items(2)}`, 'fr')).toEqual(['first count 3']);
  });
});

describe('references and empty sections', () => {
  it.each([
    ['See [b](#more) and [c](#gone).', ['first reference 3']],
    ['See [a][b] and [todo] and [x].', ['first reference 3']],
    ['See [the site](example.org/page) and [a page](notes.md).', ['first reference 3']],
    ['Read [How to write)(https://example.org/x) first.', ['first reference 3']],
    ['Known for long[^1].\n\n[^1]: By whom?', none],
    ['> [!NOTE]\n> It is so.', none],
    ['## Alone\n\n## Next\n\nText.', ['first empty-section 3']],
    ['## Drawbacks (optional)\n\n## Next\n\nText.', none],
    ['## Parent\n\n### Child\n\nText.', none],
  ])('reads %j', async (brief, expected) => expect(await found(brief)).toEqual(expected));
});

describe('numbered sections', () => {
  const numbered = (sentence: string) =>
    `## 1. One\n\n${sentence}\n\n## 2. Two\n\nText.\n\n## 3. Three\n\nText.\n\n## 4. Four\n\nText.`;
  it.each([
    ['See section 9.', ['first reference 5']],
    ['See section 3, and section 5 of the manual.', none],
    ['See section 9 in RFC 2119.', none],
  ])('are there when they are referred to: %j', async (sentence, expected) =>
    expect(await found(numbered(sentence))).toEqual(expected),
  );
});

describe('what was left to be filled in', () => {
  it.each([
    ['Owner: {owner}', ['first placeholder 3']],
    ['Owner: TBD', ['first placeholder 3']],
    ['- TODO: ask the lawyers', ['first placeholder 3']],
    ['<!-- TODO: ask the lawyers -->', ['first placeholder 3']],
    ['* Status: [proposed | rejected | accepted]', ['first placeholder 3']],
    ['* [describe the option]', ['first placeholder 3']],
    ['* Deciders: <names>', ['first placeholder 3']],
    ['- Who owns it? ???', ['first placeholder 3']],
    ['| a | b |\n| --- | --- |\n| 1 | tbd |', ['first placeholder 5']],
    ['What do they think of it???', none],
    ['Lorem ipsum dolor sit amet.', ['first placeholder 3']],
    ['Keep a TODO list and the TODO comments in `TODO`.', none],
    ['GET /users/{id} and {"a": 1} are fine, [x] too.', none],
    ['The word "TBD" is not allowed.', none],
    ['<!-- prettier-ignore -->\n\nText.', none],
  ])('reads %j', async (brief, expected) => expect(await found(brief)).toEqual(expected));

  it('is one finding with all its lines where a template was left as it is', async () => {
    const [only, ...others] = await found(Array.from({ length: 9 }, () => 'Owner: {owner}').join('\n\n'));
    expect([only, others]).toEqual(['first placeholder 3,5,7,9,11,13,15,17,19', []]);
  });
});

describe('what is worth checking', () => {
  it.each([
    ['Prices are purged immediately. The purge takes up to 5 minutes.', ['worth at-once 3']],
    [
      'Prices are purged immediately. We went home after 5 minutes of silence.\n\nThat was it.',
      ['worth at-once 3'],
    ],
    [
      'Finished jobs are kept for 30 days.\n\nThe nightly run leaves finished jobs that are older than 14 days out.',
      ['worth two-values 3,5'],
    ],
    [
      'The generator is switched off for good. In a power cut the servers run on the generator.',
      ['worth off-and-used 3'],
    ],
    ['Users will love it.', ['worth claim 3']],
    ['It is much faster: 3 ms instead of 9.', none],
    ['It is much faster ([measured](https://example.org)).', none],
    ['Is it much faster?', none],
    ['Redis is decommissioned in step one. Rate limiting uses Redis.', ['worth off-and-used 3']],
    ['## Alternatives\n\nWe did not consider any.', ['worth none-considered 3,5']],
    ['## Alternatives\n\nNone.', ['worth none-considered 3,5']],
    ['## Alternatives\n\nNone of the three others keeps the order of jobs.', none],
  ])('reads %j', async (brief, expected) => expect(await found(brief)).toEqual(expected));
});

describe('kinds of documents', () => {
  it('asks what a kind must have, only where title or headings name the kind', async () => {
    const record =
      '# 7. Keep logs\n\n## Status\n\nAccepted\n\n## Context\n\nWe need them for a year, as the contract with our customer says.\n\n';
    const rules = async (text: string) => {
      const document = readDocument(text);
      const { find } = await loadReviewer('completeness');
      return find(document).map(({ severity, subject }) => `${severity} ${subject}`);
    };
    expect(await rules(record)).toEqual(['first Decision', 'first Consequences', 'worth alternatives']);
    expect(
      await rules(
        `${record}## Decision\n\nWe keep them instead of deleting them.\n\n## Consequences\n\nMore disk.\n`,
      ),
    ).toEqual([]);
    expect(await rules(record.replace('## Status', '## Weather'))).toEqual([]);
    expect(await rules('# RFC: Logs\n\nWe keep logs.\n')).toEqual([
      'worth alternatives',
      'worth cost or effort',
      'worth risks',
      'worth a rollback (the way back)',
      'worth who is responsible',
    ]);
  });
});

describe('the planted documents', () => {
  interface Labelled {
    id: string;
    planted: boolean;
    text?: string;
    certain: { lines: [number, number] }[];
  }
  const folder = new URL('../fixtures/documents/', import.meta.url);
  const { documents } = JSON.parse(readFileSync(new URL('labels.json', folder), 'utf8')) as {
    documents: Labelled[];
  };

  it('have most of their defects found, and little else', async () => {
    let [labels, hits, first, right] = [0, 0, 0, 0];
    for (const { text, certain } of documents.filter(({ planted }) => planted)) {
      const document = readDocument(readFileSync(new URL(text!, folder), 'utf8'));
      const reviewers = await Promise.all(SEATED.map(loadReviewer));
      const lines = reviewers
        .flatMap((reviewer) => assessDocument(reviewer, document).all)
        .filter(({ severity }) => severity === 'first')
        .map(({ line }) => line);
      const on = (line: number) => certain.some(({ lines: [from, to] }) => from <= line && line <= to);
      labels += certain.length;
      hits += certain.filter(({ lines: [from, to] }) =>
        lines.some((line) => from <= line && line <= to),
      ).length;
      first += lines.length;
      right += lines.filter(on).length;
    }
    expect(hits / labels).toBeGreaterThan(0.88);
    expect(right / first).toBeGreaterThan(0.95);
  });

  it.each(documents.filter(({ id }) => id.startsWith('own/')))(
    'nothing comes first in $id',
    async ({ text }) => {
      const document = readDocument(readFileSync(new URL(text!, folder), 'utf8'));
      const reviewers = await Promise.all(SEATED.map(loadReviewer));
      const all = reviewers.flatMap((reviewer) => assessDocument(reviewer, document).all);
      expect(all.filter(({ severity }) => severity === 'first')).toEqual([]);
    },
  );
});

describe('what contradicts itself', () => {
  it.each([
    ['The timeout is 30 s. We met in between. The timeout is 60 s.', ['worth two-values 3']],
    ['The connect timeout is 30 s. We met in between. The read timeout is 60 s.', none],
    [
      'Backups are switched off in phase 1. If the queue fails, we restore from backups.',
      ['worth off-and-used 3'],
    ],
    ['## Deadline\n\n12 March 2026\n\n## Start\n\n20 March 2026', ['worth order 5,9']],
    ['| a | b |\n| --- | --- |\n| Start | 2026-05-01 |\n| Deadline | 2026-04-01 |', ['worth order 6,5']],
    ['| a | b |\n| --- | --- |\n| Start | 2026-03-01 |\n| Deadline | 2026-04-01 |', none],
    ['- Another runtime. Faster to start.', none],
  ])('reads %j', async (brief, expected) => expect(await found(brief)).toEqual(expected));

  it.each([
    ['Le délai est de 30 s. Le réseau est lent. Le délai est de 60 s.', ['worth two-values 3']],
    [
      'Les sauvegardes sont désactivées. En cas de panne, nous restaurons depuis les sauvegardes.',
      ['worth off-and-used 3'],
    ],
  ])('reads French: %j', async (brief, expected) => expect(await found(brief, 'fr')).toEqual(expected));
});
