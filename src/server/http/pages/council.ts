// Page of an active council: clock, seats, contributions as far as visible, and the convener's decisions.
import { setTimeout as delay } from 'node:timers/promises';
import { getSeat, awaited, isBlindNow } from '../../../core/app/state-document.ts';
import type { StateDocument } from '../../../core/app/state-document.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { PageWords } from '../../page/words.ts';
import { html } from '../../page/html.ts';
import type { AskedPart } from '../../page/parts.ts';
import type { Html } from '../../page/html.ts';
import type { Ctx } from '../context.ts';
import { respondWithProblem, redirectToPage, respondWithExplanation, respondWithPage } from './layout.ts';
import { renderFormToken } from './visitor.ts';
import { renderHeartbeatNotice } from './councils.ts';
import { addInvitations, renderInvitationForm } from './join.ts';
import {
  addRetry,
  renderRetryForm,
  renderClock,
  renderPhaseSteps,
  renderSeatWays,
  renderTroubles,
  describeAwaited,
  formatSeatTitle,
  describeSeatProgress,
  listPeople,
} from './council-state.ts';
import type { Site } from './site.ts';

import type { Visitor } from './visitor.ts';
import type { CallOutcome } from '../../remote/perform-call.ts';
import { asDuration } from '../../../core/base/duration.ts';
import { translatePhase, renderTable } from '../../page/page-formats.ts';
import { loadPageWords } from '../../page/words.ts';
import { formatUnbrokenTime } from '../../page/elapsed-time.ts';
import { A_PAGE, findFirstSeat, renderSeatsNavigation } from '../../page/parts.ts';

export function addCouncil(site: Site): void {
  site.get('/councils/:name', async (c, visitor) => {
    const name = c.req.param('name') ?? '';
    const { caller } = visitor;
    // A seat gets its own view instead of this page.
    if (caller?.role === 'participant' && caller.council === name)
      return redirectToPage(c, `/councils/${name}/seat`);
    const denied = visitor.may('status');
    if (denied) return respondWithProblem(c, visitor, denied);
    const found = await site.data.find(name, caller);
    if ('archive' in found)
      return redirectToPage(c, `/archives/${encodeURIComponent(found.archive.meta.id)}`);
    const done = await visitor.ask('status', { name });
    const [state] = (done.document as { councils?: StateDocument[] }).councils ?? [];
    if (!state) return respondWithProblem(c, visitor, done);
    const asked = readAskedPart(c);
    const parts = await site.data.render(found, asked);
    const w = loadPageWords(parts.lang);
    const notice = await renderHeartbeatNotice(site, { w });
    const action = chooseMainAction(state, visitor, await site.data.isBeating());
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
      const found = await site.data.find(name, visitor.caller);
      if ('archive' in found)
        return redirectToPage(c, `/archives/${encodeURIComponent(found.archive.meta.id)}`);
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
      return redirectToPage(c, what === 'cancel' ? `/archives/${name}` : `/councils/${name}?done=${what}`);
    });
}

/** Milliseconds: a refusal arrives sooner, even on a busy machine. */
const BEGUN_MS = 3000;

/** A tick takes as long as its agents: immediate failures are reported, later progress shows on the page. */
const waitForEarlyFailure = (asked: Promise<CallOutcome>): Promise<CallOutcome | undefined> =>
  Promise.race([asked, delay(BEGUN_MS, undefined, { ref: false })]);

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

/** The action offered first; `none` if the visitor can only wait. */
type MainAction = 'seat' | 'invite' | 'tick' | 'none';

/** `isBeating`: a heartbeat moves councils on, so that a tick is offered only if something is due. */
export function chooseMainAction(
  state: StateDocument,
  { caller, may }: Pick<Visitor, 'caller' | 'may'>,
  isBeating: boolean,
): MainAction {
  const waits = awaited(state);
  const own = caller?.participant;
  if (own !== undefined && waits.includes(own)) return 'seat';
  // Those who may decide about councils may invite to them.
  const isDecider = caller?.role === 'admin' && may('extend') === undefined;
  if (isDecider && listAbsentPeople(state).length > 0) return 'invite';
  const isDue = waits.length === 0 || Date.parse(state.timeoutAt) <= Date.now() || !isBeating;
  return isDue && may('tick') === undefined && caller?.role === 'admin' ? 'tick' : 'none';
}

const listAbsentPeople = (state: StateDocument): string[] => {
  const waits = new Set(awaited(state));
  return listPeople(state).filter((id) => waits.has(id));
};

/** Renders its form; null for a seat, whose link is among those to seats. */
function renderMainActionForm(
  action: MainAction,
  state: StateDocument,
  visitor: Visitor,
  { site }: PageWords,
): Html | null {
  if (action === 'invite') {
    const people = listAbsentPeople(state);
    const [only = ''] = people;
    return html`<form id="main-action" method="post" action="/councils/${state.name}/invite" class="row">
      ${renderFormToken(visitor)}
      ${
        people.length === 1
          ? html`<input type="hidden" name="agent" value="${only}" />`
          : html`<div>
              <label for="invited-first">${site.whom}</label>
              <select id="invited-first" name="agent">
                ${people.map((id) => html`<option value="${id}">${formatSeatTitle(state, id)}</option>`)}
              </select>
            </div>`
      }
      <button class="main" name="do" value="invite">
        ${people.length === 1 ? fill(site.inviteOne, { name: formatSeatTitle(state, only) }) : site.invite}
      </button>
    </form>`;
  }
  if (action !== 'tick') return null;
  return html`<form id="main-action" method="post" action="/councils/${state.name}/tick" class="row">
    ${renderFormToken(visitor)}<input type="hidden" name="sure" value="yes" /><input
      type="hidden"
      name="why"
      value="${site.tickWhy}"
    />
    <button class="main">${site.tick}</button>
  </form>`;
}
