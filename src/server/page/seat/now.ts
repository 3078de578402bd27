// The first part of a seat: what is asked, until when, and the way to the form.
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { lasted } from '../lasted.ts';
import { time } from '../show.ts';
import type { Show } from '../show.ts';
import type { SeatDocument } from './document.ts';

/** `now`: milliseconds since the epoch. */
export function nowRegion({ view }: SeatDocument, { w }: Show, now: number): Html {
  const { phase, tour, deadline, key, asked, label } = view;
  const left = Date.parse(deadline) - now;
  const minutes = Math.max(60_000, left - (left % 60_000));
  return html`<section id="now" aria-labelledby="now-h" data-key="${key}">
    <h2 id="now-h">${w.seat.asked}</h2>
    <p>
      <strong>${fill(w.view.phase, { phase, tour })}</strong
      >${fill(w.common.labelled, { label: '', value: w.phases[phase] })}.
      ${view.phase === 'COLLECT' && asked && w.view.blind}
    </p>
    <p>${standing(view, w)}</p>
    <p>
      ${untilWords(deadline, w)}
      (${left > 0 ? fill(w.seat.left, { time: lasted(minutes, w.common) }) : w.seat.over})
    </p>
    ${label !== null && html`<p class="beside">${fill(w.view.knownAs, { label })} ${w.page.letters}</p>`}
    ${asked && html`<p><a class="to-form" href="#answer">${w.seat.toForm}</a></p>`}
  </section> `;
}

/** How to write and how to think; folded, and apart from the time that is left, which changes. */
export const howRegion = ({ how }: SeatDocument, { w, text }: Show): Html | null =>
  how &&
  html`<details id="how">
    <summary>${w.seat.how}</summary>
    <div class="words">${text(how)}</div>
  </details> `;

/** The time stands in its own element, wherever the sentence has it. */
function untilWords(deadline: string, w: Show['w']): Html {
  const [before = '', after = ''] = w.seat.until.split('{deadline}');
  return html`${before}${time(deadline, w)}${after}`;
}

function standing({ asked, status, phase, facts }: SeatDocument['view'], w: Show['w']): string {
  if (asked) return status === 'WAITING' ? w.seat.yourTurn : w.seat.spoken;
  if (status === 'DONE') return w.view.alreadyDone;
  return phase === 'SYNTHESIZE' || facts ? w.seat.notAsked : w.view.notYourTurnCoordinator;
}
