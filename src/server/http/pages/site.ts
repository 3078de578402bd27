// The frame of the pages: who is let in, how a page and a form are served, and what each is given.
import type { Hono, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Doors } from '../../remote/token-lookup.ts';
import { asCouncilError } from '../../../core/base/errors.ts';
import type { Looks } from '../../page/use/page-looks.ts';
import type { Host } from '../../remote/host.ts';
import type { Caller } from '../../remote/perform-call.ts';
import { html } from '../../page/html.ts';
import { refuse, refuseAway, refuseUnauthorized } from '../context.ts';
import type { Ctx, Env } from '../context.ts';
import { gate, inTurn, isSameCaller, LOCAL } from '../gate.ts';
import type { Gate } from '../gate.ts';
import { problemPage, refusalPage, receiveForm, layout } from './layout.ts';
import { isFromElsewhere, isLedHere } from '../origin.ts';
import type { OwnAddress } from '../origin.ts';
import type { Session, Sessions, Visitor } from './visitor.ts';
import { createStranger, createVisitor, isOwnForm } from './visitor.ts';
import { givingBack, collectTypedText, unsentPage } from './unsent.ts';

/** What pages are made with. */
export interface Frame {
  app: Hono<Env>;
  host: Host;
  doors: Doors;
  sessions: Sessions;
  own: OwnAddress;
  looks: Looks;
  rules: Pick<Gate, 'isKnown' | 'getAccount'>;
}

type GiveBack = ReturnType<typeof givingBack>;
type One = MiddlewareHandler<Env>;
type Middlewares = [One, One, One, One];

/** Where pages are added. Whatever is served has passed the gate, and every form brought its token. */
export interface Site extends Frame {
  get(path: string, show: (c: Ctx, visitor: Visitor) => Response | Promise<Response>): void;
  post(
    path: string,
    take: (c: Ctx, visitor: Visitor, form: URLSearchParams) => Response | Promise<Response>,
  ): void;
  /** For a visitor who is not signed in. */
  open(path: string): void;
  /** Where nothing is, for a browser: a signed-in visitor keeps the links to the other pages. */
  nowhere(show: (c: Ctx, visitor: Visitor) => Response): void;
  /** The middleware that lets in who may come in; `isStream`: what stays open. */
  enter(path: string, isStream: boolean): Middlewares;
}

/** The name of the cookie: browsers tell servers of one machine apart by nothing else. */
export const nameSessionCookie = ({ port }: OwnAddress): string => `council_${port()}`;

/** Gives a browser the secret of its session. */
export function keepSession(c: Ctx, own: OwnAddress, secret: string): void {
  const secure = own.publicUrl !== undefined && c.req.header('host') === own.publicUrl.host;
  setCookie(c, nameSessionCookie(own), secret, { httpOnly: true, sameSite: 'Strict', path: '/', secure });
}

/** The pages of a server: who may see them, and what is refused, is decided here for all of them. */
export function createSite(frame: Frame): Site {
  const { app, own } = frame;
  const giveBack = givingBack();
  /** The visitor, as far as they are known by now. */
  const whoAsks = (c: Ctx): Visitor => {
    const caller = c.get('caller') as Caller | undefined;
    return caller ? createVisitor(c, frame, caller, c.get('formToken')) : createStranger(c);
  };
  const begin: MiddlewareHandler<Env> = async (c, next) => {
    c.set('refusing', (refusal) => refusalPage(c, whoAsks(c), refusal));
    const why = isFromElsewhere(c, own);
    if (why !== undefined) return refuse(c, { status: 403, code: 'forbidden', detail: why });
    return next();
  };
  const enter = (path: string, isStream: boolean): Middlewares => [
    tagRoutePattern(path),
    pageHeaders,
    begin,
    gate({
      ...frame.rules,
      enter: bySession(frame, giveBack),
      receive: receiveForm,
      isStream: () => isStream,
      notNow: (c) => (isFormOfBrowser(c) ? giveBack(c, whoAsks(c), 429) : undefined),
    }),
  ];
  const visitor = (c: Ctx): Visitor => {
    const one = createVisitor(c, frame, c.get('caller'), c.get('formToken'));
    c.set('refusing', (refusal) => refusalPage(c, one, refusal));
    return one;
  };
  /** An error of a page is told as the visitor may be told it. Where the folder is away there is nothing to show. */
  const answerError = async (
    c: Ctx,
    one: Visitor,
    show: (one: Visitor) => Promise<Response>,
  ): Promise<Response> => {
    try {
      const away = await frame.looks.away();
      return away ? refuseAway(c, away.kind) : await show(one);
    } catch (error) {
      return problemPage(c, one, frame.looks.refusal(c.get('caller'), asCouncilError(error)));
    }
  };
  return {
    ...frame,
    enter,
    open: (path) => void app.use(path, tagRoutePattern(path), pageHeaders, begin),
    nowhere: (show) =>
      void app.get('*', ofBrowsers(pageHeaders), ofBrowsers(begin), async (c, next) => {
        if (!isBrowser(c)) return next();
        const visit = await findSignedInSession(c, frame);
        return show(
          c,
          visit ? createVisitor(c, frame, visit.caller, visit.session.formToken) : createStranger(c),
        );
      }),
    get: (path, show) =>
      void app.get(path, ...enter(path, false), (c) =>
        answerError(c, visitor(c), async (one) => show(c, one)),
      ),
    post: (path, take) =>
      void app.post(path, ...enter(path, false), async (c) => {
        const one = visitor(c);
        const form = c.get('form');
        if (isOwnForm(form, one.formToken)) return answerError(c, one, async () => take(c, one, form));
        return unsentPage(c, one, { status: 403, text: collectTypedText(form) });
      }),
  };
}

/** Tells the log and the measures which page it is, by its pattern: /councils/{name}. */
const tagRoutePattern = (path: string): MiddlewareHandler<Env> => {
  const pattern = path.replaceAll(/:(\w+)/g, '{$1}');
  return async (c, next) => {
    c.set('page', pattern);
    await next();
  };
};

/** Whether a person asks for a page; programs do not say so. */
const isBrowser = (c: Ctx): boolean => c.req.header('accept')?.includes('text/html') === true;

const isFormOfBrowser = (c: Ctx): boolean => isBrowser(c) && c.req.method === 'POST';

const ofBrowsers =
  (one: MiddlewareHandler<Env>): MiddlewareHandler<Env> =>
  async (c, next) =>
    isBrowser(c) ? one(c, next) : next();

/** Who the cookie says it is; undefined without a session, and for one that has ended. */
export async function findSignedInSession(
  c: Ctx,
  { sessions, own }: Pick<Frame, 'sessions' | 'own'>,
): Promise<{ session: Session; caller: Caller } | undefined> {
  const secret = getCookie(c, nameSessionCookie(own));
  const session = secret === undefined ? undefined : sessions.find(secret);
  const caller = await session?.who();
  return session && caller && 'role' in caller ? { session, caller } : undefined;
}

/** By the session of a browser. Before the first token is made, every visitor of the loopback address gets one. */
const bySession =
  (frame: Frame, giveBack: GiveBack): Gate['enter'] =>
  async (c) => {
    const { doors, sessions, own } = frame;
    const known = await findSignedInSession(c, frame);
    if (known) return startVisit(c, known.session, known.caller);
    if (await doors.isOpen()) {
      const begun = sessions.begin(LOCAL, async () =>
        (await doors.isOpen()) ? LOCAL : { unknown: 'no_token' },
      );
      keepSession(c, own, begun.secret);
      return startVisit(c, begun.session, LOCAL);
    }
    return askToJoin(c, giveBack);
  };

function startVisit(c: Ctx, session: Session, caller: Caller) {
  c.set('formToken', session.formToken);
  return { caller: inTurn(c, caller), isStill: async () => isSameCaller(caller, await session.who()) };
}

/** A visitor who is not signed in is led to the sign-in page; what came in a form is not lost in silence. */
async function askToJoin(c: Ctx, giveBack: GiveBack): Promise<Response> {
  const visitor = createStranger(c);
  if (isFormOfBrowser(c)) return giveBack(c, visitor, 401);
  if (c.req.method !== 'GET' || !isBrowser(c))
    return refuseUnauthorized(c, { detail: 'Nobody is signed in.' });
  // The cookie may be there, and kept back because the link stood on another page: asked for again, it comes along.
  if (isLedHere(c)) return redirectVisitor(c, visitor);
  const { pathname, search } = new URL(c.req.url);
  const to = `${pathname}${search}`;
  return c.redirect(to === '/' ? '/join' : `/join?to=${encodeURIComponent(to)}`, 303);
}

const redirectVisitor = (c: Ctx, visitor: Visitor): Response => {
  const { pathname, search } = new URL(c.req.url);
  return layout(c, visitor, {
    title: visitor.w.site.goOn,
    again: true,
    main: html`<p><a href="${pathname}${search}">${visitor.w.site.goOn}</a></p>`,
  });
};

// The headers of every page: nothing foreign is loaded, framed or run, and nothing is kept.

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-DNS-Prefetch-Control': 'off',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const pageHeaders: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
  if (!c.res.headers.has('cache-control')) c.header('Cache-Control', 'no-store');
};
