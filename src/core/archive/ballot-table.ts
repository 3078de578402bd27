// Archive tables of the numbered positions: who voted for them, who can live with them, which count as one; and how ranked ones compare.
import { safe, table } from '../council/document/escape-markdown.ts';
import { fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import type { Ranking } from '../council/state/state.ts';
import type { Proceedings } from './archive.ts';
import { renderParticipantName } from './archive.ts';

/** The ballot as a table, with the numbers that were joined below it; nothing for a council without one. */
export function ballotTable(facts: Proceedings, w: Words): string[] {
  const { ballot } = facts.meta.metrics;
  if (!ballot || ballot.length === 0) return [];
  if (facts.meta.decision?.ranking) return rankingTables(facts, facts.meta.decision.ranking, w);
  const names = (ids: string[]): string => ids.map((id) => renderParticipantName(facts.meta, id)).join(', ');
  const words = w.archive;
  const rows = ballot.map((line) => [
    line.id,
    safe(line.position),
    names(line.by),
    names(line.approvedBy.filter((id) => !line.by.includes(id))),
  ]);
  const joined = ballot.filter(({ sameAs }) => sameAs.length > 0);
  const classes = new Set(joined.map(({ id, sameAs }) => [id, ...sameAs].sort().join(' = ')));
  return [
    table([words.number, w.state.position, words.votedFor, words.alsoApproved], rows),
    ...(classes.size === 0 ? [] : [fill(words.countAsOne, { numbers: [...classes].join('; ') })]),
  ];
}

/** What was ranked with its mean place, the best first; then each pair with those who compared it. */
function rankingTables({ meta }: Proceedings, { scores, pairs }: Ranking, w: Words): string[] {
  const words = w.archive;
  const lines = new Map(meta.ballot?.map((line) => [line.id, line]));
  const isOfAnswers = meta.rules.ranks === 'answers';
  const ranked = scores
    .toSorted((a, b) => (b.mean ?? -1) - (a.mean ?? -1))
    .map(({ id, mean }) => {
      const { position = '', author } = lines.get(id) ?? {};
      const by = isOfAnswers && author !== undefined ? [renderParticipantName(meta, author)] : [];
      return [id, safe(position), ...by, mean === null ? w.common.none : mean.toFixed(2)];
    });
  const compared = pairs.map((pair) => [
    `${pair.a} – ${pair.b}`,
    ...[pair.for, pair.against, pair.tied, pair.absent].map(String),
    pair.winner ?? w.common.none,
  ]);
  const isByOne =
    pairs.length > 0 && pairs.every((pair) => pair.for + pair.against + pair.tied + pair.absent <= 1);
  return [
    table(
      [words.number, w.state.position, ...(isOfAnswers ? [words.answerOf] : []), words.meanPlace],
      ranked,
    ),
    ...(pairs.length > 0
      ? [
          table(
            [words.pair, words.forFirst, words.forSecond, words.tiedPair, words.absentPair, words.ahead],
            compared,
          ),
        ]
      : []),
    ...(isByOne ? [words.pairsByOne] : []),
  ];
}
