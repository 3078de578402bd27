// Use case `metrics`: measures of a council, an archive, or the messages between agents.
import { computeCouncilMetrics } from '../core/archive/compose-archive.ts';
import { renderMeasuresTable } from '../core/archive/metrics-table.ts';
import { CouncilError } from '../core/base/errors.ts';
import { loadWords } from '../core/base/words/words.ts';
import type { Metrics } from '../core/council/vote/metrics.ts';
import type { App } from '../core/app/app.ts';
import { findDeliberation } from '../core/app/find-deliberation.ts';
import type { MetricsInput } from '../core/app/input/archive.ts';
import type { ResultWithTable } from '../core/app/ledger.ts';
import { toSafeLine, renderTable } from '../core/council/document/markers.ts';
import { parseLogEntry } from './messages/log-entry-schema.ts';
import { formatUtcDay } from './log/day-log.ts';
import { openWorkspace } from '../core/app/workspace.ts';
import { openDayLog } from './messages/use/announcer.ts';
import { parseStartTime } from './messages/use/inbox.ts';
import { createTrafficCounter } from './messages/message-metrics.ts';
import type { Measures, Traffic } from './messages/message-metrics.ts';

/** Returns measures of a council or an archive, or of the messages between agents. Unknown values are null. */
export async function reportMetrics(
  app: App,
  input: MetricsInput,
): Promise<ResultWithTable<Metrics | Traffic>> {
  const { messages, since, council, name } = input;
  if (messages ? (council ?? name) !== undefined : since !== undefined)
    throw new CouncilError('usage', '--messages counts all messages; a council is counted as a whole.', {
      hint: 'For example: council metrics NAME, or council metrics --messages --since 2h',
    });
  if (messages) {
    const document = await readTraffic(app, since);
    return { document, table: () => renderTrafficTable(document) };
  }
  const found = await findDeliberation(app, input);
  const document = 'council' in found ? computeCouncilMetrics(found.council) : found.archive.meta.metrics;
  const { lang, rules } = 'council' in found ? found.council.state : found.archive.meta;
  return { document, table: () => renderMeasuresTable(document, loadWords(lang), rules) };
}

/** Counts the log from a time on, or all of it. */
async function readTraffic(app: App, since: string | undefined): Promise<Traffic> {
  const start = since === undefined ? undefined : parseStartTime(since, app.startedAt);
  const { add, traffic } = createTrafficCounter();
  const from = start === undefined ? {} : { from: formatUtcDay(start) };
  for await (const line of openDayLog(app, openWorkspace(app)).read(from)) {
    const entry = parseLogEntry(line);
    if (entry && !(start !== undefined && Date.parse(entry.timestamp) < start)) add(entry);
  }
  return traffic();
}

/** Renders the measures as a Markdown table: of all messages, by type, and by agent. */
function renderTrafficTable(traffic: Traffic): string {
  const { types, agents } = traffic;
  if (traffic.messages_sent === 0 && traffic.messages_received === 0) return '';
  const rows = [
    formatTrafficRow('all', traffic),
    ...Object.entries(types).map(([type, measures]) =>
      formatTrafficRow(`type ${toSafeLine(type)}`, measures),
    ),
    ...Object.entries(agents).map(([agent, measures]) =>
      formatTrafficRow(`agent ${toSafeLine(agent)}`, measures),
    ),
  ];
  return renderTable(['messages', 'sent', 'got', 'mean', 'p50', 'p99', 'errors', 'retried', 'late'], rows);
}

const formatTrafficRow = (name: string, one: Measures): string[] => [
  name,
  String(one.messages_sent),
  String(one.messages_received),
  formatMilliseconds(one.avg_latency_ms),
  formatMilliseconds(one.p50_latency_ms),
  formatMilliseconds(one.p99_latency_ms),
  formatShare(one.error_rate),
  formatShare(one.retry_rate),
  formatShare(one.timeout_rate),
];

const formatMilliseconds = (value: number | null): string => (value === null ? '-' : `${value} ms`);
const formatShare = (value: number | null): string =>
  value === null ? '-' : `${Number((value * 100).toFixed(1))} %`;
