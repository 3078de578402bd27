// The first page: what waits for its visitor, as a card each, and nothing else.
import { translateNotice } from './council-notices.ts';
import { awaited } from '../../../core/app/state-document.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import type { Ctx } from '../context.ts';
import { respondWithProblem, redirectToPage, respondWithPage, renderProgramMessage } from './layout.ts';
import { renderHeartbeatNotice } from './councils.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';
import { isCouncilNotice } from '../../../team/messages/use/announcer.ts';
import { isTaskQuestion } from '../../../team/tasks/use/steer-task.ts';
import type { StateDocument } from '../../../core/app/state-document.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { renderTime } from '../../page/page-formats.ts';
import {
  renderRetryForm,
  renderClock,
  formatSeatTitle,
  listPeople,
  renderTroubles,
} from './council-state.ts';
import { renderFormToken } from './visitor.ts';

const MOST_MESSAGES = 20;

interface Needs {
  standing: ActiveCouncils;
  requests: WaitingRequest[];
  tasks: WaitingTask[];
  messages: WaitingMessage[];
}

export function addNeeds(site: Site): void {
  site.get('/', async (c, visitor) => {
    const { caller, w } = visitor;
    if (caller?.role === 'participant') return redirectToPage(c, `/councils/${caller.council ?? ''}/seat`);
    const done = await visitor.ask('status', {});
    const { councils, unreadable } = done.document as Partial<ActiveCouncils>;
    if (!councils) return respondWithProblem(c, visitor, done);
    const parts = listParts(
      { standing: { councils, ...(unreadable && { unreadable }) }, ...(await gatherAsked(visitor)) },
      visitor,
    );
    const count = parts.reduce((sum, { items }) => sum + items.length, 0);
    const title = count === 0 ? w.site.needs : fill(w.site.needsCount, { count });
    return respondWithPage(c, visitor, {
      title: count === 0 ? title : `(${count}) ${w.site.needs}`,
      at: 'needs',
      live: '',
      news: title,
      main: html`<h1>${title}</h1>
        ${renderDoneNotice(c, visitor)} ${await renderHeartbeatNotice(site, visitor)}
        <div id="needs" data-live>
          ${count === 0 && html`<p id="nothing">${w.site.nothingNeeded}</p>`}
          ${parts.map(({ id, title, items }) => items.length > 0 && renderNeedsSection(id, title, items))}
          ${renderAwaitedOthers(councils, visitor)}
          <p class="beside" id="going-on">
            <a href="/councils">${fill(w.site.goingOn, { count: councils.length })}</a>
          </p>
        </div>
        <button id="notify" class="quiet" aria-pressed="false" hidden>${w.site.notify}</button>`,
    });
  });
  addAnswers(site);
}

/** Returns the visitor's name in messages and seats; "human" for an admin. */
export const nameSelf = ({ caller }: Visitor): string | undefined =>
  caller?.participant ?? (caller?.role === 'admin' ? 'human' : undefined);

/** Gathers what others ask of the visitor; calls that are not allowed give nothing. */
async function gatherAsked(visitor: Visitor): Promise<Omit<Needs, 'standing'>> {
  const self = nameSelf(visitor);
  const unread = { agent: self, unread: true, limit: MOST_MESSAGES };
  const [approvals, task, inbox] = await Promise.all([
    visitor.ask('approvals', {}),
    visitor.ask('task', { action: 'list' }),
    self === undefined ? { document: {} } : visitor.ask('inbox', unread),
  ]);
  const { approvals: requests = [] } = approvals.document as { approvals?: WaitingRequest[] };
  const { tasks = [] } = task.document as { tasks?: WaitingTask[] };
  const { messages = [] } = inbox.document as { messages?: WaitingMessage[] };
  const asking = tasks.filter(({ question }) => question !== null);
  return {
    requests: requests.filter(({ status }) => status === 'pending'),
    tasks: asking,
    // A worker's question is also a message, but only shown among the questions.
    messages: messages.filter((one) => !isTaskQuestion(one, asking)),
  };
}

interface NeedsPart {
  id: string;
  title: string;
  items: Html[];
}

function listParts({ standing, requests, tasks, messages }: Needs, visitor: Visitor): NeedsPart[] {
  const { caller, w } = visitor;
  const { councils, unreadable = [] } = standing;
  const own = caller?.participant;
  const turns = councils.filter((state) => own !== undefined && awaited(state).includes(own));
  // The council has announced these turns in its channel as well.
  const mail = messages.filter((one) => !isCouncilNotice(one, turns));
  return [
    { id: 'turns', title: w.site.yourTurns, items: turns.map((state) => renderTurnCard(state, visitor)) },
    {
      id: 'approvals',
      title: w.site.toApprove,
      items: requests.map((one) => renderRequestCard(one, visitor)),
    },
    { id: 'questions', title: w.site.questions, items: tasks.map((one) => renderQuestionCard(one, visitor)) },
    { id: 'mail', title: w.site.toYou, items: mail.map((one) => renderMessageCard(one, visitor)) },
    {
      id: 'stuck',
      title: w.site.stuck,
      items: [
        ...councils.flatMap((state) => renderStuckCard(state, visitor) ?? []),
        ...unreadable.map((one) => renderUnreadableCard(one, visitor)),
      ],
    },
  ];
}

const renderNeedsSection = (id: string, title: string, items: readonly Html[]): Html =>
  html`<section id="${id}" aria-labelledby="${id}-h">
    <h2 id="${id}-h">${title}</h2>
    ${items}
  </section>`;

const DONE = {
  answer: 'doneAnswer',
  handled: 'doneHandled',
  approve: 'doneApprove',
  reject: 'doneReject',
} as const;

function renderDoneNotice(c: Ctx, { w }: Visitor): Html | null {
  const done = c.req.query('done') ?? '';
  return Object.hasOwn(DONE, done)
    ? html`<p class="notice" role="status">${w.site[DONE[done as keyof typeof DONE]]}</p>`
    : null;
}

/** Handles the forms of this page. */
function addAnswers(site: Site): void {
  site.post('/approvals/:id', async (c, visitor, form) => {
    const action = form.get('do') === 'approve' ? 'approve' : 'reject';
    const reason = action === 'reject' && { reason: form.get('reason') ?? '' };
    const as = visitor.caller?.participant ?? 'admin';
    const done = await visitor.ask('approvals', { action, id: c.req.param('id'), as, ...reason });
    return done.failed ? respondWithProblem(c, visitor, done) : redirectToPage(c, `/?done=${action}`);
  });
  site.post('/tasks/:session/:id/answer', async (c, visitor, form) => {
    const text = `${c.req.param('session')}/${c.req.param('id')} ${form.get('text') ?? ''}`;
    const done = await visitor.ask('task', { action: 'answer', text });
    return done.failed ? respondWithProblem(c, visitor, done) : redirectToPage(c, '/?done=answer');
  });
  site.post('/messages/:channel/:id', async (c, visitor, form) => {
    const self = nameSelf(visitor);
    const [channel = '', id = ''] = [c.req.param('channel'), c.req.param('id')];
    const text = form.get('text') ?? '';
    const isReply = form.get('do') === 'reply' && text.trim() !== '';
    if (isReply) {
      const sent = await visitor.ask('send', { text, to: form.get('to'), from: self, channel, replyTo: id });
      if (sent.failed) return respondWithProblem(c, visitor, sent);
    }
    const done = await visitor.ask('ack', { ids: [`${channel}/${id}`], as: self });
    return done.failed
      ? respondWithProblem(c, visitor, done)
      : redirectToPage(c, `/?done=${isReply ? 'answer' : 'handled'}`);
  });
}

interface ActiveCouncils {
  councils: StateDocument[];
  unreadable?: { name: string; code: string; message: string; hint: string | null }[];
}

/** A request for approval, as in `approvals`. */
interface WaitingRequest {
  id: string;
  status: string;
  requester: string;
  operation: string;
  risk: string;
  until: string;
  details: Record<string, unknown>;
}

interface WaitingTask {
  id: string;
  session: string;
  worker: string | null;
  question: { text: string; options: string[] } | null;
}

interface WaitingMessage {
  id: string;
  time: string;
  from: string;
  channel: string;
  type?: string;
  text: string;
}

const renderCouncilLink = ({ name, topic }: StateDocument): Html =>
  html`<h3><a href="/councils/${name}" dir="auto">${toOneLine(topic, 300)}</a></h3>`;

const renderTurnCard = (state: StateDocument, { w }: Visitor): Html =>
  html`<article class="card" id="turn-${state.name}">
    ${renderCouncilLink(state)}
    <p>${renderClock(state, w)}</p>
    <p class="ways"><a class="to-form main" href="/councils/${state.name}/seat">${w.site.yourTurn}</a></p>
  </article>`;

/** Shows the whole request: a person who approves must have read what will run. */
function renderRequestCard(
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

function renderQuestionCard({ id, session, worker, question }: WaitingTask, visitor: Visitor): Html {
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

function renderMessageCard({ id, time: at, from, channel, text }: WaitingMessage, visitor: Visitor): Html {
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

function renderStuckCard(state: StateDocument, visitor: Visitor): Html | undefined {
  const { w } = visitor;
  const found = renderTroubles(state, w);
  return found.length === 0
    ? undefined
    : html`<article class="card" id="stuck-${state.name}">
        ${renderCouncilLink(state)} ${found} ${renderRetryForm(state, visitor, w)}
      </article>`;
}

function renderUnreadableCard(
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
function renderAwaitedOthers(councils: readonly StateDocument[], visitor: Visitor): Html | null {
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
