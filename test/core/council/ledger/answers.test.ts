import { describe, it, expect } from 'vitest';
import { closeRound } from '../../../../src/core/council/ledger/ledger.ts';
import { played } from '../../../helpers/ledger-council.ts';
import type { Play } from '../../../helpers/ledger-council.ts';

const OPENING: Play = [
  [
    'COLLECT',
    {
      henry: 'Tabs win here.\n\nFiles are smaller.',
      sage: 'Spaces win here.',
      otto: 'Neither matters much.',
    },
  ],
  [
    'CHALLENGE',
    {
      henry: '@sage.1 Why?',
      sage: '@henry.1 Why?\n\n@henry.2 By how much?\n\n> Henry never said this.\n\nSo what?',
    },
  ],
];

/** Status and answer of every challenge after tours of RESOLVE: c1 is put to sage, c2 and c3 to henry, c4 to nobody. */
function after(...tours: Record<string, string>[]): Record<string, string> {
  const { state, contributions } = played([
    ...OPENING,
    ...tours.map((texts): Play[number] => ['RESOLVE', texts]),
  ]);
  return Object.fromEntries(
    state.ledger.challenges.map(({ id, status, answer, against }) => {
      const said = answer && contributions.find((c) => c.by === against && c.tour === answer.tour);
      return [id, said ? `${status}: ${said.text.slice(answer.start, answer.end)}` : status];
    }),
  );
}

describe('answers', () => {
  it('are open until RESOLVE closes, and unanswered then where nobody spoke', () => {
    expect(after()).toEqual({ c1: 'open', c2: 'open', c3: 'open', c4: 'open' });
    expect(after({})).toEqual({ c1: 'unanswered', c2: 'unanswered', c3: 'unanswered', c4: 'unanswered' });
  });

  it.each([
    'I concede c2 and reject c3: by a tenth.',
    'To c2: conceded. To c3: rejected, by a tenth.',
    '{"c2": "conceded", "c3": "rejected: by a tenth"}',
    '{"answers": [{"id": "c2", "answer": "conceded"}, {"id": "c3", "answer": "rejected", "reason": "by a tenth"}]}',
    'My answers: c2 conceded, c3 rejected: by a tenth.',
  ])('are read from one line and from JSON: %j', (henry) => {
    const { c2, c3 } = after({ henry });
    expect([c2, c3].map((answer) => answer?.split(':')[0])).toEqual(['conceded', 'rejected']);
  });

  it('are none where a later line says otherwise', () => {
    expect(after({ henry: 'c2: conceded\n\nOn reflection: c2 rejected.' })).toMatchObject({
      c2: 'unanswered',
    });
    expect(after({ henry: 'Ben said: c2 conceded' })).toMatchObject({ c2: 'unanswered' });
    expect(after({ henry: 'c2: conceded. Rejected.' })).toMatchObject({ c2: 'unanswered' });
    expect(after({ henry: 'c2: conceded.\nActually no.' })).toMatchObject({ c2: 'unanswered' });
    expect(after({ henry: 'Conceded: c2. Rejected: c3.' }).c2).not.toMatch(/^rejected/);
  });

  it('start a paragraph, a list item or a line with the id and one of three words', () => {
    expect(
      after({
        sage: 'c1 answered: Because of diffs.\n\nMore.',
        henry: 'c2 conceded: I was wrong.\nc3 rejected: By a tenth.\n  That is much.',
      }),
    ).toEqual({
      c1: 'answered: c1 answered: Because of diffs.',
      c2: 'conceded: c2 conceded: I was wrong.',
      c3: 'rejected: c3 rejected: By a tenth.\n  That is much.',
      c4: 'unanswered',
    });
    expect(
      after({ henry: '1. c2 rejected: No.\n   - as I said\n2. **c3** conceded: Yes.\n\n   Truly.' }),
    ).toMatchObject({
      c2: 'rejected: c2 rejected: No.\n   - as I said',
      c3: 'conceded: **c3** conceded: Yes.\n\n   Truly.',
    });
  });

  it.each([
    ['**c2 conceded:** Yes.', 'conceded'],
    ['**c2** **conceded**: Yes.', 'conceded'],
    ['`c2` rejected: No.', 'rejected'],
    ['@c2 answered: So.', 'answered'],
    ['C2 Answered: So.', 'answered'],
    ['c2 answered: with its log on disk it keeps jobs as well.', 'answered'],
    ['c2: explained above', 'answered'],
    ['c2: Correct — conceded.', 'conceded'],
    ['c2: No — rejected, the log shows it.', 'rejected'],
    ['c2 répondu : si la charge monte, un second serveur suffit.', 'answered'],
    ['**c2 rejected:** with four engineers it takes a month.', 'rejected'],
    ['c2 — rejected: if files were smaller, the log would show it.', 'rejected'],
    ['c2: conceded', 'conceded'],
    ['c2: rejected, for two reasons', 'rejected'],
    ['c2 — rejected: No.', 'rejected'],
    ['c2 rejected.', 'rejected'],
    ['c2 concédé : oui.', 'conceded'],
    ['c2 conce\u0301de\u0301\u00A0: oui.', 'conceded'],
    ['c2 rejetée : non.', 'rejected'],
    ['c2 répondu: voilà.', 'answered'],
    ['c2 accepted: Yes.', 'conceded'],
    ['c2 not conceded: No.', 'rejected'],
    ['c2: I do not accept this.', 'rejected'],
    ['c2: partly conceded', 'conceded_in_part'],
    ['Je concède c2 : oui.', 'conceded'],
    ['# c2 conceded: Yes.', 'conceded'],
    ['c2. Conceded. I was wrong.', 'conceded'],
    ['@sage c2: conceded, I was wrong.', 'conceded'],
    ['Regarding c2, I reject it: the files are smaller.', 'rejected'],
    ['c2 ✔ conceded', 'conceded'],
    ['c2: Yes, conceded. I was wrong.', 'conceded'],
    ['c2: No, rejected: the files are smaller.', 'rejected'],
    ['c2: The objection is correct. I was wrong.', 'conceded'],
    ['c2: the objection is not valid, files are smaller.', 'rejected'],
    ['c2 → conceded. I was wrong.', 'conceded'],
    ['c2 => rejected: the files are smaller.', 'rejected'],
    ['**c2 (conceded):** I was wrong.', 'conceded'],
    ['**c2** ✅ Conceded — I was wrong.', 'conceded'],
    ['c2: Conceded (partially).', 'conceded_in_part'],
    ['c2 : je concède en partie : le chiffre était faux.', 'conceded_in_part'],
    ['Je n’accepte pas c2 : non.', 'rejected'],
    ['Challenge c2: status: rejected, because files are smaller.', 'rejected'],
    ['**Rejected:** c2 — the files are smaller.', 'rejected'],
    ['c2: you’re right, I was wrong.', 'conceded'],
    ['c2: pas d’accord, les fichiers sont plus petits.', 'rejected'],
    ['### c2 – partly right\n\nBut not in every editor.', 'conceded_in_part'],
    ['## Challenge c2 (sage)\n\n> Why?\n\nI do not accept this objection: it has no reason.', 'rejected'],
    ['## c2\n\n**Status:** conceded\n\nI was wrong.', 'conceded'],
    ['c2: Disputed. The files are smaller.', 'rejected'],
    ['c2 ❌ The files are smaller.', 'rejected'],
    ['c2: Zugestanden. Ich hatte nichts gemessen.', 'conceded'],
    ['c2: nicht zugestanden, die Dateien sind kleiner.', 'rejected'],
    ['c2: abgelehnt, weil das Protokoll es zeigt.', 'rejected'],
    ['**c2** — Teilweise zugestanden: nur im Test.', 'conceded_in_part'],
    ['### c2\n\nIch bestreite das. Die Dateien sind kleiner.', 'rejected'],
    ['c2: beantwortet – siehe das Protokoll.', 'answered'],
    ['c2: no acepto: los archivos son menores.', 'rejected'],
    ['c2: concedido en parte: solo en pruebas.', 'conceded_in_part'],
    ['c2: respinto, perché i file sono più piccoli.', 'rejected'],
    ['c2: parzialmente accettato. Solo nei test.', 'conceded_in_part'],
    ['c2: aceito. O número estava errado.', 'conceded'],
    ['c2: rejeitado: os arquivos são menores.', 'rejected'],
    ['c2: toegegeven, het cijfer klopte niet.', 'conceded'],
    ['c2: gedeeltelijk toegegeven.', 'conceded_in_part'],
    ['c2：認めます。測定していませんでした。', 'conceded'],
    ['c2：認めません。記録があります。', 'rejected'],
    ['c2（参加者B）：部分的に認めます。', 'conceded_in_part'],
    ['c2：承认。我没有测量过。', 'conceded'],
    ['c2：不同意。记录里写着。', 'rejected'],
    ['c2：部分承认。只在测试环境。', 'conceded_in_part'],
    ['c2 — fair point, conceded.', 'conceded'],
    ['c2: wrong quote; rejected.', 'rejected'],
    ['c2: Ben has the log. Touché — withdrawn.', 'conceded'],
    ['c2: mostly conceded. Writes stay.', 'conceded_in_part'],
    ['c2：承認します。', 'conceded'],
  ])('are read from %j', (text, status) => {
    expect(after({ henry: text })).toMatchObject({ c2: `${status}: ${text}`, c3: 'unanswered' });
  });

  it.each([
    'Someone might say: c2 conceded.',
    'c2: if the log were right, conceded.',
    'c2: I cannot write: the figure, conceded.',
    'c2: Ben says so, conceded.',
    'c2: fair point, conceded, if the log is right.',
    'c2: fair point, conceded in theory, not here.',
    'c2: conceded? No, never.',
    'I say c2 conceded: no.',
    'c2: neither accepted nor rejected.',
    'c2: interesting question.',
    'c2: explained nothing',
    'c2: no change, the files of March were smaller.',
    'c2: the files of March were a tenth smaller.',
    'c2: Understood.',
    'c2: Noted, I will take it into account going forward.',
    'c2 ✅ The files are smaller.',
    'c2 ❌ conceded: the files are larger.',
    'c2: zugestanden, aber nur im Test.',
    'c2: zugestanden, wenn das Protokoll stimmt.',
    'c2: concedido, pero solo en pruebas.',
    'c2：承认，但是只在测试环境。',
    'c2：承认书在附件里。',
    'c2: Ja, abgelehnt.',
    '### c2\n\nConceded.\n\nRejected: the files are smaller.',
    'c2: I neither accept nor reject it.',
    'c2: not rejected.',
    'c2: I would concede this if it were measured.',
    'c2: it is not that I do not accept this.',
    'c2: I accept the challenge to prove it, and here is the log.',
    'c2: "conceded" is what sage wants to read here.',
    'c2 (conceded by sage): no.',
    'c2: I will answer this when I have the figures.',
    'c2: see above.',
    'c2: yes, rejected.',
    'c2: Fair. I correct it to one day from now on.',
    'c2: this is wrong, and the files of March show it.',
    'c2: sage concedes this herself in the end.',
    'c2 has been conceded by sage.',
    'c2 and the rest: conceded.',
    'All challenges are conceded.',
    'c2: yes.',
    'c2: conceded, with one exception.',
    'c2 conceded: with one exception.',
    'c2 conceded: if the log is right.',
    'c2 rejected: but the figure was wrong.',
    'c2: rejected, if the log is right.',
    'c2: answered by sage.',
    'c2: conceded. However, the conclusion stands.',
    'c2: who says that the files are not smaller?',
    'I concede that files are no smaller in every case.',
    'No concession on c2.',
    'c2: you are right that nobody measured it, though the log shows it.',
    'I concede that c2 is well put.',
    'Nobody conceded c2.',
    '| c2 | rejected by sage, not by me |',
    'c20 conceded: Yes.',
    'c2x conceded: Yes.',
    'c2 concededly: Yes.',
    '> c2 conceded: Yes.',
    '```\nc2 conceded: Yes.\n```',
  ])('are not read from %j', (text) => {
    expect(after({ henry: text })).toMatchObject({ c2: 'unanswered' });
  });

  it('are read of several challenges at once', () => {
    const both = { c2: 'rejected', c3: 'rejected' };
    const statuses = (text: string) =>
      Object.fromEntries(
        Object.entries(after({ henry: text })).map(([id, said]) => [id, said.split(':')[0]]),
      );
    expect(statuses('c2 & c3: rejected')).toMatchObject(both);
    expect(statuses('c2, c3 rejected: No.')).toMatchObject(both);
    expect(statuses('I reject c2 and c3: no.')).toMatchObject(both);
    expect(statuses('## Rejected\n\n- c2: files are smaller.\n- c3: by a tenth.')).toMatchObject(both);
    for (const text of ['c2 conceded, c3 rejected: by a tenth.', 'I concede c2 but reject c3.'])
      expect(statuses(text)).toMatchObject({ c2: 'conceded', c3: 'rejected' });
    expect(statuses('| c | Antwort |\n|---|---|\n| c2 | Abgelehnt |\n| c3 | Abgelehnt |')).toMatchObject(
      both,
    );
    expect(statuses('| id | answer |\n|---|---|\n| c2 | Rejected: no |\n| c3 | ✅ conceded |')).toMatchObject(
      {
        c2: 'rejected',
        c3: 'conceded',
      },
    );
  });

  it('say where a rejection has no reason', () => {
    const marked = (text: string): boolean | undefined =>
      played([...OPENING, ['RESOLVE', { henry: text }]]).state.ledger.challenges[1]!.unexplained;
    expect(marked('c2: rejected.')).toBe(true);
    expect(marked('c2 rejected: No.')).toBe(true);
    expect(marked('I reject c2.')).toBe(true);
    expect(marked('c2 rejected: the files are smaller.')).toBeUndefined();
    expect(
      marked('| id | answer | reason |\n|---|---|---|\n| c2 | rejected | files are smaller |'),
    ).toBeUndefined();
    expect(marked('| id | answer | reason |\n|---|---|---|\n| c2 | rejected | |')).toBe(true);
    expect(marked('### c2\n\nRejected.\n\nThe files are smaller.')).toBeUndefined();
    expect(marked('c2 conceded.')).toBeUndefined();
    expect(marked('### c2\n\nI do not accept this.')).toBe(true);
  });

  it('that differ in one text are none, and words that are no answer change nothing', () => {
    expect(
      after({ henry: 'c2 rejected: No.\n\nOn second thought:\n\nc2 conceded: I was wrong.' }),
    ).toMatchObject({
      c2: 'unanswered',
    });
    expect(after({ henry: 'c2 conceded: I was wrong.\n\nc2 (again): conceded.' })).toMatchObject({
      c2: 'conceded: c2 (again): conceded.',
    });
    expect(
      after({ henry: 'c2 conceded: I was wrong.\n\nc2: as I said, the figure was wrong.' }),
    ).toMatchObject({ c2: 'conceded: c2 conceded: I was wrong.' });
  });

  it.each([
    '{"vote": "P1", "answers": {"c2": "conceded", "c3": "rejected: by a tenth"}, "text": "So."}',
    '```json\n[{"challenge": "c2", "answer": "Conceded.", "why": "so"}, {"id": "c3", "status": "rejected"}]\n```',
    '---\nposition: tabs\nc2: conceded\nc3: rejected, by a tenth\n---\n\nSo.',
    '```yaml\nc2: conceded\nc3: rejected\n```\n\nSo.',
  ])('are read from a form: %j', (text) => {
    expect(
      played([...OPENING, ['RESOLVE', { henry: text }]])
        .state.ledger.challenges.slice(1, 3)
        .map(({ status }) => status),
    ).toEqual(['conceded', 'rejected']);
  });

  it.each([
    'Sage:\n\nc2 conceded: fine.',
    'Sage:\nc2 conceded: fine.',
    '**Participant B:**\n- c2 conceded\n- c3 conceded',
    '## sage\n\nText.\n\nc2 conceded: fine.\n\n## Mine',
  ])('below the name of another are none: %j', (text) => {
    expect(after({ henry: `${text}\n\nc3 rejected: it was measured in May.` })).toMatchObject({
      c2: 'unanswered',
      c3: 'rejected: c3 rejected: it was measured in May.',
    });
    expect(after({ henry: 'Henry:\n\nc2 conceded: fine.' })).toMatchObject({
      c2: 'conceded: c2 conceded: fine.',
    });
  });

  it('count only from the one whom the challenge is put to', () => {
    expect(
      after({
        sage: 'c2 conceded: On his behalf.\n\nc1 rejected: No.',
        otto: 'c1 conceded: For her.\n\nc4 answered: Here.',
      }),
    ).toEqual({
      c1: 'rejected: c1 rejected: No.',
      c2: 'unanswered',
      c3: 'unanswered',
      c4: 'unanswered',
    });
  });

  it('may be taken back in a later tour: the last one counts', () => {
    expect(
      after({ henry: 'c2 rejected: No.' }, { henry: 'c2 conceded: Now I see.\n\nc3 answered: Late.' }),
    ).toMatchObject({
      c2: 'conceded: c2 conceded: Now I see.',
      c3: 'answered: c3 answered: Late.',
    });
    expect(after({ henry: 'c2 rejected: No.' }, { sage: 'Nothing.' })).toMatchObject({
      c2: 'rejected: c2 rejected: No.',
    });
  });

  it('of a later tour stand when an earlier one is closed again', () => {
    const council = played([
      ...OPENING,
      ['RESOLVE', { henry: 'c2 rejected: No.' }],
      ['RESOLVE', { henry: 'c2 conceded: Yes.' }],
    ]);
    const { challenges } = closeRound(council, { phase: 'RESOLVE', tour: 3 }, () => null);
    expect(challenges).toEqual(council.state.ledger.challenges);
    expect(challenges[1]).toMatchObject({ id: 'c2', status: 'conceded', answer: { tour: 4 } });
  });

  it('have the code and quotes below them, and the paragraphs where the head stands alone', () => {
    const text = 'c2 rejected: See this.\n\n```\nc3 conceded: no answer\n```\n\n> quoted\n\nElse.';
    expect(after({ henry: text })).toMatchObject({
      c2: `rejected: ${text.slice(0, text.indexOf('\n\nElse'))}`,
      c3: 'unanswered',
    });
    const alone = 'c2 conceded:\n\nYes, I was.\n\n- twice\n\n## Else\n\nNothing.';
    expect(after({ henry: alone })).toMatchObject({
      c2: `conceded: ${alone.slice(0, alone.indexOf('\n\n## Else'))}`,
    });
  });
});

it('keeps the keys of a challenge in their order', () => {
  const play: Play = [...OPENING, ['RESOLVE', { henry: 'c2 conceded: so it is.' }]];
  const [before, after] = [OPENING, play].map((one) => played(one).state.ledger.challenges[1]!);
  expect(after!.status).toBe('conceded');
  expect(Object.keys(after!)).toEqual(Object.keys(before!));
});
