// What a council came to, in one plain sentence, and the page of a seat once its council is over.
import type { ArchiveMeta } from '../../../core/archive/archive.ts';
import { oneLine } from '../../../core/base/text.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { time, formatShownName } from '../show.ts';
import type { Show } from '../show.ts';
import { describeOutcome } from '../../../core/archive/decision-section.ts';
import type { Words } from '../../../core/base/words/words.ts';

/** What `data-key` says where nothing is asked any more. */
const OVER = 'over';

/** The content of the page: its parts have the names of a seat, so that one that is open becomes this. */
export const overMain = (meta: ArchiveMeta, show: Pick<Show, 'w'>, archive: string | null): Html =>
  html`<header><h1 dir="auto">${oneLine(meta.topic, 1000)}</h1></header>
    <div id="seen" data-live>${overRegion(meta, show, archive)}</div>
    <div id="turn" data-key="${OVER}"></div>`;

/** `archive`: its address, for those who may read it. */
export const overRegion = (meta: ArchiveMeta, { w }: Pick<Show, 'w'>, archive: string | null): Html =>
  html`<section id="now" aria-labelledby="now-h" data-key="${OVER}">
    <h2 id="now-h">${w.seat.isOver}</h2>
    <p><strong>${describeEnding(meta, w)}</strong></p>
    <p class="beside">${w.councilStatus[meta.status]} · ${time(meta.endedAt, w)}</p>
    ${archive !== null && html`<p><a class="to-form" href="${archive}">${w.seat.toArchive}</a></p>`}
  </section> `;

/** A position of many words is cut. */
const LONGEST = 300;

export const describeEnding = (meta: ArchiveMeta, w: Words): string =>
  describeOutcome(meta, w, {
    name: (id) => formatShownName(meta, id),
    text: (words) => oneLine(words, LONGEST),
  });
