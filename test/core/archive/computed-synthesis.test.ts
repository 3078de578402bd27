import { describe, it, expect } from 'vitest';
import { composeArchive } from '../../../src/core/archive/compose-archive.ts';
import type { Absence, CouncilState } from '../../../src/core/council/state/state.ts';
import { participant } from '../council/fixtures.ts';
import { debate, END, finished, LEDGER, spoke } from './sample.ts';

const digest = (over: Partial<CouncilState> = {}, said = debate()): string =>
  composeArchive(finished(said, over), []).synthesis.text;
const maman = { coordinator: 'maman', synthesizer: participant({ title: 'Maman', emoji: '👩' }) };
const missing = (reason: Absence['reason']): Absence[] => [
  { participant: 'maman', phase: 'SYNTHESIZE', tour: 4, reason, at: END },
];

describe('the computed digest', () => {
  it('says that nobody wrote it, and why', () => {
    expect(digest()).toContain(
      'No participant wrote this digest: it was computed from the contributions. No synthesis was asked for.',
    );
    expect(digest({ ...maman, absences: missing('timeout') })).toContain(
      'The coordinator, 👩 Maman, did not respond in time.',
    );
    expect(digest({ ...maman, absences: missing('failed: exit code 1.') })).toContain(
      'The coordinator, 👩 Maman, failed to answer: exit code 1.\n',
    );
    expect(digest({ ...maman, absences: missing('excused: on holiday') })).toContain(
      'The coordinator, 👩 Maman, was excused: on holiday.',
    );
    expect(digest({ status: 'CANCELLED' })).toContain(
      'This council was cancelled before a synthesis was written.',
    );
  });

  it('is marked as computed, by nobody; a coordinator’s text is not', () => {
    expect(composeArchive(finished(debate()), []).synthesis).toMatchObject({ by: null, computed: true });
    expect(
      composeArchive(finished([...debate(), spoke('maman', 4, 'Done.')], maman), []).synthesis,
    ).toMatchObject({
      text: 'Done.',
      by: 'maman',
      computed: false,
    });
  });

  it('counts against the number at the start, and names the silent', () => {
    const text = digest({ quorum: 0.5 }, [spoke('henry', 1, 'Alone here.')]);
    expect(text).toContain('- 1 of 3 participants spoke.');
    expect(text).toContain('- 🌿 Sage never spoke.');
    expect(text).toContain('The quorum of 50 % was not met: this is not a decision.');
    expect(digest({ quorum: 0 })).not.toContain('quorum');
    expect(digest({ status: 'CONVERGED' })).toContain('Everybody agreed.');
  });

  it('names who holds a position after its words, without a full stop between', () => {
    const said = (position: string): string => digest({}, [spoke('henry', 1, 'Calmer.', { position })]);
    expect(said('Tea.')).toContain('- Tea: 🦉 Henry');
    expect(said('Tea or...')).toContain('- Tea or...: 🦉 Henry');
  });

  it('quotes the first paragraph of the last contribution, without front matter, headings and other people’s words', () => {
    const text = digest({}, [
      spoke('henry', 1, '---\nposition: x\n---\n# Title\n\n> somebody else\n\nMy own\nwords.\n\nMore.'),
    ]);
    expect(text).toContain('### In their own words\n\n- 🦉 Henry: My own words.');
  });

  it.each([
    '**Position:** x\n**Confidence:** 0.8\n\nMy own words.',
    '```yaml\nposition: x\nconfidence: 0.8\n```\n\nMy own words.',
    'Here is my answer:\n\n{"position": "x"}\n\nMy own words.',
    '<thinking>\nI should say x.\n\nOr y?\n</thinking>\n\nvote: P2\napprove: P1\n\nMy own words.',
    '<answer>\n---\nposition: x\n---\nMy own words.\n</answer>',
    '| field | value |\n| --- | --- |\n| position | x |\n| confidence | 0.8 |\n\nMy own words.',
  ])('quotes neither form nor reasoning: %j', (said) => {
    expect(digest({}, [spoke('henry', 1, said)])).toContain(
      '### In their own words\n\n- 🦉 Henry: My own words.',
    );
  });

  it('holds positions, moves, blocking issues, dissent, unanswered challenges and absences', () => {
    const text = digest({
      absences: [{ participant: 'sage', phase: 'CHALLENGE', tour: 2, reason: 'timeout', at: END }],
      ledger: LEDGER,
    });
    for (const line of [
      '- spaces: 🦉 Henry, 🌿 Sage',
      '- 🦉 Henry: from tabs (round 2) to spaces (round 3)',
      '- 🦎 Lizard: no formatter \\| runs',
      '- 🌿 Sage: spaces, did not agree',
      '- c1, 🦉 Henry to 🌿 Sage: “Spaces look the same everywhere, says Sage.” Not on paper.',
      '- 🌿 Sage, CHALLENGE (round 2): deadline passed',
    ])
      expect(text.split('\n')).toContain(line);
  });

  it('leaves out what there is nothing to say about, and works for a council in which nobody spoke', () => {
    const text = digest({ lang: 'fr' }, []);
    expect(text).toContain('Participants qui ont parlé : 0 sur 3.');
    expect(text.match(/^### .*$/gm)).toEqual(['### Issue', '### Dernières positions']);
  });
});
