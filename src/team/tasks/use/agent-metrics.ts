// Use cases `agents metrics` and `agents health`: statistics of agents on their tasks, and their health.
import { formatIso } from '../../../core/base/clock.ts';
import { isHeartbeatMissed } from '../../messages/policy.ts';
import { listPresences } from '../../messages/presence.ts';
import { isAlive } from '../../../core/store/local/liveness.ts';
import { assessAgentCondition, computeAgentMetrics } from '../agent-metrics.ts';
import type { AgentCondition, AgentMetrics, ReportedTask } from '../agent-metrics.ts';
import { readTrackRecords } from '../../../core/app/track-records.ts';
import type { OriginRecord, TrackRecord } from '../../../core/app/track-records.ts';
import type { App } from '../../../core/app/app.ts';
import { reportFiles } from '../../reports/report-files.ts';
import { readReport } from '../../reports/keep-report.ts';
import { openProjectHealth, loadAgents, openWorkspace } from '../../../core/app/workspace.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { listSessionIds, readSessionTasks } from './find-tasks.ts';
import { openRegistryBook, openTaskStore } from './ports.ts';

export interface AgentsMetrics {
  /** `councils`: its record in archived councils; null if it was in none. */
  agents: (AgentMetrics & { councils: TrackRecord | null })[];
  /** The decisions with a recorded outcome, by origin. */
  decisions: OriginRecord[];
}

/** Returns statistics on tasks and councils: of one agent, or of all that have worked. */
export async function measureAgents(app: App, id: string | undefined): Promise<AgentsMetrics> {
  const workspace = openWorkspace(app);
  const all = await readAllTaskReports(app, workspace);
  const { records, origins } = await readTrackRecords(workspace.ports.archives);
  const byId = new Map(records.map((one) => [one.id, one]));
  const ids = await listMeasuredAgentIds(app, workspace, { all, sat: byId }, id);
  return {
    agents: ids.map((one) => ({ ...computeAgentMetrics(one, all), councils: byId.get(one) ?? null })),
    decisions: origins,
  };
}

/** Returns the health of one agent, or of all that are programs. */
export async function checkAgentsHealth(
  app: App,
  id: string | undefined,
): Promise<{ agents: AgentCondition[] }> {
  const workspace = openWorkspace(app);
  const all = await readAllTaskReports(app, workspace);
  const book = await openProjectHealth(workspace).read();
  const now = workspace.ports.clock.now();
  const silent = await findSilentAgents(app, workspace, now);
  // Only agents that exist have a health.
  const ids = await listMeasuredAgentIds(app, workspace, { all: [] }, id);
  return {
    agents: ids.map((one) =>
      assessAgentCondition(one, all, {
        health: Object.hasOwn(book, one) ? book[one] : undefined,
        silentSince: silent.get(one),
        now,
      }),
    ),
  };
}

/** Returns agents that were awake, or had joined, and went silent without signing off; with the time. */
async function findSilentAgents(app: App, workspace: Workspace, now: number): Promise<Map<string, string>> {
  const gone = (await listPresences(workspace.keeping.presences(), now, isAlive)).filter(({ lost }) => lost);
  const { members } = await openRegistryBook(app, workspace).read();
  const lost = members.flatMap(({ agent, status, seen }): [string, string][] =>
    agent !== null && status === 'active' && isHeartbeatMissed(seen, now) ? [[agent, formatIso(seen)]] : [],
  );
  return new Map([...gone.map((one): [string, string] => [one.agent_id, one.timestamp]), ...lost]);
}

async function readAllTaskReports(app: App, workspace: Workspace): Promise<ReportedTask[]> {
  const tasks = openTaskStore(app, workspace);
  const reports = reportFiles(workspace.project.root);
  const all: ReportedTask[] = [];
  for await (const session of listSessionIds(tasks))
    for (const task of await readSessionTasks(tasks, session))
      all.push({ task, report: await readReport(reports, task.report, (line) => app.note(line)) });
  return all.reverse();
}

/** Returns the ids of the project's agents and of all with tasks or councils. Throws `unknown_agent` for others. */
async function listMeasuredAgentIds(
  app: App,
  workspace: Workspace,
  { all, sat }: { all: readonly ReportedTask[]; sat?: ReadonlyMap<string, unknown> },
  id: string | undefined,
): Promise<string[]> {
  const registry = await loadAgents(app, workspace);
  const worked = new Set([
    ...all.flatMap(({ task }) => task.launches.map(({ worker }) => worker)),
    ...(sat?.keys() ?? []),
  ]);
  if (id !== undefined) return worked.has(id) ? [id] : [registry.require(id).id];
  const own = registry.list().filter(({ runner, source }) => runner !== 'human' && source !== 'built-in');
  return [...new Set([...own.map((one) => one.id), ...worked])];
}
