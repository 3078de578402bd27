// What the ledger reads of contributions whose authors were asked once more: the first part, and of the others what was asked.
import type { Challenge, Contribution } from '../state/state.ts';
import { readAnswers } from './answers.ts';
import { readChallenges } from './challenges.ts';
import type { ChallengesInput } from './challenges.ts';
import { splitParts } from './text/contribution-parts.ts';

/** What was said first; the same contribution where that is all. */
export function cutFirst(said: Contribution): Contribution {
  const [text = '', ...others] = splitParts(said);
  return others.length === 0 ? said : { ...said, text };
}

/** What was added, each part where it stands in the whole text: before it is nothing but a blank line of the same length. */
function cutAdded(said: Contribution): Contribution[] {
  const parts = splitParts(said);
  return parts.slice(1).map((part, at) => {
    const { length } = parts.slice(0, at + 1).join('');
    return { ...said, text: `${' '.repeat(length - 1)}\n${part}` };
  });
}

/** The contributions of a tour as they were said first, with those of other tours; and what was added in that tour. */
function splitTour({ tour, contributions }: Pick<ChallengesInput, 'tour' | 'contributions'>): {
  first: Contribution[];
  added: Contribution[];
} {
  const isNow = (said: Contribution) => said.tour === tour && said.parts !== undefined;
  return {
    first: contributions.map((said) => (isNow(said) ? cutFirst(said) : said)),
    added: contributions.filter(isNow).flatMap(cutAdded),
  };
}

/**
 * Challenges of a text in parts: participants with an unfound quote were asked for the right words,
 * which replace it.
 */
export function readChallengesInParts(input: ChallengesInput): Challenge[] {
  const { first, added } = splitTour(input);
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

/** Answers in parts: what was added answers only what had no answer. */
export function readAnswersInParts(
  facts: Pick<ChallengesInput, 'tour' | 'contributions'>,
  challenges: readonly Challenge[],
): Challenge[] {
  const { first, added } = splitTour(facts);
  const { tour } = facts;
  const read = readAnswers({ tour, contributions: first }, challenges);
  if (added.length === 0) return read;
  const open = read.filter(({ answer }) => answer?.tour !== tour);
  const others = first.filter((said) => said.tour !== tour);
  const later = readAnswers({ tour, contributions: [...others, ...added] }, open);
  const byId = new Map(later.map((one) => [one.id, one]));
  return read.map((one) => byId.get(one.id) ?? one);
}
