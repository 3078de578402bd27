// The main action on a council's page: the visitor's seat, else an invitation, else a tick.
import { awaited } from '../../../core/app/state-document.ts';
import type { StateDocument } from '../../../core/app/state-document.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { PageWords } from '../../page/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { formatSeatTitle, listPeople } from './council-state.ts';
import { renderFormToken } from './visitor.ts';
import type { Visitor } from './visitor.ts';

/** The action offered first; `none` if the visitor can only wait. */
export type MainAction = 'seat' | 'invite' | 'tick' | 'none';

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

/** Lists the people that the council waits for. */
const listAbsentPeople = (state: StateDocument): string[] => {
  const waits = new Set(awaited(state));
  return listPeople(state).filter((id) => waits.has(id));
};

/** Renders its form; null for a seat, whose link is among those to seats. */
export function renderMainActionForm(
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
