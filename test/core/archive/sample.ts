import { measureText } from '../../../src/core/council/document/markers.ts';
import type { Contribution, Council, CouncilState, Ledger } from '../../../src/core/council/state/state.ts';
import { participant, stateOf } from '../council/fixtures.ts';
import type { PhaseName } from '../../../src/core/council/state/allowed-values.ts';
import { PHASES } from '../../../src/core/council/state/allowed-values.ts';

export const END = '2026-02-08T23:10:00.000Z';
export const PATH = 'conseils/2026-02-08-tabs-or-spaces.md';
export const CONVERSATION = '11111111-2222-4333-8444-555555555555';

type Verdict = Pick<Contribution, 'position' | 'agreed' | 'done' | 'blocking'>;

export function spoke(by: string, tour: number, text: string, verdict: Verdict = {}): Contribution {
  const phase: PhaseName = PHASES[tour - 1]!;
  return {
    by,
    phase,
    tour,
    at: `2026-02-08T2${tour - 1}:10:00.000Z`,
    ...measureText(text),
    ...verdict,
    text,
  };
}

/** A council of Henry, Sage and Lizard, closed after all four phases. */
export function finished(contributions: Contribution[], over: Partial<CouncilState> = {}): Council {
  const seats = {
    henry: participant({ title: 'Henry' }),
    sage: participant({ title: 'Sage', emoji: '🌿' }),
    lizard: participant({ title: 'Lizard', emoji: '🦎' }),
  };
  const state = stateOf(
    {
      conversationId: CONVERSATION,
      topic: 'Tabs or spaces?',
      currentPhase: 'SYNTHESIZE',
      tour: 4,
      status: 'COMPLETED',
      participants: seats,
      transitions: PHASES.map((from, at) => ({
        from,
        to: PHASES[at + 1] ?? 'ARCHIVED',
        reason: 'all-responded' as const,
        tour: at + 1,
        at: `2026-02-08T2${at}:30:00.000Z`,
      })),
      closing: { path: PATH, at: END, why: null },
      ...over,
    },
    Object.keys(seats),
  );
  return { state, brief: '# Tabs or spaces?\n\nDecide for the whole house.', contributions };
}

/** Henry moves, Sage stays silent after COLLECT, Lizard blocks; everybody's words differ. */
export const debate = (): Contribution[] => [
  spoke('henry', 1, '---\nposition: tabs\n---\nTabs are one byte.', { position: 'tabs' }),
  spoke('sage', 1, 'Spaces look the same everywhere, says Sage.', { position: 'spaces' }),
  spoke('lizard', 1, 'I have no opinion yet.'),
  spoke('henry', 2, 'Dear Sage:\n\n> Spaces look the same\n> everywhere, says Sage.\n\nNot on paper.', {
    position: 'tabs',
  }),
  spoke('lizard', 2, 'Neither. <!-- hidden? -->', { position: 'neither', blocking: ['no formatter | runs'] }),
  spoke('henry', 3, 'I give in.', { position: 'spaces', agreed: true }),
  spoke('lizard', 3, 'Still no formatter.', { blocking: ['no formatter | runs'] }),
];

const challenge = debate()[3]!.text;

/** What Henry objects to in `debate`, and how he moves. */
export const LEDGER: Ledger = {
  claims: [{ id: 'sage.1', by: 'sage', tour: 1, start: 0, end: 45, sha256: '0123456789abcdef' }],
  challenges: [
    {
      id: 'c1',
      by: 'henry',
      tour: 2,
      start: challenge.indexOf('>'),
      end: challenge.length,
      target: 'sage.1',
      against: 'sage',
      quote: 'verified',
      status: 'unanswered',
      answer: null,
    },
  ],
  moves: [
    { by: 'henry', from: 'tabs', to: 'spaces', tour: 3, phase: 'RESOLVE', because: null, explained: false },
  ],
};
