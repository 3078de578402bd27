// The addresses of the server beside the API and MCP: what watches it asks there.
import type { Hono } from 'hono';
import type { MiddlewareHandler } from 'hono';
import type { Host } from '../remote/host.ts';
import { CouncilError } from '../../core/base/errors.ts';
import type { StoreTrouble } from '../../core/app/store-trouble.ts';
import { whenOver } from './connections.ts';
import type { InFlight } from './closing.ts';
import { AGAIN_SOON, MCP_PATH, refuse, refuseAway } from './context.ts';
import type { Ctx, Env } from './context.ts';
import type { Measures } from './measures.ts';
import { openApi } from './openapi.ts';

/** What is said where nothing is served, and where something broke. */
export function addRefusals(app: Hono<Env>, host: Host, onlyMcp: boolean): void {
  app.onError(async (error, c: Ctx) => {
    const found = error instanceof CouncilError ? error.details.trouble : undefined;
    const kind = (found as StoreTrouble['kind'] | undefined) ?? (await host.judge())?.kind;
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
export function addWatching(
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
export function addApiGate(app: Hono<Env>, enter: MiddlewareHandler<Env>, flight: InFlight): void {
  app.use('/api/*', enter, async (c, next) => {
    whenOver(c.env.outgoing, flight.began());
    await next();
  });
}
