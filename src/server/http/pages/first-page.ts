// The first page: what waits for its visitor, and nothing else.
import { awaited } from '../../../core/app/state-document.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import type { Ctx } from '../context.ts';
import { respondWithProblem, redirectAfterPost, respondWithPage } from './layout.ts';
import { renderHeartbeatNotice } from './councils.ts';
import {
  renderMessageCard,
  renderAwaitedOthers,
  renderQuestionCard,
  renderRequestCard,
  renderStuckCard,
  renderTurnCard,
  renderUnreadableCard,
} from './first-page-cards.ts';
import type { WaitingMessage, WaitingRequest, ActiveCouncils, WaitingTask } from './first-page-cards.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';
import { isCouncilNotice } from '../../../team/messages/use/announcer.ts';
import { isTaskQuestion } from '../../../team/tasks/use/steer-task.ts';

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
    if (caller?.role === 'participant') return redirectAfterPost(c, `/councils/${caller.council ?? ''}/seat`);
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
    return done.failed ? respondWithProblem(c, visitor, done) : redirectAfterPost(c, `/?done=${action}`);
  });
  site.post('/tasks/:session/:id/answer', async (c, visitor, form) => {
    const text = `${c.req.param('session')}/${c.req.param('id')} ${form.get('text') ?? ''}`;
    const done = await visitor.ask('task', { action: 'answer', text });
    return done.failed ? respondWithProblem(c, visitor, done) : redirectAfterPost(c, '/?done=answer');
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
      : redirectAfterPost(c, `/?done=${isReply ? 'answer' : 'handled'}`);
  });
}
