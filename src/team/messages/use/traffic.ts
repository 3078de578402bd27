// Measures of the messages of a project, for `metrics --messages`.
import { safe, table } from '../../../core/council/document/escape-markdown.ts';
import { readEntry } from '../log-entry.ts';
import { counter } from '../message-metrics.ts';
import type { Measures, Traffic } from '../message-metrics.ts';
import { formatUtcDay } from '../../../core/store/small-files.ts';
import type { App } from '../../../core/app/app.ts';
import { openWorkspace } from '../../../core/app/workspace.ts';
import { openDayLog } from './announcer.ts';
import { sinceWhen } from './inbox.ts';

/** Counts the log from a time on, or all that is kept of it. */
export async function readTraffic(app: App, since: string | undefined): Promise<Traffic> {
  const start = since === undefined ? undefined : sinceWhen(since, app.startedAt);
  const { add, traffic } = counter();
  const from = start === undefined ? {} : { from: formatUtcDay(start) };
  for await (const line of openDayLog(app, openWorkspace(app)).read(from)) {
    const entry = readEntry(line);
    if (entry && !(start !== undefined && Date.parse(entry.timestamp) < start)) add(entry);
  }
  return traffic();
}

/** The measures as a table in Markdown: of all messages, of each type, and of each agent. */
export function trafficTable(traffic: Traffic): string {
  const { types, agents } = traffic;
  if (traffic.messages_sent === 0 && traffic.messages_received === 0) return '';
  const rows = [
    row('all', traffic),
    ...Object.entries(types).map(([type, measures]) => row(`type ${safe(type)}`, measures)),
    ...Object.entries(agents).map(([agent, measures]) => row(`agent ${safe(agent)}`, measures)),
  ];
  return table(['messages', 'sent', 'got', 'mean', 'p50', 'p99', 'errors', 'retried', 'late'], rows);
}

const row = (name: string, one: Measures): string[] => [
  name,
  String(one.messages_sent),
  String(one.messages_received),
  ms(one.avg_latency_ms),
  ms(one.p50_latency_ms),
  ms(one.p99_latency_ms),
  share(one.error_rate),
  share(one.retry_rate),
  share(one.timeout_rate),
];

const ms = (value: number | null): string => (value === null ? '-' : `${value} ms`);
const share = (value: number | null): string =>
  value === null ? '-' : `${Number((value * 100).toFixed(1))} %`;
