import type { Random } from './random.ts';

/** One simulated table and how its participants behave. docs/deliberation.md explains every number. */
export interface Model {
  /** The model family of each participant, in seating order. */
  families: readonly string[];
  /** How many answers the question has; exactly one is right. */
  options: number;
  /** Chance that a participant alone is right. */
  accuracy: number;
  /** Chance that a wrong answer is the one tempting wrong answer. */
  lure: number;
  /** Correlation of being right between two participants of one family, and of two. */
  within: number;
  across: number;
  /** Chance to go along without a reason when everybody else holds another position; less in proportion when fewer do. */
  conformity: number;
  /** Chance to follow the first participant without a reason where its name is shown. */
  deference: number;
  /** Whether views hide names, and how much of the deference that takes away. */
  anonymous: boolean;
  mask: number;
  /** Chance that a challenge for the right answer moves somebody who is wrong, and that one for a wrong answer moves somebody. */
  recovery: number;
  misled: number;
  /** Chance to state a random position for no reason at all. */
  noise: number;
  /** The rule on moves without a named reason: nobody asks for one, one is asked for, or a move without one does not count. */
  reasons: 'off' | 'asked' | 'required';
  /** Where a reason is asked for: chance that a move without one is not made. */
  deterred: number;
  /** Where a reason is asked for: chance that a move made without one names a pretext. */
  pretext: number;
  /** Chance that somebody in the minority declares a blocking issue, and that somebody agrees to what it does not hold. */
  block: number;
  acquiesce: number;
  /** Chance that a participant says nothing in a phase. */
  silence: number;
  /**
   * Positions are free labels, and each participant words its answer in a sentence of its own with this chance; null where
   * the answers are declared as options.
   */
  wording: number | null;
  /** Chance per phase after COLLECT to call another wording of one's own answer the same, and to approve it. */
  joins: number;
  approves: number;
  /** Chance in RESOLVE to approve the most widely held of the other answers. */
  tolerates: number;
  /** Play CHALLENGE and RESOLVE after blind unanimity as well. */
  forceChallenge: boolean;
  advocate: boolean;
  /** How often CHALLENGE and RESOLVE are played at the most. */
  repeat: number;
}

/** Five participants of three families. The correlations are those of src/council/vote/independence.ts. */
export const DEFAULTS: Model = {
  families: ['f', 'f', 'g', 'g', 'h'],
  options: 4,
  accuracy: 0.7,
  lure: 0.7,
  within: 0.5,
  across: 0.391,
  conformity: 0.3,
  deference: 0.3,
  anonymous: true,
  mask: 0.95,
  recovery: 0.15,
  misled: 0.15,
  noise: 0.02,
  reasons: 'asked',
  deterred: 0.5,
  pretext: 0.3,
  block: 0.1,
  acquiesce: 0.2,
  silence: 0,
  wording: null,
  joins: 0,
  approves: 0,
  tolerates: 0,
  forceChallenge: false,
  advocate: true,
  repeat: 1,
};

/** The right answer. Participants do not know that it is this one. */
export const RIGHT = 0;
/** The wrong answer that tempts. */
export const LURE = 1;

/**
 * What everybody thinks before anybody has read anybody. One answer lies in the air for all, one for each family: a
 * participant takes the first with chance √across, else its family's with a chance that makes the correlation within
 * the family `within`, else it thinks for itself. Every answer is right with chance `accuracy`.
 */
export function privateAnswers(model: Model, random: Random): number[] {
  const { families, within, across } = model;
  const common = Math.sqrt(across);
  const family = common === 1 ? 0 : Math.sqrt((within - across) / (1 - common) ** 2);
  if (!(family <= 1))
    throw new RangeError(`within ${within} cannot be reached with across ${across} in this model.`);
  const shared = answer(model, random);
  const byFamily = new Map([...new Set(families)].map((name) => [name, answer(model, random)]));
  return families.map((name) => {
    const [ofAll, ofFamily, own] = [random() < common, random() < family, answer(model, random)];
    return ofAll ? shared : ofFamily ? byFamily.get(name)! : own;
  });
}

function answer({ accuracy, lure, options }: Model, random: Random): number {
  if (random() < accuracy) return RIGHT;
  if (options === 2 || random() < lure) return LURE;
  return LURE + 1 + Math.floor(random() * (options - 2));
}
