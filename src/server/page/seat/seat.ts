// Renders the page of a seat: the question, the result of sending, the form, and everything to read.
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { renderTime, formatAnchor, translatePhase } from '../page-formats.ts';
import type { RenderContext } from '../page-formats.ts';
import { splitContribution, EMPTY_ANSWER, createStartingAnswer } from './answer.ts';
import type { SeatDocument, SeatChallenge, SeatContribution } from './document.ts';
import { renderSeatForm } from './form.ts';
import type { FormParts } from './form.ts';
import { renderSeatReport } from './report.ts';
import type { FormOutcome } from './report.ts';
import { formatUnbrokenTime } from '../elapsed-time.ts';

export interface SeatParts extends Omit<FormParts, 'isWrong' | 'replaces' | 'isRecorded'> {
  outcome: FormOutcome | null;
  /** The author's recorded text of this round, verbatim; null if there is none, or it must not be shown here. */
  recorded: string | null;
  /** True if the visitor may see more of this council elsewhere. */
  seesMore: boolean;
  /** True if the visitor may also decide about it. */
  decides: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  /** The address of the full prompt. */
  promptAt: string;
}

/** Renders the content of the page. A form with input is not refreshed. */
export function renderSeatMain(page: SeatDocument, show: RenderContext, parts: SeatParts): Html {
  const { view } = page;
  const { w } = show;
  const { outcome, recorded, seesMore, decides, now } = parts;
  const isWrong = outcome?.kind === 'refused';
  const replaces =
    view.status === 'RESPONDED' ||
    view.status === 'AGREED' ||
    (outcome?.kind === 'refused' && outcome.code === 'different_text');
  const isNew = parts.answer === EMPTY_ANSWER;
  const isRecorded = replaces && recorded !== null && isNew;
  const answer = isRecorded
    ? splitContribution(recorded, view)
    : isNew
      ? createStartingAnswer(view)
      : parts.answer;
  // A recorded answer is reported first, at the top; other reports concern the form and are next to it.
  const isSent = outcome?.kind === 'sent';
  return html`<header>
      <h1 dir="auto">${toOneLine(view.topic, 1000)}</h1>
      <p class="beside">${fill(w.seat.youAre, { participant: view.participant, name: view.name })}</p>
      ${seesMore && html`<p class="notice">${decides && w.seat.mayMove} ${w.seat.seesMore}</p>`}
    </header>
    ${isSent && renderSeatReport(outcome, view, show)}
    <div id="seen" data-live>
      ${renderNow(page, show, now)} ${renderHow(page, show)} ${renderChallenges(page, show)}
      ${renderBallot(page, show)} ${renderFindings(page, show)} ${renderFacts(page, show)}
      ${renderBrief(page, show)} ${renderOthers(page, show)} ${renderOwnTexts(page, show)}
    </div>
    ${!isSent && renderSeatReport(outcome, view, show)}
    <div id="turn" data-key="${view.key} ${String(view.asked)} ${String(replaces)}">
      ${(view.asked || answer.text !== '') && renderSeatForm(page, show, { ...parts, answer, isWrong, replaces, isRecorded })}
      <p><a href="${parts.promptAt}">${w.seat.everything}</a></p>
    </div>`;
}

// The first part of a seat: question, deadline, and link to the form.

/** `now`: milliseconds since the epoch. */
function renderNow({ view }: SeatDocument, { w }: RenderContext, now: number): Html {
  const { phase, tour, deadline, key, asked, label } = view;
  const left = Date.parse(deadline) - now;
  const minutes = Math.max(60_000, left - (left % 60_000));
  return html`<section id="now" aria-labelledby="now-h" data-key="${key}">
    <h2 id="now-h">${w.seat.asked}</h2>
    <p>
      <strong>${fill(w.view.phase, { phase: translatePhase(phase, w), tour })}</strong
      >${fill(w.common.labelled, { label: '', value: w.phases[phase] })}.
      ${view.phase === 'COLLECT' && asked && w.view.blind}
    </p>
    <p>${describeSeatStanding(view, w)}</p>
    <p>
      ${renderDeadline(deadline, w)}
      (${left > 0 ? fill(w.seat.left, { time: formatUnbrokenTime(minutes, w.common) }) : w.seat.over})
    </p>
    ${label !== null && html`<p class="beside">${fill(w.view.knownAs, { label })} ${w.page.letters}</p>`}
    ${asked && html`<p><a class="to-form" href="#answer">${w.seat.toForm}</a></p>`}
  </section> `;
}

/** How to write and think; collapsed, and separate from the remaining time, which changes. */
const renderHow = ({ how }: SeatDocument, { w, text }: RenderContext): Html | null =>
  how &&
  html`<details id="how">
    <summary>${w.seat.how}</summary>
    <div class="words">${text(how)}</div>
  </details> `;

/** Renders the time as an element, wherever it is in the sentence. */
function renderDeadline(deadline: string, w: RenderContext['w']): Html {
  const [before = '', after = ''] = w.seat.until.split('{deadline}');
  return html`${before}${renderTime(deadline, w)}${after}`;
}

function describeSeatStanding(
  { asked, status, phase, facts }: SeatDocument['view'],
  w: RenderContext['w'],
): string {
  if (asked) return status === 'WAITING' ? w.seat.yourTurn : w.seat.spoken;
  if (status === 'DONE') return w.view.alreadyDone;
  return phase === 'SYNTHESIZE' || facts ? w.seat.notAsked : w.view.notYourTurnCoordinator;
}

// What to read at a seat: challenges to its participant, ballot, contributions, brief.

type OptionalHtml = Html | null;

/** Returns null without open challenges. */
function renderChallenges({ challenges }: SeatDocument, show: RenderContext): OptionalHtml {
  if (challenges.length === 0) return null;
  return html`<section id="challenges" aria-labelledby="challenges-h">
    <h2 id="challenges-h">${show.w.view.challenges}</h2>
    ${challenges.map((one) => renderSeatChallenge(one, show))}
  </section> `;
}

function renderSeatChallenge(
  { id, by, claim, body, quote }: SeatChallenge,
  { w, text }: RenderContext,
): Html {
  const title = claim
    ? fill(w.view.challenge, { id, by, claim: claim.id })
    : fill(w.view.challengeAtLarge, { id, by });
  const note = {
    ...{ not_found: w.view.quoteNotFound, near: w.view.quoteNear, elsewhere: w.view.quoteElsewhere },
    ...{ verified: null, none: null },
  }[quote];
  return html`<article class="challenge open" id="${formatAnchor('challenge', id)}">
    <h3>${title}</h3>
    ${claim && html`<div class="words claim">${text(claim.body)}</div>`}
    <div class="words" data-quotable>${text(body)}</div>
    ${note !== null && html`<p class="beside">${note}</p>`}
  </article> `;
}

const renderFacts = ({ facts }: SeatDocument, { w, text }: RenderContext): OptionalHtml =>
  facts &&
  html`<section id="facts" aria-labelledby="facts-h">
    <h2 id="facts-h">${w.view.facts}</h2>
    <div class="words">${text(facts)}</div>
  </section> `;

const renderFindings = ({ findings }: SeatDocument, { w, text }: RenderContext): OptionalHtml =>
  findings &&
  html`<section id="findings" aria-labelledby="findings-h">
    <h2 id="findings-h">${w.view.findings}</h2>
    <div class="words" data-quotable>${text(findings)}</div>
  </section> `;

/** Returns null if the form below contains it. */
function renderBallot({ view: { ballot, asked, form } }: SeatDocument, { w }: RenderContext): OptionalHtml {
  const isInForm = asked && /^(?:vote|rank):/m.test(form);
  if (ballot.length === 0 || isInForm) return null;
  return html`<section id="ballot" aria-labelledby="ballot-h">
    <h2 id="ballot-h">${w.view.ballot}</h2>
    <ul class="plain">
      ${ballot.map(({ id, position }) => html`<li><strong>${id}</strong> <bdi>${position}</bdi></li>`)}
    </ul>
  </section> `;
}

const renderBrief = ({ brief }: SeatDocument, { w, text }: RenderContext): Html =>
  html`<section id="brief" aria-labelledby="brief-h">
    <h2 id="brief-h">${w.view.brief}</h2>
    <div class="words" data-quotable>${text(brief)}</div>
  </section> `;

const renderOthers = ({ others, findings, view }: SeatDocument, show: RenderContext): OptionalHtml =>
  others.length === 0 && (view.phase === 'COLLECT' || findings !== null)
    ? null
    : html`<section id="others" aria-labelledby="others-h">
        <h2 id="others-h">${show.w.view.others}</h2>
        ${others.length === 0 ? html`<p>${show.w.view.noOthers}</p>` : others.map((one) => renderSeatContribution(one, show))}
      </section> `;

const renderOwnTexts = ({ own }: SeatDocument, show: RenderContext): OptionalHtml =>
  own.length === 0
    ? null
    : html`<section id="own" aria-labelledby="own-h">
        <h2 id="own-h">${show.w.view.own}</h2>
        ${own.map((one) => renderSeatContribution(one, show))}
      </section> `;

function renderSeatContribution(
  { id, label, phase, tour, advocate, claims, form, body }: SeatContribution,
  { w, text }: RenderContext,
): Html {
  const title = fill(label === null ? w.archive.transcriptPhase : w.view.contribution, {
    ...(label !== null && { label }),
    ...{ phase: translatePhase(phase, w), tour },
  });
  return html`<article class="said" id="${id}" aria-labelledby="${id}-h">
    <h3 id="${id}-h"><a href="#${id}">${title}</a></h3>
    ${advocate && html`<p class="beside">${fill(w.view.advocateSaid, { contribution: title })}</p>`}
    ${form !== '' && html`<pre dir="auto">${form}</pre>`}
    <div class="words" ${label !== null && html`data-quotable`}>${text(body)}</div>
    ${label !== null && claims.length > 0 && renderClaimsList(claims, w)}
  </article> `;
}

/** Lists the claims that can be challenged, each with a button shown only by the script. */
function renderClaimsList(claims: SeatContribution['claims'], { seat }: RenderContext['w']): Html {
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
