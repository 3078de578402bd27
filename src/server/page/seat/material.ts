// What there is to read at a seat: challenges put to it, the ballot, what was said, the brief.
import { fill } from '../../../core/base/words/words.ts';
import { anchor } from '../anchors.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Show } from '../show.ts';
import type { PutHere, SaidHere, SeatDocument } from './document.ts';

type Region = Html | null;

/** Nothing where no challenge to it is open. */
export function challengesRegion({ challenges }: SeatDocument, show: Show): Region {
  if (challenges.length === 0) return null;
  return html`<section id="challenges" aria-labelledby="challenges-h">
    <h2 id="challenges-h">${show.w.view.challenges}</h2>
    ${challenges.map((one) => challengeOf(one, show))}
  </section> `;
}

function challengeOf({ id, by, claim, body, quote }: PutHere, { w, text }: Show): Html {
  const title = claim
    ? fill(w.view.challenge, { id, by, claim: claim.id })
    : fill(w.view.challengeAtLarge, { id, by });
  const note = {
    ...{ not_found: w.view.quoteNotFound, near: w.view.quoteNear, elsewhere: w.view.quoteElsewhere },
    ...{ verified: null, none: null },
  }[quote];
  return html`<article class="challenge open" id="${anchor('challenge', id)}">
    <h3>${title}</h3>
    ${claim && html`<div class="words claim">${text(claim.body)}</div>`}
    <div class="words" data-quotable>${text(body)}</div>
    ${note !== null && html`<p class="beside">${note}</p>`}
  </article> `;
}

export const factsRegion = ({ facts }: SeatDocument, { w, text }: Show): Region =>
  facts &&
  html`<section id="facts" aria-labelledby="facts-h">
    <h2 id="facts-h">${w.view.facts}</h2>
    <div class="words">${text(facts)}</div>
  </section> `;

export function ballotRegion({ view: { ballot } }: SeatDocument, { w }: Show): Region {
  if (ballot.length === 0) return null;
  return html`<section id="ballot" aria-labelledby="ballot-h">
    <h2 id="ballot-h">${w.view.ballot}</h2>
    <ul class="plain">
      ${ballot.map(({ id, position }) => html`<li><strong>${id}</strong> <bdi>${position}</bdi></li>`)}
    </ul>
  </section> `;
}

export const briefRegion = ({ brief }: SeatDocument, { w, text }: Show): Html =>
  html`<section id="brief" aria-labelledby="brief-h">
    <h2 id="brief-h">${w.view.brief}</h2>
    <div class="words" data-quotable>${text(brief)}</div>
  </section> `;

export const othersRegion = ({ others, view }: SeatDocument, show: Show): Region =>
  others.length === 0 && view.phase === 'COLLECT'
    ? null
    : html`<section id="others" aria-labelledby="others-h">
        <h2 id="others-h">${show.w.view.others}</h2>
        ${others.length === 0 ? html`<p>${show.w.view.noOthers}</p>` : others.map((one) => saidHere(one, show))}
      </section> `;

export const ownRegion = ({ own }: SeatDocument, show: Show): Region =>
  own.length === 0
    ? null
    : html`<section id="own" aria-labelledby="own-h">
        <h2 id="own-h">${show.w.view.own}</h2>
        ${own.map((one) => saidHere(one, show))}
      </section> `;

function saidHere(
  { id, label, phase, tour, advocate, claims, form, body }: SaidHere,
  { w, text }: Show,
): Html {
  const title = fill(label === null ? w.archive.transcriptPhase : w.view.contribution, {
    ...(label !== null && { label }),
    ...{ phase, tour },
  });
  return html`<article class="said" id="${id}" aria-labelledby="${id}-h">
    <h3 id="${id}-h"><a href="#${id}">${title}</a></h3>
    ${advocate && html`<p class="beside">${fill(w.view.advocateSaid, { contribution: title })}</p>`}
    ${form !== '' && html`<pre dir="auto">${form}</pre>`}
    <div class="words" ${label !== null && html`data-quotable`}>${text(body)}</div>
    ${label !== null && claims.length > 0 && claimsOf(claims, w)}
  </article> `;
}

/** The claims with their ids: what can be challenged, each with a button that only a script shows. */
function claimsOf(claims: SaidHere['claims'], { seat }: Show['w']): Html {
  return html`<details>
    <summary>${seat.claims} (${claims.length})</summary>
    <ul class="plain claims">
      ${claims.map(
        ({ id, text }) =>
          html`<li>
            <button
              type="button"
              class="quiet"
              data-claim="@${id}"
              data-words="${text}"
              aria-label="${fill(seat.quoteClaim, { claim: `@${id}` })}"
              hidden
            >
              ${seat.quote}
            </button>
            <code>@${id}</code> <bdi>${text}</bdi>
          </li>`,
      )}
    </ul>
  </details>`;
}
