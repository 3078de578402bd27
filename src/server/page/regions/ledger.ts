// Renders the ledger: each claim with its challenges and answers next to the claim's text, and an overview.
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { formatAnchor, formatLabelledValue, formatShownName, formatPermanentLink } from '../page-formats.ts';
import type { PageDocument } from '../document.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { RenderContext } from '../page-formats.ts';
import type { ChallengeFacts, ChallengeTexts, ClaimThread } from '../threads.ts';

/** Returns null without claims and challenges. A partial page shows only those made on it. */
export function renderLedger(page: PageDocument, show: RenderContext): Html | null {
  const { ledger, threads, unchallenged, part } = page;
  if (ledger.claims.length + ledger.challenges.length === 0) return null;
  const { w } = show;
  // On a partial page, claims are shown with their contributions.
  const beside = part ? [] : threads.filter(isBeside);
  const elsewhere = threads.filter((one) => !isBeside(one));
  const counts = { claims: ledger.claims.length, challenges: ledger.challenges.length };
  return html`<section id="ledger" aria-labelledby="ledger-h">
    <h2 id="ledger-h">${w.page.ledger}</h2>
    <p>${fill(w.page.counted, counts)}${part && html` ${w.page.partOfLedger}`}</p>
    ${
      beside.length > 0 &&
      html`<ul>
        ${beside.map((thread) => renderThreadLines(thread, page, show))}
      </ul>`
    }
    ${elsewhere.map((thread) => renderThread(thread, page, show))}
    ${
      unchallenged.length > 0 &&
      !part &&
      html`<details>
        <summary>${fill(w.page.unchallenged, { count: unchallenged.length })}</summary>
        <ul>
          ${unchallenged.map(
            ({ id, by, tour, words }) =>
              html`<li id="${formatAnchor('claim', id)}">
                <a href="#${formatAnchor('said', tour, by)}">${id}</a> <bdi>${toOneLine(words, 160)}</bdi>
              </li> `,
          )}
        </ul>
      </details>`
    }
  </section> `;
}

/** Returns whether a thread is shown next to the text with its claim. */
const isBeside = ({ claim }: ClaimThread): boolean => claim !== null && claim.text === null;

/** Renders a thread as one line per challenge, with links. */
const renderThreadLines = (
  { claim, challenges }: ClaimThread,
  page: PageDocument,
  show: RenderContext,
): Html =>
  html`<li>
    <a href="#${formatAnchor('claim', claim?.id ?? '')}">${claim?.id}</a>
    <bdi>${toOneLine(claim?.words ?? '', 120)}</bdi>
    <ul>
      ${challenges.map(
        (one) =>
          html`<li>
            <a href="#${formatAnchor('challenge', one.id)}">${one.id}</a>
            ${renderChallengeFacts(one, page, show)}
          </li> `,
      )}
    </ul>
  </li> `;

/** Maximum number of expanded challenges next to a contribution. */
const OPEN_BESIDE = 3;

/** Renders the threads next to a contribution, which shows the claims already. */
export function renderMarginThreads(
  threads: readonly ClaimThread[],
  page: PageDocument,
  show: RenderContext,
): Html | null {
  if (threads.length === 0) return null;
  let left = OPEN_BESIDE;
  return html`${threads.map(({ claim, challenges, elsewhere, more }) => {
    const open = challenges.slice(0, Math.max(0, left));
    const others = challenges.slice(open.length);
    left -= open.length;
    return html`<div class="thread" id="${formatAnchor('claim', claim?.id ?? '')}">
      <p class="beside"><strong>${claim?.id}</strong> <bdi>${toOneLine(claim?.words ?? '', 90)}</bdi></p>
      ${open.map((one) => renderChallenge(one, page, show))}
      ${
        others.length > 0 &&
        html`<details>
          <summary>${fill(show.w.page.more, { count: others.length })}</summary>
          ${others.map((one) => renderChallenge(one, page, show))}
        </details>`
      }${elsewhere.map((one) => renderNamed(one, page, show))}${more > 0 && html`<p class="beside">${fill(show.w.page.more, { count: more })}</p>`}
    </div> `;
  })}`;
}

/** Renders a challenge on another page as a one-line link. */
const renderNamed = (one: ChallengeFacts, page: PageDocument, show: RenderContext): Html =>
  html`<p class="challenge ${one.status} beside" id="${formatAnchor('challenge', one.id)}">
    <a href="${formatPermanentLink(page.part, formatAnchor('challenge', one.id))}"
      ><strong>${one.id}</strong></a
    >
    ${renderChallengeFacts(one, page, show)}
  </p> `;

function renderThread({ claim, challenges }: ClaimThread, page: PageDocument, show: RenderContext): Html {
  const { w, text } = show;
  const { meta } = page.archive;
  const title = claim
    ? formatLabelledValue(claim.id, formatShownName(meta, claim.by), show)
    : w.page.noTarget;
  return html`<article class="thread" ${claim && html` id="${formatAnchor('claim', claim.id)}"`}>
    <h3>
      ${claim && page.part ? html`<a href="${formatPermanentLink(page.part, formatAnchor('claim', claim.id))}">${title}</a>` : title}
    </h3>
    ${claim?.text && html`<div class="words claim">${text(claim.text)}</div>`}
    ${challenges.map((challenge) => renderChallenge(challenge, page, show))}
  </article> `;
}

function renderChallenge(challenge: ChallengeTexts, page: PageDocument, show: RenderContext): Html {
  const { w, text } = show;
  const { meta } = page.archive;
  const { id, against, status, answer } = challenge;
  return html`<div class="challenge ${status}" id="${formatAnchor('challenge', id)}">
    <p class="beside">
      <a href="${formatPermanentLink(page.part, formatAnchor('challenge', id))}"><strong>${id}</strong></a>
      ${renderChallengeFacts(challenge, page, show)}
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

/** Describes who challenges whom, and the result. */
function renderChallengeFacts(
  { by, against, quote, status, unexplained }: ChallengeFacts,
  { archive: { meta } }: PageDocument,
  { w }: RenderContext,
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
