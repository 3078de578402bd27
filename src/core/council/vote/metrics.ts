// Computes the metrics of a council, such as agreement, independence and debate.
import { asJoined, computeBallotFigures, listOwnMoves, measureControl } from './ballot-figures.ts';
import type { BallotFigure, ControlFigures } from './ballot-figures.ts';
import { countEffectiveVotes } from './independence.ts';
import { joinEquivalentPositions } from './joined-positions.ts';
import type { Contribution, CouncilState, Decision } from '../state/state.ts';
import { blindVotes, collectVotes, asVotes, tally } from './votes.ts';
import type { Vote, VoteMarks, PositionSupport } from './votes.ts';
import type { ChallengeStatus, PhaseName, QuoteStatus } from '../state/allowed-values.ts';
import { normalisePosition, findSameOption } from '../state/ballot.ts';
import type { SynthesisMark } from './synthesis-mark.ts';

/** The ledger data that metrics need; null for a council without a ledger. */
export interface LedgerFacts {
  challenges: readonly {
    quote: QuoteStatus;
    status: ChallengeStatus;
  }[];
  moves: readonly { by: string; from: string | null; to: string | null; tour: number; explained: boolean }[];
}

/** Available both from the state of an active council and from an archive's front matter. */
export interface MetricsInput extends VoteMarks {
  state: Pick<
    CouncilState,
    'order' | 'coordinator' | 'blind' | 'createdAt' | 'transitions' | 'ballot' | 'control'
  >;
  contributions: readonly Contribution[];
  ledger: LedgerFacts | null;
  decision: Decision | null;
  options?: readonly string[] | null;
  /** Model family by participant; null or missing if unknown. */
  families?: Readonly<Record<string, string | null>>;
  tokens?: number | null;
  /** In the reported currency. */
  cost?: number | null;
  synthesis?: SynthesisMark | null;
}

type Figure = number | null;

/** A council's metrics about itself. Unknown or not applicable figures are null, never 0. */
export interface Metrics {
  /** Share of participants that spoke, by phase played; null while the phase is open. */
  responseRate: Partial<Record<PhaseName, Figure>>;
  flips: { explained: Figure; unexplained: Figure; towardsMajority: Figure };
  /** Counts of challenges by quote status. Old archives lack `elsewhere` and `near`. */
  quotes: {
    verified: Figure;
    elsewhere?: Figure | undefined;
    near?: Figure | undefined;
    notFound: Figure;
    total: Figure;
  };
  challenges: { answered: Figure; conceded: Figure; rejected: Figure; unanswered: Figure };
  /**
   * Minority positions: those other than the decided one or, without a decision, with less support than
   * another. Kept: still held at the end; lost: held after COLLECT, but not at the end.
   */
  minority: { kept: string[] | null; lost: string[] | null };
  effectiveVotes: Figure;
  /** The numbered positions with their supporters after the last closed round; null without a ballot. */
  ballot: BallotFigure[] | null;
  blindVote: Record<string, number> | null;
  finalVote: Record<string, number> | null;
  decision: {
    [Key in 'decided' | 'position' | 'rule' | 'denominator' | 'tie' | 'quorum']: Decision[Key] | null;
  };
  /** Undefined for a council without controls, and until it ends. */
  control?: ControlFigures | undefined;
  /** Seconds per phase, repetitions summed; null while the phase is open. */
  durations: Partial<Record<PhaseName, Figure>>;
  tokens: Figure;
  cost: Figure;
  /** Data about the synthesis; null while there is none. */
  synthesis: SynthesisMark | null;
}

/** Computes the metrics of an active or finished council. Uses closed rounds only, to reveal nothing sealed. */
export function computeMetrics(input: MetricsInput): Metrics {
  const { state, ledger, decision, options = null } = input;
  const closed = listClosedRounds(state);
  const heard = closed.filter(({ phase }) => phase !== 'SYNTHESIZE');
  const lastRound = heard.at(-1)?.tour ?? null;
  const votes = lastRound === null ? null : collectVotes(input, { ...input, upTo: lastRound });
  const joins = joinEquivalentPositions(votes ?? [], state.ballot ?? []);
  const final = votes && countSupport(joins.votes, options);
  // Spells positions the same in both votes, as the decision does.
  const first = blindVotes(input, input).map((vote) => asJoined(vote, joins, state.ballot ?? []));
  const blind = final && countSupport(first, options).map((one) => adoptSpelling(one, final));
  const hasPhase = (phase: PhaseName) => heard.some((round) => round.phase === phase);
  return {
    responseRate: measureByPhase(state, closed, (rounds) => computeResponseRate(input, rounds)),
    flips: countFlips(input, heard.length > 1),
    quotes: countQuotes(hasPhase('CHALLENGE') ? ledger : null),
    challenges: countChallenges(hasPhase('RESOLVE') ? ledger : null),
    minority: measureMinority(blind, final, decision),
    effectiveVotes: computeEffectiveVotes(votes, input.families ?? {}),
    ballot: state.ballot && votes ? computeBallotFigures(state.ballot, votes, joins.classes) : null,
    // After `start --open` the first vote was not blind.
    blindVote: blind && state.blind ? asVotes(blind) : null,
    finalVote: final && asVotes(final),
    decision: {
      decided: decision?.decided ?? null,
      position: decision?.position ?? null,
      rule: decision?.rule ?? null,
      denominator: decision?.denominator ?? null,
      tie: decision?.tie ?? null,
      quorum: decision?.quorum ?? null,
    },
    ...(state.control?.answers && {
      control: measureControl(state.control, listOwnMoves(ledger?.moves ?? [], input.advocates)),
    }),
    durations: measureByPhase(state, closed, (rounds) =>
      rounds.reduce((sum, { seconds }) => sum + seconds, 0),
    ),
    tokens: input.tokens ?? null,
    cost: input.cost ?? null,
    synthesis: input.synthesis ?? null,
  };
}

interface ClosedRound {
  phase: PhaseName;
  tour: number;
  seconds: number;
}

function listClosedRounds({ createdAt, transitions }: MetricsInput['state']): ClosedRound[] {
  return transitions.map(({ from, tour, at }, index) => {
    const opened = transitions[index - 1]?.at ?? createdAt;
    // If the clock was set back, the duration is 0, not negative.
    return { phase: from, tour, seconds: Math.max(0, Date.parse(at) - Date.parse(opened)) / 1000 };
  });
}

function measureByPhase(
  { transitions }: MetricsInput['state'],
  closed: ClosedRound[],
  figure: (rounds: ClosedRound[]) => Figure,
): Partial<Record<PhaseName, Figure>> {
  const figures: Partial<Record<PhaseName, Figure>> = {};
  for (const { phase } of closed) figures[phase] ??= figure(closed.filter((round) => round.phase === phase));
  const open = transitions.at(-1)?.to ?? 'COLLECT';
  if (open !== 'ARCHIVED') figures[open] ??= null;
  return figures;
}

/** Counts seated participants who spoke or were done: the same denominator in every round. */
function computeResponseRate({ state, contributions }: MetricsInput, rounds: ClosedRound[]): Figure {
  const asked =
    rounds[0]?.phase === 'SYNTHESIZE' ? (state.coordinator ? [state.coordinator] : []) : state.order;
  const spoken = rounds.flatMap(({ tour }) =>
    asked.filter((by) =>
      contributions.some((c) => c.by === by && (c.tour === tour || (c.done && c.tour < tour))),
    ),
  );
  return asked.length === 0 ? null : spoken.length / (asked.length * rounds.length);
}

function countFlips(input: MetricsInput, possible: boolean): Metrics['flips'] {
  const { ledger, options = null } = input;
  if (!ledger || !possible) return { explained: null, unexplained: null, towardsMajority: null };
  const own = listOwnMoves(ledger.moves, input.advocates);
  const towards = own.filter(({ to, tour }) => {
    const [first, second] = countSupport(collectVotes(input, { ...input, upTo: tour - 1 }), options);
    const leads = first !== undefined && first.weight > (second?.weight ?? 0);
    return leads && to !== null && normalisePosition(first.position) === normalisePosition(to);
  });
  const explained = own.filter((move) => move.explained).length;
  return { explained, unexplained: own.length - explained, towardsMajority: towards.length };
}

function countQuotes(ledger: LedgerFacts | null): Metrics['quotes'] {
  if (!ledger) return { verified: null, elsewhere: null, near: null, notFound: null, total: null };
  const count = (quote: QuoteStatus) => ledger.challenges.filter((c) => c.quote === quote).length;
  const figures = {
    verified: count('verified'),
    elsewhere: count('elsewhere'),
    near: count('near'),
    notFound: count('not_found'),
  };
  return { ...figures, total: Object.values(figures).reduce((sum, figure) => sum + figure, 0) };
}

function countChallenges(ledger: LedgerFacts | null): Metrics['challenges'] {
  const count = (status: string) => ledger && ledger.challenges.filter((c) => c.status === status).length;
  return {
    answered: count('answered'),
    conceded: addFigures(count('conceded'), count('conceded_in_part')),
    rejected: count('rejected'),
    unanswered: count('unanswered'),
  };
}

const addFigures = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b;

function measureMinority(
  blind: PositionSupport[] | null,
  final: PositionSupport[] | null,
  decision: Decision | null,
): Metrics['minority'] {
  if (!blind || !final) return { kept: null, lost: null };
  const decided = decision?.decided ? decision.position : null;
  const isMinor = ({ position, heads }: PositionSupport, all: readonly PositionSupport[]) =>
    decided === null
      ? heads < Math.max(...all.map((one) => one.heads))
      : normalisePosition(position) !== normalisePosition(decided);
  const held = final.map(({ position }) => position);
  return {
    kept: final.filter((one) => isMinor(one, final)).map(({ position }) => position),
    lost: blind
      .filter((one) => isMinor(one, blind) && !held.includes(one.position))
      .map(({ position }) => position),
  };
}

const adoptSpelling = (one: PositionSupport, known: PositionSupport[]): PositionSupport => ({
  ...one,
  position:
    findSameOption(
      one.position,
      known.map(({ position }) => position),
    ) ?? one.position,
});

/** Returns null if no family is known: a formula for models does not apply to a table of people. */
function computeEffectiveVotes(
  votes: Vote[] | null,
  families: NonNullable<MetricsInput['families']>,
): Figure {
  const heard = (votes ?? []).filter(({ kind }) => kind !== 'absent' && kind !== 'recused');
  const findFamily = (id: string) => (Object.hasOwn(families, id) ? (families[id] ?? null) : null);
  const effective = countEffectiveVotes(heard.map(({ by }) => findFamily(by)));
  return effective.unknown === heard.length ? null : Math.round(effective.votes * 100) / 100;
}

function countSupport(votes: Vote[], options: readonly string[] | null): PositionSupport[] {
  const counted = votes.filter(({ kind }) => kind !== 'recused');
  return tally(
    counted.flatMap(({ by, position }) => (position === null ? [] : [{ by, position, weight: 1 }])),
    options,
  );
}
