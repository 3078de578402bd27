// Page of the active councils, with sorting and filters.
import { awaited } from '../../../core/app/state-document.ts';
import type { StateDocument } from '../../../core/app/state-document.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { respondWithProblem, respondWithPage } from './layout.ts';
import { readOrder, renderList } from './rows.ts';
import type { SortKey } from './rows.ts';
import type { Site } from './site.ts';
import { formatSeatTitle, renderTimeLeft } from './council-state.ts';
import type { Visitor } from './visitor.ts';
import { translateMode, translatePhase } from '../../page/page-formats.ts';

const FIELDS = ['q', 'mode'] as const;

const SORT_KEYS: Record<string, SortKey<StateDocument>> = {
  question: ({ topic }) => topic.toLowerCase(),
  mode: ({ mode }) => mode,
  phase: ({ currentPhase, tour }) => `${currentPhase} ${tour}`,
  waitsFor: (state) => awaited(state).length,
  left: ({ timeoutAt }) => timeoutAt,
};

export function addCouncils(site: Site): void {
  site.get('/councils', async (c, visitor) => {
    const { w } = visitor;
    const done = await visitor.ask('status', {});
    const { councils } = done.document as { councils?: StateDocument[] };
    if (!councils) return respondWithProblem(c, visitor, done);
    const asked = Object.fromEntries(FIELDS.map((name) => [name, (c.req.query(name) ?? '').slice(0, 500)]));
    const words = (asked.q ?? '').toLowerCase();
    const found = councils.filter(
      ({ topic, name, mode }) =>
        `${name} ${topic}`.toLowerCase().includes(words) && (asked.mode === '' || mode === asked.mode),
    );
    const list = {
      label: w.site.councils,
      path: '/councils',
      asked,
      rows: found,
      sortKeys: SORT_KEYS,
      order: readOrder(c, SORT_KEYS, 'left'),
      render: (rows: readonly StateDocument[]) => rows.map((state) => describeCouncil(state, visitor)),
    };
    const modes = [...new Set(councils.map(({ mode }) => mode))].sort();
    return respondWithPage(c, visitor, {
      title: w.site.councils,
      at: 'councils',
      live: '',
      main: html`<h1>${w.site.councils}</h1>
        ${await renderHeartbeatNotice(site, visitor)} ${renderFilterForm(asked, modes, visitor)}
        <div id="councils" data-live>
          ${
            councils.length === 0
              ? html`<p>${w.site.noneActive}</p>`
              : found.length === 0
                ? html`<p>${w.site.noneMatch}</p>`
                : html`<p>${fill(w.site.activeCount, { count: found.length })}</p>
                    ${await renderList(c, list, w)}`
          }
        </div>
        ${!visitor.may('start') && html`<p><a href="/start">${w.site.startOne}</a></p>`}`,
    });
  });
}

function renderFilterForm(asked: Record<string, string>, modes: readonly string[], { w }: Visitor): Html {
  const { site } = w;
  return html`<form method="get" action="/councils" role="search" aria-label="${site.councils}" class="row">
    <div><label for="q">${site.words}</label><input id="q" name="q" type="search" value="${asked.q}" /></div>
    <div>
      <label for="mode">${site.mode}</label>
      <select id="mode" name="mode">
        <option value="">${site.any}</option>
        ${modes.map((one) => html`<option value="${one}" ${one === asked.mode && 'selected'}>${translateMode(one, w)}</option>`)}
      </select>
    </div>
    <button>${site.search}</button>
  </form>`;
}

const describeCouncil = (state: StateDocument, { w }: Visitor): (string | Html)[] => [
  html`<a href="/councils/${state.name}" dir="auto">${toOneLine(state.topic, 300)}</a><br /><span
      class="beside"
      >${state.name}</span
    >`,
  translateMode(state.mode, w),
  `${translatePhase(state.currentPhase, w)} ${state.tour}`,
  awaited(state)
    .map((id) => formatSeatTitle(state, id))
    .join(', '),
  renderTimeLeft(state, w),
];

/** Renders a notice if this server knows of nothing that moves councils on. */
export const renderHeartbeatNotice = async (
  { data }: Site,
  { w }: Pick<Visitor, 'w'>,
): Promise<Html | null> =>
  (await data.isBeating()) ? null : html`<p class="notice">${w.site.noHeartbeat}</p>`;
