// Page of an active council: clock, seats, contributions as far as visible, and the convener's decisions.
import { setTimeout as delay } from 'node:timers/promises';
import { getSeat, awaited } from '../../../core/app/state-document.ts';
import type { StateDocument } from '../../../core/app/state-document.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { PageWords } from '../../page/words.ts';
import { html } from '../../page/html.ts';
import type { AskedPart } from '../../page/parts.ts';
import type { Html } from '../../page/html.ts';
import type { Ctx } from '../context.ts';
import { respondWithProblem, redirectAfterPost, respondWithExplanation, respondWithPage } from './layout.ts';
import { renderFormToken } from './visitor.ts';
import { renderHeartbeatNotice } from './councils.ts';
import { addInvitations, renderInvitationForm } from './join.ts';
import { chooseMainAction, renderMainActionForm } from './main-action.ts';
import type { MainAction } from './main-action.ts';
import { addRetry, renderRetryForm } from './retry.ts';
import { renderSeatsTable } from './seats-table.ts';
import type { Site } from './site.ts';
import {
  renderClock,
  renderPhaseSteps,
  renderSeatWays,
  renderTroubles,
  describeAwaited,
  formatSeatTitle,
} from './council-state.ts';
import type { Visitor } from './visitor.ts';
import type { CallOutcome } from '../../remote/perform-call.ts';
import { asDuration } from '../../../core/base/duration.ts';
import { translatePhase } from '../../page/page-formats.ts';
import { loadPageWords } from '../../page/words.ts';

export function addCouncil(site: Site): void {
  site.get('/councils/:name', async (c, visitor) => {
    const name = c.req.param('name') ?? '';
    const { caller } = visitor;
    // A seat gets its own view instead of this page.
    if (caller?.role === 'participant' && caller.council === name)
      return redirectAfterPost(c, `/councils/${name}/seat`);
    const denied = visitor.may('status');
    if (denied) return respondWithProblem(c, visitor, denied);
    const found = await site.looks.find(name, caller);
    if ('archive' in found)
      return redirectAfterPost(c, `/archives/${encodeURIComponent(found.archive.meta.id)}`);
    const done = await visitor.ask('status', { name });
    const [state] = (done.document as { councils?: StateDocument[] }).councils ?? [];
    if (!state) return respondWithProblem(c, visitor, done);
    const asked = readAskedPart(c);
    const parts = await site.looks.draw(found, asked);
    const w = loadPageWords(parts.lang);
    const notice = await renderHeartbeatNotice(site, { w });
    const action = chooseMainAction(state, visitor, await site.looks.isBeating());
    return respondWithPage(c, visitor, {
      title: parts.title,
      lang: parts.lang,
      at: 'councils',
      live: name,
      news: describeCouncilNews(state, w),
      main: html`${renderDoneNotice(c, w)} ${notice}
        <div id="now" data-live>
          ${parts.heading} ${renderPhaseSteps(state, w)}
          <p id="clock">${renderClock(state, w)}</p>
          <p id="waits">${describeAwaited(state, w)}</p>
          ${renderMainActionForm(action, state, visitor, w)} ${renderSeatWays(state, { caller, w })}
          ${canSeeNames(state, visitor) && html`<p id="names" class="notice">${w.site.namesSeen}</p>`}
          <div id="troubles">${renderTroubles(state, w)} ${renderRetryForm(state, visitor, w)}</div>
          <div id="seats">${renderSeatsTable(state, w, asked.seats)}</div>
        </div>
        ${caller?.role === 'admin' && renderDecisions(state, action, visitor, w)}
        <div id="so-far" data-live>${parts.main}</div>`,
    });
  });
  addDecisions(site);
  addInvitations(site);
  addRetry(site);
}

/** Reads which part of a long council is requested. */
export function readAskedPart(c: Ctx): AskedPart {
  const { round = '', at, seats = '' } = c.req.query();
  return {
    round: Number.parseInt(round, 10),
    ...(at !== undefined && { at }),
    ...(seats !== '' && { seats: Number.parseInt(seats, 10) || 1 }),
  };
}

/** A participant of an anonymous council is warned that this page shows names. */
const canSeeNames = ({ anonymous, order }: StateDocument, { caller }: Visitor): boolean =>
  anonymous && caller?.participant !== undefined && order.includes(caller.participant);

function describeCouncilNews(state: StateDocument, w: PageWords): string {
  const count = state.order.length;
  const spoken = state.order.filter((id) => getSeat(state, id).status !== 'WAITING').length;
  return fill(w.site.newsSpoken, { spoken, count, phase: translatePhase(state.currentPhase, w) });
}

const DONE: Record<string, 'doneExtend' | 'doneExcuse' | 'doneRetry' | 'doneTick' | 'doneStart'> = {
  extend: 'doneExtend',
  excuse: 'doneExcuse',
  retry: 'doneRetry',
  tick: 'doneTick',
  start: 'doneStart',
};

function renderDoneNotice(c: Ctx, { site }: PageWords): Html | null {
  const key = DONE[c.req.query('done') ?? ''];
  return key === undefined ? null : html`<p class="notice" role="status">${site[key]}</p>`;
}

// The convener's decisions about a council, each with a reason and a confirmation.

const DECISIONS = ['extend', 'excuse', 'cancel', 'tick'] as const;
type DecisionKind = (typeof DECISIONS)[number];

/** The fields of each decision, besides the council's name. */
const FIELDS: Record<DecisionKind, readonly string[]> = {
  extend: ['duration', 'why'],
  excuse: ['agent', 'why'],
  cancel: ['why'],
  tick: ['why'],
};

/** Renders the collapsed forms, without the one shown above as the main action. */
function renderDecisions(state: StateDocument, action: MainAction, visitor: Visitor, w: PageWords): Html {
  const { site } = w;
  const { name } = state;
  const renderDecision = (what: DecisionKind, help: string, fields: Html): Html =>
    html`<details class="decision">
      <summary>${site[what]}</summary>
      <form method="post" action="/councils/${name}/${what}" class="narrow">
        ${renderFormToken(visitor)}
        <p>${help}</p>
        ${fields} ${renderConfirmation(what, site)}
        <button class="${what === 'cancel' ? 'danger' : ''}">${site[what]}</button>
      </form>
    </details>`;
  const renderReasonField = (what: DecisionKind, usual = ''): Html =>
    html`<label for="why-${what}">${site.reason}</label>
      <input id="why-${what}" name="why" value="${usual}" required maxlength="500" />`;
  const waits = awaited(state);
  return html`<section id="decide" aria-labelledby="decide-h">
    <h2 id="decide-h">${site.decide}</h2>
    ${renderInvitationForm(state, visitor, w)}
    ${renderDecision(
      'extend',
      site.extendHelp,
      html`<label for="duration">${site.howLong}</label>
        <input id="duration" name="duration" required maxlength="20" value="30m" />
        ${renderReasonField('extend')}`,
    )}
    ${
      waits.length > 0 &&
      renderDecision(
        'excuse',
        site.excuseHelp,
        html`<label for="agent">${site.whom}</label>
          <select id="agent" name="agent" required>
            ${waits.map((id) => html`<option value="${id}">${formatSeatTitle(state, id)}</option>`)}
          </select>
          ${renderReasonField('excuse')}`,
      )
    }
    ${action !== 'tick' && renderDecision('tick', site.tickHelp, renderReasonField('tick', site.tickWhy))}
    ${renderDecision('cancel', site.cancelHelp, renderReasonField('cancel'))}
  </section>`;
}

/** A confirmation in the same form. A tick only does what a heartbeat would do, so its button confirms it. */
const renderConfirmation = (what: DecisionKind, site: PageWords['site']): Html =>
  what === 'tick'
    ? html`<input type="hidden" name="sure" value="yes" />`
    : html`<label class="sure"
        ><input type="checkbox" name="sure" value="yes" required /> ${site.sure}</label
      >`;

function addDecisions(site: Site): void {
  for (const what of DECISIONS)
    site.post(`/councils/:name/${what}`, async (c, visitor, form) => {
      const name = c.req.param('name') ?? '';
      const given = Object.fromEntries(FIELDS[what].map((field) => [field, form.get(field) ?? '']));
      const denied = visitor.may(what);
      if (denied) return respondWithProblem(c, visitor, denied);
      const found = await site.looks.find(name, visitor.caller);
      if ('archive' in found)
        return redirectAfterPost(c, `/archives/${encodeURIComponent(found.archive.meta.id)}`);
      const w = loadPageWords(found.council.state.lang);
      if (given.why?.trim() === '')
        return respondWithExplanation(c, visitor, { status: 422, code: 'usage', says: w.site.reasonNeeded });
      if (given.duration !== undefined && asDuration(given.duration) === undefined)
        return respondWithExplanation(c, visitor, { status: 422, code: 'usage', says: w.site.notATime });
      if (form.get('sure') !== 'yes')
        return respondWithExplanation(c, visitor, { status: 422, code: 'usage', says: w.site.sureNeeded });
      const asked = visitor.ask(what, { ...given, name });
      const done = await (what === 'tick' ? waitForEarlyFailure(asked) : asked);
      if (done?.failed) return respondWithProblem(c, visitor, done);
      return redirectAfterPost(c, what === 'cancel' ? `/archives/${name}` : `/councils/${name}?done=${what}`);
    });
}

/** Milliseconds: a refusal arrives sooner, even on a busy machine. */
const BEGUN_MS = 3000;

/** A tick takes as long as its agents: immediate failures are reported, later progress shows on the page. */
const waitForEarlyFailure = (asked: Promise<CallOutcome>): Promise<CallOutcome | undefined> =>
  Promise.race([asked, delay(BEGUN_MS, undefined, { ref: false })]);
