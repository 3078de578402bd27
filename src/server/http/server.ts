// The server: HTTP API and MCP for one project, at one address.
import type { Server } from 'node:http';
import type { Hono, MiddlewareHandler } from 'hono';
import { CouncilError, getSystemCode } from '../../core/base/errors.ts';
import type { TokenLookup } from '../remote/token-lookup.ts';
import type { ChangeHints } from '../remote/change-events.ts';
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
import type { ConnectionLimits, InFlight } from './connections.ts';
import { MCP_PATH, AGAIN_SOON, refuse, refuseAway } from './context.ts';
import type { Ctx, Env } from './context.ts';
import { addEvents, EVENTS_PATH } from './events.ts';
import { admitByToken, createRequestGate, MAX_BODY_BYTES, receiveJson } from './gate.ts';
import { createTokenAccounts, createBucket, findCallerLimits, STRANGERS } from './limits.ts';
import type { Account, Limits, Rate } from './limits.ts';
import { observeRequests, createMeasures } from './observe.ts';
import type { LogLine, Measures } from './observe.ts';
import type { PagesContext } from './pages/pages.ts';
import { openApi } from './openapi.ts';

/** Where the server listens, who has access, and what it serves. */
export interface ServeOptions {
  hostname: string;
  port: number;
  doors: TokenLookup;
  /** Only MCP, with only local names as Host: `council mcp --http`. */
  onlyMcp: boolean;
  /** The groups of MCP tools for a client that requests none. */
  groups?: readonly string[] | undefined;
  log(line: LogLine): void;
  /** Change events; if missing, there is no event stream. */
  hints?: ChangeHints;
  /** Pages for people; if missing, there are none. */
  pages?: PagesContext;
}

/** Timeouts and limits that tests may replace. */
export interface ServerBounds {
  patience?: ConnectionLimits;
  limits?: (caller: Caller) => Limits;
  strangers?: Rate;
}

export interface RunningServer {
  url: string;
  /** Resolves when the host has stopped and all connections are closed. */
  closed: Promise<void>;
}

/**
 * Serves until the host stops. Requests with a wrong Host or Origin get 403, those without a valid token 401, and
 * those beyond a limit 429. Throws `io` if the port is unavailable.
 */
export async function serveHttp(
  host: Host,
  serving: ServeOptions,
  { patience = PATIENCE, limits = findCallerLimits, strangers = STRANGERS }: ServerBounds = {},
): Promise<RunningServer> {
  const [{ createAdaptorServer }, { Hono }, prom, { createMcpOverHttp }] = await Promise.all([
    import('@hono/node-server'),
    import('hono'),
    import('prom-client'),
    import('../mcp/over-http.ts'),
  ]);
  const getAccount = createTokenAccounts(limits);
  const flight = trackRequests();
  const limited = createLimitedHost(host, getAccount);
  const getMaxSessions = (caller: Caller): number => getAccount(caller).limits.sessions;
  const mcp = await createMcpOverHttp(limited, {
    most: getMaxSessions,
    maxBodyBytes: MAX_BODY_BYTES,
    groups: serving.groups,
  });
  const measures = createMeasures(prom.default);
  const app = new Hono<Env>();
  app.use('*', observeRequests(nameRoutePattern, serving.log, measures));
  addRefusals(app, host, serving.onlyMcp);
  const isStream = (c: Ctx): boolean =>
    c.req.method === 'GET' && [MCP_PATH, EVENTS_PATH].includes(c.req.path);
  const known = { mark: (..._ends: Parameters<ReturnType<typeof limitStrangers>>): void => undefined };
  const unknown = createBucket(strangers);
  const rules = { isKnown: (...what: Parameters<typeof known.mark>) => known.mark(...what), getAccount };
  const enter = createRequestGate({
    ...rules,
    enter: admitByToken(serving.doors, unknown, serving.onlyMcp),
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

function createLimitedHost(host: Host, getAccount: (caller: Caller) => Account): Host {
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

/** Returns the server's address once it listens. Throws `io` if the port is unavailable. */
async function listen(server: Server, { hostname, port, onlyMcp }: ServeOptions): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, resolve);
  }).catch((error: unknown) => {
    throw new CouncilError('io', `Cannot listen on port ${port}: ${getSystemCode(error) ?? String(error)}.`, {
      hint: `Choose another one, or 0 for any that is free: council ${onlyMcp ? 'mcp --http 0' : 'serve --port 0'}`,
      cause: error,
    });
  });
  const shown = hostname.includes(':') ? `[${hostname}]` : hostname;
  const at = `http://${shown}:${readServerPort(server)}`;
  return onlyMcp ? `${at}${MCP_PATH}` : at;
}

function readServerPort(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

// Paths for monitoring, besides the API and MCP.

/** Handles unknown paths and unexpected errors. */
function addRefusals(app: Hono<Env>, host: Host, onlyMcp: boolean): void {
  app.onError(async (error, c: Ctx) => {
    const found = error instanceof CouncilError ? error.details.trouble : undefined;
    const kind = found ?? (await host.findTrouble())?.kind;
    if (kind !== undefined) return refuseAway(c, kind);
    host.note(`HTTP: ${error.message}`);
    return refuse(c, { status: 500, code: 'failed', detail: 'The server failed.' });
  });
  const served = onlyMcp ? MCP_PATH : 'the API, MCP and what /openapi.json names';
  app.notFound((c: Ctx) =>
    refuse(c, { status: 404, code: 'not_found', detail: `Only ${served} is served here.` }),
  );
}

/** Adds health, readiness, OpenAPI document and metrics. */
function addWatching(
  app: Hono<Env>,
  enter: MiddlewareHandler<Env>,
  { host, measures }: { host: Host; measures: Measures },
): void {
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    if (host.stop.aborted) return c.json({ status: 'stopping' }, 503);
    const trouble = await host.findTrouble();
    // Details would name folders and servers; authorized clients get them when their calls fail.
    return trouble
      ? c.json({ status: 'store_away', trouble: trouble.kind }, 503, AGAIN_SOON)
      : c.json({ status: 'ready' });
  });
  app.get('/openapi.json', enter, (c) => c.json(openApi(host.version)));
  app.get('/metrics', enter, async (c) => {
    // Memory and time of a call would reveal the length of a sealed text.
    if (c.get('caller').role !== 'admin')
      return refuse(c, { status: 403, code: 'forbidden', detail: 'This token does not open the metrics.' });
    const { type, body } = await measures.text();
    return c.body(body, 200, { 'Content-Type': type });
  });
}

/** Authenticates calls of the API, and counts them as in flight until they are answered. */
function addApiGate(app: Hono<Env>, enter: MiddlewareHandler<Env>, flight: InFlight): void {
  app.use('/api/*', enter, async (c, next) => {
    notifyEnd(c.env.outgoing, flight.began());
    await next();
  });
}
