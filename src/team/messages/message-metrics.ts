// Counts log entries of messages: numbers sent and received, latencies, and rates of failures. Pure.
import type { Entry } from './log-entry-schema.ts';

export type Measures = ReturnType<typeof computeMeasures>;

export interface Traffic extends Measures {
  /** Number of messages sent, by type and by agent. */
  by_type: Record<string, number>;
  by_agent: Record<string, number>;
  /** The same measures by type and by agent: what it sent, and what reached it. */
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

export function createTrafficCounter(): { add(entry: Entry): void; traffic(): Traffic } {
  const all = createTally();
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

const createTally = (): Tally => ({
  sent: new Set(),
  rejected: 0,
  latencies: [],
  received: 0,
  failed: new Set(),
  retried: new Set(),
  late: new Set(),
});

function getOrAddTally(tallies: Map<string, Tally>, name: string): Tally {
  const tally = tallies.get(name) ?? createTally();
  tallies.set(name, tally);
  return tally;
}

/** Ids count up per sender and channel, so messages in two channels may have the same id. */
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

/** The keys are the agreed ones of messages' metrics; unknown values are null. */
function computeMeasures({ sent, rejected, latencies, received, failed, retried, late }: Tally) {
  const ordered = latencies.toSorted((a, b) => a - b);
  const tried = sent.size + rejected;
  // For messages sent before the start of the log, only the end is known, so they are left out.
  const share = (ids: Set<string>, more = 0): number | null =>
    tried === 0 ? null : roundShare(([...ids].filter((id) => sent.has(id)).length + more) / tried);
  const sum = ordered.reduce((total, one) => total + one, 0);
  return {
    messages_sent: sent.size,
    // Counted once per recipient.
    messages_received: received,
    // From writing a message until a recipient first had it.
    avg_latency_ms: ordered.length === 0 ? null : Math.round(sum / ordered.length),
    p50_latency_ms: quantile(ordered, 0.5),
    p99_latency_ms: quantile(ordered, 0.99),
    // Shares of the sent messages: refused, given up or forbidden; sent again; not acknowledged or expired.
    error_rate: share(failed, rejected),
    retry_rate: share(retried),
    timeout_rate: share(late),
  };
}

/** Returns the smallest value that is not below this share of all values. */
const quantile = (ordered: number[], part: number): number | null =>
  ordered[Math.max(0, Math.ceil(ordered.length * part) - 1)] ?? null;

const roundShare = (value: number): number => Number(value.toFixed(4));

/** Sorts by name; without a prototype, because names come from other programs. */
function sortTallies<T>(tallies: Map<string, Tally>, of: (tally: Tally) => T): Record<string, T> {
  const found: Record<string, T> = Object.create(null) as Record<string, T>;
  for (const name of [...tallies.keys()].sort()) found[name] = of(tallies.get(name)!);
  return found;
}
