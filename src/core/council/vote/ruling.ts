// The rules: what a count comes to.
import type { Reason, Rule } from '../state/choices.ts';
import { normalisePosition, sameOption } from '../state/position.ts';
import type { BallotLine, Decision, Rules } from '../state/state.ts';
import type { Ranked } from './ranking.ts';
import type { Support } from './votes.ts';

/** What the rules look at. */
export interface Count {
  rule: Rule;
  tie: Rules['tie'];
  denominator: number;
  /** How many have not been heard. */
  away: number;
  /** Positions with votes, the widest support first. */
  support: Support[];
  /** Positions with approvals, one's own vote among them; the widest first. */
  approved: Support[];
  /** Those with the most votes. */
  leaders: Support[];
  agreed: number;
  quorum: Decision['quorum'];
  blockedBy: string[];
  unheard: string[];
  /** For the rule blind-first, where COLLECT was blind. */
  blind?: {
    plurality: Support | undefined;
    /** How many had not been heard in COLLECT. */
    away: number;
    /** The last votes without the moves that nothing explains. */
    firm: Support[];
    unexplained: string[];
  };
  /** Under the rule `ranked`: what is ranked, and how it compares. */
  lines?: readonly BallotLine[];
  ranked?: Ranked;
}

export interface Ruling {
  reason: Reason;
  position: string | null;
  /** Its number, where two lines of the ballot may say the same. */
  number?: string;
  /** The positions between which there is a tie, settled or not. */
  tied: Support[];
  settledBy?: 'approvals';
}

/** What a count comes to by its rule. */
export function computeRuling(count: Count): Ruling {
  const { rule, denominator, quorum, blockedBy, unheard } = count;
  if (rule === 'none') return not('no_rule');
  if (denominator === 0) return not('nobody');
  if (!quorum.met) return not('no_quorum');
  if (blockedBy.length > 0) return not('blocked');
  if (unheard.length > 0) return not('unheard');
  if (rule === 'consensus') return consensus(count);
  if (count.blind?.plurality) return blindFirst(count.blind.plurality, count.blind.firm, count);
  if (count.ranked) return byRanks(count.ranked, count.lines ?? []);
  return rule === 'approval' ? approval(count) : byVotes(count);
}

function consensus({ denominator, agreed, support, approved }: Count): Ruling {
  if (agreed < denominator) return not('not_agreed');
  // Everybody agrees to texts that state no position: there is none to print.
  if (support.length === 0 && approved.length === 0) return createAcceptedRuling(null);
  const shared = approved.filter(({ heads }) => heads === denominator);
  const countVotes = ({ position }: Support) => support.find((one) => one.position === position)?.weight ?? 0;
  const most = Math.max(...shared.map(countVotes));
  const [first, ...others] = shared.filter((one) => countVotes(one) === most);
  if (!first) return not('differ');
  return others.length === 0 ? createAcceptedRuling(first.position) : not('tie', [first, ...others]);
}

function approval({ denominator, approved, away }: Count): Ruling {
  const [first, second] = approved;
  if (!first) return not('no_position');
  if (second?.weight === first.weight)
    return not(
      'tie',
      approved.filter(({ weight }) => weight === first.weight),
    );
  if (first.weight * 2 <= denominator) return not('too_few');
  return first.weight > (second?.weight ?? 0) + away ? createAcceptedRuling(first.position) : not('open');
}

/** The blind plurality, unless two thirds hold another position for a reason. Spelled as the last votes spell it. */
function blindFirst(
  { position }: Support,
  firm: readonly Support[],
  { support, denominator }: Count,
): Ruling {
  const other = firm.find(
    (one) =>
      one.weight * 3 >= denominator * 2 && normalisePosition(one.position) !== normalisePosition(position),
  );
  const stands = other?.position ?? position;
  const spellings = support.map((one) => one.position);
  return createAcceptedRuling(sameOption(stands, spellings) ?? stands);
}

/** What is ranked first, under its number. */
function byRanks({ winner, tied, ranking }: Ranked, lines: readonly BallotLine[]): Ruling {
  const [won] = lines.filter(({ id }) => id === winner);
  if (won) return { ...createAcceptedRuling(won.position), number: won.id };
  if (ranking.scores.every(({ mean }) => mean === null)) return not('no_position');
  return tied.length > 1
    ? not(
        'tie',
        lines
          .filter(({ id }) => tied.includes(id))
          .map(({ id, position, author }) => ({
            number: id,
            position,
            by: author ? [author] : [],
            weight: 0,
            heads: 0,
          })),
      )
    : not('open');
}

function byVotes(count: Count): Ruling {
  const { rule, support, leaders } = count;
  const [first] = support;
  if (!first) return rule === 'no-blocking' ? createAcceptedRuling(null) : not('no_position');
  if (leaders.length > 1) return settleTie(count);
  const reason = whyNot(count, first, support[1]);
  return reason ? not(reason) : createAcceptedRuling(first.position);
}

/**
 * A tie of votes. If approvals break ties, they must meet the same rule, and all must have been
 * heard: an absent vote could break the tie, or have made a blind plurality.
 */
function settleTie(count: Count): Ruling {
  const { leaders, approved, tie, away, blind } = count;
  if (tie !== 'approvals' || away > 0 || (blind && blind.away > 0)) return not('tie', leaders);
  const [first, second] = approved.filter((one) => leaders.some(({ position }) => position === one.position));
  const isSettled = first && first.weight > (second?.weight ?? 0) && !whyNot(count, first, second);
  return isSettled
    ? { ...createAcceptedRuling(first.position), tied: leaders, settledBy: 'approvals' }
    : not('tie', leaders);
}

/** Why the first of two does not meet a rule that counts; undefined when it does. */
function whyNot(
  { rule, denominator, away }: Count,
  first: Support,
  second: Support | undefined,
): Reason | undefined {
  const isMet: Partial<Record<Rule, boolean>> = {
    majority: first.weight * 2 > denominator,
    'blind-first': first.weight * 2 > denominator,
    supermajority: first.weight * 3 >= denominator * 2,
    unanimity: first.heads === denominator,
  };
  if (rule === 'plurality') return first.weight > (second?.weight ?? 0) + away ? undefined : 'open';
  return isMet[rule] === false ? 'too_few' : undefined;
}

const createAcceptedRuling = (position: string | null): Ruling => ({
  reason: 'accepted',
  position,
  tied: [],
});
const not = (reason: Reason, tied: Support[] = []): Ruling => ({ reason, position: null, tied });
