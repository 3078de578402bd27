// The server: the HTTP API and MCP, for one project, on one address.
import type { Server } from 'node:http';
import type { Hono, MiddlewareHandler } from 'hono';
import { CouncilError, systemCode } from '../../core/base/errors.ts';
import type { Doors } from '../remote/token-lookup.ts';
import type { Hints } from '../remote/change-events.ts';
import type { Host } from '../remote/host.ts';
import type { Caller } from '../remote/perform-call.ts';
import { addCalls, nameRoutePattern } from './api.ts';
import {
  PATIENCE,
  answerBroken,
  endUnread,
  limitStrangers,
  chooseTimeouts,
  notifyEnd,
  closeServer,
  trackRequests,
} from './connections.ts';
import type { Patience, InFlight } from './connections.ts';
import { MCP_PATH, AGAIN_SOON, refuse, refuseAway } from './context.ts';
import type { Ctx, Env } from './context.ts';
import { addEvents, EVENTS_PATH } from './events.ts';
import { byToken, gate, MAX_BODY_BYTES, receiveJson } from './gate.ts';
import { createTokenAccounts, createBucket, findCallerLimits, STRANGERS } from './limits.ts';
import type { Account, Limits, Rate } from './limits.ts';
import { observe } from './observe.ts';
import type { LogLine, Measures } from './observe.ts';
import type { PagesOf } from './pages/pages.ts';
import { openApi } from './openapi.ts';

/** Where it listens, who may come in, and what it serves. */
export interface Serving {
  hostname: string;
  port: number;
  doors: Doors;
  /** Only MCP, for names of this machine only: what `council mcp --http` is. */
  onlyMcp: boolean;
  /** The groups of MCP tools of a client that asks for none. */
  groups?: readonly string[] | undefined;
  log(line: LogLine): void;
  /** What changes, for the events; without it there are none. */
  hints?: Hints;
  /** Pages for people; without it there are none. */
  pages?: PagesOf;
}

/** What a server of tests may do without: the patience and the limits of the real one. */
export interface Bounds {
  patience?: Patience;
  limits?: (caller: Caller) => Limits;
  strangers?: Rate;
}

/** A server that listens: where, and how to end it. */
export interface Listening {
  url: string;
  /** Resolves when the host has stopped and every connection is closed. */
  closed: Promise<void>;
}

/**
 * Serves until the host stops. Requests with another Host or Origin than they may have are refused with 403, those without
 * a valid token with 401, too many of these and those beyond the limits of their token with 429. Throws `io` when the port
 * cannot be had.
 */
export async function serveHttp(
  host: Host,
  serving: Serving,
  { patience = PATIENCE, limits = findCallerLimits, strangers = STRANGERS }: Bounds = {},
): Promise<Listening> {
  const [{ createAdaptorServer }, { Hono }, prom, { mcpOverHttp }, { createMeasures }] = await Promise.all([
    import('@hono/node-server'),
    import('hono'),
    import('prom-client'),
    import('../mcp/over-http.ts'),
    import('./observe.ts'),
  ]);
  const getAccount = createTokenAccounts(limits);
  const flight = trackRequests();
  const limited = limitedHost(host, getAccount);
  const most = (caller: Caller): number => getAccount(caller).limits.sessions;
  const mcp = await mcpOverHttp(limited, { most, maxBodyBytes: MAX_BODY_BYTES, groups: serving.groups });
  const measures = createMeasures(prom.default);
  const app = new Hono<Env>();
  app.use('*', observe(nameRoutePattern, serving.log, measures));
  addRefusals(app, host, serving.onlyMcp);
  const isStream = (c: Ctx): boolean =>
    c.req.method === 'GET' && [MCP_PATH, EVENTS_PATH].includes(c.req.path);
  const known = { mark: (..._ends: Parameters<ReturnType<typeof limitStrangers>>): void => undefined };
  const unknown = createBucket(strangers);
  const rules = { isKnown: (...what: Parameters<typeof known.mark>) => known.mark(...what), getAccount };
  const enter = gate({
    ...rules,
    enter: byToken(serving.doors, unknown, serving.onlyMcp),
    receive: receiveJson,
    isStream,
  });
  app.all(MCP_PATH, enter, (c) =>
    mcp.answer({ request: c.req.raw, body: c.get('body'), caller: c.get('caller'), token: c.get('token') }),
  );
  if (!serving.onlyMcp) {
    addWatching(app, enter, { host, measures });
    addApiGate(app, enter, flight);
    const events = serving.hints && { hints: serving.hints, measures, stop: host.stop };
    if (events) addEvents(app, events);
    addCalls(app, limited, () => server.listening);
    if (events && serving.pages)
      (await import('./pages/pages.ts')).addPages({
        app,
        host: limited,
        rules,
        unknown,
        events,
        port: () => readServerPort(server),
        ...serving.pages,
      });
  }
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    serverOptions: chooseTimeouts(patience),
  }) as Server;
  answerBroken(server);
  endUnread(server, patience);
  known.mark = limitStrangers(server, patience);
  const url = await listen(server, serving);
  return {
    url,
    closed: closeServer(server, { stop: host.stop, flight, ends: [mcp.close], gentle: !serving.onlyMcp }),
  };
}

/** Every call on the account of its caller. */
function limitedHost(host: Host, getAccount: (caller: Caller) => Account): Host {
  const perform: Host['perform'] = (asked, gone) =>
    asked.name === 'wait'
      ? host.perform(asked, gone)
      : getAccount(asked.caller).run(() => host.perform(asked, gone));
  return {
    ...host,
    perform,
    async here(asked, gone) {
      const { here, isLight } = host;
      return here && (await isLight?.(asked)) ? here(asked, gone) : perform(asked, gone);
    },
  };
}

/** The address of the server once it listens. Throws `io` when the port cannot be had. */
async function listen(server: Server, { hostname, port, onlyMcp }: Serving): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, resolve);
  }).catch((error: unknown) => {
    throw new CouncilError('io', `Cannot listen on port ${port}: ${systemCode(error) ?? String(error)}.`, {
      hint: `Choose another one, or 0 for any that is free: council ${onlyMcp ? 'mcp --http 0' : 'serve --port 0'}`,
      cause: error,
    });
  });
  const shown = hostname.includes(':') ? `[${hostname}]` : hostname;
  const at = `http://${shown}:${readServerPort(server)}`;
  return onlyMcp ? `${at}${MCP_PATH}` : at;
}

/** The port that a server listens on. */
function readServerPort(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

// The addresses of the server beside the API and MCP: what watches it asks there.

/** What is said where nothing is served, and where something broke. */
function addRefusals(app: Hono<Env>, host: Host, onlyMcp: boolean): void {
  app.onError(async (error, c: Ctx) => {
    const found = error instanceof CouncilError ? error.details.trouble : undefined;
    const kind = found ?? (await host.judge())?.kind;
    if (kind !== undefined) return refuseAway(c, kind);
    host.note(`HTTP: ${error.message}`);
    return refuse(c, { status: 500, code: 'failed', detail: 'The server failed.' });
  });
  const served = onlyMcp ? MCP_PATH : 'the API, MCP and what /openapi.json names';
  app.notFound((c: Ctx) =>
    refuse(c, { status: 404, code: 'not_found', detail: `Only ${served} is served here.` }),
  );
}

/** Whether it lives, whether it is ready, what it offers, what it has counted. */
function addWatching(
  app: Hono<Env>,
  enter: MiddlewareHandler<Env>,
  { host, measures }: { host: Host; measures: Measures },
): void {
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    if (host.stop.aborted) return c.json({ status: 'stopping' }, 503);
    const trouble = await host.judge();
    // What exactly is wrong names folders and servers: those who may know read it in the refusals of their calls.
    return trouble
      ? c.json({ status: 'store_away', trouble: trouble.kind }, 503, AGAIN_SOON)
      : c.json({ status: 'ready' });
  });
  app.get('/openapi.json', enter, (c) => c.json(openApi(host.version)));
  app.get('/metrics', enter, async (c) => {
    // How much memory and time a call took tells how long a text was that is sealed.
    if (c.get('caller').role !== 'admin')
      return refuse(c, { status: 403, code: 'forbidden', detail: 'This token does not open the metrics.' });
    const { type, body } = await measures.text();
    return c.body(body, 200, { 'Content-Type': type });
  });
}

/** Lets in who calls the API, and counts what was received until it is answered. */
function addApiGate(app: Hono<Env>, enter: MiddlewareHandler<Env>, flight: InFlight): void {
  app.use('/api/*', enter, async (c, next) => {
    notifyEnd(c.env.outgoing, flight.began());
    await next();
  });
}
