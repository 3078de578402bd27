// No vote that nobody has given: whatever stands around the forms of a text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addPositions } from '../../../../src/core/council/state/ballot.ts';
import { joinParts } from '../../../../src/core/council/ledger/text/spoken-words.ts';
import { readForm } from '../../../../src/core/council/ledger/text/form.ts';
import { readParts, readVerdict } from '../../../../src/core/council/use/verdict.ts';

import { rulesOf, stateOf } from '../fixtures.ts';
import { countCases } from '../../../helpers/long.ts';

const FLAGS = { agree: false, done: false, block: [] };
const BALLOT = addPositions([], [], ['Use PostgreSQL', 'Use Redis', 'Wait, and measure']);

/** A vote in the shapes that people and models write. */
const SHAPES = [
  (vote: string) => `---\nvote: ${vote}\n---`,
  (vote: string) => `vote: ${vote}\nconfidence: 0.8`,
  (vote: string) => `**Vote:** ${vote}`,
  (vote: string) => `**Final vote: ${vote}**`,
  (vote: string) => `## Final vote\n\n${vote}`,
  (vote: string) => `### Vote: ${vote}`,
  (vote: string) => `- **Vote:** ${vote}`,
  (vote: string) => `| vote | confidence |\n| --- | --- |\n| ${vote} | 0.8 |`,
  (vote: string) => `\`\`\`yaml\nvote: ${vote}\n\`\`\``,
  (vote: string) => `{"vote": "${vote}", "confidence": 0.8}`,
  (vote: string) => `<vote>${vote}</vote>`,
  (vote: string) => `投票：${vote}`,
  (vote: string) => `Position: ${vote}`,
];
const MESS = [
  ...[
    'Draft:',
    'Final:',
    '# Answer',
    '---',
    'On reflection that is wrong.',
    '> vote: P1',
    'A "quoted word.',
    '- an item',
    '',
  ],
  ...[
    '```\nsome code\n```',
    '<br>',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    'Correction',
    '{ not: json',
    '</answer>',
    '\u001b[0m',
  ],
  ...[
    '<draft>',
    '</draft>',
    '[quote=Ben]',
    '[/quote]',
    '“So',
    'he said.”',
    'Were it cheaper:',
    'name: Ben',
    'withdrawn: true',
  ],
  ...['After weighing P1 and P3:', 'P1 costs more.', 'I would vote P1 if ops agreed.', 'Decision: Use Redis'],
];
const mess = fc.array(fc.constantFrom(...MESS), { maxLength: 4 }).map((lines) => lines.join('\n\n'));
const form = fc
  .tuple(
    fc.constantFrom('P1', 'P2', 'P3', 'P1, if it is tested', 'unchanged', 'P2 — withdrawn'),
    fc.constantFrom(...SHAPES),
  )
  .map(([vote, shape]) => ({ vote, text: shape(vote) }));

describe('two forms in one text', () => {
  it('never give a vote that the last one does not hold', () => {
    fc.assert(
      fc.property(mess, form, mess, form, mess, (before, first, between, last, after) => {
        const text = [before, first.text, between, last.text, after].join('\n\n');
        const { vote } = readVerdict(text, FLAGS, BALLOT).verdict;
        if (vote !== undefined) expect([vote, text]).toEqual([last.vote, text]);
      }),
      { numRuns: countCases(500) },
    );
  });
});

describe('words of others, and words that are not certain', () => {
  it.each([
    '{"participants": [{"id": "ada", "vote": "P2"}]}',
    '{"error": {"message": "x", "vote": "P2"}}',
    '### Participant A, RESOLVE (round 3)\n\nvote: P2\nconfidence: 0.8',
    'Participant B holds:\nvote: P2\nconfidence: 0.8',
    '<cite>\nvote: P2\n</cite>',
    '{"vote": "P2"}{"vote": "P3"}',
    '{"vote": "P2", "final": {"vote": "P3"}}',
    'vote: P2 - Use Redis?',
    '> Ben holds this.\nvote: P2',
    '**Vote:** P2\n\nBecause.\n\n**Revised vote:** P3',
    'Vote: P2\nEarlier position: P1',
    'Updated vote: P2',
    'vote: P2\n  but only if it is cheap\n\nText.',
    '- **Vote:** P2\n  as long as it is cheap',
    '| Field | Ada | Ben |\n| --- | --- | --- |\n| vote | P1 | P2 |',
    '{\n  "ada": {\n    "vote": "P2"\n  }\n}',
    '{"vote": "string"}',
    'position: Use Redis (P1)',
    'position: Use Redis (P2)?',
  ])('are no vote: %j', (text) => {
    expect(readVerdict(text, FLAGS, BALLOT).verdict.vote).toBeUndefined();
  });

  it.each([
    '{"position": true}',
    '{"position": 2}',
    'position: confidence: 0.8',
    '{"position": "string"}',
    '{"position": "string | null"}',
    '| Field | Ada | Ben |\n| --- | --- | --- |\n| position | Use Redis | Use MySQL |',
    '> Ben holds this.\nposition: Use Redis',
  ])('are no position: %j', (text) => {
    expect(readVerdict(text, FLAGS).verdict.position).toBeNull();
  });

  it('leave what is certain: an answer in one key, a list of one, a line with its break', () => {
    for (const text of [
      '{"answer": {"vote": "P2"}}',
      '[{"vote": "P2"}]',
      'vote: P2\\\nconfidence: 0.8',
      'position: Use Redis (P2)',
      'vote: Use Redis [P2].',
      '> Ben holds this.\n\nvote: P2',
      '> Ben holds this.\n- vote: P2',
      'Vote (final): P2',
      'vote: P2\nMarket position: strong',
      '- **Vote:** P2\n  - it is cheap',
      '| Field | Value | |\n| --- | --- | --- |\n| vote | P2 | |',
      '```json\n{"vote": "P2"}\n```\n\nText.',
    ])
      expect(readVerdict(text, FLAGS, BALLOT).verdict.vote).toBe('P2');
  });
});

describe('what stands under a line that may be about another form', () => {
  const read = (text: string) => readVerdict(text, FLAGS, BALLOT);

  it.each([
    'On reflection I reject the above. So:',
    'Ben wrote:',
    '## If it fails',
    'Was ich nicht mittrage:',
    'My earlier vote was:',
    'Mein Votum war bisher:',
  ])('is asked about, and blocks: %j', (line) => {
    expect(read(`vote: P1\n\n${line}\n\nvote: P2\n`).verdict).toMatchObject({ unclear: true });
    expect(read(`${line}\n\nvote: P2\n`).verdict).toMatchObject({ unclear: true, position: null });
    expect(read(`vote: P2\n\n${line}\n\nvote: P2\nagreed: true\n`).verdict).toMatchObject({
      vote: 'P2',
      agreed: false,
    });
    const { verdict, unclear } = read(`vote: P2\n\n${line}\n\nblocking: no backup\n`);
    expect(verdict).toMatchObject({ vote: 'P2', blocking: ['no backup'] });
    expect(unclear.map(({ field }) => field)).toEqual(['blocking']);
  });
});

describe('what stands under a line that hands it over', () => {
  it.each([
    'Sure! Here it is:',
    'Of course:',
    'Voici le vote :',
    'Hier ist sie:',
    'Claro:',
    'The format is:',
    'Le format :',
    'Here is my answer:',
    'Ecco:',
    'Segue:',
    'Zeker:',
    'After weighing P1, P2 and P3:',
    'Having read the challenges:',
    'Nach Abwägung von P1 und P3:',
    'Après avoir pesé P1, P2 et P3 :',
    'Réponse :',
    'In light of c1 and c2:',
    'Nach Abwägung aller Einwände bleibe ich dabei:',
    'Donc :',
    '因此：',
    'P1、P2、P3を比較した結果：',
    '承知しました：',
    '好的：',
  ])('is read: %j', (line) => {
    expect(readVerdict(`${line}\n\n---\nvote: P2\n---\n\nText.`, FLAGS, BALLOT).verdict.vote).toBe('P2');
    expect(
      readVerdict(`${line} If it fails, Ben writes:\n\nvote: P2\n`, FLAGS, BALLOT).verdict,
    ).toMatchObject({ unclear: true });
  });
});

describe('what may be a draft, an example or another’s', () => {
  const others = (words: string) => /\bBen\b/.test(words);
  const read = (text: string) => readVerdict(text, FLAGS, BALLOT, false, others);

  it.each<[string, (form: string) => string]>([
    ['an unknown tag', (form) => `<draft>\n${form}\n</draft>`],
    ['an unknown tag with attributes', (form) => `<answer by="Ben">\n${form}\n</answer>`],
    ['a tag in square brackets', (form) => `[quote=Ben]\n${form}\n[/quote]`],
    ['a quotation of several paragraphs', (form) => `Ben: “I think so.\n\n${form}\n\nThat is all.”`],
    ['plain marks around several paragraphs', (form) => `Ben: "I think so.\n\n${form}"`],
    ['a line that leads on to it', (form) => `Were the budget larger:\n\n${form}`],
    ['a name', (form) => `Ben\n\n${form}`],
    ['a bold name', (form) => `**Ben**\n\n${form}`],
    ['a heading with a name', (form) => `## Ben (P2’s author)\n\n${form}`],
    ['a key with a name', (form) => `name: Ben\n${form}`],
    ['a key with a name in front matter', (form) => `---\nparticipant: Ben\n${form}\n---`],
    ['an empty box', (form) => `- [ ] ${form}`],
    ['a sign that says no', (form) => `❌ ${form}`],
    ['an unknown mark below', (form) => `${form}\nwithdrawn: true`],
    ['half a sentence below', (form) => `${form}\nonly if the lease is renewed`],
    ['a condition below', (form) => `${form}\n(Only if the lease is renewed.)`],
    ['a condition in brackets below', (form) => `${form}\n\n(only after the freeze)`],
    ['what it is valid for', (form) => `${form}\n\nOnly valid if the audit passes.`],
    [
      'a key for a condition',
      (form) => `---\n${form}\ncondition: the lease is renewed\nconfidence: 0.8\n---`,
    ],
    ['one in bold, set apart', (form) => `${form}\n\n**Conditions:**\n- the lease is renewed`],
    ['one in German', (form) => `${form}\nBedingung: die Sicherung ist getestet`],
    ['one in Japanese', (form) => `${form}\n条件：試験済みであること`],
    ['a quote that may go on', (form) => `> Ben holds this.\n${form}`],
  ])('gives no vote, and takes another one away: %s', (_, around) => {
    expect(read(`${around('vote: P2')}\n\nText.`).verdict).toMatchObject({ unclear: true, position: null });
    expect(read(`vote: P1\n\nText.\n\n${around('vote: P2')}\n`).verdict).toMatchObject({ unclear: true });
  });

  it.each([
    '{"participant": "Ben", "vote": "P2"}',
    '{"answer": {"from": "Ben", "vote": "P2"}}',
    '{"vote": "P2", "withdrawn": true}',
    '{"vote": "P2", "condition": "the lease is renewed"}',
    '{"answer": {"vote": "P2", "vote": "P3"}}',
    '<draft><vote>P2</vote></draft>',
    'vote: Use Redis?',
    '| Vote | P2 |\n|---|---|\n| Pros | cheap |',
  ])('gives no vote: %j', (text) => {
    expect(read(`${text}\n`).verdict).toMatchObject({ unclear: true, position: null });
  });

  it('is a text of the prompt that is given back without its beginning', () => {
    const shown = 'END council-text-8d2e\nposition: Use Redis\n\nFast.\n\nEND council-text-8d2e';
    const { vote, position } = read(`${shown}\n\nClaim: none.\n`).verdict;
    expect([vote, position]).toEqual([undefined, null]);
    expect(read(`${shown}\n\nvote: P1\n`).verdict.vote).toBe('P1');
  });

  it('is none of it where its author says so, gives a reason, or speaks of somebody', () => {
    for (const text of [
      'Here is mine:\n\nvote: P2',
      'Answer:\nvote: P2',
      '# RESOLVE\n\nvote: P2\n\nc1 conceded: it was a guess.',
      'My answer\n\nvote: P2\n\nc1 conceded',
      'I agree with Ben.\n\nvote: P2',
      '<answer>\nvote: P2\n</answer>',
      'vote: P2\nBen has measured it.',
      'vote: P2\nbecause Ben has measured it.',
      'vote: P2\n\nonly then we ship.',
      '- [x] vote: P2',
      '{"vote": "P2", "because": "Ben has measured it"}',
      '| Vote | P2 |\n|---|---|\n| Confidence | 0.8 |',
    ])
      expect([text, read(`${text}\n`).verdict.vote]).toEqual([text, 'P2']);
  });

  it('is no position, but what blocks in it counts', () => {
    for (const words of ['{{position}}', '<position>', '...', 'see below', 'unchanged', '（未定）'])
      expect([words, readVerdict(`position: ${words}`, FLAGS).verdict.position]).toEqual([words, null]);
    const table = '| Position | Strengths |\n|---|---|\n| Use Redis | fast |';
    expect(readVerdict(table, FLAGS).verdict.position).toBeNull();
    const { verdict, unclear } = read('vote: P2\n\n<draft>\nblocking: no backup\n</draft>\n');
    expect(verdict).toMatchObject({ vote: 'P2', blocking: ['no backup'] });
    expect(unclear.map(({ field }) => field)).toEqual(['blocking']);
  });
});

describe('a vote in a sentence, or behind an unknown key', () => {
  const read = (text: string) => readVerdict(text, FLAGS, BALLOT).verdict;

  it.each([
    'Edit: P3',
    '**Correction:** P3.',
    'I vote for P3 now.',
    'No, wait: P3',
    'Nachtrag: P3',
    '更正：P3',
    '**Edit:** I change my vote to P3.',
    'Scratch that. P3.',
    'Ich ändere meine Stimme zu P3.',
    '{"changed_to": "P3"}',
  ])('takes another vote away, agrees with the same, and is none by itself: %j', (line) => {
    expect(read(`vote: P2\n\nText.\n\n${line}\n`)).toMatchObject({ unclear: true, position: null });
    expect(read(`vote: P3\n\nText.\n\n${line}\n`)).toMatchObject({ vote: 'P3' });
    expect(read(`Text.\n\n${line}\n`)).toMatchObject({ position: null });
    expect(read(`Text.\n\n${line}\n`)).not.toHaveProperty('unclear');
  });

  it.each([
    ...['I withdraw this vote.', 'Ich ziehe meine Stimme zurück.', 'Je retire mon vote.', 'Retiro mi voto.'],
    ...['Ritiro il mio voto.', 'Ik trek mijn stem in.', 'Please ignore my vote.', 'I take it back.'],
    ...['My vote no longer stands.', 'Je retire cela.', 'This vote depends on ops.', 'Decision: P1'],
    ...[
      'P1 it is.',
      'I changed my mind. P1 it is.',
      'So P3 then.',
      'Ce sera P1.',
      'Décision : P1',
      'Decision: P9',
    ],
    ...[
      'My vote goes to P1',
      'Mon choix est P3.',
      'I choose P1.',
      'My vote goes to P9.',
      'I vote for P9 now.',
    ],
    ...['I would vote P2 provided that ops agrees.', 'Je voterais P2 à condition de tester.'],
    ...['Ich würde P2 wählen, sofern getestet wird.', 'Votaría por P2 siempre que se pruebe.'],
    ...['Decision: Use PostgreSQL', '**Entscheidung:** P1 (Use PostgreSQL)', '## Verdict: Use PostgreSQL'],
    ...[
      'Wait, P3 actually.',
      'Unless ops objects, this is my vote.',
      '投票をP3に変更します。',
      '我改投P3。',
      'P3 after all.',
    ],
    ...['If ops disagrees, I vote P3.', 'Si ops refuse, je vote P3.', 'Ben votes P3, and so do I.'],
    ...['Ben vote P3, et moi aussi.', 'Ben stimmt für P3, ich auch.'],
    ...['I vote P2 only if the restore is rehearsed.', 'I support P2 only if the backup is tested.'],
    ...[
      'Je vote P2 seulement si la restauration est testée.',
      '## Decision\n\nP1',
      'I abstain.',
      'I abstain after all.',
      'P3 it is then.',
      'P3 is my choice.',
      'P3 gets my vote.',
      'P3 a maintenant ma voix.',
      'Do not count this.',
      'Ne comptez pas ce vote.',
      'Bitte zählt das nicht.',
      'Update: after reading c2 I now hold P3.',
    ],
    ...[
      'P3 is better.',
      'P3 is clearly better than P2.',
      'In my view, P3 is the best option.',
      'P3 is best for us.',
    ],
    ...['P3 est meilleur.', 'P3 convient mieux.', 'P3 ist die bessere Wahl.', 'P3 es claramente mejor.'],
    ...[
      'P3 è la scelta migliore.',
      'P3 é melhor.',
      'P3 is beter.',
      'P3の方が良い。',
      'P3更好。',
      '我认为P3更好。',
    ],
    ...['やはりP3にします。', 'P3を支持します。', 'P3 is what I choose.', 'P3 convinces me.'],
    ...[
      'P3 would be better.',
      'P3 serait le meilleur choix.',
      'P3 wäre besser.',
      'P3 ✅',
      '✅ P3',
      '+1 P3',
      'P3 👍',
      'P3 +1',
    ],
    ...['Paso de P2 a P3.', 'Passo da P2 a P3.'],
    ...['In the end I would go with P3.', 'I prefer P3 over P2.', 'Je préfère P3 à P2.'],
    ...['I moved from P2 to P3 because of b.1.', 'Je passe de P2 à P3.', 'Ich wechsle von P2 zu P3.'],
    ...['P2 → P3', 'P3 > P2', 'Ranking: P3 > P2 > P1', '**Rangfolge:** P3 > P2'],
  ])('is asked about where a sentence takes it back or holds another, wherever that stands: %j', (line) => {
    for (const text of [
      `vote: P2\n\n${line}`,
      `vote: P2\n\nText.\n\n${line}`,
      `${line}\n\nText.\n\nvote: P2`,
    ])
      expect([text, read(`${text}\n`)]).toMatchObject([text, { unclear: true, position: null }]);
  });

  it.each([
    ...[
      'This is my final vote.',
      'My vote stands.',
      'My vote is unchanged.',
      'I keep my vote.',
      'Je maintiens mon vote.',
    ],
    ...[
      "C'est mon vote final.",
      'We could use Redis, though.',
      '"P1 — Use a queue such as SQS"',
      'P1 is slow.',
    ],
    ...[
      '> P1 — Use a queue such as SQS\n> P2 — Use PostgreSQL',
      '**P1**: too expensive.',
      '### P1\n\nToo expensive.',
    ],
    ...[
      'I voted for P1 before; the restore test convinced me.',
      'I do not vote for P1.',
      'I vote for P2, it is cheap.',
    ],
    ...[
      'I would have voted P1 if it were cheaper.',
      'Je ne vote pas pour P1.',
      'What would change my vote: a test.',
    ],
    ...['I stay, though c1 is right that it locks.', 'Ich bleibe dabei, obwohl c1 stimmt.'],
    ...['I vote P2, although it is slow.', 'Je vote P2, bien que ce soit lent.'],
    ...['Having read it all, I keep my vote.', 'Après lecture, je maintiens mon vote.'],
    ...[
      'P3 is better at latency.',
      'P3 is not better.',
      'P3 is faster than P2.',
      'P3 was better before March.',
      'P3 would be better with more budget.',
      'P2 ✅',
      'P3 ❌',
      '+1 for the restore test of P1, which I do not choose.',
    ],
    ...['P2 is better.', 'I prefer P2 over P3.', 'P2 > P3', 'Ranking: P2 > P3', 'P1 fails because it locks.'],
    ...['P3 is acceptable to me as well.', 'P3 kennt hier niemand.', 'Nobody runs P3 here.'],
    ...['P1は遅いです。', 'P3を支持しません。', 'P1太慢。', 'P3更快。', 'I compared P1 with P3.'],
    ...['P1 costs more.', 'P1 kostet mehr.', 'Not P1.', 'I reject P3.', 'Nothing speaks for P3.'],
    ...['Ben votes P3, but I do not.', 'Ben chose P3, which costs our team a week.'],
    ...[
      'I also approve P1.',
      'I can live with P3.',
      'I could live with P3.',
      'I would vote P3 if ops agreed.',
    ],
    ...['Please count my vote.', 'Merci de compter mon vote.', 'Bitte zählt meine Stimme.'],
    ...['My vote has not changed.', 'c1: explained above', 'See reasons above.', 'Decision: Use Redis'],
    ...['I vote P2 because when PostgreSQL fails, jobs wait.', 'Verdict: we measure again in a year.'],
    ...[
      'I moved from P1 to P2 because of b.1.',
      'I see the appeal of P1.',
      'My reasons for this vote are below.',
    ],
  ])('is not asked about beside %j', (line) => {
    for (const text of [`vote: P2\n\n${line}`, `${line}\n\nText.\n\nvote: P2`, `${line}\n\nvote: P2`])
      expect([text, read(`${text}\n`).vote]).toEqual([text, 'P2']);
  });

  it('is not hidden from others where a sentence stands beside the form', () => {
    expect(readForm('vote: P2\nI vote for P2 now.\n').places).toEqual([{ start: 0, end: 9 }]);
  });

  it.each([
    '(only if ops agrees)',
    'Unless ops objects.',
    'That holds provided that ops agrees.',
    'This stands as long as ops agrees.',
    'Das gilt, sofern ops zustimmt.',
    ...[
      ...[
        'But only after the freeze.',
        'Aber nur, wenn ops zustimmt.',
        'Sauf si ops refuse.',
        '但前提是有预算。',
      ],
      ...[
        'ただし、予算がある場合に限る。',
        'status: withdrawn',
        'Conditional on: ops',
        'Caveat: only if ops agrees',
        'Retraction: I take it back.',
        'Disregard the above.',
        '^ only the template',
      ],
    ],
  ])('is asked about where such a line stands alone below it: %j', (line) => {
    expect(read(`vote: P2\n\n${line}\n`)).toMatchObject({ unclear: true, position: null });
    expect(read(`vote: P2\n\nText.\n\n${line}\n`).vote).toBe('P2');
  });

  it.each([
    '{"vote": "P2", "status": "retracted"}',
    '{"vote": "P2", "final": false}',
    '{"type": "example", "vote": "P2"}',
    'For instance,\n\nvote: P2',
    'e.g.\n\nvote: P2',
    'Suppose I were to vote:\n\nvote: P2',
    'The form asks for\n\nvote: P2\n\nbut I cannot decide.',
    'I abstain.\n\nvote: P2',
    'In the previous round I wrote\n\nvote: P2',
    '### Vote: P2\n\nOnly if ops agrees.',
  ])('is asked about where something around it may take it back: %j', (text) => {
    expect(read(`${text}\n`)).toMatchObject({ unclear: true, position: null });
  });

  it.each([
    'vote: P2;',
    'Vote → P2',
    '**Vote → P2**',
    'Vote => P2',
    '- Vote - P2',
    'vote: [P2]',
    '投票: Ｐ２',
    '\u200Fvote: P2',
    '## Vote\n**P2**',
    'Vote:\n- P2',
  ])('is read in small slips of writing: %j', (text) => {
    expect(read(`${text}\n\nText.\n`).vote).toBe('P2');
  });

  it('is read where a reason follows that only begins so', () => {
    for (const words of [
      'If Redis fails, jobs wait.',
      'But I would like a test.',
      'Only Redis does that.',
      'With Redis we scale.',
    ])
      expect([words, read(`vote: P2\n\n${words}\n`).vote]).toEqual([words, 'P2']);
  });

  it("is another's where a name stands right at it", () => {
    const isAnothers = (words: string) => /\bben\b|participant a\b/i.test(words);
    for (const text of [
      'vote: P2\n— Ben',
      'Ben wrote this.\n\nvote: P2',
      '{"participant": "A", "vote": "P2"}',
    ])
      expect(readVerdict(`${text}\n`, FLAGS, BALLOT, false, isAnothers).verdict).toMatchObject({
        unclear: true,
      });
  });

  it('leaves what blocks where it stands further in, below an empty line', () => {
    expect(read('vote: P2\n\nblocking:\n\n  no backup\n').blocking).toEqual(['no backup']);
  });

  it('is no agreement in an empty box', () => {
    expect(read('vote: P2\n- [ ] agreed: true\n').agreed).toBe(false);
    expect(read('vote: P2\n- [x] agreed: true\n').agreed).toBe(true);
  });

  it.each(['## Conditions\n\n- a cap', 'Subject to legal review.', 'Vorbehaltlich der Zustimmung.'])(
    'is asked about where a part of its own below it says on what it depends: %j',
    (below) => {
      expect(read(`vote: P2\n\n${below}\n`)).toMatchObject({ unclear: true, position: null });
    },
  );

  it.each(['I abstain.', 'On second thought, I abstain.', 'Je m’abstiens.'])(
    'is none beside %j, wherever that stands',
    (line) => {
      for (const text of [`vote: P2\n\nText.\n\n${line}`, `${line}\n\nText.\n\nvote: P2`])
        expect(read(`${text}\n`)).toMatchObject({ unclear: true, position: null });
    },
  );

  it('is none in a list, which may tell what others hold', () => {
    expect(read('vote: P2\n\nWhat we hold.\n\n- Ben: P3\n- Cy: P1\n')).toMatchObject({ vote: 'P2' });
  });
});

describe('a key that is only in part a name', () => {
  const read = (text: string) => readVerdict(text, FLAGS, BALLOT);

  it.each([
    "Vote (Ben's)",
    'Vote (withdrawn)',
    'New final vote',
    'Vote, corrected',
    '投票（仮）',
    '修正后的投票',
  ])('gives no vote, and takes the vote of another key away: %j', (key) => {
    for (const text of [`${key}: P2`, `{"${key}": "P2"}`, `<${key}>P2</${key}>`, `vote: P1\n\n${key}: P2`])
      expect(read(`${text}\n`).verdict).toMatchObject({ unclear: true, position: null });
    expect(read(`vote: P2\n\n${key}: P2\n`).verdict.vote).toBe('P2');
  });

  it.each([
    ...['Blocking issue #1: no backup', '**Blocker 1:** no backup', 'Remaining blockers:\n- no backup'],
    ...['Problème bloquant : no backup', '### 🔴 BLOCKING — no backup', 'Blocking - no backup'],
    ...['- no backup **(blocking)**'],
    ...['阻塞问题一：no backup', '<blocking severity="high">no backup</blocking>'],
    ...['{"review": {"blocking": ["no backup"]}}', '[{"done": true}, {"blocking": ["no backup"]}]'],
  ])('blocks, and is asked about: %j', (text) => {
    const { verdict, unclear } = read(`vote: P2\n\n${text}\n`);
    expect(verdict).toMatchObject({ vote: 'P2', blocking: ['no backup'] });
    expect(unclear.map(({ field }) => field)).toEqual(['blocking']);
  });

  it.each(['Non-blocking', 'Not blocking', 'No blocker', 'Pas bloquant', 'Nicht blockierend'])(
    'is no name where it says not: %j',
    (key) => {
      expect(read(`vote: P2\n\n${key}: a typo\n`).verdict.blocking).toEqual([]);
    },
  );
});

describe('what blocks', () => {
  it.each([
    ['src/queue.ts:3: the lease is never renewed'],
    ['#12 must be fixed first'],
    ['Security: token in the log'],
    ['{a: b}'],
  ])('is %j, whatever YAML makes of it', (issue) => {
    for (const text of [
      `---\nposition: reject\nblocking:\n- ${issue}\n---\n\nNo.`,
      `**Position:** reject\n\n**Blocking:**\n\n- ${issue}\n\nNo.`,
    ])
      expect(readVerdict(text, FLAGS).verdict.blocking).toEqual([issue]);
  });

  it('is every line further in, and every value of an object', () => {
    const lines = '---\nposition: reject\nblocking:\n  no backup\n  no rollback: none at all\n---\n\nNo.';
    expect(readVerdict(lines, FLAGS).verdict.blocking).toEqual(['no backup', 'no rollback: none at all']);
    const object = '{"position": "reject", "blocking": [{"issue": "no backup", "severity": "high"}]}';
    expect(readVerdict(object, FLAGS).verdict.blocking).toEqual(['no backup: high']);
    expect(
      readVerdict('<position>reject</position>\n<Blockierend>kein Backup</Blockierend>\n', FLAGS).verdict
        .blocking,
    ).toEqual(['kein Backup']);
  });

  it.each([
    '## Blocking issues\n\n### 1. no backup\n\nNobody made one.\n\n### 2. no rollback\n\nText.\n\n## Why\n\nText.',
    '## Blocking\n\n**1. no backup.** Text.\n\n**2. no rollback.** Text.',
    '## Blocking\n\nThere is no backup.\n\nThere is no rollback.',
    '## Blocking\n\n| # | Issue |\n|---|---|\n| 1 | no backup |\n| 2 | no rollback |',
    '**Blocking:**\n\n1. no backup\n\n   Nobody made one.\n\n2. no rollback',
    'blocking:\n- no backup\n\n  Details.\n\n- no rollback',
    'blocking:\n- no backup\n```\ncode\n```\n- no rollback',
    'blocking:\n- Confidence: no backup\n- Vote: counting has no rollback',
    'blocking:\n(1) no backup\nb) no rollback',
    'blocking:\n– no backup\n① no rollback',
    'blocking: no backup; and\nno rollback',
    'blocking: [\n  "no backup",\n  "no rollback"\n]',
    'blocking:\nno backup\nno rollback',
    'blocking: no backup<br>no rollback',
    '| blocking | owner |\n|---|---|\n| no backup | Ana |\n| no rollback | Ben |',
    '| Field | Value |\n|---|---|\n| blocking | no backup |\n| | no rollback |',
    '| Issue | Severity |\n|---|---|\n| no backup | blocking |\n| no rollback | Blocker |\n| a typo | low |',
    '- [BLOCKING] no backup\n- no rollback (blocking)',
    'Blocked: no backup\nI veto this: no rollback',
    '**BLOCKING** no backup\n\nSeverity: blocking — no rollback',
    '- Issues:\n  - Blocking: no backup\n  - Blocking: no rollback',
    'issues:\n  blocking:\n  - no backup\n  - no rollback',
    'Blocking issues\n\n- no backup\n- no rollback',
    'Blocking issues\n---------------\n\nno backup\n\n### Blocking\n\nno rollback',
    'blocking:\n| # | Issue |\n|---|---|\n| 1 | no backup |\n| 2 | no rollback |',
    '\tblocking: no backup\n\n    blocking: no rollback',
    'I block this because there is no backup.\n\nMy blocker is: no rollback',
    'Blocking issue 1 — no backup\nB2 (blocking): no rollback',
    '‼️ BLOCKING ‼️ no backup\n\nOne blocking issue remains: no rollback',
    'no backup **blocking**\n\nno rollback #blocker',
    'no backup (blocking)\nno rollback [blocker]',
    '{"issues": [{"text": "no backup", "severity": "blocking"}, {"text": "no rollback", "severity": "blocker"}]}',
  ])('is read whole: %j', (text) => {
    const { blocking, vote } = readVerdict(
      text.startsWith('{') ? text : `vote: P2\n\n${text}\n`,
      FLAGS,
      BALLOT,
    ).verdict;
    for (const issue of ['no backup', 'no rollback']) expect(blocking.join('\n')).toContain(issue);
    expect(blocking.join('\n')).not.toMatch(/a typo|Why|code/);
    if (!text.startsWith('{')) expect(vote).toBe('P2');
  });

  it.each([
    'The (blocking) call waits.',
    'We use blocking I/O — none of it is new.',
    '- It is non-blocking',
    'BLPOP blocks the connection.',
    'Nothing here blocks the release — it is non-blocking',
    'I block nothing.',
    'None of this is a blocker for me.',
    "That isn't a blocker for me.",
    'I do not veto this.',
    "Ce n'est pas bloquant pour moi.",
    'Ben says the restore is a blocker.',
    'No blockers.',
    '| Issue | Blocking |\n|---|---|\n| a typo | no |',
    '## Blocking\n\nNone.\n\nText.',
    'blocking: none\n\n- a reason',
    'blocking:\n\nI think that P2 is best.',
    'note: |\n  blocking: what Ben said',
  ])('is nothing in %j', (text) => {
    expect(readVerdict(`vote: P2\n${text}\n`, FLAGS, BALLOT).verdict.blocking).toEqual([]);
  });

  it.each([
    ...[
      'I veto.',
      'I block.',
      'VETO',
      'Je bloque.',
      'Blocked',
      'X is a blocker for me.',
      'Je mets mon veto.',
    ],
    ...['The lease is never renewed, which is a blocker for me.', 'That is a deal-breaker for me.'],
    ...[
      'Le verrou est bloquant pour moi.',
      'For me the missing test is blocking.',
      'It is late. I veto this.',
    ],
  ])('is a line whose author says so of it, and is asked about: %j', (line) => {
    const { verdict, unclear } = readVerdict(`vote: P2\n\nText.\n\n${line}\n`, FLAGS, BALLOT);
    expect(verdict).toMatchObject({ vote: 'P2', blocking: [line] });
    expect(unclear).toMatchObject([{ field: 'blocking', why: 'blocks' }]);
  });

  it('is a second field of a line, what several people call one, and all behind a tag that is never closed', () => {
    const read = (text: string) => readVerdict(`${text}\n`, FLAGS, BALLOT).verdict.blocking;
    expect(read('vote: P2. Blocking: no backup')).toEqual(['no backup']);
    expect(read('vote: P2\n\nShowstopper: no backup')).toEqual(['no backup']);
    expect(read('vote: P2\n\n<blocking>a lease < 3 s')).toEqual(['a lease < 3 s']);
  });

  it('is every item below an empty line, but no paragraph', () => {
    const read = (text: string) => readVerdict(text, FLAGS).verdict.blocking;
    expect(read('position: x\nblocking:\n\n- no backup\n\n- no rollback\n\nText.')).toEqual([
      'no backup',
      'no rollback',
    ]);
    expect(read('position: x\nblocking:\n\nText.')).toEqual([]);
    expect(read('| Field | Ada | Ben |\n|--|--|--|\n| blocking | no backup | no rollback |')).toEqual([
      'no backup',
      'no rollback',
    ]);
  });

  it('is asked about where it may be none', () => {
    const { verdict, unclear } = readVerdict(
      'position: x\nblocking: None of the backups works\n\nNo.',
      FLAGS,
    );
    expect(verdict.blocking).toEqual(['None of the backups works']);
    expect(unclear.map(({ field }) => field)).toEqual(['blocking']);
  });
});

describe('the one more question for a vote', () => {
  const state = stateOf({ ballot: BALLOT, currentPhase: 'RESOLVE', tour: 3, rules: rulesOf({}) });
  const verdictAfter = (...said: string[]) => {
    const { bytes, parts } = joinParts(said.map((text) => Buffer.from(text)));
    const turn = { by: state.order[0]!, phase: 'RESOLVE' as const, tour: 3, flags: FLAGS };
    return readParts(state, { ...turn, text: bytes.toString(), parts }).verdict;
  };

  it('leaves no vote of an earlier round where its answer has none, whatever it says', () => {
    for (const added of ['I stand by what I said.', 'vote: unchanged', 'confidence: 0.8'])
      expect([added, verdictAfter('All is said.', added)]).toMatchObject([
        added,
        { unclear: true, position: null },
      ]);
    expect(verdictAfter('vote: P2, perhaps', 'Perhaps.')).toMatchObject({ unclear: true, position: null });
  });

  it('takes what blocks as well', () => {
    expect(verdictAfter('All is said.', 'vote: P2\nblocking: no backup').blocking).toEqual(['no backup']);
    expect(verdictAfter('confidence: 0.8\nblocking: no backup', 'vote: P2\nblocking: none').blocking).toEqual(
      ['no backup'],
    );
  });

  it('takes the vote that it gets', () => {
    expect(verdictAfter('All is said.', 'vote: P2')).toMatchObject({ vote: 'P2' });
    expect(verdictAfter('vote: P2', 'c1 conceded: yes.')).toMatchObject({ vote: 'P2' });
  });

  it('leaves none either where it brought nothing, or was put to a person on the spot: only silence carries a vote', () => {
    const turn = { by: state.order[0]!, phase: 'RESOLVE' as const, tour: 3, flags: FLAGS };
    const verdict = (text: string) => readParts(state, { ...turn, text }).verdict;
    expect(verdict('I changed my mind, and withdraw A.')).toMatchObject({ unclear: true, position: null });
    expect(verdict('All is said.')).toMatchObject({ unclear: true, position: null });
    expect(verdict('vote: P2').unclear).toBeUndefined();
  });
});
