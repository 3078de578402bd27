// Facts from the record that the coordinator's synthesis must contain.
import { abridgeChallenges } from './abridge.ts';
import { createExcerptReader } from './excerpt.ts';
import type { SeenChallenge } from './excerpt.ts';
import { getLabels } from '../naming/labels.ts';
import { countUnmaskedNames } from '../naming/mask.ts';
import type { Mask, UnmaskedNames } from '../naming/mask.ts';
import { collectVoteMarks } from '../vote/outcome.ts';
import type { Council, Decision } from '../state/state.ts';
import { joinEquivalentPositions } from '../vote/joined-positions.ts';
import { collectVotes } from '../vote/votes.ts';
import type { PhaseName } from '../state/allowed-values.ts';
import { findBallotNumber, normalisePosition } from '../state/ballot.ts';

/** A position with its votes and its holders, as labels. */
export interface HeldPosition {
  /** Its number on the ballot; null without a ballot. */
  id: string | null;
  position: string;
  votes: number;
  by: string[];
}

/** Recorded facts, all of which must appear in the synthesis. Names are labels. */
export interface SynthesisFacts {
  decision: Pick<Decision, 'decided' | 'position' | 'rule' | 'reason' | 'denominator' | 'tie' | 'quorum'> & {
    /** The number of the decided position; null if undecided, or without a ballot. */
    id: string | null;
    blockedBy: string[];
  };
  /** Most widely held first. */
  positions: HeldPosition[];
  /** Positions other than the decided one; if undecided, those with fewer votes than the leading one. */
  minority: HeldPosition[];
  unanswered: SeenChallenge[];
  blocking: { by: string; issue: string }[];
  absences: { by: string; phase: PhaseName; tour: number }[];
}

/** Returns the coordinator's facts in SYNTHESIZE, and unmasked names in them; null for others, and earlier. */
export function buildSynthesisFacts(
  council: Council,
  reader: string,
  mask: Mask,
  limit: number,
): { facts: SynthesisFacts; notes: UnmaskedNames[] } | null {
  const { state } = council;
  if (state.currentPhase !== 'SYNTHESIZE' || reader !== state.coordinator || !state.decision) return null;
  const { blockedBy, votes, decided, position, rule, reason, denominator, tie, quorum } = state.decision;
  const { number } = state.decision;
  const id = number ?? (position === null ? null : (findBallotNumber(state.ballot ?? [], position) ?? null));
  const labels = getLabels(state);
  const getLabel = (id: string) => labels.get(id) ?? id;
  const notes: UnmaskedNames[] = [];
  const hide = (text: string, where: string): string => {
    const masked = mask(text);
    notes.push(...countUnmaskedNames(masked.left, where, reader));
    return masked.text;
  };
  const positions = listHeldPositions(council, votes, getLabel)
    .map((held) => ({ ...held, position: hide(held.position, held.by.join(', ')) }))
    .sort((a, b) => b.votes - a.votes);
  const unanswered = state.ledger.challenges.filter(
    ({ status }) => status === 'open' || status === 'unanswered',
  );
  return {
    notes,
    facts: {
      decision: {
        ...{ decided, rule, reason, denominator, tie, quorum },
        id,
        position: position === null ? null : mask(position).text,
        blockedBy: blockedBy.map(getLabel),
      },
      positions,
      minority: positions.filter((one) =>
        decided && id !== null ? one.id !== id : one.votes < (positions[0]?.votes ?? 0),
      ),
      unanswered: abridgeChallenges(
        unanswered.map(createExcerptReader(council, () => mask, reader).challenge),
        limit,
      ),
      blocking: state.convergence.blockingIssues.map(({ by, issue }) => ({
        by: getLabel(by),
        issue: hide(issue, getLabel(by)),
      })),
      absences: state.absences.map(({ participant, phase, tour }) => ({
        by: getLabel(participant),
        phase,
        tour,
      })),
    },
  };
}

function listHeldPositions(
  council: Council,
  votes: Decision['votes'],
  getLabel: (id: string) => string,
): HeldPosition[] {
  const { state } = council;
  const last = collectVotes(council, { ...collectVoteMarks(state), upTo: state.tour - 1 });
  const counted = state.ballot ? joinEquivalentPositions(last, state.ballot).votes : last;
  const cast = counted.filter(({ kind }) => kind !== 'recused');
  return Object.entries(votes).map(([position, weight]) => {
    const isIt = (held: string | null): boolean =>
      held !== null && normalisePosition(held) === normalisePosition(position);
    const holders = cast.filter((vote) => isIt(vote.position));
    return {
      id: findBallotNumber(state.ballot ?? [], position) ?? null,
      position,
      votes: weight,
      by: holders.map((vote) => getLabel(vote.by)).sort(),
    };
  });
}
