// Inviting the people of a council from its page: a link with its code for one seat, and taking it back.
import { getCookie } from 'hono/cookie';
import type { InviteResult } from '../../access/invite.ts';
import type { StateDocument } from '../../../core/app/state-document.ts';
import { fill, loadPageWords } from '../../../core/base/words/words.ts';
import type { Words } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { time } from '../../page/show.ts';
import type { Ctx } from '../context.ts';
import { LOCAL } from '../gate.ts';
import { sorryPage } from './answers.ts';
import { formTokenField } from './forms.ts';
import { layout } from './layout.ts';
import { OPENED } from './sessions.ts';
import { nameSessionCookie, keepSession } from './site.ts';
import type { Site } from './site.ts';
import { formatSeatTitle, listPeople } from './state-words.ts';
import type { Visitor } from './visitor.ts';

/** The form, folded; nothing where no person sits. */
export function invitationForm(state: StateDocument, visitor: Visitor, { site }: Words): Html | null {
  const { name } = state;
  const people = listPeople(state);
  if (people.length === 0) return null;
  return html`<details class="decision">
    <summary>${site.invite}</summary>
    <form method="post" action="/councils/${name}/invite" class="narrow">
      ${formTokenField(visitor)}
      <p>${site.inviteHelp}</p>
      <label for="invited">${site.whom}</label>
      <select id="invited" name="agent" required>
        ${people.map((id) => html`<option value="${id}">${formatSeatTitle(state, id)}</option>`)}
      </select>
      <div class="row">
        <button name="do" value="invite">${site.makeLink}</button>
        <button name="do" value="revoke" class="danger">${site.takeBack}</button>
      </div>
    </form>
  </details>`;
}

export function addInvitations(site: Site): void {
  site.post('/councils/:name/invite', async (c, visitor, form) => {
    // Those who decide about councils invite to them.
    if (visitor.may('extend'))
      return sorryPage(c, visitor, {
        status: 403,
        code: 'forbidden',
        says: visitor.w.site.invitesNobody,
      });
    const name = c.req.param('name') ?? '';
    const asked = { name, agent: form.get('agent') ?? '', revoke: form.get('do') === 'revoke' };
    const { result, lang } = await site.looks.invite(asked, visitor.caller);
    const owner = result.action === 'invite' ? keepOwnerSession(site, c, visitor) : visitor;
    const w = loadPageWords(lang);
    const title = fill(w.site.sureOf, { what: w.site.invite, name: asked.agent });
    return layout(c, owner, {
      title,
      lang,
      main: html`<h1>${title}</h1>
        ${result.action === 'invite' ? renderInvitation(result, w) : html`<p role="status">${fill(w.site.takenBack, { count: result.document.revoked.length })}</p>`}
        <p><a href="/councils/${name}">${w.site.toCouncil}</a></p>`,
    });
  });
}

/** The code is shown here and nowhere again: what is kept of it opens nothing. */
const renderInvitation = (
  { document, isPublic }: Extract<InviteResult, { action: 'invite' }>,
  w: Words,
): Html =>
  html`<p>${fill(w.site.linkHelp, { name: document.participant })}</p>
    <label for="link">${w.site.link}</label>
    <input id="link" class="link" readonly value="${document.url}" />
    <dl>
      <div>
        <dt>${w.site.code}</dt>
        <dd><code>${document.code}</code></dd>
      </div>
      <div>
        <dt>${w.site.goodUntil}</dt>
        <dd>${time(document.expiresAt, w)}</dd>
      </div>
    </dl>
    ${!isPublic && html`<p class="notice">${w.site.linkHere}</p>`}`;

/**
 * With the first invitation the loopback address asks as well: the owner of this machine, who came in by it, stays signed in until the
 * server ends, as after `council open`.
 */
function keepOwnerSession({ sessions, own }: Site, c: Ctx, visitor: Visitor): Visitor {
  if (visitor.caller?.id !== LOCAL.id) return visitor;
  sessions.end(getCookie(c, nameSessionCookie(own)) ?? '');
  const { secret, session } = sessions.begin(OPENED, async () => OPENED);
  keepSession(c, own, secret);
  return { ...visitor, caller: OPENED, formToken: session.formToken };
}
