// What stands beside a contribution on an archive's page: its form in words, and the ids of its claims and challenges.
import { oneLine } from '../base/text.ts';
import { safe, safeBeginning } from '../council/document/page.ts';
import { cutText } from '../council/ledger/ledger-document.ts';
import { formatRank } from '../base/ranking-words.ts';
import type { Contribution, ContributionSpan } from '../council/state/state.ts';
import { fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import type { Proceedings } from './archive.ts';

/** Longer ones are cut: the whole stands right above. */
const FIRST_WORDS = 80;

/** When something was said, and what its form declares: one line. */
export const saidBeside = (facts: Pick<Proceedings, 'meta'>, said: Contribution, w: Words): string =>
  [said.at, ...formLine(facts, said, w, safe)].join(' · ');

/** What the form of a contribution declares, as plain texts unless they are made `safe` for somewhere. */
export function formLine(
  { meta }: Pick<Proceedings, 'meta'>,
  said: Contribution,
  w: Words,
  shown: (text: string) => string = oneLine,
): string[] {
  const labelled = (label: string, value: string): string => fill(w.common.labelled, { label, value });
  const number = said.vote === undefined || !meta.ballot ? '' : `${shown(said.vote)} `;
  const others = (said.approve ?? []).filter((id) => id !== said.vote);
  return [
    ...(said.position === undefined
      ? []
      : [labelled(w.archive.position, `${number}${shown(said.position)}`)]),
    ...(others.length > 0 ? [labelled(w.archive.approves, shown(others.join(', ')))] : []),
    ...(said.rank ? [labelled(w.archive.ranks, shown(formatRank(said.rank)))] : []),
    ...(said.same ?? []).map((pair) => shown(pair.join(' = '))),
    ...(said.confidence === undefined ? [] : [labelled(w.archive.confidence, String(said.confidence))]),
    ...(said.agreed ? [w.archive.agreed] : []),
    ...(said.done ? [w.archive.done] : []),
    ...(said.blocking ?? []).map((issue) => labelled(w.archive.blocks, shown(issue))),
    ...(said.advocate ? [w.archive.caseAgainst] : []),
  ];
}

/** The claims and challenges of a contribution with their ids, as a list; nothing where it has none. */
export function claimsBeside({ meta, contributions }: Proceedings, said: Contribution, w: Words): string[] {
  const isHere = ({ by, tour }: ContributionSpan): boolean => by === said.by && tour === said.tour;
  const words = (span: ContributionSpan): string => safeBeginning(cutText(contributions, span), FIRST_WORDS);
  const claims = meta.ledger.claims.filter(isHere).map((claim) => `- \`${claim.id}\` ${words(claim)}`);
  const challenges = meta.ledger.challenges.filter(isHere).map(({ id, target, against, quote, status }) => {
    const verdicts = [
      ...(quote === 'none' ? [] : [fill(w.archive.quoteIs, { quote: w.ledger[quote] })]),
      w.ledger[status],
    ].join(', ');
    return `- ${fill(w.archive.challengeBeside, {
      id: `\`${id}\``,
      target: target === null ? safe(against ?? w.common.nobody) : `\`${target}\``,
      verdicts,
    })}`;
  });
  const listed = [...claims, ...challenges];
  return listed.length === 0 ? [] : [listed.join('\n')];
}
