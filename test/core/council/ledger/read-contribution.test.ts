import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContribution } from '../../../../src/core/council/ledger/read-contribution.ts';
import { mapClaimPrefixes } from '../../../../src/core/council/naming/labels.ts';
import type { PhaseName } from '../../../../src/core/council/state/allowed-values.ts';
import { played } from '../../../helpers/ledger-council.ts';
import type { Play } from '../../../helpers/ledger-council.ts';
import { countCases } from '../../../helpers/long.ts';

const COLLECT: Play[number] = [
  'COLLECT',
  {
    henry:
      'Tabs let everyone choose their own width in every editor.\n\nFiles are smaller with tabs than without.',
    sage: 'Spaces look the same everywhere.\n\n**Best case against my position:** a file with spaces weighs a tenth more.',
    otto: 'It does not matter as long as a formatter decides.',
  },
];

const inChallenge = (text: string, by = 'otto', anonymous = false) =>
  readContribution(played([COLLECT], { anonymous }), { by, phase: 'CHALLENGE', tour: 2 }, text);

const statuses = (text: string) => inChallenge(text).quotes.map(({ status, claim }) => [status, claim]);

describe('what is read in one contribution', () => {
  it.each([
    ['> Files are smaller with tabs than without.\n\nBy how much?', 'verified', 'henry.2'],
    ['henry writes:\n\n> Files are smaller with tabs than without.\n\nNo.', 'verified', 'henry.2'],
    ['sage writes:\n\n> Files are smaller with tabs than without.\n\nNo.', 'elsewhere', 'henry.2'],
    ['@henry.1\n\n> Files are smaller with tabs than without.\n\nNo.', 'elsewhere', 'henry.2'],
    ['> Files are smaller with tabs than without.\n> — sage\n\nNo.', 'elsewhere', 'henry.2'],
    ['> Files are never smaller with tabs than without.\n\nNo.', 'near', 'henry.2'],
    ['henry says “Files are a little smaller with tabs than without,” which is new.', 'near', 'henry.2'],
    ['> Files are smaller when a machine packs them.\n\nNo.', 'not_found', null],
    ['> a file with spaces weighs a tenth more.\n\nSo it is.', 'own_case', null],
    ['> Which of the two?\n\nThat is the question.', 'elsewhere', 'brief'],
    ['> It does not matter as long as a formatter decides.\n\nAs I said.', 'elsewhere', 'otto.1'],
  ])('%j is %s', (text, status, claim) => {
    expect(statuses(text)).toEqual([[status, claim]]);
  });

  it.each([
    ['“Files are smaller with tabs than without,” says henry, and that is new.', 'verified', 'henry.2'],
    ['1. > "Files are smaller with tabs than without." (henry, claim 2)\n\n   No.', 'verified', 'henry.2'],
    ['> "Files are smaller with tabs than without." (henry, claim 1)\n\nNo.', 'elsewhere', 'henry.2'],
    ['> [F]iles are smaller with tabs\n\nNo.', 'verified', 'henry.2'],
    ['henry’s claim 2: “Files are smaller with tabs than without.”', 'verified', 'henry.2'],
    ['Claim 1 of henry: “Files are smaller with tabs than without.”', 'elsewhere', 'henry.2'],
    ['> [henry.2] Files are smaller with tabs than without.\n\nNo.', 'verified', 'henry.2'],
    ['> henry.1: Files are smaller with tabs than without.\n\nNo.', 'elsewhere', 'henry.2'],
    ['> Participant A: Files are smaller with tabs than without.\n\nNo.', 'verified', 'henry.2'],
    ['> say -- or so -- all of us – need an editorconfig\n\nNo.', 'verified', 'dora.1'],
    ['[henry.2] “Files are smaller with tabs than without” needs a figure.', 'verified', 'henry.2'],
    [
      '### Challenge 1 — henry.2\n\n**Quote:**\n> Files are smaller with tabs than without.\n\nNo.',
      'verified',
      'henry.2',
    ],
    ['| henry | “Files are smaller with tabs than without.” | No. |', 'verified', 'henry.2'],
    [
      '> a spaces–first project, say – or so —\n> all of us – need an editorconfig\n\nNo.',
      'verified',
      'dora.1',
    ],
    ['> a spaces-first project, say - or so - all of us - need\n\nNo.', 'verified', 'dora.1'],
    ['> a spaces-first project, say—or so—all of us—need\n\nNo.', 'verified', 'dora.1'],
    ['> need an editorconfig\n> - and henry\n\nNo.', 'near', 'dora.1'],
    ['> need an editorconfig\n> - Henry\n\nNo.', 'elsewhere', 'dora.1'],
  ])('%j is %s', (text, status, claim) => {
    const dora = 'In a spaces-first project, say — or so — all of us – need an editorconfig.';
    const collect: Play[number] = ['COLLECT', { ...COLLECT[1], dora }];
    const council = played([collect], { order: ['henry', 'sage', 'otto', 'dora'] });
    const { quotes } = readContribution(council, { by: 'otto', phase: 'CHALLENGE', tour: 2 }, text);
    expect(quotes.map((quote) => [quote.status, quote.claim])).toEqual([[status, claim]]);
  });

  it.each([
    ['参加者Bの「Files are smaller with tabs than without」という主張', 'verified'],
    ['『Files are smaller with tabs than without』は違う。', 'verified'],
    ['henry schreibt: „Files are smaller with tabs than without“, und das ist neu.', 'verified'],
    ['»Files are smaller with tabs than without« ist neu.', 'verified'],
    ['henry says ‚Files are smaller with tabs than without‘, which is new.', 'verified'],
    ["henry says 'Files are smaller with tabs than without', which isn't new.", 'verified'],
    [
      '{"target": "henry.2", "quote": "Files are smaller with tabs than without", "objection": "No."}',
      'verified',
    ],
    ['[{"who": "henry", "quote": "Files are smaller, with tabs, than without"}]', 'verified'],
    [
      '```json\n{"challenges": [{"target": "henry.2", "quote": "smaller with tabs than without"}]}\n```',
      'verified',
    ],
    ['> Files are larger\n\nNo.', 'near'],
    ['> Files are much larger\n\nNo.', 'near'],
    ['henry says “Files are larger” here.', 'near'],
  ])('%j is a quote that is %s', (text, status) => {
    const { quotes, challenges } = inChallenge(text);
    expect(quotes.map((quote) => [quote.status, quote.claim])).toEqual([[status, 'henry.2']]);
    expect(challenges).toEqual([{ target: 'henry.2', quote: status }]);
  });

  it.each([
    ['two changed places of four words', '> Files were smaller without'],
    ['two words', '> Files shrink'],
    ['an expression between marks', 'It is “a smaller thing” to me.'],
  ])('%s are near to nothing', (_, text) => {
    expect(inChallenge(text).quotes.filter(({ status }) => status !== 'not_found')).toEqual([]);
  });

  it('challenges what JSON names, with and without words of it', () => {
    const text =
      '[{"target": "henry.1", "objection": "Where?"}, {"target": "sage.1", "quote": "the same everywhere"}]';
    expect(inChallenge(text).challenges).toEqual([
      { target: 'henry.1', quote: 'none' },
      { target: 'sage.1', quote: 'verified' },
    ]);
  });

  it('never verifies words of which one was changed, left out or added, whatever stands around', () => {
    const claims = [
      'Tabs let everyone choose their own width in every editor.',
      'Files are smaller with tabs than without.',
      'Spaces look the same everywhere.',
    ];
    const around: ((words: string) => string)[] = [
      (words) => `> ${words}\n\nNo.`,
      (words) => `> “${words}”\n> — Henry\n\nNo.`,
      (words) => `> ${words.replaceAll(' ', '\n> ')}\n\nNo.`,
      (words) => `henry writes “${words},” and is wrong.`,
      (words) => `@henry.1 *"${words}"* — no.`,
      (words) => `| henry.2 | "${words}" | No. |`,
      (words) => `- > **${words}**\n\n  No.`,
      (words) => `1. "${words}" (henry, claim 2): no.`,
      (words) => `> - ${words}\n> — henry\n\nNo.`,
      (words) => `> “${words}” – Participant A\n\nNo.`,
    ];
    const change = fc.constantFrom<(words: string[], at: number) => string[]>(
      (words, at) => words.with(at, 'never'),
      (words, at) => words.toSpliced(at, 1),
      (words, at) => words.toSpliced(at, 0, 'not'),
    );
    const inner = (words: string[], n: number) => 1 + (n % (words.length - 2));
    fc.assert(
      fc.property(
        fc.constantFrom(...claims),
        fc.constantFrom(...around),
        change,
        fc.nat(),
        (claim, wrap, alter, n) => {
          const words = claim.split(' ');
          const { quotes } = inChallenge(wrap(alter(words, inner(words, n)).join(' ')));
          expect(quotes.map(({ status }) => status)).not.toContain('verified');
        },
      ),
      { numRuns: countCases(400) },
    );
  });

  it('has what stands there in place of a quote that is only near', () => {
    const [quote] = inChallenge('> Files are never smaller with tabs than without.\n\nNo.').quotes;
    expect(quote?.instead).toBe('Files are smaller with tabs than without');
  });

  it('tells what is challenged, and what only speaks for somebody', () => {
    const text =
      '## Against\n\n> Files are smaller with tabs than without.\n\nBy how much?\n\n@sage.1 Where?\n\n## For\n\n> Tabs let everyone choose their own width in every editor.\n\nTrue.';
    const { quotes, challenges } = inChallenge(text);
    expect(quotes.map(({ status }) => status)).toEqual(['verified', 'verified']);
    expect(challenges).toEqual([
      { target: 'henry.2', quote: 'verified' },
      { target: 'sage.1', quote: 'none' },
    ]);
    expect(inChallenge('> a file with spaces weighs a tenth more.\n\nSo it is.').challenges).toEqual([]);
  });

  it.each([
    'for: henry.1\nagainst: henry.2\n\nBy how much?',
    '**For:**\n> Tabs let everyone choose their own width\n\n**Against:**\n> Files are smaller with tabs\n\nBy how much?',
    '- Pour :\n  > Tabs let everyone choose their own width\n- Contre :\n  > Files are smaller with tabs\n\nBy how much?',
    'Supports: “Tabs let everyone choose their own width” is true.\nAgainst: “Files are smaller with tabs” has no figure.',
    'holds: henry.1, sage.1\n\nhenry.2: By how much?',
    '**Holds:** henry.1\n\n> Files are smaller with tabs than without.\n\nBy how much?',
    '## Claims I could not break\n\n- henry.1: I looked for a counterexample.\n\n## Challenges\n\n- henry.2: By how much?',
    '**Tried and failed to break:** henry.1 (“choose their own width”) is simply true.\n\nhenry.2: By how much?',
    'I tried to break henry.1 (“choose their own width”) and could not: the log shows it.\n\nhenry.2: By how much?',
    '- henry.1: I looked for a counterexample and found none. It holds.\n- henry.2: By how much?',
    '@henry.1\n\n> choose their own width\n\nI tried to refute this and could not.\n\n@henry.2 By how much?',
    '## Affirmations que je n’ai pas pu réfuter\n\n- henry.1 : aucun contre-exemple.\n\n## Objections\n\n- henry.2 : de combien ?',
    'henry.1 : j’ai essayé de la réfuter, en vain.\nhenry.2 : de combien ?',
    'henry.1: Ich habe vergeblich versucht, das zu widerlegen.\nhenry.2: Um wie viel?',
    '## Lo que se sostiene\n\n- henry.1: es así.\n\n## Objeciones\n\n- henry.2: ¿cuánto?',
    'henry.1: Ho cercato un controesempio senza trovarlo.\nhenry.2: Di quanto?',
    'henry.1: Não consegui refutá-la.\nhenry.2: Por quanto?',
    'henry.1: Ik kon dit niet weerleggen.\nhenry.2: Hoeveel?',
    '崩せなかった主張：henry.1\n\nhenry.2: どれだけ？',
    'henry.1: 我找过反例，没有找到。\nhenry.2: 差多少？',
    '### Points of agreement\n\n#### henry.1\n\nTrue.\n\n### Challenges\n\n#### henry.2\n\nBy how much?',
  ])('challenges only what is not brought forward for somebody: %j', (text) => {
    expect(inChallenge(text).challenges.map(({ target }) => target)).toEqual(['henry.2']);
  });

  it.each([
    'henry.2: I tried to break this and could not, but the log is of another year.',
    'henry.2: I could not find any evidence for it.',
    'henry.2: It holds only if all files are packed.',
    'henry.2: I tried to break it and could not. Who packed them?',
    'henry.2: This holds no water.',
    'henry.2: interesting, and well put.',
    'henry.2: Ich konnte das nicht widerlegen, aber die Zahl ist von gestern.',
    'henry.2: 我无法反驳它，但是没有数据。',
    '## Claims I could not follow\n\n- henry.2: by how much?',
  ])('takes what is not certain to speak for somebody as a challenge: %j', (text) => {
    expect(inChallenge(text).challenges.map(({ target }) => target)).toEqual(['henry.2']);
  });

  it('tells what is answered in RESOLVE, and what is not', () => {
    const council = played([
      COLLECT,
      ['CHALLENGE', { otto: '@henry.1 In which?\n\n@henry.2 By how much?\n\n@sage.1 Where?' }],
    ]);
    const read = (by: string, phase: PhaseName, text: string) =>
      readContribution(council, { by, phase, tour: 3 }, text);
    const { answers, unanswered } = read('henry', 'RESOLVE', 'c2 conceded: By little.\n\nc3 rejected: No.');
    expect({ answers, unanswered }).toEqual({ answers: { c2: 'conceded' }, unanswered: ['c1'] });
    expect(read('otto', 'RESOLVE', 'Nothing.')).toMatchObject({ answers: {}, unanswered: [] });
    expect(read('henry', 'COLLECT', '> Spaces look the same everywhere.')).toEqual({
      quotes: [],
      challenges: [],
      answers: {},
      unanswered: [],
    });
  });

  it('knows a text that was pasted again, whatever its form says: it answers nothing and challenges nobody', () => {
    const challenge = '> Files are smaller with tabs than without.\n\nBy how much would that be?';
    const answer = 'c1 rejected: files are smaller, and I measured all of them.';
    const play: Play = [
      COLLECT,
      ['CHALLENGE', { otto: challenge }],
      ['RESOLVE', { henry: `---\nposition: tabs\n---\n${answer}` }],
      ['CHALLENGE', { otto: `---\nposition: none of both\n---\n\n${challenge}\n` }],
      ['RESOLVE', { henry: `position: spaces\n\n${answer}`, sage: COLLECT[1].sage! }],
    ];
    const council = played(play);
    expect(council.state.ledger.challenges.map(({ id, answer: given }) => [id, given?.tour])).toEqual([
      ['c1', 3],
    ]);
    const again = (by: string, phase: PhaseName, tour: number, text: string) =>
      readContribution(played(play.slice(0, tour - 1)), { by, phase, tour }, text);
    expect(again('otto', 'CHALLENGE', 4, `Hello.\n\n${challenge}`).repeated).toBeUndefined();
    expect(again('otto', 'CHALLENGE', 4, challenge)).toMatchObject({
      repeated: true,
      quotes: [],
      challenges: [],
    });
    expect(again('henry', 'RESOLVE', 5, answer)).toMatchObject({ repeated: true, answers: {} });
    // A short sentence may be said twice, and somebody else's words are no repetition.
    expect(again('henry', 'RESOLVE', 5, 'c1 rejected: no.').repeated).toBeUndefined();
    expect(again('sage', 'RESOLVE', 5, answer).repeated).toBeUndefined();
  });

  it('names nobody in an anonymous council', () => {
    const { state } = played([COLLECT], { anonymous: true });
    const { quotes, challenges } = inChallenge(
      '> Files are smaller with tabs than without.\n\nNo.',
      'otto',
      true,
    );
    const name = `${mapClaimPrefixes(state).get('henry')}.2`;
    expect([quotes[0]?.claim, challenges[0]?.target]).toEqual([name, name]);
  });
});
