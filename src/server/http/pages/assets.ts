// The one style sheet and the one script of the pages.
import { pageScript } from '../../page/use/script.ts';
import { PAGE_STYLE } from '../../page/style.ts';
import type { Ctx } from '../context.ts';
import type { Site } from './site.ts';
import { SEAT_STYLE } from './seat-style.ts';
import { SITE_STYLE } from './style.ts';

const STYLE = PAGE_STYLE + SITE_STYLE + SEAT_STYLE;

/** They change with the program alone: a browser asks whether they did. */
const KEPT = 'no-cache';

export function addAssets(site: Site): void {
  const { app, host } = site;
  const tag = `"${host.version}-${STYLE.length}-${pageScript().length}"`;
  const asset = (path: string, type: string, content: () => string): void => {
    site.open(path);
    app.get(path, (c: Ctx) => {
      const headers = { 'Content-Type': type, 'Cache-Control': KEPT, ETag: tag };
      return c.req.header('if-none-match') === tag
        ? c.body(null, 304, headers)
        : c.body(content(), 200, headers);
    });
  };
  asset('/style.css', 'text/css; charset=utf-8', () => STYLE);
  asset('/page.js', 'text/javascript; charset=utf-8', pageScript);
}
