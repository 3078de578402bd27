// Cards on the first page: for a seat, an approval, a question, a message, or a stuck council.
import { awaited } from '../../../core/app/state-document.ts';
import type { StateDocument } from '../../../core/app/state-document.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { translateNotice } from './council-notices.ts';
import { renderTime } from '../../page/page-formats.ts';
import { renderProgramMessage } from './layout.ts';
import {
  renderRetryForm,
  renderClock,
  formatSeatTitle,
  listPeople,
  renderTroubles,
} from './council-state.ts';
import { renderFormToken } from './visitor.ts';

import type { Visitor } from './visitor.ts';

export interface ActiveCouncils {
  councils: StateDocument[];
  unreadable?: { name: string; code: string; message: string; hint: string | null }[];
}

/** A request for approval, as in `approvals`. */
export interface WaitingRequest {
  id: string;
  status: string;
  requester: string;
  operation: string;
  risk: string;
  until: string;
  details: Record<string, unknown>;
}

export interface WaitingTask {
  id: string;
  session: string;
  worker: string | null;
  question: { text: string; options: string[] } | null;
}

export interface WaitingMessage {
  id: string;
  time: string;
  from: string;
  channel: string;
  type?: string;
  text: string;
}

const renderCouncilLink = ({ name, topic }: StateDocument): Html =>
  html`<h3><a href="/councils/${name}" dir="auto">${toOneLine(topic, 300)}</a></h3>`;

export const renderTurnCard = (state: StateDocument, { w }: Visitor): Html =>
  html`<article class="card" id="turn-${state.name}">
    ${renderCouncilLink(state)}
    <p>${renderClock(state, w)}</p>
    <p class="ways"><a class="to-form main" href="/councils/${state.name}/seat">${w.site.yourTurn}</a></p>
  </article>`;

/** Shows the whole request: a person who approves must have read what will run. */
export function renderRequestCard(
  { id, requester, operation, risk, until, details }: WaitingRequest,
  visitor: Visitor,
): Html {
  const { site } = visitor.w;
  const why = `why-${id}`;
  return html`<article class="card" id="approval-${id}">
    <h3 dir="auto">${fill(site.asksFor, { name: requester, what: toOneLine(operation, 300) })}</h3>
    <p>${fill(site.risk, { risk })} · ${fill(site.until, { time: '' })}${renderTime(until, visitor.w)}</p>
    <pre dir="auto">${JSON.stringify(details, null, 2)}</pre>
    ${
      visitor.caller?.role === 'admin' &&
      html`<form method="post" action="/approvals/${id}" class="row">
        ${renderFormToken(visitor)}
        <button name="do" value="approve">${site.approve}</button>
        <div>
          <label for="${why}">${site.rejectWhy}</label><input id="${why}" name="reason" maxlength="500" />
        </div>
        <button name="do" value="reject" class="danger">${site.reject}</button>
      </form>`
    }
  </article>`;
}

export function renderQuestionCard({ id, session, worker, question }: WaitingTask, visitor: Visitor): Html {
  const { site } = visitor.w;
  const field = `answer-${session}-${id}`;
  return html`<article class="card" id="question-${session}-${id}">
    <h3><a href="/tasks/${session}/${id}">${session}/${id}</a> ${worker}</h3>
    <p dir="auto">${question?.text}</p>
    <form method="post" action="/tasks/${session}/${id}/answer" class="row">
      ${renderFormToken(visitor)}
      ${
        question && question.options.length > 0
          ? question.options.map(
              (one) => html`<button name="text" value="${one}">${toOneLine(one, 200)}</button> `,
            )
          : html`<div>
                <label for="${field}">${site.answer}</label><input id="${field}" name="text" required />
              </div>
              <button>${site.sendAnswer}</button>`
      }
    </form>
  </article>`;
}

export function renderMessageCard(
  { id, time: at, from, channel, text }: WaitingMessage,
  visitor: Visitor,
): Html {
  const { site } = visitor.w;
  const field = `reply-${channel}-${id}`;
  return html`<article class="card" id="message-${channel}-${id}">
    <h3>
      <a href="/messages/${encodeURIComponent(channel)}">${toOneLine(from, 80)}</a>,
      ${renderTime(at, visitor.w)}
    </h3>
    <p class="raw" dir="auto">${translateNotice({ from, text }, visitor.w)}</p>
    <form
      method="post"
      action="/messages/${encodeURIComponent(channel)}/${encodeURIComponent(id)}"
      class="row"
    >
      ${renderFormToken(visitor)}<input type="hidden" name="to" value="${from}" />
      <div><label for="${field}">${site.answer}</label><input id="${field}" name="text" /></div>
      <button name="do" value="reply">${site.sendAnswer}</button>
      <button name="do" value="ack" class="quiet">${site.handled}</button>
    </form>
  </article>`;
}

export function renderStuckCard(state: StateDocument, visitor: Visitor): Html | undefined {
  const { w } = visitor;
  const found = renderTroubles(state, w);
  return found.length === 0
    ? undefined
    : html`<article class="card" id="stuck-${state.name}">
        ${renderCouncilLink(state)} ${found} ${renderRetryForm(state, visitor, w)}
      </article>`;
}

export function renderUnreadableCard(
  { name, code, message, hint }: NonNullable<ActiveCouncils['unreadable']>[number],
  visitor: Visitor,
): Html {
  const { says, exactly } = renderProgramMessage(visitor, { code, detail: toOneLine(message, 400), hint });
  return html`<div class="notice" id="unreadable-${name}">
    <p>${fill(visitor.w.site.unreadable, { name: toOneLine(name, 80), reason: says })}</p>
    ${exactly}
  </div>`;
}

/** Lists other people whose turn it is, to be invited by an admin; answering for them is the last, smallest link. */
export function renderAwaitedOthers(councils: readonly StateDocument[], visitor: Visitor): Html | null {
  const { caller, w } = visitor;
  if (caller?.role !== 'admin') return null;
  const others = councils.flatMap((state) =>
    listPeople(state)
      .filter((id) => id !== caller.participant && awaited(state).includes(id))
      .map((id) => ({ state, id })),
  );
  if (others.length === 0) return null;
  return html`<section id="others" class="beside" aria-labelledby="others-h">
    <h2 id="others-h">${w.site.othersAwaited}</h2>
    <ul>
      ${others.map(
        ({ state, id }) =>
          html`<li>
            <form method="post" action="/councils/${state.name}/invite" class="row">
              ${renderFormToken(visitor)}<input type="hidden" name="agent" value="${id}" />
              <span
                >${formatSeatTitle(state, id)},
                <a href="/councils/${state.name}" dir="auto">${toOneLine(state.topic, 120)}</a></span
              >
              <button name="do" value="invite" class="quiet">
                ${fill(w.site.inviteOne, { name: formatSeatTitle(state, id) })}
              </button>
              <a href="/councils/${state.name}/seat?as=${encodeURIComponent(id)}"
                >${fill(w.site.seatOf, { name: formatSeatTitle(state, id) })}</a
              >
            </form>
          </li>`,
      )}
    </ul>
  </section>`;
}
