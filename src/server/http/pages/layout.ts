// What every page of the server has around it: its head, the way to the other pages, and where news is told.
import { forTerminal } from '../../../core/base/terminal.ts';
import { oneLine } from '../../../core/base/text.ts';
import { loadPageWords } from '../../../core/base/words/words.ts';
import type { Language } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import type { Ctx } from '../context.ts';
import type { ProblemStatus } from '../problem.ts';
import { formTokenField } from './forms.ts';
import type { Visitor } from './visitor.ts';

type Status = 200 | ProblemStatus;

export interface PageParts {
  title: string;
  main: Html;
  /** The visitor's where nothing is said; a council has its own. */
  lang?: Language | undefined;
  /** Which way of the navigation leads here. */
  at?: 'councils' | 'archives' | 'start' | undefined;
  /** The council whose hints refresh the page; empty for every one. Without it the page stays as it is. */
  live?: string | undefined;
  /** What has just happened, in one sentence, for screen readers. */
  news?: string | undefined;
  /** Reloads the page at once: for a reader who came by a link, when the browser holds the cookie back. */
  again?: boolean;
  status?: Status | undefined;
}

/** By the header alone, no-referrer, a browser would send forms with the origin "null": they could not be told from foreign ones. */
const FORMS_SAY_ORIGIN = html`<meta name="referrer" content="same-origin" />`;

/** A page as an answer. */
export function layout(c: Ctx, visitor: Visitor, parts: PageParts): Response {
  const { status = 200, lang = visitor.lang } = parts;
  const words = loadPageWords(lang);
  const page = html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${FORMS_SAY_ORIGIN}
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/style.css" />
        ${parts.again === true && html`<meta http-equiv="refresh" content="0" />`}
        <script src="/page.js" defer></script>
        <title>${oneLine(parts.title)} · council</title>
      </head>
      <body>
        <a class="skip" href="#main">${words.site.skip}</a>
        ${navigation(visitor, parts, words)}
        <p id="lost" class="warning" role="status"></p>
        <main
          id="main"
          tabindex="-1"
          ${live(parts)}
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
  return c.body(readable(page.toString()), status, {
    'Content-Type': 'text/html; charset=utf-8',
  });
}

/** What a form holds is what was typed, word for word: it goes back as it came. */
const readable = (page: string): string =>
  page
    .split(TYPED)
    .map((piece, at) => (at % 2 === 1 ? piece : forTerminal(piece)))
    .join('');
const TYPED = /(<textarea\b[\s\S]*?<\/textarea>|<input\b(?:[^<>"]|"[^"]*")*>)/;

const live = ({ live: name }: PageParts): Html | null =>
  name === undefined ? null : html`data-follow="${name}"`;

function navigation(
  visitor: Visitor,
  { at }: PageParts,
  { site }: ReturnType<typeof loadPageWords>,
): Html | null {
  const { caller } = visitor;
  if (!caller) return null;
  const isSeat = caller.role === 'participant';
  const seat = `/councils/${caller.council ?? ''}/seat`;
  const ways: [NonNullable<PageParts['at']> | 'seat', string, string][] = [
    ...(isSeat ? [['seat', seat, site.seat] as ['seat', string, string]] : []),
    ...(isSeat ? [] : [['councils', '/', site.councils] as ['councils', string, string]]),
    ['archives', '/archives', site.archives],
    ...(visitor.may('start') === undefined
      ? [['start', '/start', site.start] as ['start', string, string]]
      : []),
  ];
  return html`<nav class="site" aria-label="${site.ways}">
    <ul>
      ${ways.map(([id, href, name]) => html`<li><a href="${href}" ${id === at && html`aria-current="page"`}>${name}</a></li>`)}
    </ul>
    <form method="post" action="/leave">
      ${formTokenField(visitor)}<button class="quiet">${site.leave}</button>
    </form>
  </nav>`;
}
