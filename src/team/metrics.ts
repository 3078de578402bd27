// Use cases `metrics` and `logs`: measures of a council, an archive or the messages between agents, and what launches printed.
import { councilMetrics } from '../core/archive/compose-archive.ts';
import { measuresTable } from '../core/archive/measures.ts';
import { CouncilError } from '../core/base/errors.ts';
import { loadWords } from '../core/base/words/words.ts';
import type { Metrics } from '../core/council/vote/measures.ts';
import type { App, Result } from '../core/app/app.ts';
import { findDeliberation } from '../core/app/find-deliberation.ts';
import type { MetricsInput, LogsInput } from '../core/app/input/archive.ts';
import type { WithTable } from '../core/app/ledger.ts';
import { safe, table } from '../core/council/document/escape-markdown.ts';
import { readEntry } from './messages/log-entry-schema.ts';
import { formatUtcDay } from '../core/store/small-files.ts';
import { openWorkspace } from '../core/app/workspace.ts';
import { openDayLog } from './messages/use/announcer.ts';
import { sinceWhen } from './messages/use/inbox.ts';
import type { Entry } from './messages/log-entry-schema.ts';
import { LAST } from '../core/base/unknown-name.ts';
import { readLogs } from '../core/heartbeat/launch/spool.ts';
import type { LoggedLaunch } from '../core/heartbeat/launch/spool.ts';
import type { Workspace } from '../core/app/workspace.ts';

/** Measures of a council or an archive, or of the messages between agents. What is not known is null. */
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
  const { lang } = 'council' in found ? found.council.state : found.archive.meta;
  return { document, table: () => measuresTable(document, loadWords(lang)) };
}

/** Counts the log from a time on, or all that is kept of it. */
async function readTraffic(app: App, since: string | undefined): Promise<Traffic> {
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

/** The keys are those of seeds/004; what is not known is null. */
export interface Measures {
  messages_sent: number;
  /** How often a recipient got one, or dealt with it. */
  messages_received: number;
  /** Milliseconds from when a message was written until a recipient first had it. */
  avg_latency_ms: number | null;
  p50_latency_ms: number | null;
  p99_latency_ms: number | null;
  /** Shares of the messages that were sent: refused, given up or forbidden; sent again; not acknowledged or expired in time. */
  error_rate: number | null;
  retry_rate: number | null;
  timeout_rate: number | null;
}

export interface Traffic extends Measures {
  /** How many messages of each type were sent, and by each agent. */
  by_type: Record<string, number>;
  by_agent: Record<string, number>;
  /** The same measures of each type and of each agent: what it sent, and what reached it. */
  types: Record<string, Measures>;
  agents: Record<string, Measures>;
}

interface Tally {
  sent: Set<string>;
  rejected: number;
  latencies: number[];
  received: number;
  failed: Set<string>;
  retried: Set<string>;
  late: Set<string>;
}

/** Counts entries one after the other. */
export function counter(): { add(entry: Entry): void; traffic(): Traffic } {
  const all = empty();
  const types = new Map<string, Tally>();
  const agents = new Map<string, Tally>();
  const reached = new Set<string>();
  return {
    add(entry) {
      const { type, from, agent, to } = entry;
      const ofType = getOrAddTally(types, type);
      for (const tally of [all, ofType, getOrAddTally(agents, from)]) countSending(tally, entry);
      if (entry.direction !== 'received') return;
      const recipient = agent ?? to;
      const key = `${buildEntryKey(entry)}\0${recipient}`;
      if (reached.has(key)) return;
      reached.add(key);
      for (const tally of [all, ofType, getOrAddTally(agents, recipient)]) {
        tally.received++;
        if (entry.latency_ms !== undefined) tally.latencies.push(entry.latency_ms);
      }
    },
    traffic: () => ({
      ...computeMeasures(all),
      by_type: sortTallies(types, ({ sent }) => sent.size),
      by_agent: sortTallies(agents, ({ sent }) => sent.size),
      types: sortTallies(types, computeMeasures),
      agents: sortTallies(agents, computeMeasures),
    }),
  };
}

const empty = (): Tally => ({
  sent: new Set(),
  rejected: 0,
  latencies: [],
  received: 0,
  failed: new Set(),
  retried: new Set(),
  late: new Set(),
});

function getOrAddTally(tallies: Map<string, Tally>, name: string): Tally {
  const tally = tallies.get(name) ?? empty();
  tallies.set(name, tally);
  return tally;
}

/** Ids count up for each sender and channel: in two channels two messages may have the same one. */
const buildEntryKey = ({ channel, message_id: id }: Entry): string => `${channel}/${id}`;

function countSending(tally: Tally, entry: Entry): void {
  const { event, status } = entry;
  const id = buildEntryKey(entry);
  if (event === 'stored') tally.sent.add(id);
  else if (event === 'rejected') tally.rejected++;
  else if (status === 'failed') tally.failed.add(id);
  else if (status === 'timeout') {
    tally.late.add(id);
    if (event !== 'expired') tally.retried.add(id);
  }
}

function computeMeasures({ sent, rejected, latencies, received, failed, retried, late }: Tally): Measures {
  const ordered = latencies.toSorted((a, b) => a - b);
  const tried = sent.size + rejected;
  // Of messages that were sent before the log begins only the end is known.
  const share = (ids: Set<string>, more = 0): number | null =>
    tried === 0 ? null : roundShare(([...ids].filter((id) => sent.has(id)).length + more) / tried);
  const sum = ordered.reduce((total, one) => total + one, 0);
  return {
    messages_sent: sent.size,
    messages_received: received,
    avg_latency_ms: ordered.length === 0 ? null : Math.round(sum / ordered.length),
    p50_latency_ms: quantile(ordered, 0.5),
    p99_latency_ms: quantile(ordered, 0.99),
    error_rate: share(failed, rejected),
    retry_rate: share(retried),
    timeout_rate: share(late),
  };
}

/** The value that so large a share of the others does not exceed. */
const quantile = (ordered: number[], part: number): number | null =>
  ordered[Math.max(0, Math.ceil(ordered.length * part) - 1)] ?? null;

const roundShare = (value: number): number => Number(value.toFixed(4));

/** By name, without a prototype: names come from elsewhere. */
function sortTallies<T>(tallies: Map<string, Tally>, of: (tally: Tally) => T): Record<string, T> {
  const found: Record<string, T> = Object.create(null) as Record<string, T>;
  for (const name of [...tallies.keys()].sort()) found[name] = of(tallies.get(name)!);
  return found;
}

export type { LoggedLaunch };

export interface LogsDocument {
  name: string;
  conversationId: string;
  participant: string;
  /** Those that are kept in all. */
  kept: number;
  /** The last ones, the oldest first. */
  launches: LoggedLaunch[];
}

/**
 * What an agent's programs printed, how they ended, and how long they took. It lies in the private folder of the user who
 * launched them, and says what a blind phase keeps back: an agent in its turn is shown its own alone.
 */
export async function logs(app: App, input: LogsInput): Promise<Result<LogsDocument>> {
  const workspace = openWorkspace(app);
  const { agent: participant, last } = input;
  const { name, conversationId } = await resolveLoggedCouncil(app, workspace, input);
  const all = await readLogs(workspace.ports.privateFiles, conversationId, participant);
  if (all.length === 0)
    throw new CouncilError('failed', `No launch of ${participant} in "${name}" is kept for you here.`, {
      hint: 'What agents print is shown only to the user who launched them, on that machine, until 30 days after the archive. See who sits there: council status, council show',
    });
  return {
    document: { name, conversationId, participant, kept: all.length, launches: all.slice(-last) },
  };
}

/** The council that is named; else the active one that is meant; else the newest archive. */
async function resolveLoggedCouncil(
  app: App,
  { store }: Pick<Workspace, 'store'>,
  { council, name }: LogsInput,
): Promise<{ name: string; conversationId: string }> {
  const isNoneMeant = council === undefined && name === undefined && (await store.list()).length === 0;
  const found = await findDeliberation(app, { council: isNoneMeant ? LAST : council, name });
  return 'council' in found ? found.council.state : found.archive.meta;
}
