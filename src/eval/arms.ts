// The arms of an eval: what each is, and whether what it says is right.
import { sameOption } from '../core/council/state/ballot.ts';
import type { Question } from './questions.ts';

/** The ways to an answer that are compared, beside each seat alone. */
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

/** Which launches an arm is made of; the blind ones are shared by all. */
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

export interface Spent {
  /** Contributions that were asked for; asking once more for what one lacks counts as the same. */
  turns: number;
  launches: number;
  /** US$; null where what one took is not known. */
  costUsd: number | null;
}

/** What came of one question, played once. Null is an answer that was not given, or a vote that decided nothing. */
export interface SittingResult {
  question: Question;
  repeat: number;
  /** By seat. */
  solo: (string | null)[];
  arms: Record<Arm, string | null>;
  /** `debate`, `revise` and `more` without the blind launches. */
  spent: Record<Stage, Spent>;
}

export type Judgement = 'right' | 'wrong' | 'undecided';

/** An answer that is none of the options counts as wrong. */
export function judgePosition({ answer }: Question, position: string | null): Judgement {
  if (position === null) return 'undecided';
  return sameOption(position, [answer]) === undefined ? 'wrong' : 'right';
}
