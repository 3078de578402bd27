// Archive table of the numbered positions: who voted for them, who can live with them, which count as one.
import { safe, table } from '../council/document/escape-markdown.ts';
import { fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import type { Proceedings } from './archive.ts';
import { renderParticipantName } from './archive.ts';

/** The ballot as a table, with the numbers that were joined below it; nothing for a council without one. */
export function ballotTable(facts: Proceedings, w: Words): string[] {
  const { ballot } = facts.meta.metrics;
  if (!ballot || ballot.length === 0) return [];
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
