// Use case `metrics`: measures of a council, an archive, or the messages between agents.
import { councilMetrics } from '../core/archive/compose-archive.ts';
import { measuresTable } from '../core/archive/measures.ts';
import { CouncilError } from '../core/base/errors.ts';
import { loadWords } from '../core/base/words/words.ts';
import type { Metrics } from '../core/council/vote/measures.ts';
import type { App } from '../core/app/app.ts';
import { findDeliberation } from '../core/app/find-deliberation.ts';
import type { MetricsInput } from '../core/app/input/archive.ts';
import type { WithTable } from '../core/app/ledger.ts';
import { safe, table } from '../core/council/document/markers.ts';
import { readEntry } from './messages/log-entry-schema.ts';
import { formatUtcDay } from '../core/store/small-files.ts';
import { openWorkspace } from '../core/app/workspace.ts';
import { openDayLog } from './messages/use/announcer.ts';
import { sinceWhen } from './messages/use/inbox.ts';
import { createTrafficCounter } from './messages/message-metrics.ts';
import type { Measures, Traffic } from './messages/message-metrics.ts';

/** Returns measures of a council or an archive, or of the messages between agents. Unknown values are null. */
export async function metrics(app: App, input: MetricsInput): Promise<WithTable<Metrics | Traffic>> {
  const { messages, since, council, name } = input;
  if (messages ? (council ?? name) !== undefined : since !== undefined)
    throw new CouncilError('usage', '--messages counts all messages; a council is counted as a whole.', {
      hint: 'For example: council metrics NAME, or council metrics --messages --since 2h',
    });
  if (messages) {
    const document = await readTraffic(app, since);
    return { document, table: () => trafficTable(document) };
  }
  const found = await findDeliberation(app, input);
  const document = 'council' in found ? councilMetrics(found.council) : found.archive.meta.metrics;
  const { lang, rules } = 'council' in found ? found.council.state : found.archive.meta;
  return { document, table: () => measuresTable(document, loadWords(lang), rules) };
}

/** Counts the log from a time on, or all of it. */
async function readTraffic(app: App, since: string | undefined): Promise<Traffic> {
  const start = since === undefined ? undefined : sinceWhen(since, app.startedAt);
  const { add, traffic } = createTrafficCounter();
  const from = start === undefined ? {} : { from: formatUtcDay(start) };
  for await (const line of openDayLog(app, openWorkspace(app)).read(from)) {
    const entry = readEntry(line);
    if (entry && !(start !== undefined && Date.parse(entry.timestamp) < start)) add(entry);
  }
  return traffic();
}

/** Renders the measures as a Markdown table: of all messages, by type, and by agent. */
function trafficTable(traffic: Traffic): string {
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
