// Updates the ledger when a tour closes.
import type { ChallengesInput } from './challenges.ts';
import type { Resolve } from './quotable-texts.ts';
import { readClaims } from './claims.ts';
import { readAnswersInParts, readChallengesInParts, cutFirst } from './repair-parts.ts';
import { maskFor } from '../naming/mask.ts';
import { readMoves } from './moves.ts';
import type { Council, Challenge, Ledger } from '../state/state.ts';
import type { PhaseName } from '../state/choices.ts';

/**
 * The ledger when a tour closes and its contributions are in the open: claims from COLLECT, challenges from CHALLENGE,
 * answers from RESOLVE, moves from all of them. Closing the same tour again changes nothing, and takes in what was
 * missing the first time. Claims keep their ids, and challenges theirs, as long as the texts stay what they are.
 */
export function closeTour(
  { state, brief, contributions }: Pick<Council, 'state' | 'brief' | 'contributions'>,
  { phase, tour }: { phase: PhaseName; tour: number },
  resolve: Resolve,
): Ledger {
  const { ledger, order } = state;
  const seated = contributions
    .filter((c) => order.includes(c.by))
    .sort((a, b) => a.tour - b.tour || order.indexOf(a.by) - order.indexOf(b.by));
  const mask = maskFor({ state, brief, contributions });
  const facts = {
    tour,
    contributions: seated,
    brief,
    order,
    resolve,
    shown: (text: string) => mask(text).text,
  };
  const claims =
    phase === 'COLLECT'
      ? [
          ...ledger.claims.filter((claim) => claim.tour !== tour),
          ...readClaims(seated.filter((c) => c.tour === tour).map(cutFirst)),
        ]
      : ledger.claims;
  const challenges = updateChallenges(ledger.challenges, phase, { ...facts, claims });
  const moves =
    phase === 'SYNTHESIZE'
      ? ledger.moves
      : [
          ...ledger.moves.filter((move) => move.tour !== tour),
          ...readMoves({ ...facts, claims, challenges }),
        ];
  return { claims, challenges, moves: moves.sort((a, b) => a.tour - b.tour) };
}

type TourFacts = Omit<ChallengesInput, 'firstNumber'>;

function updateChallenges(known: Challenge[], phase: PhaseName, facts: TourFacts): Challenge[] {
  if (phase === 'RESOLVE') return readAnswersInParts(facts, known);
  if (phase !== 'CHALLENGE') return known;
  const earlier = known.filter((challenge) => challenge.tour < facts.tour);
  const raised = readChallengesInParts({ ...facts, firstNumber: earlier.length + 1 });
  const byId = new Map(known.map((challenge) => [challenge.id, challenge]));
  return [
    ...earlier,
    // A tour that is closed again keeps what was answered since.
    ...raised.map((one) => {
      const before = byId.get(one.id);
      if (!before || !isSameChallenge(before, one)) return one;
      const { status, answer, unexplained } = before;
      return { ...one, status, answer, ...(unexplained && { unexplained }) };
    }),
    ...known.filter((challenge) => challenge.tour > facts.tour),
  ];
}

const isSameChallenge = (a: Challenge, b: Challenge): boolean =>
  a.by === b.by && a.tour === b.tour && a.start === b.start && a.end === b.end;
