// The frame of the pages: authentication, serving pages and forms, and common headers.
import type { Hono, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { TokenLookup } from '../../remote/token-lookup.ts';
import { asCouncilError } from '../../../core/base/errors.ts';
import type { PageServices } from '../../page/use/page-data.ts';
import type { Host } from '../../remote/host.ts';
import type { Caller } from '../../remote/perform-call.ts';
import { html } from '../../page/html.ts';
import { refuse, refuseAway, refuseUnauthorized } from '../context.ts';
import type { Ctx, Env } from '../context.ts';
import { createRequestGate, withTurn, isSameCaller, LOCAL } from '../gate.ts';
import type { Gate } from '../gate.ts';
import { respondWithProblem, respondWithRefusal, receiveForm, respondWithPage } from './layout.ts';
import { isFromElsewhere, isLedHere } from '../origin.ts';
import type { OwnAddress } from '../origin.ts';
import type { Session, Sessions, Visitor } from './visitor.ts';
import { createStranger, createVisitor, isOwnForm } from './visitor.ts';
import { createFormReturner, collectTypedText, respondWithUnsentText } from './unsent.ts';

/** The dependencies of all pages. */
export interface Frame {
  app: Hono<Env>;
  host: Host;
  doors: TokenLookup;
  sessions: Sessions;
  own: OwnAddress;
  data: PageServices;
  rules: Pick<Gate, 'isKnown' | 'getAccount'>;
}

type GiveBack = ReturnType<typeof createFormReturner>;
type PageMiddleware = MiddlewareHandler<Env>;
type Middlewares = [PageMiddleware, PageMiddleware, PageMiddleware, PageMiddleware];

/** Adds pages. Every served request has passed the gate, and every form had a valid token. */
export interface Site extends Frame {
  get(path: string, show: (c: Ctx, visitor: Visitor) => Response | Promise<Response>): void;
  post(
    path: string,
    take: (c: Ctx, visitor: Visitor, form: URLSearchParams) => Response | Promise<Response>,
  ): void;
  /** Adds a path for visitors who are not signed in. */
  open(path: string): void;
  /** Handles unknown paths in a browser: a signed-in visitor keeps the navigation. */
  handleUnknown(show: (c: Ctx, visitor: Visitor) => Response): void;
  /** Returns the middleware for authentication; `isStream`: the answer stays open. */
  enter(path: string, isStream: boolean): Middlewares;
}

/** Returns the name of the cookie, which contains the port, as cookies do not distinguish ports. */
export const nameSessionCookie = ({ port }: OwnAddress): string => `council_${port()}`;

export function keepSession(c: Ctx, own: OwnAddress, secret: string): void {
  const secure = own.publicUrl !== undefined && c.req.header('host') === own.publicUrl.host;
  setCookie(c, nameSessionCookie(own), secret, { httpOnly: true, sameSite: 'Strict', path: '/', secure });
}

/** Creates the frame, which authorizes and refuses for all pages. */
export function createSite(frame: Frame): Site {
  const { app, own } = frame;
  const giveBack = createFormReturner();
  const identifyVisitor = (c: Ctx): Visitor => {
    const caller = c.get('caller') as Caller | undefined;
    return caller ? createVisitor(c, frame, caller, c.get('formToken')) : createStranger(c);
  };
  const begin: MiddlewareHandler<Env> = async (c, next) => {
    c.set('refusing', (refusal) => respondWithRefusal(c, identifyVisitor(c), refusal));
    const why = isFromElsewhere(c, own);
    if (why !== undefined) return refuse(c, { status: 403, code: 'forbidden', detail: why });
    return next();
  };
  const enter = (path: string, isStream: boolean): Middlewares => [
    tagRoutePattern(path),
    setPageHeaders,
    begin,
    createRequestGate({
      ...frame.rules,
      enter: admitBySession(frame, giveBack),
      receive: receiveForm,
      isStream: () => isStream,
      refuseTooMany: (c) => (isFormOfBrowser(c) ? giveBack(c, identifyVisitor(c), 429) : undefined),
    }),
  ];
  const prepareVisitor = (c: Ctx): Visitor => {
    const one = createVisitor(c, frame, c.get('caller'), c.get('formToken'));
    c.set('refusing', (refusal) => respondWithRefusal(c, one, refusal));
    return one;
  };
  /** Shows an error as far as this visitor may see it. If the project's folder is gone, nothing can be shown. */
  const answerError = async (
    c: Ctx,
    one: Visitor,
    show: (one: Visitor) => Promise<Response>,
  ): Promise<Response> => {
    try {
      const away = await frame.data.away();
      return away ? refuseAway(c, away.kind) : await show(one);
    } catch (error) {
      return respondWithProblem(c, one, frame.data.refusal(c.get('caller'), asCouncilError(error)));
    }
  };
  return {
    ...frame,
    enter,
    open: (path) => void app.use(path, tagRoutePattern(path), setPageHeaders, begin),
    handleUnknown: (show) =>
      void app.get('*', limitToBrowsers(setPageHeaders), limitToBrowsers(begin), async (c, next) => {
        if (!isBrowser(c)) return next();
        const visit = await findSignedInSession(c, frame);
        return show(
          c,
          visit ? createVisitor(c, frame, visit.caller, visit.session.formToken) : createStranger(c),
        );
      }),
    get: (path, show) =>
      void app.get(path, ...enter(path, false), (c) =>
        answerError(c, prepareVisitor(c), async (one) => show(c, one)),
      ),
    post: (path, take) =>
      void app.post(path, ...enter(path, false), async (c) => {
        const one = prepareVisitor(c);
        const form = c.get('form');
        if (isOwnForm(form, one.formToken)) return answerError(c, one, async () => take(c, one, form));
        return respondWithUnsentText(c, one, { status: 403, text: collectTypedText(form) });
      }),
  };
}

/** Sets the page's path pattern for logs and metrics: /councils/{name}. */
const tagRoutePattern = (path: string): MiddlewareHandler<Env> => {
  const pattern = path.replaceAll(/:(\w+)/g, '{$1}');
  return async (c, next) => {
    c.set('page', pattern);
    await next();
  };
};

/** Returns whether a browser asks for a page; programs do not accept HTML. */
const isBrowser = (c: Ctx): boolean => c.req.header('accept')?.includes('text/html') === true;

const isFormOfBrowser = (c: Ctx): boolean => isBrowser(c) && c.req.method === 'POST';

const limitToBrowsers =
  (one: MiddlewareHandler<Env>): MiddlewareHandler<Env> =>
  async (c, next) =>
    isBrowser(c) ? one(c, next) : next();

/** Returns the session of the cookie with its caller; undefined if missing or ended. */
export async function findSignedInSession(
  c: Ctx,
  { sessions, own }: Pick<Frame, 'sessions' | 'own'>,
): Promise<{ session: Session; caller: Caller } | undefined> {
  const secret = getCookie(c, nameSessionCookie(own));
  const session = secret === undefined ? undefined : sessions.find(secret);
  const caller = await session?.who();
  return session && caller && 'role' in caller ? { session, caller } : undefined;
}

/** Authenticates by the browser's session. Before the first token, every visitor on the loopback address gets one. */
const admitBySession =
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
  return { caller: withTurn(c, caller), isStill: async () => isSameCaller(caller, await session.who()) };
}

/** Redirects to the sign-in page; a submitted form is returned, so that no text is lost. */
async function askToJoin(c: Ctx, giveBack: GiveBack): Promise<Response> {
  const visitor = createStranger(c);
  if (isFormOfBrowser(c)) return giveBack(c, visitor, 401);
  if (c.req.method !== 'GET' || !isBrowser(c))
    return refuseUnauthorized(c, { detail: 'Nobody is signed in.' });
  // The cookie may have been withheld because the link was on another page; a reload sends it.
  if (isLedHere(c)) return redirectVisitor(c, visitor);
  const { pathname, search } = new URL(c.req.url);
  const to = `${pathname}${search}`;
  return c.redirect(to === '/' ? '/join' : `/join?to=${encodeURIComponent(to)}`, 303);
}

const redirectVisitor = (c: Ctx, visitor: Visitor): Response => {
  const { pathname, search } = new URL(c.req.url);
  return respondWithPage(c, visitor, {
    title: visitor.w.site.goOn,
    again: true,
    main: html`<p><a href="${pathname}${search}">${visitor.w.site.goOn}</a></p>`,
  });
};

// Headers of every page: nothing foreign may be loaded, framed or run, and nothing is stored.

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

const setPageHeaders: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
  if (!c.res.headers.has('cache-control')) c.header('Cache-Control', 'no-store');
};
