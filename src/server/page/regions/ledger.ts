// The ledger as threads: a claim, the challenges to it with the words that they quote marked, and the answers.
import { oneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { anchor, roundPage, linkToContribution, formatLabelledValue, formatShownName } from '../show.ts';
import type { PageDocument } from '../document.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Show } from '../show.ts';
import type { Named, Raised, Thread, Threads } from '../threads.ts';

type Meta = PageDocument['archive']['meta'];

/** Nothing where there is neither claim nor challenge. */
export function ledgerRegion(
  { ledger, threads, foldedThreads, unchallenged, folded, archive: { meta } }: PageDocument,
  show: Show,
): Html | null {
  if (ledger.claims.length + ledger.challenges.length === 0) return null;
  const { w } = show;
  const counts = { claims: ledger.claims.length, challenges: ledger.challenges.length };
  return html`<section id="ledger" aria-labelledby="ledger-h">
    <h2 id="ledger-h">${w.page.ledger}</h2>
    <p>${fill(w.page.counted, counts)}</p>
    ${threads.map((thread) => renderThread(thread, meta, show))}
    ${
      foldedThreads.length > 0 &&
      html`<details>
        <summary>
          ${fill(w.page.foldedThreads, { count: foldedThreads.flatMap(({ challenges }) => challenges).length })}
        </summary>
        <ul>
          ${foldedThreads.map((one) => foldedThread(one, meta, show))}
        </ul>
      </details>`
    }
    ${
      unchallenged.length > 0 &&
      html`<details>
        <summary>${fill(w.page.unchallenged, { count: unchallenged.length })}</summary>
        <ul>
          ${unchallenged.map(
            ({ id, by, tour, text }) =>
              html`<li id="${anchor('claim', id)}">
                <a href="${linkToContribution(folded, tour, by)}">${id}</a> <bdi>${oneLine(text, 160)}</bdi>
              </li> `,
          )}
        </ul>
      </details>`
    }
  </section> `;
}

function renderThread({ claim, challenges }: Thread, meta: Meta, show: Show): Html {
  const { w, text } = show;
  const title = claim
    ? formatLabelledValue(claim.id, formatShownName(meta, claim.by), show)
    : w.page.noTarget;
  return html`<article class="thread" ${claim && html` id="${anchor('claim', claim.id)}"`}>
    <h3>${title}</h3>
    ${claim && html`<div class="words claim">${text(claim.text)}</div>`}
    ${challenges.map((challenge) => renderChallenge(challenge, meta, show))}
  </article> `;
}

function renderChallenge(challenge: Raised, meta: Meta, show: Show): Html {
  const { w, text } = show;
  const { id, against, status, answer } = challenge;
  return html`<div class="challenge ${status}" id="${anchor('challenge', id)}">
    <p class="beside">
      <a href="#${anchor('challenge', id)}"><strong>${id}</strong></a>
      ${renderChallengeFacts(challenge, meta, show)}
    </p>
    <div class="words">${text(challenge.text)}</div>
    ${
      answer &&
      html`<div class="answer">
        <p class="beside">${fill(w.page.answerOf, { name: formatShownName(meta, against ?? '') })}</p>
        <div class="words">${text(answer)}</div>
      </div>`
    }
  </div> `;
}

/** Who challenges whom, and what became of it. */
function renderChallengeFacts(
  { by, against, quote, status, unexplained }: Named,
  meta: Meta,
  { w }: Show,
): string {
  const who =
    against === null
      ? formatShownName(meta, by)
      : fill(w.page.to, { by: formatShownName(meta, by), to: formatShownName(meta, against) });
  const facts = [
    ...(quote === 'none' ? [] : [fill(w.page.quote, { quote: w.ledger[quote] })]),
    unexplained ? `${w.ledger[status]}, ${w.ledger.unexplained}` : w.ledger[status],
  ];
  return [who, ...facts].join(' · ');
}

/** A claim in one line, with the ways to the pages where its challenges stand. */
const foldedThread = (
  { claim, challenges }: Threads['foldedThreads'][number],
  meta: Meta,
  show: Show,
): Html =>
  html`<li ${claim && !claim.isHere && html`id="${anchor('claim', claim.id)}"`}>
    ${claim ? html`${claim.id} <bdi>${oneLine(claim.text, 160)}</bdi>` : show.w.page.noTarget}
    <ul>
      ${challenges.map(
        (one) =>
          html`<li id="${anchor('challenge', one.id)}">
            <a href="${roundPage(one.tour)}#${anchor('challenge', one.id)}">${one.id}</a>
            ${renderChallengeFacts(one, meta, show)}
          </li> `,
      )}
    </ul>
  </li> `;
