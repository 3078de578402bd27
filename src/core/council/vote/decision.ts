// Applies a decision rule to votes and stances.
import { loadWords } from '../../base/words/words.ts';
import type { Rule } from '../state/allowed-values.ts';
import type { BallotLine, Decision, Rules } from '../state/state.ts';
import { findBallotNumber, addPositions, normalisePosition, findSameOption } from '../state/ballot.ts';
import { asJoined } from './ballot-figures.ts';
import { findBlindPlurality, takeBackMoves, classifyOrigin } from './ruling.ts';
import type { MoveFacts } from './ruling.ts';
import { explainOutcome } from './explain.ts';
import { joinEquivalentPositions } from './joined-positions.ts';
import type { JoinedVotes } from './joined-positions.ts';
import { computeRanking } from './ranking.ts';
import { countNeeded } from './quorum.ts';
import type { RankedBallot } from './ranking.ts';
import { computeRuling } from './ruling.ts';
import type { VoteCount, Ruling } from './ruling.ts';
import { asVotes, tally } from './votes.ts';
import type { StatedPosition, PositionSupport, Vote } from './votes.ts';

export interface DecisionInput {
  /** One per participant. The last one counts if there are several; without one, the participant is absent. */
  votes: readonly Vote[];
  /** The participants at the start. */
  order: readonly string[];
  rule: Rule;
  /** Share of the denominator, 0 to 1: more than it must have been heard, or all if it is 1. */
  quorum: number;
  /** Participants whose blocking issues cannot be outvoted. */
  vetoes: readonly string[];
  /** The declared options; null if positions are free labels. */
  options: readonly string[] | null;
  /** Weights each vote by its stated confidence; without one, a vote has weight 1. */
  weighted?: boolean;
  /** The numbered positions. Without a ballot, positions are compared by their sentences. */
  ballot?: readonly BallotLine[] | undefined;
  /** `approvals`: among tied positions, the one that meets the same rule by approvals wins. */
  tie?: Rules['tie'];
  /** The votes of a blind COLLECT; null if it was open; if undefined, the decision does not name its origin. */
  blind?: readonly Vote[] | null;
  /** Changes of position, from the ledger. */
  moves?: readonly MoveFacts[];
  /** What the budget cut short. */
  cut?: Decision['cut'];
}

/**
 * Counts votes by a rule. The result does not depend on the order of `votes` or `order`. Ties are broken only
 * by approvals, and only if `tie` says so.
 *
 * - On a `ballot`, positions that their holders call the same count as one.
 * - The denominator is fixed at the start (`order` without the recused), so that an absence never accepts a
 *   motion: making a participant absent never turns an undecided or different result into one for a given
 *   position.
 * - Quorum is checked separately: a participant heard at least once, carried votes included, is present.
 * - `plurality`: more support than any other position, by more than all absent votes could add to it.
 * - `majority`: more than half of the denominator. `supermajority`: at least two thirds of it.
 * - `blind-first`: the blind plurality, if ahead by more than those unheard in COLLECT could add; another
 *   position only if two thirds of the denominator hold it, not counting unexplained moves. Without a blind
 *   plurality: `majority`.
 * - `unanimity`: everyone holds the position. `consensus`: all AGREED, nothing blocks, and all hold or
 *   approve one position, or no position was stated.
 * - `approval`: approved by more than half of the denominator, and by more than any other position could
 *   still get.
 * - `no-blocking`: nothing blocks; the position is the most widely held one, or null if none was stated.
 * - `ranked`: the candidate that wins all its pairs, otherwise the highest mean score. Joined positions take
 *   the better of their places; confidence is ignored.
 * - `none` decides nothing.
 * - A blocking issue of a veto holder stops every rule. Everyone who could stop a decision (veto holders;
 *   under `no-blocking` all) must have been heard: silence is not consent.
 */
export function decide(input: DecisionInput): Decision {
  const { ballot = [] } = input;
  const joins: JoinedVotes = input.ballot
    ? joinEquivalentPositions(input.votes, ballot)
    : { votes: [...input.votes], classes: [], unsettled: [] };
  const before = input.blind ? countBlind(input, joins, input.blind) : null;
  const count = { ...countSupport(input, joins), ...before?.told };
  const ruling = computeRuling(count);
  const { reason, position, number, tied, settledBy } = ruling;
  const decided = reason === 'accepted';
  // If answers are ranked there is no blind vote to compare: each participant starts with their own answer.
  const isOfAnswers = ballot.some(({ author }) => author !== undefined);
  const how = input.blind === undefined || isOfAnswers ? undefined : classifyOrigin(count, ruling, before);
  const facts: Omit<Decision, 'why'> = {
    decided,
    position: decided ? position : null,
    rule: count.rule,
    denominator: count.denominator,
    votes: asVotes(count.support),
    tie: count.ranked ? reason === 'tie' : !decided && count.leaders.length > 1,
    quorum: count.quorum,
    blockedBy: count.blockedBy,
    reason,
    ...(reason === 'not_agreed' && { agreed: count.agreed }),
    ...(reason === 'unheard' && { unheard: count.requiredButAbsent }),
    ...(tied.length > 0 && { tied: tied.map((one) => toSupportLine(one, ballot)) }),
    ...(settledBy && { settledBy }),
    ...(input.cut && { cut: input.cut }),
    ...(count.ranked && { ranking: count.ranked.ranking }),
    ...(input.ballot && {
      number: number ?? ((decided && position !== null && findBallotNumber(ballot, position)) || null),
      approvals: asVotes(count.approved),
      ...(joins.unsettled.length > 0 && { unsettled: joins.unsettled.map(([a, b]) => [a, b]) }),
    }),
    ...(how && { how }),
    ...(how && before && { blind: { votes: asVotes(before.support), position: before.position } }),
    ...(how && count.blind && { unexplained: count.blind.unexplained }),
  };
  return { ...facts, why: explainOutcome(facts, loadWords('en')) };
}

/** The blind votes, and what they alone would decide. */
interface BlindCount extends Pick<VoteCount, 'support' | 'denominator'> {
  position: Ruling['position'];
  /** Additional input of the rule blind-first, besides the last votes. */
  told: Pick<VoteCount, 'blind'>;
}

/** Counts blind votes under their positions' final numbers; positions outside the options do not count. */
function countBlind(input: DecisionInput, joins: JoinedVotes, blind: readonly Vote[]): BlindCount {
  const { ballot = [], options, moves = [], rule } = input;
  const votes = blind.map((vote): Vote => {
    const isOpen = vote.position === null || !options || findSameOption(vote.position, options) !== undefined;
    return isOpen ? asJoined(vote, joins, ballot) : { ...vote, position: null };
  });
  const count = countSupport(input, { ...joins, votes });
  if (rule !== 'blind-first') return { ...count, position: computeRuling(count).position, told: {} };
  const plurality = findBlindPlurality(count.support, count.absentCount);
  const afterTakeBack = takeBackMoves(joins, votes, { moves, ballot });
  const told = {
    plurality,
    absentCount: count.absentCount,
    unexplained: afterTakeBack.unexplained,
    supportAfterTakeBack: countSupport(input, { ...joins, votes: afterTakeBack.votes }).support,
  };
  return { ...count, position: plurality?.position ?? null, told: { blind: told } };
}

const toSupportLine = ({ position, by, number }: PositionSupport, ballot: readonly BallotLine[]) => {
  const id = number ?? findBallotNumber(ballot, position);
  return { ...(id !== undefined && { id }), position, by: [...by].sort() };
};

function countSupport(
  { order, rule, quorum, vetoes, options, weighted, ballot, tie }: DecisionInput,
  joins: JoinedVotes,
): VoteCount {
  const byId = new Map(joins.votes.map((vote) => [vote.by, vote]));
  const seats = [...order].sort().map((id): Vote => byId.get(id) ?? createAbsentVote(id));
  const voters = seats.filter((vote) => vote.kind !== 'recused');
  const heard = voters.filter((vote) => vote.kind !== 'absent');
  const getWeight = ({ confidence = 1 }: Vote) => (weighted ? Math.min(1, Math.max(0, confidence)) : 1);
  const support = tally(
    heard.flatMap((vote) => toStated(vote, getWeight(vote))),
    options,
  );
  const mayBlock = (by: string) => rule === 'consensus' || rule === 'no-blocking' || vetoes.includes(by);
  const mustBeHeard = (by: string) => rule === 'no-blocking' || vetoes.includes(by);
  const needed = countNeeded(quorum, voters.length);
  return {
    rule,
    tie,
    denominator: voters.length,
    absentCount: voters.length - heard.length,
    support,
    approved: ballot ? rankApproved(ballot, heard, getWeight) : support,
    leaders: support.filter(({ weight }) => weight === support[0]?.weight),
    agreed: heard.filter((vote) => vote.agreed).length,
    quorum: { needed, present: heard.length, met: heard.length >= needed },
    blockedBy: heard.filter((vote) => vote.blocking && mayBlock(vote.by)).map(({ by }) => by),
    ...(rule === 'ranked' &&
      rankPositions(
        voters,
        joins,
        ballot ??
          addPositions(
            [],
            options ?? [],
            support.map(({ position }) => position),
          ),
      )),
    requiredButAbsent: voters
      .filter(({ by, kind }) => kind === 'absent' && mustBeHeard(by))
      .map(({ by }) => by),
  };
}

/** Ranks positions by the votes of those who may vote. A vote without a ranking ranks its position first. */
function rankPositions(
  voters: readonly Vote[],
  { classes, votes }: JoinedVotes,
  ballot: readonly BallotLine[],
): Pick<VoteCount, 'ranked' | 'candidates'> {
  /** The number used for a class: the one its votes have. */
  const getClassNumber = (id: string): string => {
    const numbers = classes.find((one) => one.includes(id)) ?? [id];
    return votes.find(({ number = '' }) => numbers.includes(number))?.number ?? numbers[0]!;
  };
  const joinGroups = (groups: readonly (readonly string[])[]): string[][] => {
    const all = groups.map((group) => group.map(getClassNumber));
    return all.map((group, at) => [...new Set(group)].filter((id) => !all.slice(0, at).flat().includes(id)));
  };
  const candidates = ballot.filter(({ id }) => getClassNumber(id) === id);
  const ballots = voters.flatMap(({ by, rank, position, kind }): RankedBallot[] => {
    if (kind === 'absent') return [];
    const held = position === null ? undefined : findBallotNumber(candidates, position);
    const groups = rank ?? (held === undefined ? undefined : [[held]]);
    return groups ? [{ by, groups: joinGroups(groups) }] : [];
  });
  const ids = voters.map(({ by }) => by);
  return { candidates, ranked: computeRanking(ids, candidates, ballots) };
}

const toStated = ({ by, position }: Vote, weight: number): StatedPosition[] =>
  position === null ? [] : [{ by, position, weight }];

/** Returns approved positions (one's own always counts), by approvals, then in ballot order. */
function rankApproved(
  ballot: readonly BallotLine[],
  heard: readonly Vote[],
  getWeight: (vote: Vote) => number,
): PositionSupport[] {
  const findSentence = (id: string) => ballot.find((line) => line.id === id)?.position;
  const stated = heard.flatMap((vote) => {
    const sentences = (vote.approves ?? []).flatMap((id) => findSentence(id) ?? []);
    const own = vote.position === null ? [] : [vote.position];
    const all = new Map([...sentences, ...own].map((position) => [normalisePosition(position), position]));
    return [...all.values()].map((position): StatedPosition => ({
      by: vote.by,
      position,
      weight: getWeight(vote),
    }));
  });
  const place = (number: string | undefined) => (number === undefined ? Infinity : Number(number.slice(1)));
  return tally(stated, null)
    .map((one) => ({ ...one, number: findBallotNumber(ballot, one.position) }))
    .sort((x, y) => y.weight - x.weight || place(x.number) - place(y.number) || 0);
}

const createAbsentVote = (by: string): Vote => ({
  by,
  position: null,
  kind: 'absent',
  agreed: false,
  blocking: false,
});
