// The arms of an eval, which are the ways to an answer that it compares, and how an answer is judged.
import { findSameOption } from '../core/council/state/ballot.ts';
import type { Question } from './questions.ts';

/** The compared ways to an answer, besides each seat alone. */
export const ARMS = [
  'vote',
  'voteMajority',
  'revise',
  'more',
  'debate',
  'debateMajority',
  'blindFirst',
] as const;
export type Arm = (typeof ARMS)[number];

/** The launches that make up an arm; all arms share the blind ones. */
export type Stage = 'blind' | 'debate' | 'revise' | 'more';
export const STAGE_OF: Readonly<Record<Arm, Stage>> = {
  vote: 'blind',
  voteMajority: 'blind',
  revise: 'revise',
  more: 'more',
  debate: 'debate',
  debateMajority: 'debate',
  blindFirst: 'debate',
};

export interface ArmSpending {
  /** Contributions requested; a repair request belongs to the same turn. */
  turns: number;
  launches: number;
  /** US$; null if any launch's cost is unknown. */
  costUsd: number | null;
}

/** The result of playing one question once. Null stands for a missing answer or an undecided vote. */
export interface SittingResult {
  question: Question;
  repeat: number;
  /** By seat. */
  solo: (string | null)[];
  arms: Record<Arm, string | null>;
  /** `debate`, `revise` and `more` exclude the blind launches. */
  spent: Record<Stage, ArmSpending>;
}

export type Judgement = 'right' | 'wrong' | 'undecided';

/** An answer that matches no option counts as wrong. */
export function judgePosition({ answer }: Question, position: string | null): Judgement {
  if (position === null) return 'undecided';
  return findSameOption(position, [answer]) === undefined ? 'wrong' : 'right';
}
