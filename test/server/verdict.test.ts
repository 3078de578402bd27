import { describe, expect, it } from 'vitest';
import { ANSWER_BYTES, composeVerdict, shortenToBytes } from '../../src/server/verdict.ts';
import { exportArchive } from '../../src/core/archive/export.ts';
import type { ArchiveExport } from '../../src/core/archive/export.ts';
import { readArchive } from '../../src/core/archive/parse.ts';
import { renderArchive } from '../../src/core/archive/write.ts';
import { getLabels } from '../../src/core/council/naming/labels.ts';
import { computeDecision } from '../../src/core/council/vote/outcome.ts';
import type { BallotFigure } from '../../src/core/council/vote/ballot-figures.ts';
import type { Contribution, CouncilState } from '../../src/core/council/state/state.ts';
import { participant } from '../core/council/fixtures.ts';
import { debate, END, finished, PATH, spoke } from '../core/archive/sample.ts';

function exportCouncil(said: Contribution[], over: Partial<CouncilState> = {}): ArchiveExport {
  const council = finished(said, over);
  const decision = computeDecision(council);
  const text = renderArchive({ ...council, state: { ...council.state, decision } }, []);
  return exportArchive(readArchive(text, PATH), 'json');
}

const figure = (id: string, position: string, by: string[], sameAs: string[] = []): BallotFigure => ({
  id,
  position,
  declared: false,
  by,
  approvedBy: by,
  sameAs,
});
const BALLOT = [
  figure('P1', 'tabs', []),
  figure('P2', 'neither', ['lizard']),
  figure('P3', 'spaces', ['henry', 'sage']),
];
const COORDINATOR = { coordinator: 'maman', synthesizer: participant({ title: 'Coordinator', emoji: '🪺' }) };

describe('a verdict', () => {
  it('tells decision, course, reasons, dissent and where the rest is', () => {
    const verdict = composeVerdict({ ...exportCouncil(debate()), ballot: BALLOT });
    expect(verdict.split('\n\n')).toEqual([
      'Question: Tabs or spaces?',
      'Decided (majority): "spaces" has 2 of 3 votes. The blind votes alone would have decided nothing; the debate decided.',
      expect.stringMatching(
        /^How it came about:\ndebate: COLLECT, CHALLENGE, RESOLVE, SYNTHESIZE; 3 seats, .+\.\n- P3 "spaces" \(henry, sage\)\n- P2 "neither" \(lizard\)$/,
      ),
      'Reasons:\n- henry (P3): I give in.\n- sage (P3): Spaces look the same everywhere, says Sage.',
      'Dissent:\n- lizard (P2): Still no formatter.',
      expect.stringContaining('archives {"action":"show","archive":"2026-02-08-tabs-or-spaces"}'),
    ]);
  });

  it('has what was said before the council began, and who was not heard, with why', () => {
    const absences = [
      {
        participant: 'sage',
        phase: 'RESOLVE' as const,
        tour: 3,
        reason: 'failed: no login' as const,
        at: END,
      },
    ];
    const verdict = composeVerdict({ ...exportCouncil(debate()), absences }, [
      'Only claude sits.',
      'Two tie.',
    ]);
    expect(verdict).toContain('\n\nSaid before it began:\nTwo tie.\nOnly claude sits.\n\n');
    expect(verdict).toContain('\n\nNot heard:\n- sage in RESOLVE: failed: no login\n\n');
  });

  it('has the synthesis of a coordinator with names in place of letters, and else the digest', () => {
    const label = getLabels(finished([]).state).get('sage')!;
    const said = [...debate(), spoke('maman', 4, `---\nposition: spaces\n---\n\n${label} is right.`)];
    const written = composeVerdict({ ...exportCouncil(said, COORDINATOR), ballot: BALLOT });
    expect(written).toContain('\n\nSynthesis by the coordinator:\nSage is right.\n\n');
    expect(written).not.toContain('Reasons:');
    const computed = composeVerdict({ ...exportCouncil(debate()), ballot: null });
    expect(computed).toContain('\n\nDigest by council itself:\n');
  });

  it('counts as no dissent what counts as the same position', () => {
    const [tabs, neither, spaces] = BALLOT;
    const verdict = composeVerdict({
      ...exportCouncil(debate()),
      ballot: [tabs!, { ...neither!, sameAs: ['P3'] }, { ...spaces!, sameAs: ['P2'] }],
    });
    expect(verdict).toContain('Reasons:\n- lizard (P2): Still no formatter.\n- henry (P3)');
    expect(verdict).not.toContain('Dissent');
  });

  it('says that there was no vote, and gives all reasons', () => {
    const base = exportCouncil(debate());
    const verdict = composeVerdict({ ...base, meta: { ...base.meta, decision: null }, ballot: BALLOT });
    expect(verdict).toContain('\n\nNo vote was taken.\n\n');
    expect(verdict).toContain('\n\nReasons:\n- lizard (P2): Still no formatter.\n- henry (P3): I give in.');
    expect(verdict).not.toContain('Dissent');
  });

  it.each(['a', 'é', '議', '🦉'])(
    'keeps its limit with the longest of everything in the letter %s',
    (letter) => {
      const long = letter.repeat(100_000);
      const ids = Array.from({ length: 40 }, (_, at) => `participant-${at}`);
      const base = exportCouncil([...debate(), spoke('maman', 4, long)], COORDINATOR);
      const everything: ArchiveExport = {
        ...base,
        meta: { ...base.meta, topic: long, id: `2026-02-08-${'x'.repeat(60)}` },
        ballot: ids.map((id, at) => figure(`P${at}`, long, [id])),
        contributions: ids.map((id) => ({ ...base.contributions[0]!, participant: id, text: long })),
        absences: ids.map((id) => ({
          participant: id,
          phase: 'COLLECT' as const,
          tour: 1,
          reason: `failed: ${long}` as const,
          at: END,
        })),
      };
      const verdict = composeVerdict(everything, [long]);
      expect(Buffer.byteLength(verdict)).toBeLessThanOrEqual(ANSWER_BYTES);
      expect(Buffer.byteLength(verdict)).toBeGreaterThan(ANSWER_BYTES * 0.8);
      expect(verdict).not.toContain('\uFFFD');
    },
  );
});

it('a shortened text says that it was, and cuts no letter in two', () => {
  expect(shortenToBytes('short', 5)).toBe('short');
  expect(shortenToBytes('long enough', 10)).toBe('long e …');
  for (const bytes of [9, 10, 11, 12]) {
    const cut = shortenToBytes('🦉🦉🦉🦉', bytes);
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes);
    expect(cut).toMatch(/^🦉* …$/u);
  }
});
