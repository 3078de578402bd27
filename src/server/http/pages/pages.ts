// Adds all pages of the server, with their style sheet and script.
import { sha256 } from '../../../core/base/ids.ts';
import type { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { PageServices } from '../../page/use/page-data.ts';
import type { PageTokenLookup } from '../../remote/token-lookup.ts';
import { streamEvents } from '../events.ts';
import type { Events } from '../events.ts';
import type { Bucket } from '../limits.ts';
import { respondWithExplanation } from './layout.ts';
import { addAgents, addRecords } from './agents.ts';
import { addArchives } from './archives.ts';
import { addCost } from './cost.ts';
import { addCouncil } from './council.ts';
import { addCouncils } from './councils.ts';
import { addJoin } from './join.ts';
import type { OneTimeCodes } from './join.ts';
import { addMessages } from './messages.ts';
import { addTasks } from './tasks.ts';
import { addNeeds } from './first-page.ts';
import { addSeat } from './seat.ts';
import { createSessions, LOCAL_OPENER } from './visitor.ts';
import { createSite } from './site.ts';
import type { Frame, Site } from './site.ts';
import { addStart } from './start.ts';
import { readPageScript } from '../../page/use/script.ts';
import { PAGE_STYLE, THEMES } from '../../page/style.ts';
import { refuse } from '../context.ts';
import type { Ctx, Env } from '../context.ts';
import { hashOfferedCode, OFFERED_MS, OFFER_PATH, signOffer } from '../../access/sign-in-code.ts';
import type { CodeOffer } from '../../access/sign-in-code.ts';
import { isSame } from '../origin.ts';
import { readBodyText } from '../connections.ts';

// Styles of the server's pages, in addition to those of archives.

const SITE_STYLE = `
.skip{position:absolute;left:-100rem}
.skip:focus{position:static}
main:focus{outline:none}
.site{padding-bottom:.25rem;margin-bottom:1rem;display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.25rem 1rem;border-bottom:1px solid var(--line)}
.site nav{flex-basis:100%}
.site ul{margin:.25rem 0}
.site form,.site p{margin:0}
.site .who{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;color:var(--soft);font-size:.875rem}
svg .arrow{fill:var(--soft)}
.product{font-weight:600}
[aria-current]{font-weight:600;color:var(--text);text-decoration:none}
label,legend{font-weight:600}
label{display:block;margin:.75rem 0 .25rem}
fieldset label{font-weight:400;margin:.25rem 0}
.start fieldset label{padding-left:1.6rem;text-indent:-1.6rem}
input,textarea,select,button{font:inherit;color:var(--text);background:var(--ground);border:1px solid var(--soft);border-radius:.25rem;padding:.35rem .6rem;max-width:100%}
select{min-height:2.75rem}
textarea{display:block;width:100%;min-height:10rem;font-family:ui-monospace,monospace;font-size:.95rem}
button{cursor:pointer;min-height:2.25rem;background:var(--raised);font-weight:600}
button.quiet{font-weight:400;background:none}
button.danger{color:var(--warning);border-color:var(--warning)}
input:focus-visible,textarea:focus-visible,select:focus-visible,button:focus-visible{outline:3px solid var(--link);outline-offset:2px}
fieldset{border:1px solid var(--line);border-radius:.25rem;margin:.75rem 0;padding:.5rem .75rem}
textarea.few{min-height:4rem}
.start input:not([type=checkbox]){width:100%}
.narrow{max-width:24rem}
.narrow input:not([type=checkbox]){width:100%;margin-bottom:.75rem}
.sure{display:flex;gap:.5rem;align-items:center;min-height:2.75rem;font-weight:400}
.sure input{width:1.4rem;height:1.4rem}
.ways{margin:.25rem 0}
.steps{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;color:var(--soft);font-size:.9rem}
.steps [aria-current]{border-bottom:3px solid var(--link)}
.level-1{margin-left:1.5rem}
.level-2{margin-left:3rem}
.level-3{margin-left:4.5rem}
#now .sat{display:none}
#decide{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline}
#decide .decision[open]{flex-basis:100%}
@media (min-width:1100px){#now{display:grid;grid-template-columns:minmax(0,66ch) minmax(0,1fr);gap:0 2rem;align-content:start}#now>*{grid-column:1}#now>#seats{grid-column:2;grid-row:1/span 9}}
.ending{font-weight:400}
.link{width:100%;font-family:ui-monospace,monospace}
.card{border:1px solid var(--line);border-radius:.5rem;padding:.5rem 1rem;margin:.75rem 0}
.card h2,.card h3{margin:.25rem 0}
.row{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end}
.filters{flex-basis:100%;min-width:0}
.row>div{min-width:0;max-width:100%}
.row label{margin-top:.25rem}
.row>button,.narrow button{min-height:2.75rem}
.row>a{display:inline-flex;align-items:center;min-height:1.5rem}
.start .row{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr));align-items:start}
.start select{width:100%}
.decision{margin:.35rem 0}
.decision form{border-left:2px solid var(--line);padding:.1rem 0 .75rem 1rem;margin:.25rem 0 .75rem .25rem}
.narrow select{display:block;margin-bottom:.75rem}
.notice{border-left:4px solid var(--c2);background:var(--raised);padding:.5rem .75rem;margin:.75rem 0}
.bad{color:var(--warning);font-weight:600}
#lost:empty{display:none}
@media print{.site,.saving,.ways,#now form{display:none}}
#lost{position:sticky;top:0;z-index:2;background:var(--ground);border-bottom:2px solid var(--warning);margin:0;padding:.5rem 0}
.wide.rows{overflow-x:visible}
@media (max-width:480px){.wide.rows :is(table,caption,tbody,tr){display:block}.wide.rows thead{position:absolute;left:-100rem}.wide.rows tr{border:1px solid var(--line);margin:.5rem 0;padding:.25rem .5rem}.wide.rows :is(tbody th,td){display:block;border:0;padding:.1rem 0;overflow-wrap:anywhere}.wide.rows a{white-space:normal}.wide.rows td:empty{display:none}td[data-of]::before{content:attr(data-of);color:var(--soft)}.site{gap:.25rem .5rem;font-size:.9rem}.site .who{font-size:.78rem;gap:.25rem .4rem;flex-basis:100%}.site .who span{flex:1 1 auto}.site ul{gap:.25rem .75rem}.site button{padding:.35rem .4rem}}
`;

/** What the pages need from the server in addition to its API. */
export interface PagesContext {
  doors: PageTokenLookup;
  publicUrl: URL | undefined;
  /** The secret shared by `council open` and this server. */
  secret: string;
  data: PageServices;
}

interface PagesOptions extends Omit<Frame, 'sessions' | 'doors' | 'own'>, PagesContext {
  port: () => number;
  unknown: Bucket;
  events: Events;
}

/** Page texts, compressed for phones; not the event stream. */
const COMPRESSIBLE_TYPES = /^text\/(?:html|css|javascript)\b/;

export function addPages({ events, unknown, port, publicUrl, secret, ...frame }: PagesOptions): void {
  frame.app.use('*', compress({ encoding: 'gzip', contentTypeFilter: COMPRESSIBLE_TYPES }));
  const site = createSite({ ...frame, sessions: createSessions(), own: { port, publicUrl } });
  addAssets(site);
  addJoin(site, { doors: frame.doors, once: addCodeOffers(frame.app, { secret, port }), unknown });
  frame.app.get('/events', ...site.enter('/events', true), streamEvents(events));
  addNeeds(site);
  addCouncils(site);
  addSeat(site);
  addCouncil(site);
  addStart(site);
  addArchives(site);
  addRecords(site);
  addTasks(site);
  addMessages(site);
  addAgents(site);
  addCost(site);
  site.handleUnknown((c, visitor) =>
    respondWithExplanation(c, visitor, { status: 404, code: 'not_found', says: visitor.w.site.nowhere }),
  );
}

/** A seat has one column, with buttons large enough for a thumb. */
const SEAT_STYLE = `
[data-seat]{border-top:2px solid var(--line);margin-top:1.5rem;padding-top:.5rem}
[data-seat] button,.to-form,.quoting{min-height:2.75rem}
.to-form{display:inline-block;padding:.6rem 0;font-weight:600}
[data-seat] summary{min-height:2.75rem;padding:.6rem 0}
button.main,a.main{background:var(--link);border-color:var(--link);color:var(--ground)}
a.main{border-radius:.25rem;padding:.6rem 1rem;text-decoration:none}
#main-action{margin:.75rem 0}
.actions[hidden]{display:none}
.actions{flex-wrap:nowrap;align-items:stretch;position:sticky;bottom:0;background:var(--ground);padding:.5rem 0;margin-top:.75rem}
input:not([type=radio]):not([type=checkbox]):not([type=hidden]){width:100%;max-width:40rem;min-height:2.75rem}
#stale,#stale-over{position:sticky;top:0;z-index:1}
textarea.short{min-height:5rem}
.choice{display:flex;gap:.6rem;align-items:flex-start;min-height:2.75rem;padding:.5rem 0;margin:0;font-weight:400}
.choice input{flex:none;width:1.4rem;height:1.4rem;margin:.1rem 0 0}
.choice span{min-width:0;overflow-wrap:anywhere}
[aria-invalid=true]{border-color:var(--warning);border-width:2px}
.report{border-left:4px solid var(--link);padding:.25rem .75rem;margin:1rem 0}
.report[data-came=refused]{border-left-color:var(--warning)}
.report:target{outline:none}
.report h2{margin-top:.25rem}
.report h2:focus{outline:none}
.preview{border:1px solid var(--line);border-radius:.25rem;padding:.25rem .75rem}
.quoting{position:fixed;right:1rem;bottom:4.75rem;z-index:1;border:2px solid var(--link)}
ul.plain{list-style:none;padding:0}
ul.plain li{margin:.35rem 0}
.claims button{min-height:2rem}
`;

/** The only style sheet of the pages. */
const STYLE = PAGE_STYLE + SITE_STYLE + SEAT_STYLE + THEMES;

/** A browser revalidates them by their ETag at every use. */
const CACHE_CONTROL = 'no-cache';

function addAssets(site: Site): void {
  const { app } = site;
  const serveAsset = (path: string, type: string, content: string): void => {
    site.open(path);
    const tag = `"${sha256(content)}"`;
    app.get(path, (c: Ctx) => {
      const headers = { 'Content-Type': type, 'Cache-Control': CACHE_CONTROL, ETag: tag };
      return c.req.header('if-none-match') === tag
        ? c.body(null, 304, headers)
        : c.body(content, 200, headers);
    });
  };
  serveAsset('/style.css', 'text/css; charset=utf-8', STYLE);
  serveAsset('/page.js', 'text/javascript; charset=utf-8', readPageScript());
}

// One-time codes from `council open`, which knows the secret in the server's record; valid for a minute.

const LONGEST_OFFER = 1024;

/** Accepts offered codes; the returned functions look up and use a code. */
function addCodeOffers(
  app: Hono<Env>,
  { secret, port }: { secret: string; port: () => number },
): OneTimeCodes {
  /** Expiry time by code hash, in the past for a used one. Removed when its offer is too old to be replayed. */
  const offered = new Map<string, number>();
  app.post(OFFER_PATH, async (c) => {
    c.set('page', OFFER_PATH);
    const body = await readBodyText(c.env.incoming, LONGEST_OFFER);
    const offer = body.kind === 'text' ? parseOffer(body.text) : undefined;
    const url = `http://${c.req.header('host') ?? ''}`;
    const isSentHere = url.endsWith(`:${port()}`) && c.req.header('origin') === undefined;
    const isSigned = offer && isSame(offer.proof, signOffer(secret, 'offered', url, offer));
    const isFresh = offer && Math.abs(Date.now() - offer.at) < OFFERED_MS && !offered.has(offer.hash);
    if (!isSentHere || !isSigned || !isFresh)
      return refuse(c, { status: 403, code: 'forbidden', detail: 'This is not an offer of council open.' });
    for (const [hash, until] of offered) if (until < Date.now() - 2 * OFFERED_MS) offered.delete(hash);
    offered.set(offer.hash, Date.now() + OFFERED_MS);
    return c.json({ proof: signOffer(secret, 'taken', url, offer) });
  });
  const isGood = (code: string): boolean => (offered.get(hashOfferedCode(code)) ?? 0) >= Date.now();
  return {
    caller: (code) => (isGood(code) ? LOCAL_OPENER : undefined),
    // It stays recorded, so that the same offer is not accepted again.
    use(code) {
      if (!isGood(code)) return false;
      offered.set(hashOfferedCode(code), Date.now() - 1);
      return true;
    },
  };
}

function parseOffer(body: Buffer): CodeOffer | undefined {
  try {
    const { hash, at, proof } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    return typeof hash === 'string' && typeof at === 'number' && typeof proof === 'string'
      ? { hash, at, proof }
      : undefined;
  } catch {
    return undefined;
  }
}
