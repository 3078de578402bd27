// The table of a council's seats: status, attempts and answering time.
import { awaited, isBlindNow, getSeat } from '../../../core/app/state-document.ts';
import type { StateDocument } from '../../../core/app/state-document.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { PageWords } from '../../page/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { formatUnbrokenTime } from '../../page/elapsed-time.ts';
import { A_PAGE } from '../../page/parts.ts';
import { findFirstSeat, renderSeatsNavigation } from '../../page/regions/seat-pages.ts';
import { renderTable } from '../../page/page-formats.ts';
import { formatSeatTitle, describeSeatProgress } from './council-state.ts';

/** Returns when a participant was asked: an agent at its first launch, perhaps long after the phase opened. */
function findAskedTime({ usage = [], tour }: StateDocument, id: string, opened: number): number {
  const launches = usage.filter((one) => one.tour === tour && one.participant === id);
  return launches.length === 0 ? opened : Math.min(...launches.map(({ at, ms }) => Date.parse(at) - ms));
}

/**
 * Renders one row per participant, at most 50 from the requested one. Answering times are hidden in a blind phase.
 */
export function renderSeatsTable(state: StateDocument, w: PageWords, asked = 1): Html {
  const { site } = w;
  const opened = Date.parse(state.transitions.at(-1)?.at ?? state.createdAt);
  const { coordinator, synthesizer, order } = state;
  const ids = [...order, ...(coordinator && synthesizer ? [coordinator] : [])];
  const waits = new Set(awaited(state));
  const isLast = (id: string): boolean => !order.includes(id) && state.currentPhase !== 'SYNTHESIZE';
  const from = findFirstSeat(asked, ids.length);
  const rows = ids.slice(from - 1, from - 1 + A_PAGE).map((id) => {
    const one = getSeat(state, id);
    const isWaiting = waits.has(id);
    const spoke = Date.parse(one.lastAction ?? '');
    const answered = !isWaiting && spoke >= opened && !isBlindNow(state);
    return [
      formatSeatTitle(state, id),
      isLast(id) ? site.writesLast : describeSeatProgress(one, w),
      one.attempts > 0 ? String(one.lease?.attempt ?? one.attempts) : '',
      isWaiting
        ? html`<span data-since="${new Date(opened).toISOString()}"
            >${formatUnbrokenTime(Math.max(0, Math.floor((Date.now() - opened) / 1000) * 1000), w.common)}</span
          >`
        : answered
          ? fill(site.answeredAfter, {
              time: formatUnbrokenTime(Math.max(0, spoke - findAskedTime(state, id, opened)), w.common),
            })
          : '',
    ];
  });
  const header = [site.participant, site.state, site.attempt, site.since];
  const table = renderTable({ label: site.table, header, rows, caption: true, cards: true }, w);
  return html`${table}${renderSeatsNavigation(ids.length, from, w)}`;
}
