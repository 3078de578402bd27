// The ballot: comparing positions, numbering them, and a contribution's choices among them.
import { cutFrontMatter } from '../../base/front-matter-block.ts';
import { sha256 } from '../../base/ids.ts';
import { toOneLine } from '../../base/text.ts';
import type { BallotLine, Choice, Council, CouncilState } from './state.ts';

/** Marks that end a sentence but are not part of a position. A question is not the position it asks about. */
const FINAL = new Set(' .,;:!。、');

/**
 * Normalizes a position for comparison: NFKC, lower case, white space collapsed, final punctuation removed.
 * Punctuation alone is kept, so that only blank text becomes the empty string.
 */
export function normalisePosition(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/g, ' ').trim();
  let end = folded.length;
  while (end > 0 && FINAL.has(folded[end - 1]!)) end--;
  return end === 0 ? folded : folded.slice(0, end);
}

/** Returns the declared option that `position` matches, in its declared spelling; undefined if none. */
export function findSameOption(position: string, options: readonly string[]): string | undefined {
  const wanted = normalisePosition(position);
  return options.find((option) => normalisePosition(option) === wanted);
}

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

/** Returns the number of the position with this wording (ignoring case, final punctuation); undefined if none. */
export function findBallotNumber(ballot: readonly BallotLine[], position: string): string | undefined {
  const wanted = normalisePosition(position);
  return ballot.find((line) => normalisePosition(line.position) === wanted)?.id;
}

/** Returns the ballot to read a contribution against: empty in COLLECT, undefined for schema 1. */
export const openBallot = ({ ballot }: CouncilState): BallotLine[] | undefined => ballot;

/** Maximum length of a position, in characters. */
const LONGEST = 200;

/**
 * Returns a position as shown on the ballot, in one line. A longer one is cut and ends with a hash of the
 * whole, so that no two become equal.
 */
export function formatBallotSentence(words: string): string {
  const whole = toOneLine(words, Infinity);
  if ([...whole].length <= LONGEST) return whole;
  return `${toOneLine(whole, LONGEST - 9)} (${sha256(normalisePosition(whole)).slice(0, 6)})`;
}

/** True for a text that looks like a ballot number, which is not allowed as a position. */
export const isNumber = (position: string): boolean => /^p ?\d+$/.test(normalisePosition(position));

/**
 * Adds stated positions to a ballot: declared options first, in their order, then the others by the code units
 * of their normalized sentences. Numbers are never reused and lines never change. Among several spellings the
 * most frequent is used, then the first by code units.
 */
export function addPositions(
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

/** Returns the most frequent spelling, then the first by code units. */
export function pickCommonSpelling(positions: readonly string[]): string {
  const counts = Map.groupBy(positions, (position) => position.trim());
  const [[most] = ['']] = [...counts].sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1));
  return most;
}

/** Returns the ballot after a round: a number per stated position or, if answers are ranked, per answer. */
export function computeBallot(
  { state, contributions }: Pick<Council, 'state' | 'contributions'>,
  round: number,
): BallotLine[] {
  if (state.rules.ranks === 'answers')
    return state.ballot?.length ? state.ballot : listAnswers(contributions);
  // Declared options are fixed: none can be added.
  const open = state.rules.options ? [] : contributions;
  const stated = open
    .filter((c) => c.tour <= round && c.phase !== 'SYNTHESIZE')
    .flatMap((c) => [c.position, c.new].filter((position) => position !== undefined));
  return addPositions(state.ballot ?? [], state.rules.options ?? [], stated);
}

/** Sorts the blind answers by the code units of their positions, so that numbers do not reveal seats. */
function listAnswers(contributions: Council['contributions']): BallotLine[] {
  return contributions
    .filter(({ phase }) => phase === 'COLLECT')
    .map(({ by, position, text }) => ({
      by,
      position: position ?? formatBallotSentence(cutFrontMatter(text)?.body ?? text),
    }))
    .sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0))
    .map(({ by, position }, at) => ({ id: `P${at + 1}`, position, declared: false, author: by }));
}
