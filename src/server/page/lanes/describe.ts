// The picture in words: who moved, for those who do not see it.
import { fill } from '../../../core/base/words/words.ts';
import type { Words } from '../../../core/base/words/words.ts';
import type { Lanes, Row, Stop } from './lanes.ts';

/** One sentence for everybody who moved, and one on who stayed. */
export function describe({ rounds, rows }: Lanes, w: Words): string {
  const moved = rows.filter(({ stops }) => stops.some(({ move }) => move));
  const stayed = rows.filter((row) => !moved.includes(row) && row.end !== '');
  return [
    ...(moved.length === 0 ? [w.archive.nobodyMoved] : moved.map((row) => describeLaneWay(row, rounds, w))),
    ...(moved.length > 0 && stayed.length > 0
      ? [fill(w.page.stayed, { names: stayed.map(({ name, end }) => `${name} (${end})`).join(', ') })]
      : []),
  ].join(' ');
}

/** "Sage: P2, then P1 in CHALLENGE (round 2), unexplained." */
export function describeLaneWay({ name, stops }: Row, rounds: Lanes['rounds'], w: Words): string {
  const steps = stops.flatMap((stop, at): string[] => {
    const { phase, tour } = rounds[at]!;
    const round = fill(w.archive.transcriptPhase, { phase, tour });
    if (stop.move) return [fill(w.page.thenTo, { number: stop.number, round, how: howMoved(stop, w) })];
    const isFirst = stop.number !== '' && stops.slice(0, at).every(({ number }) => number === '');
    return isFirst ? [stop.number] : [];
  });
  return fill(w.page.way, { name, steps: steps.join(', ') || w.archive.noPosition });
}

/** How a move is called: explained (by what), unexplained, or only moved where that is not known. */
export function howMoved({ move }: Stop, w: Words): string {
  if (!move || move.explained === null) return w.page.moved;
  if (!move.explained) return w.ledger.unexplained;
  if (move.because === null) return w.page.explained;
  const because = move.because === 'quote' ? w.page.byQuote : move.because;
  return fill(w.page.explainedBy, { because });
}
