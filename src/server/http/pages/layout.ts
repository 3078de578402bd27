// The frame of every page with its header, forms with their token, and error pages.
import { cleanForTerminal } from '../../../core/base/terminal.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { loadPageWords } from '../../page/words.ts';
import type { Language } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import type { Ctx, ProblemStatus, HttpRefusal, Problem } from '../context.ts';
import type { Visitor } from './visitor.ts';
import { readBodyText } from '../connections.ts';
import type { BodyLimit } from '../connections.ts';
import { refuse, toProblem } from '../context.ts';
import { MAX_BODY_BYTES, refuseBody } from '../gate.ts';
import type { Account } from '../limits.ts';
import { findProblemWords } from '../../page/page-formats.ts';
import type { CallOutcome } from '../../remote/perform-call.ts';
import { getCookie } from 'hono/cookie';
import { fill } from '../../../core/base/words/words.ts';
import type { PageWords } from '../../page/words.ts';
import { describeCaller, renderFormToken } from './visitor.ts';

type Status = 200 | ProblemStatus;

export interface PageParts {
  title: string;
  main: Html;
  /** The visitor's language by default; a council has its own. */
  lang?: Language | undefined;
  /** The current entry of the navigation. */
  at?: NavigationEntry | undefined;
  /** The council whose changes refresh the page; empty for all. If missing, the page is static. */
  live?: string | undefined;
  /** A sentence about the latest change, for screen readers. */
  news?: string | undefined;
  /** Reloads the page at once, for a reader who came by a link for which the browser withheld the cookie. */
  again?: boolean;
  status?: Status | undefined;
}

/** With the header no-referrer alone, browsers send forms with the origin "null", like foreign ones. */
const FORMS_SAY_ORIGIN = html`<meta name="referrer" content="same-origin" />`;

export function respondWithPage(c: Ctx, visitor: Visitor, parts: PageParts): Response {
  const { status = 200, lang = visitor.lang } = parts;
  const words = loadPageWords(lang);
  const theme = readTheme(c);
  const page = html`<!doctype html>
    <html lang="${lang}" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}" />
        ${FORMS_SAY_ORIGIN}
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/style.css" />
        ${parts.again === true && html`<meta http-equiv="refresh" content="0" />`}
        <script src="/page.js" defer></script>
        <title>${toOneLine(parts.title)} · council</title>
      </head>
      <body>
        <a class="skip" href="#main">${words.site.skip}</a>
        ${renderPageHeader(c, visitor, parts.at, words)}
        <p id="lost" class="warning" role="status"></p>
        <main
          id="main"
          tabindex="-1"
          ${renderFollowAttribute(parts)}
          data-lost="${words.site.lost}"
          data-out="${words.site.out}"
          data-day="${words.common.day}"
          data-news="${parts.news ?? ''}"
        >
          ${parts.main}
        </main>
        <p id="news" class="unseen" role="status"></p>
      </body>
    </html> `;
  return c.body(escapePageForTerminal(page.toString()), status, {
    'Content-Type': 'text/html; charset=utf-8',
  });
}

/** Escapes control characters, except in form fields, whose text must return unchanged. */
const escapePageForTerminal = (page: string): string =>
  page
    .split(TYPED)
    .map((piece, at) => (at % 2 === 1 ? piece : cleanForTerminal(piece)))
    .join('');
const TYPED = /(<textarea\b[\s\S]*?<\/textarea>|<input\b(?:[^<>"]|"[^"]*")*>)/;

const renderFollowAttribute = ({ live: name }: PageParts): Html | null =>
  name === undefined ? null : html`data-follow="${name}"`;

const MOST_FIELDS = 1000;

/** Reads a form and counts it for its sender; returns the answer if it is refused. */
export async function receiveForm(c: Ctx, account: Account): Promise<Response | undefined> {
  if (c.req.method !== 'POST') {
    account.noteMessages(1);
    return undefined;
  }
  const form = await readFormFields(c);
  if (form instanceof Response) return form;
  account.noteMessages(1);
  c.set('form', form);
  return undefined;
}

/** Reads the fields of a form. Browsers send line ends as CRLF; they are converted back to LF. */
export async function readFormFields(
  c: Ctx,
  takes: BodyLimit | number = MAX_BODY_BYTES,
): Promise<URLSearchParams | Response> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    return refuse(c, {
      status: 415,
      code: 'usage',
      detail: 'A form is sent as application/x-www-form-urlencoded.',
    });
  const body = await readBodyText(c.env.incoming, takes);
  if (body.kind === 'refused')
    return refuseBody(c, body.why, typeof takes === 'number' ? takes : MAX_BODY_BYTES);
  // Parsing a million fields would block everyone for a second.
  if (body.text.toString('latin1').split('&', MOST_FIELDS + 1).length > MOST_FIELDS)
    return refuse(c, { status: 413, code: 'too_large', detail: `At most ${MOST_FIELDS} fields.` });
  const fields = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(body.text.toString('utf8')))
    fields.append(name, value.replace(/\r\n?/g, '\n'));
  return fields;
}

/** Redirects to a page of its own; after a form, reloading that page sends nothing again. */
export const redirectToPage = (c: Ctx, path: string): Response => c.redirect(path, 303);

export function respondWithProblem(c: Ctx, visitor: Visitor, done: CallOutcome): Response {
  const { status, code, detail, hint } = toProblem(done);
  return respondWithRefusal(c, visitor, { status, code, detail, ...(hint !== null && { hint }) });
}

export function respondWithRefusal(c: Ctx, visitor: Visitor, refusal: HttpRefusal): Response {
  const { status, code, detail, hint = null, headers = {} } = refusal;
  const { says, exactly } = renderProgramMessage(visitor, { code, detail, hint });
  const answer = respondWithExplanation(c, visitor, { status, code, says, exactly });
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}

/** Answers with an error page in the given words. */
export function respondWithExplanation(
  c: Ctx,
  visitor: Visitor,
  {
    status,
    code,
    says,
    exactly,
  }: { status: ProblemStatus; code: string; says: string; exactly?: Html | null },
): Response {
  c.set('reason', code);
  const { site } = visitor.w;
  const title = status === 404 ? site.notFound : site.refused;
  return respondWithPage(c, visitor, {
    title,
    status,
    main: html`<h1>${title}</h1>
      <p class="warning" role="alert">${says}</p>
      ${exactly}
      <p><a href="/">${visitor.caller?.role === 'participant' ? site.seat : site.back}</a></p>`,
  });
}

/**
 * Renders an error message for a page. Messages for programs are English, precise, and name files and commands,
 * which are useless to a participant at a seat without access to the project's terminal.
 */
export function renderProgramMessage(
  { caller, lang, w }: Pick<Visitor, 'caller' | 'lang' | 'w'>,
  { code, detail, hint }: Pick<Problem, 'code' | 'detail' | 'hint'>,
): { says: string; exactly: Html | null } {
  if (caller?.role === 'participant')
    return { says: code === 'forbidden' ? w.site.seatOnly : findProblemWords(code, w), exactly: null };
  const isRead = lang === 'en';
  return {
    says: isRead ? detail : findProblemWords(code, w),
    exactly: html`<div lang="en">
      ${!isRead && html`<p class="beside">${detail}</p>`} ${hint !== null && html`<p>${hint}</p>`}
    </div>`,
  };
}

const WAYS = ['needs', 'councils', 'archives', 'tasks', 'messages', 'agents', 'start'] as const;
type NavigationEntry = (typeof WAYS)[number];

/** The theme selected by the next click. */
const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' } as const;
type Theme = keyof typeof NEXT_THEME;

export const THEME = 'council_theme';

const readTheme = (c: Ctx): Theme => {
  const chosen = getCookie(c, THEME) ?? '';
  return Object.hasOwn(NEXT_THEME, chosen) ? (chosen as Theme) : 'system';
};

/** Returns null for a visitor who is not signed in. `at`: the current entry of the navigation. */
function renderPageHeader(
  c: Ctx,
  visitor: Visitor,
  at: NavigationEntry | undefined,
  { site }: PageWords,
): Html | null {
  const { caller } = visitor;
  if (!caller) return null;
  const isSeat = caller.role === 'participant';
  const ways: [id: NavigationEntry | 'seat', href: string, name: string][] = isSeat
    ? [
        ['seat', `/councils/${caller.council ?? ''}/seat`, site.seat],
        ['archives', '/archives', site.archives],
      ]
    : WAYS.filter((way) => way !== 'start' || visitor.may('start') === undefined).map((way) => [
        way,
        way === 'needs' ? '/' : `/${way}`,
        site[way],
      ]);
  return html`<header class="site">
    <p class="product">
      council${visitor.project !== undefined && html` · <span dir="auto">${visitor.project}</span>`}
    </p>
    ${!isSeat && renderSearchForm(site)}
    <div class="who">
      <span>${describeCaller(caller, site)}</span>
      <form method="post" action="/theme">
        ${renderFormToken(visitor)}
        <input type="hidden" name="to" value="${new URL(c.req.url).pathname}" />
        <button class="quiet" name="theme" value="${NEXT_THEME[readTheme(c)]}">
          ${fill(site.theme, { theme: site[`${readTheme(c)}Theme`] })}
        </button>
      </form>
      <form method="post" action="/leave">
        ${renderFormToken(visitor)}<button class="quiet">${site.leave}</button>
      </form>
    </div>
    <nav aria-label="${site.ways}">
      <ul>
        ${ways.map(([id, href, name]) => html`<li><a href="${href}" ${id === at && html`aria-current="page"`}>${name}</a></li>`)}
      </ul>
    </nav>
  </header>`;
}

const renderSearchForm = (site: PageWords['site']): Html =>
  html`<form method="get" action="/archives" role="search" aria-label="${site.searchAll}">
    <input id="find" name="q" type="search" aria-label="${site.searchAll}" placeholder="${site.searchKey}" />
  </form>`;
