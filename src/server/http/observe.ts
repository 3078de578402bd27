// Gives every request an id, and counts and logs its outcome; /metrics has no names, texts or lengths.
import type { MiddlewareHandler } from 'hono';
import type Prom from 'prom-client';
import { getCrypto } from '../../core/base/ids.ts';
import { formatIso } from '../../core/base/clock.ts';
import type { Env } from './context.ts';

/** A log entry, without participants' texts and their lengths. */
export interface LogLine {
  event: 'request' | 'refused';
  at: string;
  requestId: string;
  method: string;
  /** The pattern of the path, or the call: never a client's own words. */
  route: string;
  status: number;
  ms: number;
  token: string | null;
  role: string | null;
  reason?: string;
}

const REQUEST_ID = /^[A-Za-z0-9][\w.:-]{0,63}$/;

/** Returns the client's request id if it is valid, or else a new one. */
const chooseRequestId = (given: string | undefined): string =>
  given !== undefined && REQUEST_ID.test(given) ? given : getCrypto().randomUUID();

/** `nameRoute` returns the pattern of a path; undefined if it is not the API's. */
export const observeRequests =
  (
    nameRoute: (path: string) => string | undefined,
    log: (line: LogLine) => void,
    measures: Measures,
  ): MiddlewareHandler<Env> =>
  async (c, next) => {
    const begun = performance.now();
    const requestId = chooseRequestId(c.req.header('x-request-id'));
    c.set('requestId', requestId);
    await next();
    c.header('X-Request-Id', requestId);
    const { status } = c.res;
    const ms = Math.round(performance.now() - begun);
    const route = nameRoute(c.req.path) ?? c.get('page') ?? 'other';
    const caller = c.get('caller');
    const reason = c.get('reason') ?? (status >= 400 ? nameStatusCode(status) : undefined);
    measures.countAnswer(route, status, ms);
    log({
      event: status >= 400 ? 'refused' : 'request',
      at: formatIso(Date.now()),
      requestId,
      method: METHODS.has(c.req.method) ? c.req.method : 'OTHER',
      route,
      status,
      ms,
      token: caller?.id ?? null,
      role: caller?.role ?? null,
      ...(reason && { reason }),
    });
  };

/** For refusals without a code, such as those of MCP. Importing `node:http` would cost every command 40 ms. */
const nameStatusCode = (status: number): string =>
  (process.getBuiltinModule('node:http').STATUS_CODES[status] ?? 'refused')
    .toLowerCase()
    .replace(/[^a-z]+/g, '_');

const METHODS = new Set(['GET', 'POST', 'HEAD', 'DELETE', 'OPTIONS', 'PUT', 'PATCH']);

export type Measures = ReturnType<typeof createMeasures>;

/** Creates counters in Prometheus format with their own registry, as a process may run several servers. */
export function createMeasures({ Registry, Counter, Histogram, Gauge, collectDefaultMetrics }: typeof Prom) {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const requests = new Counter({
    name: 'council_http_requests_total',
    help: 'Requests that were answered',
    labelNames: ['route', 'status'],
    registers: [register],
  });
  const seconds = new Histogram({
    name: 'council_http_request_duration_seconds',
    help: 'Time to the answer',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [register],
  });
  const streams = new Gauge({
    name: 'council_event_streams',
    help: 'Event streams that are open',
    registers: [register],
  });
  return {
    countAnswer(route: string, status: number, ms: number): void {
      requests.inc({ route, status: String(status) });
      seconds.observe({ route }, ms / 1000);
    },
    /** Counts a new event stream; the returned function ends it. */
    stream() {
      streams.inc();
      return () => streams.dec();
    },
    text: async () => ({ type: register.contentType, body: await register.metrics() }),
  };
}
