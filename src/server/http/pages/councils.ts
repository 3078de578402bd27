// The first page: the councils that go on, whom each waits for, and what keeps it from going on.
import type { StateDocument } from '../../../core/app/state-document.ts';
import { oneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { problemPage, seeOther, renderProgramMessage, layout } from './layout.ts';
import type { Site } from './site.ts';
import { clock, seatWays, troubles, describeAwaited } from './state-words.ts';
import type { Visitor } from './visitor.ts';

interface Standing {
  councils: StateDocument[];
  unreadable?: { name: string; code: string; message: string; hint: string | null }[];
}

export function addCouncils(site: Site): void {
  site.get('/', async (c, visitor) => {
    const { caller, w } = visitor;
    if (caller?.role === 'participant') return seeOther(c, `/councils/${caller.council ?? ''}/seat`);
    const done = await visitor.ask('status', {});
    const { councils, unreadable = [] } = done.document as Partial<Standing>;
    if (!councils) return problemPage(c, visitor, done);
    return layout(c, visitor, {
      title: w.site.councils,
      at: 'councils',
      live: '',
      main: html`<h1>${w.site.councils}</h1>
        ${await heartbeatNotice(site, visitor)}
        <div id="councils" data-live>
          ${councils.length === 0 && html`<p>${w.site.noneActive}</p>`}
          ${councils.map((state) => card(state, visitor))}
          ${unreadable.map((one) => unreadableOne(one, visitor))}
        </div>
        ${!visitor.may('start') && html`<p><a href="/start">${w.site.startOne}</a></p>`}`,
    });
  });
}

function unreadableOne(
  { name, code, message, hint }: NonNullable<Standing['unreadable']>[number],
  visitor: Visitor,
): Html {
  const { says, exactly } = renderProgramMessage(visitor, { code, detail: oneLine(message, 400), hint });
  return html`<div class="notice">
    <p>${fill(visitor.w.site.unreadable, { name: oneLine(name, 80), reason: says })}</p>
    ${exactly}
  </div>`;
}

/** Said where nothing moves councils on, as far as this server knows. */
export const heartbeatNotice = async ({ looks }: Site, { w }: Pick<Visitor, 'w'>): Promise<Html | null> =>
  (await looks.isBeating()) ? null : html`<p class="notice">${w.site.noHeartbeat}</p>`;

const card = (state: StateDocument, visitor: Visitor): Html => {
  const { w } = visitor;
  return html`<article class="card" id="council-${state.name}" aria-labelledby="council-${state.name}-h">
    <h2 id="council-${state.name}-h">
      <a href="/councils/${state.name}" dir="auto">${oneLine(state.topic, 300)}</a>
    </h2>
    <p class="beside">${state.name} · ${oneLine(state.mode)}</p>
    <p>${clock(state, w)}</p>
    <p>${describeAwaited(state, w)}</p>
    ${seatWays(state, visitor)} ${troubles(state, w)}
  </article> `;
};
