import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitClaims } from '../../../src/core/council/ledger/claims.ts';
import { readForm } from '../../../src/core/council/ledger/text/form.ts';
import { stripForOthers, removeConfidence } from '../../../src/core/council/view/visible-contributions.ts';
import type { Challenge } from '../../../src/core/council/state/state.ts';
import { readVerdict } from '../../../src/core/council/use/verdict.ts';
import { played } from '../../helpers/ledger-council.ts';
import type { Play } from '../../helpers/ledger-council.ts';
import { readContribution } from '../../../src/core/council/ledger/read-contribution.ts';
import { expectLinear } from '../../helpers/growth.ts';
import { countCases } from '../../helpers/long.ts';

/** Contributions in the manner of real models, and what a careful person reads in them. */
interface Case {
  id: string;
  kind: 'position' | 'quote' | 'answer';
  expected: string | null;
  text: string;
}
interface Answers {
  context: { ada: string; bea?: string; brief?: string; challenge?: string };
  cases: Case[];
}

const answers = (file: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'answers', file), 'utf8'),
  ) as Answers;
const { context, cases } = answers('cases.json');
/** Written before the reader was looked at: another forty, and quotes of other kinds. */
const own = answers('own-cases.json');
const of = (kind: Case['kind'], among = cases) => among.filter((one) => one.kind === kind);
const FLAGS = { agree: false, done: false, block: [] };
const TABLE = { order: ['ada', 'bob'] };

const challengesOf = (text: string): Challenge[] =>
  played(
    [
      ['COLLECT', { ada: context.ada, bob: 'Redis.' }],
      ['CHALLENGE', { bob: text }],
    ],
    TABLE,
  ).state.ledger.challenges;

function quoteRead(text: string): string {
  const challenges = challengesOf(text);
  if (challenges.length === 0) return 'steelman';
  if (challenges.every(({ quote }) => quote === 'verified')) return 'verified';
  if (challenges.every(({ quote, target }) => quote === 'none' && target !== null)) return 'addressed';
  return 'not_found';
}

function answerRead(text: string): string {
  const { challenges } = played(
    [
      ['COLLECT', { ada: context.ada, bob: 'Redis.' }],
      ['CHALLENGE', { bob: '@ada.2 Nobody measured this: who says two hours?' }],
      ['RESOLVE', { ada: text.replaceAll('ID', 'c1') }],
    ],
    TABLE,
  ).state.ledger;
  const { status } = challenges[0]!;
  return status === 'unanswered' ? 'ask' : status.replaceAll('_', ' ');
}

describe('contributions as models write them', () => {
  it.each(of('position'))('position $id: $expected', async ({ text, expected }) => {
    expect(readVerdict(text, FLAGS).verdict.position).toBe(expected);
  });

  it.each(of('quote'))('quote $id: $expected', ({ text, expected }) => {
    expect(quoteRead(text)).toBe(expected);
  });

  it.each(of('answer'))('answer $id: $expected', ({ text, expected }) => {
    expect(answerRead(text)).toBe(expected);
  });
});

describe('forty more that were written before the reader was looked at', () => {
  const { brief = '', bea = '', ada } = own.context;
  const table = { order: ['ada', 'bea', 'bob'], brief };
  const collect: Play[number] = ['COLLECT', { ada, bea, bob: 'Redis.' }];

  function ownQuoteRead(text: string): string {
    const turn = { by: 'bob', phase: 'CHALLENGE' as const, tour: 2 };
    const { quotes, challenges } = readContribution(played([collect], table), turn, text);
    const statuses = [...new Set(quotes.map(({ status }) => status))];
    const isAddressed = challenges.length > 0 && challenges.every(({ target }) => target !== null);
    if (quotes.length === 0) return isAddressed ? 'addressed' : 'none';
    if (statuses.includes('own_case')) return 'steelman';
    if (challenges.length === 0 && statuses.includes('verified')) return 'supports';
    return statuses.join(' ');
  }

  function ownAnswerRead(text: string): string {
    const asked = '@ada.2 Nobody measured this. Where do the two hours come from?';
    const play: Play = [
      collect,
      ['CHALLENGE', { bea: asked }],
      ['RESOLVE', { ada: text.replaceAll('ID', 'c1') }],
    ];
    const { status } = played(play, table).state.ledger.challenges[0]!;
    return status === 'unanswered' ? 'ask' : status.replaceAll('_', ' ');
  }

  it.each(of('position', own.cases))('position $id: $expected', async ({ text, expected }) => {
    expect(readVerdict(text, FLAGS).verdict.position).toBe(expected);
    if (expected !== null) expect(removeConfidence(text)).not.toMatch(/0[.,]8|80[ \u00A0]?%|8\/10/);
  });

  it.each(of('quote', own.cases))('quote $id: $expected', ({ text, expected }) => {
    expect(ownQuoteRead(text)).toBe(expected);
  });

  it.each(of('answer', own.cases))('answer $id: $expected', ({ text, expected }) => {
    expect(ownAnswerRead(text)).toBe(expected);
  });
});

describe('the form of a contribution', () => {
  const positionOf = async (text: string) => readVerdict(text, FLAGS).verdict.position;

  it.each([
    ['a block quote', '> position: Use Redis\n\nI disagree.'],
    ['code that only holds such a key', 'I think.\n\n```yaml\nname: left\nposition: Use Redis\n```'],
    ['code that is set in', 'I think.\n\n    position: Use Redis\n'],
    ['an item about somebody', '- Bob, at length:\n  - position: Use Redis\n  - confidence: 0.9\n\nText.'],
    ['quotation marks over several lines', 'Bob has said “I hold\nposition: Use Redis\nand no more” to me.'],
    ['reasoning', '<thinking>\nposition: Use Redis\n</thinking>\n\nNothing yet.'],
    ['reasoning that never ends', '<thinking>\n\nposition: Use Redis\n'],
    ['code in another language', '```python\nposition: Use Redis\n```\n'],
    ['a sentence', 'Ada holds the position: Use Redis.\n'],
    ['what another wrote', 'Ben wrote:\n\nposition: Use Redis\nconfidence: 0.9\n\nI disagree with that.'],
    ['what is refused', 'I reject:\nposition: Use Redis\n\nNothing yet.'],
    ['what others said', '# What others said\n\n---\nposition: Use Redis\n---\nI am undecided.'],
    ['a word that is no field', 'Decision: we shall see.\n\nposition'],
    ['two that differ', 'position: Use Redis\nposition: Use PostgreSQL\n'],
    [
      'two forms that differ',
      '---\nposition: Use Redis\n---\n\n```yaml\nposition: Use PostgreSQL\n```\nText.',
    ],
    ['an object with a key twice', '{"position": "Use Redis", "position": "Use PostgreSQL"}\n\nText.'],
    ['a heading of another name', '## Position paper\n\nUse Redis\n\nText.'],
    ['a heading over an argument', `## Position\n\n${'We could use Redis, though. '.repeat(20)}\n\nText.`],
    ['a heading over nothing', '## Position\n\n## Reasons\n\nNone yet.'],
    ['a heading with another subject', '## Position in the market: Use Redis\n\nText.'],
    ['minutes', '## Position: treasurer\n\n## Vote: adopted 5-2\n\nText.'],
    [
      'headings about several people',
      '### Bob\n\n### Position: Use Redis\n\n### Confidence: 0.8\n\n### Zoe\n\n### Position: Use PostgreSQL\n\nText.',
    ],
    ['words about a position', 'Position – a difficult word. Use Redis or not.'],
    ['words for none', 'position: to be decided\nconfidence: 0.5\n\nText.'],
    ['French words for none', 'position : aucune\nconfiance : 0,5\n\nTexte.'],
    ['question marks', 'position: ???\nconfidence: 0.5\n\nText.'],
    ['an object that is not closed', '{"position": "Use Redis", "confidence": 0.5\n\nText.'],
    ['a blank to fill in', '---\nposition: <your position>\n---\nText.'],
  ])('is not read from %s', async (_, text) => {
    expect(await positionOf(text)).toBeNull();
  });

  it.each([
    ['a table', '| Field | Value |\n| --- | --- |\n| Position | Use Redis |\n| Confidence | 0.8 |\n\nText.'],
    ['a table of one row', '| Position | Confidence |\n| --- | --- |\n| **Use Redis** | 80% |\n\nText.'],
    ['a heading before it', '## My contribution\n\n**Position**: Use Redis\n\nText.'],
    ['a tag around all of it', '<answer>\nposition: Use Redis\n\nText.\n</answer>'],
    ['a list', '- **Position:** Use Redis\n- **Confidence:** 0.8\n\nText.'],
    ['a byte order mark', '\uFEFFposition: Use Redis\nconfidence: 0.8\n\nText.'],
    ['CRLF', 'Sure.\r\n\r\n---\r\nposition: "Use Redis"\r\n---\r\nText.'],
    ['a block that is not closed', '---\nposition: Use Redis\nconfidence: 0.8\n\nText.'],
    ['an object in words', "{position: 'Use Redis', confidence: 0.8, /* mine */ blocking: [],}\n\nText."],
    ['an object with an apostrophe', "{'position': 'Use Redis', 'because': 'it isn't new'}\n\nText."],
    ['tags', '<position>Use Redis</position>\n<confidence>0.8</confidence>\n\nText.'],
    ['a heading', '# Position\nUse Redis\n\n# Why\n\nText.'],
    ['a heading with its value', '### Position: Use Redis\n\n### Confidence: 0.8 ###\n\nText.'],
    ['a bold line', '**Position**\n\nUse Redis\n\n**Confidence**\n\n0.8\n\nText.'],
    ['an equals sign', 'POSITION = Use Redis\nCONFIDENCE = 0.8\n\nText.'],
    ['a figure in brackets', 'Position: Use Redis\nConfidence (0–1): 0.8\n\nText.'],
    ['what is not struck through', 'position: ~~Use PostgreSQL~~ Use Redis\nconfidence: 0.8\n\nText.'],
    ['a tag around the fields', '<form>\nposition: Use Redis\nconfidence: 0.8\n</form>\n\nText.'],
    [
      'tags on lines of their own',
      '<position>\nUse Redis\n</position>\n<confidence>\n0.8\n</confidence>\n\nText.',
    ],
    ['one line of two fields', 'Position: Use Redis. Confidence: 0.8\n\nText.'],
    ['one line with a bar', '**Position:** Use Redis | **Confidence:** 80%\n\nText.'],
    ['a numbered list', '1. **Position:** Use Redis\n2. **Confidence:** 0.8\n\nText.'],
    [
      'rules with empty lines under a heading',
      '# COLLECT\n\n---\n\nposition: Use Redis\nconfidence: 0.8\n\n---\n\nText.',
    ],
    ['an object in an object', '{"contribution": {"position": "Use Redis", "confidence": 0.8}}\n\nText.'],
    [
      'the line in which reasoning ends',
      '<think>Perhaps PostgreSQL.</think>position: Use Redis\nconfidence: 0.8\n\nText.',
    ],
    ['a table with a short rule', '| position | confidence |\n|:-:|-|\n| Use Redis | 0.8 |\n\nText.'],
    ['two forms that agree', '---\nposition: Use Redis\n---\n---\nposition: Use Redis\n---\nText.'],
    [
      'the end of a text',
      `${'A long text. '.repeat(40)}\n\nMore.\n\nMore.\n\n---\nposition: Use Redis\nconfidence: 0.8\n---\n`,
    ],
    ['a line at the end of a text', `${'A long text. '.repeat(40)}\n\nposition: Use Redis\n`],
    [
      'code further down',
      'I think.\n\nAnd more.\n\nAnd more.\n\n```yaml\nposition: Use Redis\nconfidence: 0.8\n```',
    ],
    [
      'a long greeting',
      'Thank you.\n\nI ran nothing.\n\nHere is mine:\n\n---\nposition: Use Redis\n---\nText.',
    ],
    ['a wide colon', 'position：Use Redis\nconfidence：0.8\n\nText.'],
    ['a rule before the form', '---\n\n---\nposition: Use Redis\nconfidence: 0.8\n---\nText.'],
    ['a list in JSON', '[{"position":"Use Redis","confidence":0.8}]\n'],
    ['objects in objects', '{"response":{"contribution":{"position":"Use Redis","confidence":0.8}}}\n'],
    [
      'tags in one line',
      '<answer><position>Use Redis</position><confidence>0.8</confidence><text>x</text></answer>\n',
    ],
    ['HTML line breaks', 'Position: Use Redis<br>Confidence: 0.8<br><br>Text.\n'],
    [
      'terminal colours',
      '\u001b[1mposition:\u001b[0m Use Redis\n\u001b[1mconfidence:\u001b[0m 0.8\n\nText.\n',
    ],
    ['a key inside another one', 'contribution:\n  position: Use Redis\n  confidence: 0.8\n\nText.'],
    ['German', '**Standpunkt:** Use Redis\n**Zuversicht:** 0,8\n\nText.'.replace('0,8', '80 %')],
    ['Spanish', 'Mi posición: Use Redis\nNivel de confianza: 80%\n\nTexto.'],
    ['Italian', 'La mia posizione: Use Redis\nFiducia: 80%\n\nTesto.'],
    ['Portuguese', 'Minha posição: Use Redis\nConfiança: 80%\n\nTexto.'],
    ['Dutch', 'Mijn standpunt: Use Redis\nVertrouwen: 80%\n\nTekst.'],
    ['Japanese', '**立場：** Use Redis\n**確信度：** 80%\n\n理由。'],
    ['Chinese', '最终立场：Use Redis\n信心：80%\n\n理由。'],
    ['JSON without a fence', '{"Position": "Use Redis", "confidence": 0.8}\n\nText.'],
  ])('is read from %s', async (_, text) => {
    expect(await positionOf(text)).toBe('Use Redis');
    expect(removeConfidence(text)).not.toMatch(/0\.8|80%/);
  });

  it.each([
    ['a draft before it', '**Position:** Use MySQL\n\nWait. Once more.\n</think>\n', ''],
    ['square brackets', '[THINK]\nposition: Use MySQL\n[/THINK]\n', ''],
    ['a prefix', '<mm:think>\nUse MySQL? No.\n</mm:think>\n', ''],
    ['triangles', '◁think▷position: Use MySQL◁/think▷\n', ''],
    ['two ends', '<think>\nI could close with\n</think>\nbut\n\nposition: Use MySQL\n\nno.\n</think>\n', ''],
    ['a word for it', 'Thinking...\nposition: Use MySQL\n...done thinking.\n\n', ''],
    [
      'channels',
      '<|channel|>analysis<|message|>position: Use MySQL<|end|><|start|>assistant<|channel|>final<|message|>',
      '',
    ],
    ['a named end', '<|begin_of_thought|>\nposition: Use MySQL\n<|end_of_thought|>\n', ''],
    ['code that is never closed', '<think>\n```yaml\nposition: Use MySQL\n</think>\n', ''],
    ['a mark in code behind it', '', '\n\nWe strip `</think>`.\n\n```\n</think>\n```\n'],
    ['a mark that is quoted', '', '\n\n> </think>\n\nBob writes "</think>" there.\n'],
  ])('is read beside reasoning: %s', async (_, before, behind) => {
    const text = `${before}position: Use Redis\nconfidence: 0.8\n\nText.${behind}`;
    expect(await positionOf(text)).toBe('Use Redis');
    expect(stripForOthers(text)).toContain('Use Redis');
    expect(stripForOthers(text)).not.toMatch(/MySQL|0\.8/);
  });

  it('is nowhere in prose', async () => {
    const words = fc.constantFrom(
      ...[
        'position',
        'Position',
        'Redis',
        'is',
        'our',
        'vote',
        'for',
        'the',
        'confidence',
        'agreed',
        'none',
        '0.8',
      ],
      ...['and', '-', '–', '**so**', '“x”', 'done', 'blocking', '(new)', 'same', 'because', 'approve'],
    );
    const sentence = fc.array(words, { minLength: 4, maxLength: 14 }).map((all) => `We ${all.join(' ')}.`);
    const prose = fc.array(sentence, { minLength: 1, maxLength: 6 }).map((all) => all.join('\n\n'));
    await fc.assert(
      fc.asyncProperty(prose, async (text) => {
        const { position, agreed, done, blocking } = readVerdict(text, FLAGS).verdict;
        expect({ position, agreed, done, blocking }).toEqual({
          position: null,
          agreed: false,
          done: false,
          blocking: [],
        });
      }),
      { numRuns: countCases(300) },
    );
  });

  it('takes yes and no, lists and their absence as people write them', async () => {
    const read = async (form: string) => readVerdict(`position: x\n${form}\n\nText.`, FLAGS).verdict;
    expect(await read('agreed: Yes\ndone: oui\nblocking: none')).toEqual({
      position: 'x',
      agreed: true,
      done: true,
      blocking: [],
    });
    expect((await read('blocking:\n- No backup\n- "No rollback"')).blocking).toEqual([
      'No backup',
      'No rollback',
    ]);
    expect((await read('blocking: [No backup, "a, b"]')).blocking).toEqual(['No backup', 'a, b']);
    expect(await read('Blocking:\n1. No backup\n2. No rollback\nagreed: yes')).toMatchObject({
      agreed: true,
      blocking: ['No backup', 'No rollback'],
    });
    const finale = readVerdict('Ma position finale : Keep it\n\nText.', FLAGS);
    expect(finale.verdict.position).toBe('Keep it');
  });

  it('is no claim, and its confidence stands in no view', () => {
    for (const { id, text } of of('position')) {
      const [first] = splitClaims(text);
      expect(text.slice(first?.start, first?.end), id).toMatch(/^(?:The queue should|La file doit)/);
      expect(removeConfidence(text), id).not.toMatch(/confiden|confiance|0[.,][78]|80%/i);
    }
  });

  it('is looked for in linear time', async () => {
    const texts: ((n: number) => string)[] = [
      (n) => '---\n'.repeat(n),
      (n) => '<think>\n</think>\n'.repeat(n / 4),
      (n) => '<think>\n'.repeat(n),
      (n) => `{"a":${'['.repeat(n)}`,
      (n) => `| ${'| '.repeat(n)}\n| --- |\n`,
      (n) => 'position: x\n'.repeat(n),
      (n) => `position:${' '.repeat(n)}x`,
      (n) => `${'**'.repeat(n)}position: x`,
      (n) => '"'.repeat(n),
      (n) => '“'.repeat(n),
    ];
    for (const make of texts)
      await expectLinear(make(3), 25_000, (n) => {
        const text = make(n);
        expect(readForm(text).own).toHaveLength(text.length);
      });
  });
});

describe('what nobody has said', () => {
  const verdictOf = async (text: string) => readVerdict(text, FLAGS).verdict;

  it.each([
    '---\nposition: Keep it\nsummary: |\n  Ana wrote:\n  agreed: true\n  done: true\n  blocking: nobody asked\nnote: I disagree: strongly\n---\nNo.',
    '<thinking type="a">\nagreed: true\nposition: X\n</thinking>\nposition: Keep it\nagreed: false',
    '<think >\nagreed: true\nposition: X\n</think>\nposition: Keep it\nagreed: false',
    '<think>\n<think>x</think>\nagreed: true\nposition: X\n</think>\nposition: Keep it\nagreed: no',
    'position: Keep it\nblocking: None.\n\nText.',
    '| position | Keep it |\n|---|---|\n| agreed | no |\n\nText.',
  ])('is no vote: %j', async (text) => {
    expect(await verdictOf(text)).toEqual({ agreed: false, done: false, position: 'Keep it', blocking: [] });
  });

  it.each([
    'Here: <thinking>\nagreed: true\nposition: X\n</thinking>\nNo.',
    '<answer><think>\nposition: X\nagreed: true\n</think>\nNo.',
    'Bob said this, I reject it:\n\n    position: X\n    agreed: true\n\nNo.',
    '<blockquote>\nposition: X\nagreed: true\n</blockquote>\nI do not agree.',
    '<!--\nposition: X\nagreed: true\n-->\nI do not agree.',
    '---\nbob:\n  position: B\nposition:\n  mine: A\n---\nText.',
  ])('is no position: %j', async (text) => {
    expect(await verdictOf(text)).toMatchObject({ agreed: false, position: null });
  });

  it.each([
    '---\nposition: Redis\nconfidence level: 0.93\n---\nText.',
    '---\nposition: Redis\nconfidence_level: 0.93\n---\nText.',
    '{"position":"Redis","confidence":0.93,"confidence":0.93}\nBecause.',
    '{"position":"Redis","con\\u0066idence":0.93}\nBecause.',
    '| position | confidence |\n|--|--|\n| Redis | 0.93 |\n\nText.',
    '---\nposition: Redis\n**confidence**: 0.93\n---\nText.',
    '---\nposition: Redis\nconfiance\u00A0: 0.93\n---\nText.',
    '---\nposition: Redis\n"con\\x66idence": 0.93\n---\nText.',
    '---\nposition: Redis\n!!str confidence: 0.93\n---\nText.',
    'position: Redis\nconfidence:\n  0.93\n\nText.',
  ])('keeps how sure somebody is to themselves: %j', (text) => {
    expect(removeConfidence(text)).not.toContain('0.93');
    expect(removeConfidence(text)).toContain('Redis');
  });

  it('leaves the cell of a position alone', () => {
    const shown = removeConfidence('| position | confidence |\n|--|--|\n| use 0.95 | 0.9 |\n\nText.');
    expect(shown).toContain('| use 0.95 |');
  });

  it.each([
    'ID: concede nothing.',
    'ID: I concede nothing.',
    'ID: I accept no part of this.',
    'ID: conceded by nobody.',
    'I concede ID only if bob shows numbers; he has not.',
    'ID: I concede if bob shows numbers. He has not, so rejected.',
    'ID — accept or reject? I will see.',
    'ID: accepted practice is to measure.',
    'ID: I accept that bob is loud, but the figure stands.',
    'ID conceded, but only if he measures.',
    '> Nobody measured this\n\nI accept that you think so. It was not.',
    '> Nobody measured this\n\nI accept this burden of proof gladly.',
    '> Nobody measured this\n\nI accept this only if you rerun it.',
    '> Nobody measured this\n\nI concede it? Never.',
    '<think>\n\nID conceded: maybe\n\n</think>\n\nThe figure stands.',
    'Well.\n\n<think>\n\nID conceded: maybe\n\n</think>\n\nThe figure stands.',
    '- bob says:\n  ```\n  ID conceded: yes\n  ```',
    '`ID conceded: yes` is what bob wants me to say, but no.',
    '<blockquote>\n\nID conceded: yes\n\n</blockquote>\n\nNo.',
    'ID conceded: no',
    'ID conceded: false',
    'ID accepted: never.',
    'ID: Accepted. Not.',
    'ID conceded: nothing.',
    'ID conceded: <why>',
    'ID rejected: …',
    'ID: [your answer]',
    'ID conceded; no, wait, rejected.',
    'ID accepted as a fair question.',
    'ID: conceded (not)',
    'ID: granted, for the sake of argument',
    '## ID\n\nconceded: false\nrejected: true',
    'For example:\n\nID conceded: it was wrong',
    'If bob measures it:\n\nID conceded: it was wrong',
    '| challenge | what bob wants | my remarks |\n| --- | --- | --- |\n| ID | conceded | none |',
  ])('concedes nothing: %j', (text) => {
    expect(answerRead(text)).toBe('ask');
  });

  it('is a concession all the same where its reason says what is not so', () => {
    for (const text of [
      'ID conceded: no longer my claim.',
      'ID conceded: it was never measured.',
      'My answers:\n\nID conceded: wrong.',
    ])
      expect([text, answerRead(text)]).toEqual([text, 'conceded']);
  });

  it('is read from the column of answers', () => {
    const text =
      '| challenge | what bob wants | my answer |\n| --- | --- | --- |\n| ID | conceded | rejected |';
    expect(answerRead(text)).toBe('rejected');
  });

  it.each<[string, (n: number) => string]>([
    ['spaces below a row', (n) => `| a | b |\n${' '.repeat(2 * n)}x\n`],
    ['spaces in a rule', (n) => `| a | b |\n|--${' '.repeat(2 * n)}x\n`],
    ['stars in a cell', (n) => `| a | b |\n|--|--|\n| x | x${'*'.repeat(n)}x |\n`],
    ['commas in a quote', (n) => `> ${','.repeat(n)}x\n\nNo.`],
    ['stars', (n) => `${'*'.repeat(n)}x\n\nNo, and not again.`],
    ['cells', (n) => `position: x${' | confidence'.repeat(n / 3)}`],
    ['blank lines', (n) => `> ${'\n'.repeat(n)}— x\n`],
    ['thoughts', (n) => '<think>\n'.repeat(n)],
    ['comments', (n) => '<!--'.repeat(n)],
    ['signs behind a number', (n) => `vote: P2\n\n${`P3${' +1'.repeat(25)} x\n\n`.repeat(n / 80)}`],
  ])('costs linear time: %s', async (name, make) => {
    await expectLinear(name, 15_000, (n) => {
      const text = make(n);
      readForm(text);
      challengesOf(text);
      answerRead(text);
    });
  });
});
