// Coming in and leaving: a code that was given, typed or in the address, becomes a session; so does a token.
import { getCookie } from 'hono/cookie';
import { setTimeout as delay } from 'node:timers/promises';
import { codeIn } from '../../app/access/code.ts';
import type { Unknown, WideDoors } from '../../app/remote/doors.ts';
import type { Caller } from '../../app/remote/perform.ts';
import { html } from '../../page/html.ts';
import type { Ctx } from '../context.ts';
import type { Allowance } from '../limits.ts';
import { seeOther } from './answers.ts';
import { formIn } from './forms.ts';
import { layout } from './layout.ts';
import { cookieOf, keepSession } from './site.ts';
import type { Site } from './site.ts';
import { strangerOf } from './visitor.ts';

/** Codes that opened a page, once each and for a short while; undefined for one that does not. */
export type Once = (code: string) => Caller | undefined;

export interface Joining {
  doors: WideDoors;
  once: Once;
  /** How many codes may be tried in vain, by everybody together. */
  unknown: Allowance;
}

const SLOWLY_MS = 1000;
/** Bytes of a form with a code or a token: nobody is known yet who could send more. */
const LONGEST_CODE = 4096;

/** `/join` and `/leave`. */
export function addJoin(site: Site, joining: Joining): void {
  const { app, sessions, own } = site;
  site.open('/join');
  app.get('/join', (c) => joinPage(c));
  app.post('/join', async (c) => {
    const form = await formIn(c, LONGEST_CODE);
    if (form instanceof Response) return form;
    const who = await whoIs(form.fields.get('code') ?? '', joining);
    if (!who) {
      if (joining.unknown.wait() > 0) await delay(SLOWLY_MS, undefined, { ref: false });
      joining.unknown.take(1);
      c.set('reason', 'unknown_code');
      return joinPage(c, true);
    }
    const first = await who();
    if (!('role' in first)) return joinPage(c, true);
    const old = getCookie(c, cookieOf(own));
    if (old !== undefined) sessions.end(old);
    keepSession(c, own, sessions.begin(who).secret);
    return seeOther(c, ownPath(c.req.query('to')) ?? beginningOf(first));
  });
  site.post('/leave', (c) => {
    sessions.end(getCookie(c, cookieOf(own)) ?? '');
    return seeOther(c, '/join');
  });
}

/** What tells who holds a code or a token, now and later; undefined for one that opens nothing. */
async function whoIs(
  typed: string,
  { doors, once }: Joining,
): Promise<(() => Promise<Caller | Unknown>) | undefined> {
  const code = codeIn(typed);
  const opened = code === undefined ? undefined : once(code);
  if (opened) return async () => opened;
  const text = typed.trim();
  const who = (): Promise<Caller | Unknown> =>
    code === undefined ? doors.holder(text) : doors.invited(code);
  return text !== '' && 'role' in (await who()) ? who : undefined;
}

/** A path of ours, and not the address of somebody else. */
export function ownPath(to: string | undefined): string | undefined {
  if (to === undefined || !/^\/[^/\\]/.test(to)) return undefined;
  const url = URL.parse(to, 'http://here.invalid');
  // Dots in a path may come out as a second slash at its beginning, which is somebody else's address.
  if (url?.host !== 'here.invalid' || url.pathname.startsWith('//')) return undefined;
  return `${url.pathname}${url.search}`;
}

const beginningOf = ({ role, council }: Caller): string =>
  role === 'participant' ? `/councils/${council ?? ''}/seat` : '/';

function joinPage(c: Ctx, isWrong = false): Response {
  const visitor = strangerOf(c);
  const { site } = visitor.w;
  const to = ownPath(c.req.query('to'));
  const action = to === undefined ? '/join' : `/join?to=${encodeURIComponent(to)}`;
  return layout(c, visitor, {
    title: site.join,
    status: isWrong ? 403 : 200,
    main: html`<h1>${site.join}</h1>
      ${isWrong && html`<p class="warning" role="alert" id="wrong">${site.wrongCode}</p>`}
      <form method="post" action="${action}" data-join class="narrow">
        <label for="code">${site.code}</label>
        <input
          id="code"
          name="code"
          required
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck="false"
          maxlength="200"
          ${isWrong && html`aria-describedby="wrong"`}
        />
        <button>${site.join}</button>
      </form>
      <p class="beside">${site.codeHelp}</p>`,
  });
}
