import { speak } from '../../src/panel/speak.ts';
import { REVIEWER_IDS } from '../../src/panel/reviewer.ts';
import type { ReviewerId } from '../../src/panel/reviewer.ts';
import type { Phase, EarlierContribution } from '../../src/panel/view.ts';

/** Those who sit when nobody is named. */
export const SEATED = ['consistency', 'completeness', 'structure', 'precision'] as const;

export interface Spoken extends EarlierContribution {
  by: string;
}

const LABELS: Record<ReviewerId, string> = {
  consistency: 'Participant E',
  completeness: 'Participant F',
  structure: 'Participant D',
  precision: 'Participant A',
};

/** One turn of one reviewer, given what was said in earlier phases. */
export function turn(
  by: ReviewerId,
  phase: Phase,
  brief: string,
  said: readonly Spoken[],
  withOwn = true,
): Promise<string> {
  return speak(by, {
    phase,
    brief,
    contributions: said
      .filter((one) => one.by !== by)
      .map(({ label, phase, text }) => ({ label, phase, text })),
    own: withOwn ? said.filter((one) => one.by === by).map(({ phase, text }) => ({ phase, text })) : [],
  });
}

/** A whole debate of reviewers in memory, of all four where none are named, with further contributions from others. */
export async function debate(
  brief: string,
  guests: readonly Spoken[] = [],
  withOwn = true,
  ids: readonly ReviewerId[] = REVIEWER_IDS,
): Promise<{ said: Spoken[]; synthesis: string }> {
  const said: Spoken[] = [];
  for (const phase of ['COLLECT', 'CHALLENGE', 'RESOLVE'] as const) {
    const now: Spoken[] = [];
    for (const by of ids)
      now.push({ by, label: LABELS[by], phase, text: await turn(by, phase, brief, said, withOwn) });
    said.push(...now, ...guests.filter((guest) => guest.phase === phase));
  }
  const synthesis = await speak('rapporteur', { phase: 'SYNTHESIZE', brief, contributions: said, own: [] });
  return { said, synthesis };
}
