// Reads a ranking: ballot numbers, or names of the authors of ranked answers, best first.
import { toOneLine } from '../../base/text.ts';
import { asItems, stripValueMarkup } from '../ledger/text/form-value-words.ts';
import type { BallotLine } from '../state/state.ts';
import type { UnclearField } from '../vote/missing-statements.ts';
import { isEmpty, readVoteWords } from './read-choice.ts';
import type { ChoiceField } from './read-choice.ts';

/** What a ranking may name. */
export interface RankScope {
  ballot: readonly BallotLine[];
  /**
   * Set if answers are ranked: `resolve` finds the participant of a name or letter; the answer of `ranker` is
   * left out.
   */
  answers?: { resolve: (name: string) => string | null; ranker: string | null };
}

const BETWEEN = /\s*(?:>|≻|→|&gt;)\s*/;
const TIED = /\s*[=~≈]\s*/;

/**
 * Returns the ranked groups, best first, without the ranker's own answer; undefined if none, or uncertain.
 * Appends to `unclear` and `warnings`.
 */
export function readRank(
  fields: readonly ChoiceField[],
  scope: RankScope,
  unclear: UnclearField[],
  warnings: string[],
): string[][] | undefined {
  const stated = fields
    .filter((field) => field.name === 'rank' && !isEmpty(field))
    .map(({ value, isDoubtful }) => ({
      words: toOneLine([value].flat().join('; '), 120),
      groups: isDoubtful ? undefined : readGroups(value, scope),
    }));
  const [first] = stated;
  const example = 'P2 > P1 = P3';
  for (const { words, groups } of stated)
    if (!groups)
      unclear.push({ field: 'rank', words, id: scope.answers ? 'B > A = C' : example, why: 'order' });
  if (new Set(stated.map(({ groups }) => JSON.stringify(groups))).size > 1)
    unclear.push({
      field: 'rank',
      words: stated.map(({ words }) => words).join(' | '),
      id: '',
      why: 'differ',
    });
  if (!first || stated.some(({ groups }) => JSON.stringify(groups) !== JSON.stringify(first.groups)))
    return undefined;
  const own = scope.ballot.find(({ author }) => author !== undefined && author === scope.answers?.ranker)?.id;
  const groups = first.groups ?? [];
  if (own !== undefined && groups.flat().includes(own))
    warnings.push('You ranked your own answer: it is left out.');
  const others = groups.map((group) => group.filter((id) => id !== own)).filter(({ length }) => length > 0);
  return others.length > 0 ? others : undefined;
}

/** Reads a list, or one line with ">" or with only commas, as an order; commas next to ">" are ambiguous. */
function readGroups(value: string | string[], scope: RankScope): string[][] | undefined {
  const items = asItems(value);
  const [only = ''] = items;
  const words = items.length > 1 ? items : only.split(BETWEEN);
  const places = words.length > 1 ? words : only.split(/\s*[,;]\s*/);
  const groups = places.map((place) => place.split(TIED).map((name) => findRanked(name, scope)));
  const ids = groups.flat();
  if (ids.includes(undefined) || new Set(ids).size < ids.length) return undefined;
  return groups.map((group) => group.flatMap((id) => id ?? []).sort());
}

function findRanked(name: string, { ballot, answers }: RankScope): string | undefined {
  const [, authorName = '', bracketed = ''] = /^(.*?)\s*([([].*)?$/s.exec(stripValueMarkup(name)) ?? [];
  const author = answers?.resolve(authorName.replace(/\s+/g, '-'));
  const answer = author && ballot.find((line) => line.author === author);
  const reading = readVoteWords(answer ? `${answer.id} ${bracketed}` : name, ballot);
  return typeof reading === 'object' ? reading.id : undefined;
}
