// The ballot: positions, which are the same where they say the same, their numbers, and what a contribution chooses among them.
import { cutFrontMatter } from '../../base/front-matter-block.ts';
import { sha256 } from '../../base/ids.ts';
import { oneLine } from '../../base/text.ts';
import type { BallotLine, Choice, Council, CouncilState } from './state.ts';

/** Marks that end a sentence without being part of a position. A question is not the position that it asks about. */
const FINAL = new Set(' .,;:!。、');

/**
 * The form in which positions are compared: NFKC, lower case, white space folded, final punctuation dropped.
 * A position of punctuation alone stays as it is, so that only blank text becomes the empty string.
 */
export function normalisePosition(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/g, ' ').trim();
  let end = folded.length;
  while (end > 0 && FINAL.has(folded[end - 1]!)) end--;
  return end === 0 ? folded : folded.slice(0, end);
}

/** The declared option that `position` means, in its declared spelling; undefined when it means none of them. */
export function sameOption(position: string, options: readonly string[]): string | undefined {
  const wanted = normalisePosition(position);
  return options.find((option) => normalisePosition(option) === wanted);
}

/** Only the choice in something that has more, without the keys that are not set. */
export function pickChoice({ vote, approve, new: added, same, rank, confidence, unclear }: Choice): Choice {
  return {
    ...(vote !== undefined && { vote }),
    ...(approve !== undefined && { approve }),
    ...(added !== undefined && { new: added }),
    ...(same !== undefined && { same }),
    ...(rank !== undefined && { rank }),
    ...(confidence !== undefined && { confidence }),
    ...(unclear && { unclear }),
  };
}

/** The number of the position that these words state, whatever its case and final punctuation; undefined for none. */
export function findBallotNumber(ballot: readonly BallotLine[], position: string): string | undefined {
  const wanted = normalisePosition(position);
  return ballot.find((line) => normalisePosition(line.position) === wanted)?.id;
}

/**
 * The ballot that a contribution is read against: empty in COLLECT, where no numbers are known yet.
 * Undefined for schema 1.
 */
export const openBallot = ({ ballot }: CouncilState): BallotLine[] | undefined => ballot;

/** The most characters of a position. */
const LONGEST = 200;

/** A position as it stands on the ballot, in one line. A longer one ends with a mark of the whole, so that no two become one. */
export function ballotSentence(words: string): string {
  const whole = oneLine(words, Infinity);
  if ([...whole].length <= LONGEST) return whole;
  return `${oneLine(whole, LONGEST - 9)} (${sha256(normalisePosition(whole)).slice(0, 6)})`;
}

/** True for what reads like a number of the ballot: no position may be called so. */
export const isNumber = (position: string): boolean => /^p ?\d+$/.test(normalisePosition(position));

/**
 * A ballot with what was stated beside it: the declared options first, in their order, then the others by the code units of
 * their normalised sentences. A number is never given again and no line changes. Of several spellings the most frequent one
 * stands there, then the first by code units.
 */
export function withNew(
  ballot: readonly BallotLine[],
  options: readonly string[],
  stated: readonly string[],
): BallotLine[] {
  const lines = [...ballot];
  const add = (position: string, declared: boolean) => {
    if (findBallotNumber(lines, position) === undefined)
      lines.push({ id: `P${lines.length + 1}`, position, declared });
  };
  for (const option of options) add(option, true);
  const spellings = Map.groupBy(
    stated.filter((position) => normalisePosition(position) !== ''),
    normalisePosition,
  );
  for (const [, same] of [...spellings].sort(([a], [b]) => (a < b ? -1 : 1)))
    add(pickCommonSpelling(same), false);
  return lines;
}

/** The most frequent spelling, then the first by code units. */
export function pickCommonSpelling(positions: readonly string[]): string {
  const counts = Map.groupBy(positions, (position) => position.trim());
  const [[most] = ['']] = [...counts].sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1));
  return most;
}

/** The ballot once a round has closed: everything that was stated up to it, or in a council that ranks answers each answer, has a number. */
export function computeBallot(
  { state, contributions }: Pick<Council, 'state' | 'contributions'>,
  tour: number,
): BallotLine[] {
  if (state.rules.ranks === 'answers')
    return state.ballot?.length ? state.ballot : listAnswers(contributions);
  // Declared options are fixed: none can be added.
  const open = state.rules.options ? [] : contributions;
  const stated = open
    .filter((c) => c.tour <= tour && c.phase !== 'SYNTHESIZE')
    .flatMap((c) => [c.position, c.new].filter((position) => position !== undefined));
  return withNew(state.ballot ?? [], state.rules.options ?? [], stated);
}

/** The blind answers by the code units of their positions, so that no number tells a seat. */
function listAnswers(contributions: Council['contributions']): BallotLine[] {
  return contributions
    .filter(({ phase }) => phase === 'COLLECT')
    .map(({ by, position, text }) => ({
      by,
      position: position ?? ballotSentence(cutFrontMatter(text)?.body ?? text),
    }))
    .sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0))
    .map(({ by, position }, at) => ({ id: `P${at + 1}`, position, declared: false, author: by }));
}
