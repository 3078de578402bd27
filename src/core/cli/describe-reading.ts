// Summarizes what was read in a contribution, in two lines for its author.
import type { ReadBack } from '../app/view.ts';
import { toOneLine } from '../base/text.ts';
import { formatRank } from '../base/words/reasons.ts';

/** Returns `Read: …`, and if something is missing `Missing: …`; `replace` is the command that adds it. */
export function describeReading(read: ReadBack, replace?: string): string[] {
  const facts = listReadFacts(read);
  const lines = [`Read: ${facts.length > 0 ? facts.join('; ') : 'no position, quotes or answers'}.`];
  if (read.missing.length === 0) return lines;
  const how = replace === undefined ? '' : ` Add it with: ${replace}`;
  return [...lines, `Missing: ${joinWithAnd(nameMissingParts(read.missing))}.${how}`];
}

function listReadFacts(read: ReadBack): string[] {
  const { vote, approve, rank, position, confidence, blocking, quotes, challenges, answers } = read;
  const held = [
    ...(vote === null ? [] : [`vote ${vote}`]),
    ...(rank.length > 0 ? [`ranks ${formatRank(rank)}`] : []),
    ...(approve.length > 0 ? [`approves ${approve.join(', ')}`] : []),
    ...(position === null ? [] : [`position "${toOneLine(position, 120)}"`]),
    ...(confidence === null ? [] : [`confidence ${confidence}`]),
  ];
  const byStatus = [...Map.groupBy(quotes, ({ status }) => status)];
  const aimed = challenges.filter(({ target }) => target !== null).length;
  return [
    ...(held.length > 0 ? [held.join(', ')] : []),
    ...(vote !== null && approve.includes(vote)
      ? [`the vote for ${vote} already counts as an approval of it`]
      : []),
    ...(read.agreed ? ['agreed'] : []),
    ...(read.done ? ['done'] : []),
    ...(blocking.length > 0 ? [pluralizeCount(blocking.length, 'blocking issue')] : []),
    ...(read.repeated ? ['an earlier contribution of yours again'] : []),
    ...byStatus.map(([status, all]) => `${pluralizeCount(all.length, 'quote')} ${quoteInWords(status)}`),
    ...quotes.flatMap(({ text, instead }) =>
      instead === undefined
        ? []
        : [`the text says "${toOneLine(instead, 120)}", not "${toOneLine(text, 120)}"`],
    ),
    ...(aimed > 0 ? [`${pluralizeCount(aimed, 'challenge')} to a claim`] : []),
    ...(challenges.length > aimed
      ? [`${pluralizeCount(challenges.length - aimed, 'challenge')} to no single claim`]
      : []),
    ...Object.entries(answers).map(([id, status]) => `${id} ${spellStatus(status)}`),
  ];
}

function nameMissingParts(missing: readonly string[]): string[] {
  const words = new Map([
    ['position', 'a position'],
    ['option', 'a position that is one of the options'],
    ['vote', 'a vote'],
    ['rank', 'a ranking'],
    ['blocking', 'what blocks, in one line each, or “none”'],
    ['because', 'what moved you from your blind position'],
    ['quote', 'quotes in their author’s exact words'],
  ]);
  return missing.map((what) => words.get(what) ?? `an answer to ${what}`);
}

const pluralizeCount = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
const spellStatus = (status: string): string => status.replaceAll('_', ' ');

function quoteInWords(status: ReadBack['quotes'][number]['status']): string {
  if (status === 'near') return 'nearly right';
  if (status === 'elsewhere') return 'from elsewhere';
  return status === 'own_case' ? 'of a case against oneself, which is no claim' : spellStatus(status);
}
const joinWithAnd = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
