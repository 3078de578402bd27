// The header of every page: project, search, signed-in user, theme and navigation.
import { getCookie } from 'hono/cookie';
import { fill } from '../../../core/base/words/words.ts';
import type { PageWords } from '../../page/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import type { Ctx } from '../context.ts';
import { describeCaller, renderFormToken } from './visitor.ts';
import type { Visitor } from './visitor.ts';

const WAYS = ['needs', 'councils', 'archives', 'tasks', 'messages', 'agents', 'start'] as const;
export type NavigationEntry = (typeof WAYS)[number];

/** The theme selected by the next click. */
const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' } as const;
type Theme = keyof typeof NEXT_THEME;

export const THEME = 'council_theme';

export const readTheme = (c: Ctx): Theme => {
  const chosen = getCookie(c, THEME) ?? '';
  return Object.hasOwn(NEXT_THEME, chosen) ? (chosen as Theme) : 'system';
};

/** Returns null for a visitor who is not signed in. `at`: the current entry of the navigation. */
export function renderPageHeader(
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
