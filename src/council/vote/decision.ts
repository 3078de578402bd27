// Decides by a rule from votes and stances.
import type { Reason, Rule } from '../state/choices.ts';
import type { Decision } from '../state/state.ts';
import { asVotes, tally } from './tally.ts';
import type { Support } from './tally.ts';

/** Where one participant stands. */
export interface Vote {
  by: string;
  /** Its own last stated position; null when it never stated one. */
  position: string | null;
  /**
   * `spoken` in the tour that is counted; `carried` from an earlier one; `advocate`: it spoke for the other side on
   * request, and its earlier position counts; `absent`: never heard; `recused`: excluded, outside the denominator.
   */
  kind: 'spoken' | 'carried' | 'absent' | 'recused' | 'advocate';
  /** 0 to 1, as the participant stated it; looked at in a weighted vote only. */
  confidence?: number;
  agreed: boolean;
  blocking: boolean;
}

export interface DecisionInput {
  /** One for each participant; of several the last one counts, and who has none is absent. */
  votes: readonly Vote[];
  /** The participants at the start. */
  order: readonly string[];
  rule: Rule;
  /** Share of the denominator, 0 to 1: strictly more than it must have been heard, or everybody when it is 1. */
  quorum: number;
  /** Participants whose blocking issue nobody can outvote. */
  vetoes: readonly string[];
  /** The declared options; null when positions are free labels. */
  options: readonly string[] | null;
  /** Counts a vote as its stated confidence; a vote that states none counts 1. */
  weighted?: boolean;
}

/** What the rules look at. */
interface Count {
  rule: Rule;
  denominator: number;
  support: Support[];
  leaders: Support[];
  agreed: number;
  quorum: Decision['quorum'];
  blockedBy: string[];
  unheard: string[];
}

interface Ruling {
  reason: Reason;
  position: string | null;
  why: string;
}

/**
 * Counts votes by a rule. Nothing depends on the order of `votes` or `order`, and no tie is broken.
 *
 * - The denominator is fixed at the start (`order` without the recused), so that an absence never accepts a motion:
 *   making any participant absent turns no undecided or otherwise decided result into one for a given position.
 * - Quorum is checked apart: whoever has been heard at least once, carried votes included, is present.
 * - `plurality`: wider support than any other position, by more than all the absent could add to it.
 * - `majority`: more than half of the denominator. `supermajority`: two thirds of it or more.
 * - `unanimity`: everybody holds the position. `consensus`: everybody AGREED, and nobody blocks; the position is the
 *   most widely held one, or null when none is.
 * - `no-blocking`: nobody blocks; the position is the most widely held one, or null when nobody stated any.
 * - `none` decides nothing.
 * - A blocking issue of a veto holder stops every rule. Who could stop a decision (a veto holder; under `no-blocking`
 *   everybody) must have been heard: silence is not consent.
 */
export function decide(input: DecisionInput): Decision {
  const count = countOf(input);
  const { reason, position, why } = outcomeOf(count);
  const decided = reason === 'accepted';
  return {
    decided,
    position: decided ? position : null,
    rule: count.rule,
    denominator: count.denominator,
    votes: asVotes(count.support),
    tie: !decided && count.leaders.length > 1,
    quorum: count.quorum,
    blockedBy: count.blockedBy,
    reason,
    why,
  };
}

function countOf({ votes, order, rule, quorum, vetoes, options, weighted }: DecisionInput): Count {
  const byId = new Map(votes.map((vote) => [vote.by, vote]));
  const seats = [...order].sort().map((id): Vote => byId.get(id) ?? absent(id));
  const voters = seats.filter((vote) => vote.kind !== 'recused');
  const heard = voters.filter((vote) => vote.kind !== 'absent');
  const support = tally(
    heard.flatMap(({ position, confidence = 1 }) =>
      position === null ? [] : [{ position, weight: weighted ? Math.min(1, Math.max(0, confidence)) : 1 }],
    ),
    options,
  );
  const mayBlock = (by: string) => rule === 'consensus' || rule === 'no-blocking' || vetoes.includes(by);
  const mustBeHeard = (by: string) => rule === 'no-blocking' || vetoes.includes(by);
  // Without the small term 0.29 of 100 would be 28.999…
  const needed = Math.min(voters.length, Math.floor(quorum * voters.length + 1e-9) + 1);
  return {
    rule,
    denominator: voters.length,
    support,
    leaders: support.filter(({ weight }) => weight === support[0]?.weight),
    agreed: heard.filter((vote) => vote.agreed).length,
    quorum: { needed, present: heard.length, met: heard.length >= needed },
    blockedBy: heard.filter((vote) => vote.blocking && mayBlock(vote.by)).map(({ by }) => by),
    unheard: voters.filter(({ by, kind }) => kind === 'absent' && mustBeHeard(by)).map(({ by }) => by),
  };
}

function outcomeOf(count: Count): Ruling {
  const { rule, denominator, quorum, blockedBy, unheard } = count;
  if (rule === 'none')
    return not('no_rule', 'This council decides nothing: the positions stand side by side.');
  if (denominator === 0) return not('nobody', 'Nobody at this table has a vote.');
  if (!quorum.met) {
    return not(
      'no_quorum',
      `${quorum.present} of ${denominator} have answered; the quorum is ${quorum.needed}.`,
    );
  }
  if (blockedBy.length > 0) return not('blocked', `A blocking issue stands: ${blockedBy.join(', ')}.`);
  if (unheard.length > 0) {
    return not('unheard', `Some who could block have not answered: ${unheard.join(', ')}.`);
  }
  return rule === 'consensus' ? consensus(count) : byPosition(count);
}

function consensus({ denominator, agreed, leaders }: Count): Ruling {
  if (agreed < denominator) {
    return not('not_agreed', `${agreed} of ${denominator} agree; a consensus needs all of them.`);
  }
  // Everybody agrees, perhaps each in words of its own: then there is no one position to print.
  const [only, ...more] = leaders;
  const position = only && more.length === 0 ? only.position : null;
  return { reason: 'accepted', position, why: `All ${denominator} agree, and nothing blocks.` };
}

function byPosition({ rule, denominator, support, leaders, quorum }: Count): Ruling {
  const first = support[0];
  if (!first) {
    return rule === 'no-blocking'
      ? { reason: 'accepted', position: null, why: 'Nobody blocks, and nobody stated a position.' }
      : not('no_position', 'Nobody stated a position.');
  }
  if (leaders.length > 1) {
    const tied = leaders.map(({ position }) => quoted(position)).join(' and ');
    return not('tie', `A tie: ${tied} have ${first.weight} of ${denominator} votes each.`);
  }
  const votes = `${quoted(first.position)} has ${first.weight} of ${denominator} votes`;
  const accepted: Ruling = { reason: 'accepted', position: first.position, why: `${votes}.` };
  if (rule === 'no-blocking') return { ...accepted, why: `Nobody blocks, and ${votes}.` };
  if (rule === 'plurality') {
    const away = denominator - quorum.present;
    return first.weight > (support[1]?.weight ?? 0) + away
      ? accepted
      : not('open', `${votes}, but the ${away} absent could still overtake it.`);
  }
  const enough = {
    majority: { met: first.weight * 2 > denominator, words: 'more than half' },
    supermajority: { met: first.weight * 3 >= denominator * 2, words: 'two thirds' },
    unanimity: { met: first.heads === denominator, words: 'all of them' },
  }[rule as 'majority' | 'supermajority' | 'unanimity'];
  return enough.met ? accepted : not('too_few', `${votes}; ${rule} needs ${enough.words}.`);
}

const not = (reason: Reason, why: string): Ruling => ({ reason, position: null, why });
const quoted = (position: string): string => `"${position}"`;
const absent = (by: string): Vote => ({ by, position: null, kind: 'absent', agreed: false, blocking: false });
