// Pages to sign in and out: a code or a token becomes a session; and the invitation form of a council.
import { setTimeout as delay } from 'node:timers/promises';
import { getCookie, setCookie } from 'hono/cookie';
import { parseTypedCode } from '../../access/sign-in-code.ts';
import type { UnknownCaller, PageTokenLookup } from '../../remote/token-lookup.ts';
import type { Caller } from '../../remote/perform-call.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Ctx } from '../context.ts';
import type { Bucket } from '../limits.ts';
import { redirectToPage, respondWithExplanation, readFormFields, respondWithPage, THEME } from './layout.ts';
import { LOCAL } from '../gate.ts';

import { describeCaller, identifyCaller, LOCAL_OPENER, createStranger, renderFormToken } from './visitor.ts';
import { nameSessionCookie, keepSession, findSignedInSession } from './site.ts';
import type { Site } from './site.ts';
import type { InviteResult } from '../../access/open.ts';
import type { StateDocument } from '../../../core/app/state-document.ts';
import type { PageWords } from '../../page/words.ts';
import type { Html } from '../../page/html.ts';
import { renderTime } from '../../page/page-formats.ts';
import { formatSeatTitle, listPeople } from './council-state.ts';
import type { Visitor } from './visitor.ts';
import { loadPageWords } from '../../page/words.ts';

/** One-time codes of `council open`, valid for a short while. */
export interface OneTimeCodes {
  /** Returns whom a code lets in; undefined for an invalid code. */
  caller(code: string): Caller | undefined;
  /** Uses a code up; returns false if it already was. */
  use(code: string): boolean;
}

interface JoinParts {
  doors: PageTokenLookup;
  once: OneTimeCodes;
  /** Limits wrong codes of all clients together; beyond it, codes are refused for a while. */
  unknown: Bucket;
}

const SLOWLY_MS = 1000;
const A_YEAR_S = 365 * 86_400;
/** Maximum bytes of a form with a code or token, whose sender is still unknown. */
const LONGEST_CODE = 4096;

/** Adds `/join`, `/theme` and `/leave`. */
export function addJoin(site: Site, joining: JoinParts): void {
  const { app, sessions, own } = site;
  site.open('/join');
  app.get('/join', (c) => joinPage(c));
  app.post('/join', async (c) => {
    const form = await readFormFields(c, LONGEST_CODE);
    if (form instanceof Response) return form;
    const typed = form.get('code') ?? '';
    const { unknown } = joining;
    if (unknown.wait() > 0) await delay(SLOWLY_MS, undefined, { ref: false });
    if (unknown.wait() > 0) return joinPage(c, 'later');
    // Counted before the check, so that concurrent attempts cannot bypass the limit or push it below zero.
    unknown.take(1);
    const key = await redeemTypedCode(typed, joining);
    if (!key) return joinPage(c, 'wrong');
    unknown.take(-1);
    const now = await findSignedInSession(c, site);
    const isOther = now !== undefined && identifyCaller(now.caller) !== identifyCaller(key.caller);
    if (isOther && form.get('sure') !== 'yes') return respondWithConfirmation(c, typed, now.caller);
    if (!key.use()) return joinPage(c, 'wrong');
    const old = getCookie(c, nameSessionCookie(own));
    if (old !== undefined) sessions.end(old);
    keepSession(c, own, sessions.begin(key.caller, key.who).secret);
    return redirectToPage(c, parseOwnPath(c.req.query('to')) ?? findStartPage(key.caller));
  });
  site.post('/theme', (c, _visitor, form) => {
    const options = { sameSite: 'Lax', path: '/', maxAge: A_YEAR_S } as const;
    setCookie(c, THEME, form.get('theme') ?? '', options);
    return redirectToPage(c, parseOwnPath(form.get('to') ?? undefined) ?? '/');
  });
  site.post('/leave', (c) => {
    sessions.end(getCookie(c, nameSessionCookie(own)) ?? '');
    return redirectToPage(c, '/join');
  });
}

/** What a code or a token opens. */
interface AccessKey {
  caller: Caller;
  /** Looks its owner up again later. */
  who(): Promise<Caller | UnknownCaller>;
  /** Returns false if it no longer works. */
  use(): boolean;
}

/** Returns undefined for an invalid code or token. */
async function redeemTypedCode(typed: string, { doors, once }: JoinParts): Promise<AccessKey | undefined> {
  const code = parseTypedCode(typed);
  const opened = code === undefined ? undefined : once.caller(code);
  if (code !== undefined && opened)
    return { caller: opened, who: async () => opened, use: () => once.use(code) };
  const text = typed.trim();
  const who = (): Promise<Caller | UnknownCaller> =>
    code === undefined ? doors.holder(text) : doors.findInvited(code);
  const caller = text === '' ? undefined : await who();
  return caller && 'role' in caller ? { caller, who, use: () => true } : undefined;
}

/** Returns a path on this server; undefined for a foreign address. */
function parseOwnPath(to: string | undefined): string | undefined {
  if (to === undefined || !/^\/[^/\\]/.test(to)) return undefined;
  const url = URL.parse(to, 'http://here.invalid');
  // Dots in a path may turn into a second leading slash, which makes it a foreign address.
  if (url?.host !== 'here.invalid' || url.pathname.startsWith('//')) return undefined;
  return `${url.pathname}${url.search}`;
}

const findStartPage = ({ role, council }: Caller): string =>
  role === 'participant' ? `/councils/${council ?? ''}/seat` : '/';

/** Returns where a code is sent, including the page to open afterwards. */
function buildJoinAddress(c: Ctx): string {
  const to = parseOwnPath(c.req.query('to'));
  return to === undefined ? '/join' : `/join?to=${encodeURIComponent(to)}`;
}

/** Asks for confirmation if another person is signed in: a link alone must not sign them out. */
function respondWithConfirmation(c: Ctx, typed: string, caller: Caller): Response {
  const visitor = createStranger(c);
  const { site } = visitor.w;
  const who = describeCaller(caller, site);
  return respondWithPage(c, visitor, {
    title: site.join,
    main: html`<h1>${site.join}</h1>
      <p>${fill(site.signedInAs, { who })}</p>
      <form method="post" action="${buildJoinAddress(c)}">
        <input type="hidden" name="code" value="${typed}" />
        <button name="sure" value="yes">${site.signInAnew}</button>
        <a href="/">${site.no}</a>
      </form>`,
  });
}

/** `later`: there were too many wrong codes, and this one was not checked. */
function joinPage(c: Ctx, came?: 'wrong' | 'later'): Response {
  if (came) c.set('reason', { wrong: 'unknown_code', later: 'too_many_requests' }[came]);
  const visitor = createStranger(c);
  const { site } = visitor.w;
  if (came === 'later') c.header('Retry-After', '1');
  const says = came && { wrong: site.wrongCode, later: site.tooManyCodes }[came];
  return respondWithPage(c, visitor, {
    title: site.join,
    status: came ? { wrong: 403 as const, later: 429 as const }[came] : 200,
    main: html`<h1>${site.join}</h1>
      ${says && html`<p class="warning" role="alert" id="wrong">${says}</p>`}
      <noscript><p class="notice">${site.joinByHand}</p></noscript>
      <form method="post" action="${buildJoinAddress(c)}" data-join class="narrow">
        <label for="code">${site.code}</label>
        <input
          id="code"
          name="code"
          required
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck="false"
          maxlength="200"
          ${says && html`aria-describedby="wrong"`}
        />
        <button class="main">${site.join}</button>
      </form>
      <p class="beside">${site.codeHelp}</p>`,
  });
}

/** Renders the collapsed invitation form; null if no person has a seat. */
export function renderInvitationForm(
  state: StateDocument,
  visitor: Visitor,
  { site }: PageWords,
): Html | null {
  const { name } = state;
  const people = listPeople(state);
  if (people.length === 0) return null;
  return html`<details class="decision">
    <summary>${site.invite}</summary>
    <form method="post" action="/councils/${name}/invite" class="narrow">
      ${renderFormToken(visitor)}
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
    // Those who may decide about councils may invite to them.
    if (visitor.may('extend'))
      return respondWithExplanation(c, visitor, {
        status: 403,
        code: 'forbidden',
        says: visitor.w.site.invitesNobody,
      });
    const name = c.req.param('name') ?? '';
    const asked = { name, agent: form.get('agent') ?? '', revoke: form.get('do') === 'revoke' };
    const { result, lang } = await site.data.invite(asked, visitor.caller);
    const owner = result.action === 'invite' ? keepOwnerSession(site, c, visitor) : visitor;
    const w = loadPageWords(lang);
    const title = fill(w.site.sureOf, { what: w.site.invite, name: asked.agent });
    return respondWithPage(c, owner, {
      title,
      lang,
      main: html`<h1>${title}</h1>
        ${result.action === 'invite' ? renderInvitation(result, w) : html`<p role="status">${fill(w.site.takenBack, { count: result.document.revoked.length })}</p>`}
        <p><a href="/councils/${name}">${w.site.toCouncil}</a></p>`,
    });
  });
}

/** The code is shown only here: the stored data does not open anything. */
const renderInvitation = (
  { document, isPublic }: Extract<InviteResult, { action: 'invite' }>,
  w: PageWords,
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
        <dd>${renderTime(document.expiresAt, w)}</dd>
      </div>
    </dl>
    ${!isPublic && html`<p class="notice">${w.site.linkHere}</p>`}`;

/**
 * The first invitation ends free access on the loopback address: the owner of this machine, who came in that way,
 * stays signed in until the server stops, as after `council open`.
 */
function keepOwnerSession({ sessions, own }: Site, c: Ctx, visitor: Visitor): Visitor {
  if (visitor.caller?.id !== LOCAL.id) return visitor;
  sessions.end(getCookie(c, nameSessionCookie(own)) ?? '');
  const { secret, session } = sessions.begin(LOCAL_OPENER, async () => LOCAL_OPENER);
  keepSession(c, own, secret);
  return { ...visitor, caller: LOCAL_OPENER, formToken: session.formToken };
}
