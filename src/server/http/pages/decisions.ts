// What whoever convenes a council decides about it: each with its reason, and confirmed where it is decided.
import { setTimeout as delay } from 'node:timers/promises';
import { awaited } from '../../../core/app/state-document.ts';
import type { StateDocument } from '../../../core/app/state-document.ts';
import type { Done } from '../../remote/perform-call.ts';
import { asDuration } from '../../../core/base/duration.ts';
import { loadPageWords } from '../../../core/base/words/words.ts';
import type { Words } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { problemPage, seeOther, sorryPage } from './answers.ts';
import { formTokenField } from './forms.ts';
import { invitationForm } from './invitations.ts';
import type { Site } from './site.ts';
import { calledIn } from './state-words.ts';
import type { Visitor } from './visitor.ts';

const DECISIONS = ['extend', 'excuse', 'cancel', 'tick'] as const;
type Decision = (typeof DECISIONS)[number];

/** What each takes beside the name of the council. */
const FIELDS: Record<Decision, readonly string[]> = {
  extend: ['duration', 'why'],
  excuse: ['agent', 'why'],
  cancel: ['why'],
  tick: ['why'],
};

/** The forms, closed until somebody wants one. */
export function decisions(state: StateDocument, visitor: Visitor, w: Words): Html {
  const { site } = w;
  const { name } = state;
  const one = (what: Decision, help: string, fields: Html): Html =>
    html`<details class="decision">
      <summary>${site[what]}</summary>
      <form method="post" action="/councils/${name}/${what}" class="narrow">
        ${formTokenField(visitor)}
        <p>${help}</p>
        ${fields} ${sure(what, site)}
        <button class="${what === 'cancel' ? 'danger' : ''}">${site[what]}</button>
      </form>
    </details>`;
  const why = (what: Decision, usual = ''): Html =>
    html`<label for="why-${what}">${site.reason}</label>
      <input id="why-${what}" name="why" value="${usual}" required maxlength="500" />`;
  const waits = awaited(state);
  return html`<section id="decide" aria-labelledby="decide-h">
    <h2 id="decide-h">${site.decide}</h2>
    ${invitationForm(state, visitor, w)}
    ${one(
      'extend',
      site.extendHelp,
      html`<label for="duration">${site.howLong}</label>
        <input id="duration" name="duration" required maxlength="20" value="30m" />
        ${why('extend')}`,
    )}
    ${
      waits.length > 0 &&
      one(
        'excuse',
        site.excuseHelp,
        html`<label for="agent">${site.whom}</label>
          <select id="agent" name="agent" required>
            ${waits.map((id) => html`<option value="${id}">${calledIn(state, id)}</option>`)}
          </select>
          ${why('excuse')}`,
      )
    }
    ${one('tick', site.tickHelp, why('tick', site.tickWhy))} ${one('cancel', site.cancelHelp, why('cancel'))}
  </section>`;
}

/** A confirmation in the same form. A tick does what a heartbeat would have done: its own button confirms it. */
const sure = (what: Decision, site: Words['site']): Html =>
  what === 'tick'
    ? html`<input type="hidden" name="sure" value="yes" />`
    : html`<label class="sure"
        ><input type="checkbox" name="sure" value="yes" required /> ${site.sure}</label
      >`;

export function addDecisions(site: Site): void {
  for (const what of DECISIONS)
    site.post(`/councils/:name/${what}`, async (c, visitor, form) => {
      const name = c.req.param('name') ?? '';
      const given = Object.fromEntries(FIELDS[what].map((field) => [field, form.get(field) ?? '']));
      const denied = visitor.may(what);
      if (denied) return problemPage(c, visitor, denied);
      const found = await site.looks.find(name, visitor.caller);
      if ('archive' in found) return seeOther(c, `/archives/${encodeURIComponent(found.archive.meta.id)}`);
      const w = loadPageWords(found.council.state.lang);
      if (given.why?.trim() === '')
        return sorryPage(c, visitor, { status: 422, code: 'usage', says: w.site.reasonNeeded });
      if (given.duration !== undefined && asDuration(given.duration) === undefined)
        return sorryPage(c, visitor, { status: 422, code: 'usage', says: w.site.notATime });
      if (form.get('sure') !== 'yes')
        return sorryPage(c, visitor, { status: 422, code: 'usage', says: w.site.sureNeeded });
      const asked = visitor.ask(what, { ...given, name });
      const done = await (what === 'tick' ? begun(asked) : asked);
      if (done?.failed) return problemPage(c, visitor, done);
      return seeOther(c, what === 'cancel' ? `/archives/${name}` : `/councils/${name}?done=${what}`);
    });
}

const BEGUN_MS = 1000;

/** A tick takes as long as its agents do: what fails at once is told, and what goes on shows on the page. */
const begun = (asked: Promise<Done>): Promise<Done | undefined> =>
  Promise.race([asked, delay(BEGUN_MS, undefined, { ref: false })]);
