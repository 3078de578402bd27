// A council that goes on: its clock, who sits there and how far each is, what was said once it may be seen, and what can be decided.
import { seat } from '../../../core/app/state-document.ts';
import type { StateDocument } from '../../../core/app/state-document.ts';
import { fill, loadPageWords } from '../../../core/base/words/words.ts';
import type { Words } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import type { Ctx } from '../context.ts';
import { problemPage, seeOther } from './answers.ts';
import { heartbeatNotice } from './councils.ts';
import { addDecisions, decisions } from './decisions.ts';
import { addInvitations } from './invitations.ts';
import { layout } from './layout.ts';
import { seatsTable } from './seats-table.ts';
import type { Site } from './site.ts';
import { clock, seatWays, troubles, waiting } from './state-words.ts';
import type { Visitor } from './visitor.ts';

export function addCouncil(site: Site): void {
  site.get('/councils/:name', async (c, visitor) => {
    const name = c.req.param('name') ?? '';
    const { caller } = visitor;
    // A seat sees its view, and not what stands here.
    if (caller?.role === 'participant' && caller.council === name)
      return seeOther(c, `/councils/${name}/seat`);
    const denied = visitor.may('status');
    if (denied) return problemPage(c, visitor, denied);
    const found = await site.looks.find(name, caller);
    if ('archive' in found) return seeOther(c, `/archives/${encodeURIComponent(found.archive.meta.id)}`);
    const done = await visitor.ask('status', { name });
    const [state] = (done.document as { councils?: StateDocument[] }).councils ?? [];
    if (!state) return problemPage(c, visitor, done);
    const parts = await site.looks.draw(found, roundIn(c));
    const w = loadPageWords(parts.lang);
    const notice = await heartbeatNotice(site, { w });
    return layout(c, visitor, {
      title: parts.title,
      lang: parts.lang,
      at: 'councils',
      live: name,
      news: newsOf(state, w),
      main: html`${doneNotice(c, w)} ${notice}
        <div id="now" data-live>
          ${parts.heading}
          <p id="clock">${clock(state, w)}</p>
          <p id="waits">${waiting(state, w)}</p>
          ${seatWays(state, { caller, w })}
          ${seesNames(state, visitor) && html`<p id="names" class="notice">${w.site.namesSeen}</p>`}
          <div id="troubles">${troubles(state, w)}</div>
          <div id="seats">${seatsTable(state, w)}</div>
        </div>
        ${caller?.role === 'admin' && decisions(state, visitor, w)}
        <div id="so-far" data-live>${parts.main}</div>`,
    });
  });
  addDecisions(site);
  addInvitations(site);
}

/** The round that is asked for, of a council too long for one page. */
export const roundIn = (c: Ctx): number => Number.parseInt(c.req.query('round') ?? '', 10);

/** Letters are for who has a seat alone: whoever may look at this page sees who has answered. */
const seesNames = ({ anonymous, order }: StateDocument, { caller }: Visitor): boolean =>
  anonymous && caller?.participant !== undefined && order.includes(caller.participant);

function newsOf(state: StateDocument, { site }: Words): string {
  const count = state.order.length;
  const spoken = state.order.filter((id) => seat(state, id).status !== 'WAITING').length;
  return fill(site.newsSpoken, { spoken, count, phase: state.currentPhase });
}

const DONE: Record<string, 'doneExtend' | 'doneExcuse' | 'doneTick' | 'doneStart'> = {
  extend: 'doneExtend',
  excuse: 'doneExcuse',
  tick: 'doneTick',
  start: 'doneStart',
};

function doneNotice(c: Ctx, { site }: Words): Html | null {
  const key = DONE[c.req.query('done') ?? ''];
  return key === undefined ? null : html`<p class="notice" role="status">${site[key]}</p>`;
}
