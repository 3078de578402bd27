// Finds what a contribution lacks for the decision rule.
import type { PhaseName } from '../state/allowed-values.ts';
import { findSameOption } from '../state/ballot.ts';
import { getSeat } from '../state/state.ts';
import type { CouncilState, Verdict } from '../state/state.ts';

/**
 * Why words under `vote` or `position` are not a vote: they say "none", name nothing on the ballot, have other
 * words after the number, or have the sentence of another position.
 */
export type UnreadReason = 'nothing' | 'unknown' | 'behind' | 'other';

/** A field that could not be read, in its author's words. */
export interface UnclearField {
  field: string;
  words: string;
  /** The ballot number that other words follow. */
  id: string;
  /**
   * `differ`: two votes; `order`: ranks nothing; `half`: a partly matching key; `list`: not a line of text;
   * `blocks`: may or may not be an issue.
   */
  why: UnreadReason | 'differ' | 'half' | 'list' | 'blocks' | 'order';
}

/** A contribution to one phase, as read. */
export interface DeclaredContribution {
  by: string;
  phase: PhaseName;
  tour: number;
  verdict: Pick<Verdict, 'position' | 'vote' | 'unclear' | 'rank'>;
}

/** `position`: none stated. `option`: not a declared option. `vote`, `rank`: none given on the ballot. */
export type MissingStatement = 'position' | 'option' | 'vote' | 'rank';

/** Returns what a contribution lacks, without naming its author. Without a state, the rule is unknown. */
export function listMissingForAnyone(
  state: CouncilState | undefined,
  { phase, verdict: { position } }: Pick<DeclaredContribution, 'phase' | 'verdict'>,
): MissingStatement[] {
  const { rule, options } = state?.rules ?? { rule: undefined, options: null };
  if (rule === 'none' || phase === 'SYNTHESIZE') return [];
  if (position === null) return phase === 'COLLECT' ? ['position'] : [];
  return options && !findSameOption(position, options) ? ['option'] : [];
}

/**
 * Returns what a contribution lacks for the decision: a position in COLLECT; a vote in the last phase before
 * the decision, or in any phase if the given one is invalid (without a ballot: a position, if none was ever
 * stated); and one of the declared options.
 * Nothing is required under the rule `none`, of recused participants, of the coordinator, or of the advocate.
 */
export function listMissingStatements(
  state: CouncilState,
  { by, phase, tour, verdict }: DeclaredContribution,
): MissingStatement[] {
  const { rules, advocate, phases } = state;
  const isAsked = advocate?.participant === by && advocate.tour === tour;
  const isRecused = rules.recused.some(({ participant }) => participant === by);
  if (rules.rule === 'none' || isAsked || isRecused || phase === 'SYNTHESIZE' || !state.order.includes(by))
    return [];
  const { position } = verdict;
  const choice = rules.rule === 'ranked' && state.ballot?.length ? 'rank' : 'vote';
  if (verdict.unclear) return [choice];
  if (verdict.rank) return [];
  if (position !== null) return rules.options && !findSameOption(position, rules.options) ? ['option'] : [];
  const isLast = phases[phases.indexOf(phase) + 1] === 'SYNTHESIZE';
  if (phase === 'COLLECT') return ['position'];
  if (!isLast) return [];
  if (state.ballot?.length) return [choice];
  return getSeat(state, by).position === null ? ['position'] : [];
}
