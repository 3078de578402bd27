// Statistics of agents on their tasks, and their health: computed from tasks, reports, breaker and presence.
import { sumKnown } from '../../core/base/text.ts';
import { checkAdmission } from '../../core/agents/circuit-breaker.ts';
import type { Health } from '../../core/store/agent-health.ts';
import type { Report, ToolUse } from './report.ts';
import { formatToolName } from './read-report.ts';
import { readDuration } from './report-text.ts';
import type { Cost } from './report-text.ts';
import type { Task, TaskLaunch } from './task.ts';

export interface ReportedTask {
  task: Task;
  report: Report | undefined;
}

export type AgentMetrics = ReturnType<typeof computeAgentMetrics>;

/** Returns an agent's finished launches, oldest first. */
const listEndedLaunches = (id: string, all: readonly ReportedTask[]): TaskLaunch[] =>
  all
    .flatMap(({ task }) => task.launches)
    .filter(({ worker, endedAt }) => worker === id && endedAt !== null)
    .sort((a, b) => a.at.localeCompare(b.at));

const isGood = ({ outcome }: TaskLaunch): boolean => outcome !== 'failed';
/** Interrupted and cancelled launches say nothing about the agent. */
const isCountedLaunch = ({ outcome }: TaskLaunch): boolean =>
  outcome !== 'interrupted' && outcome !== 'cancelled';

export function computeAgentMetrics(id: string, all: readonly ReportedTask[]) {
  const own = all.filter(({ task }) => task.worker === id);
  const launches = listEndedLaunches(id, all);
  const judged = launches.filter(isCountedLaunch);
  const times = launches.map(({ at, endedAt }) => Date.parse(endedAt ?? at) - Date.parse(at));
  const total = times.reduce((sum, one) => sum + one, 0);
  const rates = measureRates(launches);
  const reports = own.flatMap(({ report }) => report ?? []);
  const inState = (...states: Task['state'][]): number =>
    own.filter(({ task }) => states.includes(task.state)).length;
  return {
    id,
    tasks: { done: inState('D'), failed: inState('F'), cancelled: inState('X'), open: inState('N', 'R') },
    launches: launches.length,
    // Null without any launch that says something about the agent.
    success_rate: judged.length === 0 ? null : judged.filter(isGood).length / judged.length,
    // Milliseconds per launch.
    durations: {
      average: times.length === 0 ? null : Math.round(total / times.length),
      longest: times.length === 0 ? null : Math.max(...times),
      total,
    },
    tokens: {
      input: sumKnown(launches.map(({ usage }) => usage?.inputTokens)),
      output: sumKnown(launches.map(({ usage }) => usage?.outputTokens)),
    },
    cost: computeAgentCost(launches, own),
    errors: countErrors(launches),
    tools: countUses(
      reports.flatMap(({ tools }) => tools),
      rates,
    ),
    mcp: countServerUses(
      reports.flatMap(({ mcp }) => mcp),
      rates,
    ),
  };
}

/** Returns the measured cost, else the cost stated in the agent's reports. */
function computeAgentCost(launches: readonly TaskLaunch[], own: readonly ReportedTask[]): Cost[] {
  const measured = sumKnown(launches.map(({ usage }) => usage?.costUsd));
  if (measured !== null) return [{ amount: measured, currency: 'USD' }];
  const sums = new Map<string, number>();
  for (const { report } of own)
    if (report?.cost)
      sums.set(report.cost.currency, (sums.get(report.cost.currency) ?? 0) + report.cost.amount);
  return [...sums].map(([currency, amount]) => ({ amount, currency }));
}

function countErrors(launches: readonly TaskLaunch[]): Record<string, number> {
  const errors: Record<string, number> = {};
  for (const { error } of launches) if (error) errors[error.code] = (errors[error.code] ?? 0) + 1;
  return errors;
}

/** Returns the share of successful calls among the tools that `isMeant` selects by reported name; null if none. */
type Rates = (isMeant: (tool: string) => boolean) => number | null;

function measureRates(launches: readonly TaskLaunch[]): Rates {
  const calls = launches.flatMap(({ calls = [] }) => calls);
  return (isMeant) => {
    const meant = calls.filter(({ kind, tool }) => isMeant(kind === 'mcp' ? formatToolName(tool) : tool));
    return meant.length === 0 ? null : meant.filter(({ ok }) => ok).length / meant.length;
  };
}

/** Counts uses such as `3 queries (avg 45ms)`: by the leading number, else as one. */
function countUses(all: readonly ToolUse[], rates: Rates, server = '') {
  const uses = new Map<string, { calls: number; ms: number; timed: number }>();
  for (const { name, detail } of all) {
    if (name === '') continue;
    const calls = Number(/^\d{1,9}(?= )/.exec(detail)?.[0] ?? 1);
    const each = readDuration(/\((?:avg|moyenne) (\d+ ?ms)/.exec(detail)?.[1] ?? '');
    const before = uses.get(name) ?? { calls: 0, ms: 0, timed: 0 };
    uses.set(name, {
      calls: before.calls + calls,
      ms: before.ms + (each ?? 0) * calls,
      timed: before.timed + (each === undefined ? 0 : calls),
    });
  }
  return [...uses].map(([name, { calls, ms, timed }]) => ({
    name,
    calls,
    // Null if no report states it.
    avg_ms: timed === 0 ? null : Math.round(ms / timed),
    // Of the calls made through council.
    success_rate: rates((tool) => tool === server + name),
  }));
}

/** Groups `serena::find_symbol` by server; a line for the server alone counts only without lines for its tools. */
function countServerUses(all: readonly ToolUse[], rates: Rates) {
  const names = [...new Set(all.flatMap(({ name }) => name.split('::')[0] || []))];
  return names.map((name) => {
    const tools = countUses(
      all
        .filter((one) => one.name.startsWith(`${name}::`))
        .map((one) => ({ ...one, name: one.name.slice(name.length + 2) })),
      rates,
      `${name}::`,
    );
    const [server] = countUses(
      all.filter((one) => one.name === name),
      rates,
    );
    const calls = tools.reduce((sum, one) => sum + one.calls, 0);
    return {
      name,
      calls: calls > 0 ? calls : (server?.calls ?? 0),
      avg_ms: server?.avg_ms ?? null,
      success_rate: rates((tool) => tool.startsWith(`${name}::`)),
      tools,
    };
  });
}

export interface AgentCondition {
  id: string;
  status: 'Healthy' | 'Degraded' | 'Down';
  /** Why it is not healthy, in sentences; empty if it is. */
  reasons: string[];
  /** Its last success, ISO 8601 UTC; null for never. */
  last_success: string | null;
  /** Of its last launches; null for none. */
  error_rate: number | null;
}

/** The number of launches for the error rate, and the limit of that rate. */
const LAST = 20;
const TOO_HIGH = 0.2;

/** Down: breaker open, or it has gone silent after a heartbeat. Degraded: half-open, or too many recent errors. */
export function assessAgentCondition(
  id: string,
  all: readonly ReportedTask[],
  { health, silentSince, now }: { health: Health | undefined; silentSince: string | undefined; now: number },
): AgentCondition {
  const launches = listEndedLaunches(id, all).filter(isCountedLaunch);
  const last = launches.slice(-LAST);
  const failed = last.filter((one) => !isGood(one));
  const rate = last.length === 0 ? null : failed.length / last.length;
  const admitted = checkAdmission(health, now);
  const down = [
    ...(admitted.go
      ? []
      : [`Nobody launches it before ${new Date(admitted.until).toISOString()}: ${admitted.reason}.`]),
    ...(silentSince === undefined ? [] : [`No heartbeat since ${silentSince}.`]),
  ];
  const degraded = [
    ...(admitted.go && admitted.isTrial ? ['The next launch is a trial, after failures in a row.'] : []),
    ...(rate !== null && rate > TOO_HIGH
      ? [
          last.length === 1
            ? 'Its last launch failed.'
            : `${failed.length} of the last ${last.length} launches failed.`,
        ]
      : []),
  ];
  return {
    id,
    status: down.length > 0 ? 'Down' : degraded.length > 0 ? 'Degraded' : 'Healthy',
    reasons: [...down, ...degraded],
    last_success: launches.findLast(isGood)?.endedAt ?? null,
    error_rate: rate,
  };
}
