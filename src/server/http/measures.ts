// What the server counts, for /metrics: no names, no texts, no lengths.
import type Prom from 'prom-client';

/** Counters in the format of Prometheus. */
export interface Measures {
  answered(route: string, status: number, ms: number): void;
  /** One event stream more; the function returned ends it. */
  stream(): () => void;
  text(): Promise<{ type: string; body: string }>;
}

/** Counters of their own registry: several servers may live in one process. */
export function createMeasures({
  Registry,
  Counter,
  Histogram,
  Gauge,
  collectDefaultMetrics,
}: typeof Prom): Measures {
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
    answered(route, status, ms) {
      requests.inc({ route, status: String(status) });
      seconds.observe({ route }, ms / 1000);
    },
    stream() {
      streams.inc();
      return () => streams.dec();
    },
    text: async () => ({ type: register.contentType, body: await register.metrics() }),
  };
}
