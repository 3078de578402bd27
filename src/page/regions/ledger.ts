// The ledger as threads: a claim, the challenges to it with the words that they quote marked, and the answers.
import { oneLine } from '../../base/text.ts';
import { fill } from '../../base/words/words.ts';
import { anchor } from '../anchors.ts';
import type { PageDocument, Raised, Thread } from '../document.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { labelled, nameOf } from '../show.ts';
import type { Show } from '../show.ts';

type Meta = PageDocument['archive']['meta'];

/** Nothing where there is neither claim nor challenge. */
export function ledgerRegion(
  { ledger, threads, unchallenged, archive: { meta } }: PageDocument,
  show: Show,
): Html | null {
  if (ledger.claims.length + ledger.challenges.length === 0) return null;
  const { w } = show;
  const counts = { claims: ledger.claims.length, challenges: ledger.challenges.length };
  return html`<section id="ledger" aria-labelledby="ledger-h">
    <h2 id="ledger-h">${w.page.ledger}</h2>
    <p>${fill(w.page.counted, counts)}</p>
    ${threads.map((thread) => threadOf(thread, meta, show))}
    ${
      unchallenged.length > 0 &&
      html`<details>
        <summary>${fill(w.page.unchallenged, { count: unchallenged.length })}</summary>
        <ul>
          ${unchallenged.map(
            ({ id, by, tour, text }) =>
              html`<li id="${anchor('claim', id)}">
                <a href="#${anchor('said', tour, by)}">${id}</a> ${oneLine(text, 160)}
              </li> `,
          )}
        </ul>
      </details>`
    }
  </section> `;
}

function threadOf({ claim, challenges }: Thread, meta: Meta, show: Show): Html {
  const { w, text } = show;
  const title = claim ? labelled(claim.id, nameOf(meta, claim.by), show) : w.page.noTarget;
  return html`<article class="thread" ${claim && html` id="${anchor('claim', claim.id)}"`}>
    <h3>${title}</h3>
    ${claim && html`<div class="words claim">${text(claim.text)}</div>`}
    ${challenges.map((challenge) => challengeOf(challenge, meta, show))}
  </article> `;
}

function challengeOf(challenge: Raised, meta: Meta, show: Show): Html {
  const { w, text } = show;
  const { id, by, against, quote, status, unexplained, answer } = challenge;
  const facts = [
    ...(quote === 'none' ? [] : [fill(w.page.quote, { quote: w.ledger[quote] })]),
    unexplained ? `${w.ledger[status]}, ${w.ledger.unexplained}` : w.ledger[status],
  ];
  const who =
    against === null
      ? nameOf(meta, by)
      : fill(w.page.to, { by: nameOf(meta, by), to: nameOf(meta, against) });
  return html`<div class="challenge ${status}" id="${anchor('challenge', id)}">
    <p class="beside">
      <a href="#${anchor('challenge', id)}"><strong>${id}</strong></a> ${who} · ${facts.join(' · ')}
    </p>
    <div class="words">${text(challenge.text)}</div>
    ${
      answer &&
      html`<div class="answer">
        <p class="beside">${fill(w.page.answerOf, { name: nameOf(meta, against ?? '') })}</p>
        <div class="words">${text(answer)}</div>
      </div>`
    }
  </div> `;
}
