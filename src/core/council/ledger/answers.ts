// Reads answers to challenges from contributions to RESOLVE.
import { cutText } from './ledger-document.ts';
import { createQuoteFinder } from './quotable-texts.ts';
import { readQuote } from './quotes.ts';
import { findRepeated } from './text/spoken-words.ts';
import { cutAnswers } from './text/answer-passages.ts';
import { blankReasoning } from './text/reasoning.ts';
import type { Contribution, Challenge } from '../state/state.ts';

/**
 * Returns the challenges with the answers that a round of RESOLVE gives them. An answer is `c1 answered: …`,
 * `c1 conceded: …`, `c1 rejected: …` or the like at the start of a paragraph, list item or line; a heading or
 * table row with the id; or a quote of the challenge with a sentence such as "I accept this".
 * Only the participant a challenge is put to can answer it, and only in known wording. Conflicting answers in
 * one text cancel each other out. A challenge without an answer by then becomes `unanswered`.
 */
export function readAnswers(
  { tour, contributions }: { tour: number; contributions: readonly Contribution[] },
  challenges: readonly Challenge[],
): Challenge[] {
  const names = new Set(contributions.map(({ by }) => by));
  const answers = contributions
    .filter((c) => c.tour === tour && findRepeated(c, contributions) === undefined)
    .flatMap(({ by, text }) => {
      const theirs = challenges.filter(({ against, tour: raised }) => against === by && raised < tour);
      const quoted = findQuotedChallenge(theirs, contributions);
      const namesAnother = (words: string) =>
        names.has(words.toLowerCase()) ? words.toLowerCase() !== by : /^participant [a-z]{1,2}$/i.test(words);
      return cutAnswers(blankReasoning(text), quoted, namesAnother).flatMap(
        ({ challenges: ids, ...answer }) => ids.map((id) => ({ key: `${id} ${by}`, ...answer })),
      );
    });
  const answersTo = Map.groupBy(answers, ({ key }) => key);
  return challenges.map((challenge): Challenge => {
    const { id, against, answer: known } = challenge;
    if (challenge.tour >= tour || (known && known.tour > tour)) return challenge;
    const given = answersTo.get(`${id} ${against}`) ?? [];
    const [status, ...others] = new Set(given.flatMap(({ statuses }) => statuses));
    const last = given.at(-1);
    if (!last || status === undefined || others.length > 0)
      return challenge.status === 'open' ? { ...challenge, status: 'unanswered' } : challenge;
    const isUnexplained = status === 'rejected' && !given.some(({ hasReason }) => hasReason);
    const { unexplained: _, ...asked } = challenge;
    return {
      ...asked,
      status,
      answer: { tour, start: last.start, end: last.end },
      ...(isUnexplained && { unexplained: true as const }),
    };
  });
}

/** Returns a function that finds the challenge a block quote quotes: undefined if none or several match. */
function findQuotedChallenge(
  challenges: readonly Challenge[],
  contributions: readonly Contribution[],
): (quote: string) => string | undefined {
  const sayers = challenges.map((one) => ({
    id: one.id,
    says: createQuoteFinder(cutText(contributions, one)),
  }));
  return (quote) => {
    const found = sayers.filter(({ says }) => says(readQuote(quote)));
    return found.length === 1 ? found[0]!.id : undefined;
  };
}
