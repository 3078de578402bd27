import { describe, expect, it } from 'vitest';
import { exportArchive } from '../../../src/core/archive/export.ts';
import { describeOutcomeBriefly } from '../../../src/core/archive/archive-listing.ts';
import { loadWords } from '../../../src/core/base/words/words.ts';
import { readArchive } from '../../../src/core/archive/parse.ts';
import { renderArchive } from '../../../src/core/archive/write.ts';
import { computeDecision } from '../../../src/core/council/vote/outcome.ts';
import type { Contribution, Council, CouncilState } from '../../../src/core/council/state/state.ts';
import { debate, finished, LEDGER, PATH, spoke } from './sample.ts';

/** The archive's text of a council that was decided by its own rule. */
function decided(said: Contribution[], over: Partial<CouncilState> = {}): string {
  const council = finished(said, { ledger: LEDGER, ...over });
  return renderArchive({ ...council, state: { ...council.state, decision: computeDecision(council) } }, []);
}

const rules = (over: Partial<CouncilState['rules']>): Pick<Council['state'], 'rules'> => ({
  rules: { ...finished([]).state.rules, ...over },
});
const section = (text: string, title: string): string => text.split(`\n## ${title}\n`)[1]!.split('\n## ')[0]!;

describe('the decision section', () => {
  it('says by which rule, with which votes, and what the debate changed', () => {
    const page = decided(debate(), rules({ rule: 'majority' }));
    const text = section(page, 'Decision') + section(page, 'Who sat');
    for (const line of [
      '**Decided (majority): "spaces" has 2 of 3 votes. The blind votes alone would have decided nothing; the debate decided.**',
      '| spaces | 1 | 2 |',
      '| 🦉 Henry | tabs | tabs | spaces | agreed |',
      '| 🌿 Sage | spaces | spaces (carried from round 1) | spaces (carried from round 1) | carried forward |',
      '| 🦎 Lizard | no position read | neither | neither (carried from round 2) | blocks |',
      '- The debate changed the outcome.',
      '- Minority positions that nobody states in the end: tabs.',
    ])
      expect(text.split('\n')).toContain(line);
  });

  it('names who was recused, who may veto, who was asked, and why it went on', () => {
    const over = {
      ...rules({
        vetoes: ['henry'],
        recused: [{ participant: 'sage', why: 'sells | spaces' }],
        weighted: true,
      }),
      advocate: { participant: 'lizard', tour: 2, seed: 'cafe' },
      held: 'henry changed position without naming what moved them',
    };
    const page = decided(debate(), over);
    const text = section(page, 'Decision') + section(page, 'Who sat');
    for (const part of [
      'Recused: 🌿 Sage (sells \\| spaces).',
      'Their blocking issues cannot be outvoted: 🦉 Henry.',
      'Each vote counts as its stated confidence.',
      '🦎 Lizard was asked for the case against in round 2 (drawn by lot, seed cafe).',
      'although everybody agreed: henry changed position',
      '| 🌿 Sage | spaces | spaces (carried from round 1) | spaces (carried from round 1) | recused |',
    ])
      expect(text).toContain(part);
    expect(section(page, 'Dissent')).toContain('recused');
  });

  it.each(['majority', 'approval'] as const)(
    'counts sentences that were joined later as one in the blind vote as well (%s)',
    (rule) => {
      const same = { same: [['P2', 'P3']] as [string, string][] };
      const ballot = ['Tabs', 'Use spaces', 'We use spaces'].map((position, at) => ({
        id: `P${at + 1}`,
        position,
        declared: false,
      }));
      const said = [
        { ...spoke('henry', 1, 'x'), position: 'Use spaces' },
        { ...spoke('sage', 1, 'x'), position: 'We use spaces' },
        { ...spoke('lizard', 1, 'x'), position: 'Tabs' },
        { ...spoke('henry', 2, 'x'), position: 'Use spaces', vote: 'P2', ...same },
        { ...spoke('sage', 2, 'x'), position: 'We use spaces', vote: 'P3', ...same },
      ];
      const text = section(decided(said, { ballot, ...rules({ rule }) }), 'Who sat');
      expect(text).toContain('| P2 | Use spaces | 🦉 Henry |');
      expect(text).toContain('Counted as one position: P2 = P3.');
      expect(text).toContain(': P2 Use spaces 2, P1 Tabs 1. By the same rule: Decided');
      expect(text).toContain('- The debate left the outcome as it was.');
    },
  );

  it('keeps the dissent, whatever the synthesis says', () => {
    const text = decided([...debate(), spoke('maman', 4, 'All agree. No dissent.')], {
      coordinator: 'maman',
    });
    expect(section(text, 'Dissent')).toContain('🦎 Lizard: neither');
  });
});

describe('a line of the list', () => {
  const votes = { spaces: 2, tabs: 1 };
  const decision = {
    ...computeDecision(finished(debate())),
    decided: true,
    position: 'tabs',
    denominator: 3,
    votes,
  };
  const { how: _how, blind: _blind, ...untold } = decision;
  const line = (over: Partial<typeof decision>) =>
    describeOutcomeBriefly({ decision: { ...untold, ...over }, why: null }, loadWords('en'));

  it('has the last votes, and how the decision came about, where it is told', () => {
    const blind = { votes: { tabs: 2, spaces: 1 }, position: 'tabs' };
    expect(line({})).toBe('Decided: tabs, 1 of 3');
    expect(line({ how: 'blind-kept', blind })).toBe(
      'Decided: tabs, 1 of 3. 2 of 3 said so before seeing any other answer.',
    );
    // The last votes do not speak for what stands against them.
    expect(line({ how: 'blind-stood', blind, unexplained: ['henry'] })).toBe(
      'Decided: tabs. The blind majority stands (2 of 3): one moved later and did not say why. Read the minority first.',
    );
  });
});

describe('the ledger in an archive', () => {
  const text = decided(debate());

  it('has claims, challenges and moves by ids, and how the texts name claims', () => {
    const said = (phase: string, who: string) =>
      section(text, phase).split(`\n### ${who}\n`)[1]!.split('\n### ')[0]!;
    expect(said('COLLECT (round 1)', '🌿 Sage')).toContain(
      '\n- `sage.1` Spaces look the same everywhere, says Sage.\n',
    );
    expect(said('CHALLENGE (round 2)', '🦉 Henry')).toContain(
      '\n- `c1` against `sage.1`: quote verified, unanswered\n',
    );
    expect(section(text, 'Dissent')).not.toContain('c1');
    expect(section(text, 'Challenges without an answer')).toContain(
      '- c1, 🦉 Henry to 🌿 Sage: “Spaces look the same',
    );
    expect(section(text, 'Who sat')).toContain('| henry | tabs | spaces | RESOLVE | unexplained |');
    expect(section(text, 'Who sat')).toContain('Claims have the same letters there: `a.1` is `sage.1`.');
  });

  it('comes back from the file, and stands in the export with its words', () => {
    const archive = readArchive(text, PATH);
    expect(archive.meta.ledger).toEqual(LEDGER);
    const { ledger, metrics, meta } = exportArchive(archive, 'json');
    expect(ledger.claims[0]!.text).toBe('Spaces look the same everywhere, says Sage.');
    expect(metrics).toMatchObject({ flips: { explained: 0, unexplained: 1 }, tokens: null });
    expect(meta).not.toHaveProperty('ledger');
  });
});
