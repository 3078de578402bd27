// What the rule needs from a contribution and does not find in it.
import type { PhaseName } from '../state/choices.ts';
import { sameOption } from '../state/ballot.ts';
import { seat } from '../state/state.ts';
import type { CouncilState, Verdict } from '../state/state.ts';

/**
 * Why words under `vote` or `position` are no vote: they say so, they name nothing on the ballot, other words stand behind a number,
 * or the sentence of another position does.
 */
export type Unread = 'nothing' | 'unknown' | 'behind' | 'other';

/** A field that could not be read, in its author's words. */
export interface Unclear {
  field: string;
  words: string;
  /** The number that other words stand behind. */
  id: string;
  /** `differ`: two votes; `order`: it ranks nothing; `half`: its key says only in part what it is; `list`: no line of text; `blocks`: it may be an issue or none. */
  why: Unread | 'differ' | 'half' | 'list' | 'blocks' | 'order';
}

/** A contribution to one phase, as far as it was read. */
export interface Declared {
  by: string;
  phase: PhaseName;
  tour: number;
  verdict: Pick<Verdict, 'position' | 'vote' | 'unclear' | 'rank'>;
}

/** `position`: none is stated. `option`: the stated one is none of the declared options. `vote`, `rank`: none is given on the ballot. */
export type MissingStatement = 'position' | 'option' | 'vote' | 'rank';

/**
 * The same for the whole table, without naming a participant. Without a state the rule is unknown.
 */
export function wantedOfAnybody(
  state: CouncilState | undefined,
  { phase, verdict: { position } }: Pick<Declared, 'phase' | 'verdict'>,
): MissingStatement[] {
  const { rule, options } = state?.rules ?? { rule: undefined, options: null };
  if (rule === 'none' || phase === 'SYNTHESIZE') return [];
  if (position === null) return phase === 'COLLECT' ? ['position'] : [];
  return options && !sameOption(position, options) ? ['option'] : [];
}

/**
 * What the decision lacks in a contribution: a position in COLLECT, a vote in the last phase before the decision and in any other where
 * what stands there is no vote (without a ballot a position, if none was ever stated), and one of the declared options. Nothing under the rule `none`, of who is recused, of the coordinator,
 * and of who speaks for the other side on request.
 */
export function listMissingStatements(
  state: CouncilState,
  { by, phase, tour, verdict }: Declared,
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
  if (position !== null) return rules.options && !sameOption(position, rules.options) ? ['option'] : [];
  const isLast = phases[phases.indexOf(phase) + 1] === 'SYNTHESIZE';
  if (phase === 'COLLECT') return ['position'];
  if (!isLast) return [];
  if (state.ballot?.length) return [choice];
  return seat(state, by).position === null ? ['position'] : [];
}
