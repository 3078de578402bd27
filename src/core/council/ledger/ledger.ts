// Updates the ledger when a round closes.
import { readChallenges } from './challenges.ts';
import type { ChallengesInput } from './challenges.ts';
import type { Resolve } from './quotable-texts.ts';
import { readClaims } from './claims.ts';
import { getMask } from '../naming/mask.ts';
import { readMoves } from './moves.ts';
import type { Council, Challenge, Ledger, Contribution } from '../state/state.ts';
import type { PhaseName } from '../state/allowed-values.ts';
import { readAnswers } from './answers.ts';
import { splitParts } from './text/spoken-words.ts';

/**
 * Returns the ledger after a round has closed and its contributions are public: claims from COLLECT,
 * challenges from CHALLENGE, answers from RESOLVE, moves from all of them.
 * Idempotent: closing a round again only adds what was missing. Ids of claims and challenges stay the same as
 * long as the texts do.
 */
export function closeRound(
  { state, brief, contributions }: Pick<Council, 'state' | 'brief' | 'contributions'>,
  { phase, tour }: { phase: PhaseName; tour: number },
  resolve: Resolve,
): Ledger {
  const { ledger, order } = state;
  const seated = contributions
    .filter((c) => order.includes(c.by))
    .sort((a, b) => a.tour - b.tour || order.indexOf(a.by) - order.indexOf(b.by));
  const facts = {
    tour,
    contributions: seated,
    brief,
    order,
    resolve,
    shown: getMask({ state, brief, contributions }),
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

type RoundFacts = Omit<ChallengesInput, 'firstNumber'>;

function updateChallenges(known: Challenge[], phase: PhaseName, facts: RoundFacts): Challenge[] {
  if (phase === 'RESOLVE') return readAnswersInParts(facts, known);
  if (phase !== 'CHALLENGE') return known;
  const earlier = known.filter((challenge) => challenge.tour < facts.tour);
  const raised = readChallengesInParts({ ...facts, firstNumber: earlier.length + 1 });
  const byId = new Map(known.map((challenge) => [challenge.id, challenge]));
  return [
    ...earlier,
    // Closing a round again keeps the answers given since.
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

// For authors who were asked again, the ledger reads the first part, and only requested items in later ones.

/** Returns only the first part; the same object if there is just one. */
function cutFirst(said: Contribution): Contribution {
  const [text = '', ...others] = splitParts(said);
  return others.length === 0 ? said : { ...said, text };
}

/** Returns the added parts, padded with blanks so that offsets match the whole text. */
function cutAdded(said: Contribution): Contribution[] {
  const parts = splitParts(said);
  return parts.slice(1).map((part, at) => {
    const { length } = parts.slice(0, at + 1).join('');
    return { ...said, text: `${' '.repeat(length - 1)}\n${part}` };
  });
}

/** Splits the contributions into their first parts (in all rounds) and the parts added in this round. */
function splitRound({ tour, contributions }: Pick<ChallengesInput, 'tour' | 'contributions'>): {
  first: Contribution[];
  added: Contribution[];
} {
  const isNow = (said: Contribution) => said.tour === tour && said.parts !== undefined;
  return {
    first: contributions.map((said) => (isNow(said) ? cutFirst(said) : said)),
    added: contributions.filter(isNow).flatMap(cutAdded),
  };
}

/** Reads challenges from texts in parts: authors of unfound quotes were asked for the exact words instead. */
function readChallengesInParts(input: ChallengesInput): Challenge[] {
  const { first, added } = splitRound(input);
  const raised = readChallenges({ ...input, contributions: first });
  const isAsked = ({ by }: Contribution) => raised.some((one) => one.by === by && one.quote === 'not_found');
  const mended = added.filter(isAsked);
  if (mended.length === 0) return raised;
  const others = first.filter(({ tour }) => tour !== input.tour);
  const again = readChallenges({ ...input, contributions: [...others, ...mended] });
  const isReplaced = ({ by, against, quote }: Challenge): boolean =>
    quote === 'not_found' &&
    again.some(
      (one) => one.by === by && one.quote !== 'not_found' && (against ?? one.against) === one.against,
    );
  const findSeat = ({ by }: Challenge) => input.order.indexOf(by);
  return [...raised.filter((one) => !isReplaced(one)), ...again]
    .sort((a, b) => findSeat(a) - findSeat(b))
    .map((one, index) => ({ ...one, id: `c${input.firstNumber + index}` }));
}

/** Reads answers from texts in parts: added parts answer only challenges that had no answer. */
function readAnswersInParts(
  facts: Pick<ChallengesInput, 'tour' | 'contributions'>,
  challenges: readonly Challenge[],
): Challenge[] {
  const { first, added } = splitRound(facts);
  const { tour } = facts;
  const read = readAnswers({ tour, contributions: first }, challenges);
  if (added.length === 0) return read;
  const open = read.filter(({ answer }) => answer?.tour !== tour);
  const others = first.filter((said) => said.tour !== tour);
  const later = readAnswers({ tour, contributions: [...others, ...added] }, open);
  const byId = new Map(later.map((one) => [one.id, one]));
  return read.map((one) => byId.get(one.id) ?? one);
}
