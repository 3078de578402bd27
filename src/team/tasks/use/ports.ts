// Opens the task store of a project, and all ports for playing tasks.
import type { Agent } from '../../../core/agents/agent.ts';
import type { AgentRegistry } from '../../../core/agents/registry.ts';
import { buildAgentRunnable } from '../../../core/agents/runnable-trust.ts';
import type { Runnable } from '../../../core/agents/runnable-trust.ts';
import type { Clock, Random } from '../../../core/base/clock.ts';
import type { Config } from '../../../core/base/config.ts';
import type { MessageService } from '../../messages/message-service.ts';
import type { AgentHealth } from '../../../core/store/agent-health.ts';
import type { Heartbeats } from '../../../core/store/heartbeats.ts';
import { identifyThisProcess } from '../../../core/store/local/liveness.ts';
import type { ProcessIdentity } from '../../../core/store/local/liveness.ts';
import { reportFiles } from '../../reports/report-files.ts';
import type { Reports } from '../../reports/report-files.ts';
import type { Project } from '../../../core/store/local/project.ts';
import { systemRandom } from '../../../core/store/local/system.ts';
import { createLaunchCounter } from '../rate-limits.ts';
import type { LaunchCounter } from '../rate-limits.ts';
import { createRegistryBook } from '../registry-members.ts';
import type { RegistryBook } from '../registry-members.ts';
import { createTaskStore } from '../store.ts';
import type { Tasks } from '../store.ts';
import type { AuditTrail } from '../audit-trail.ts';
import { openDocuments } from '../../document-kinds.ts';
import type { App } from '../../../core/app/app.ts';
import type { StorageApp } from '../../../core/app/storage/ports.ts';
import { openAuditTrail, openApprovalDesk } from '../../ports.ts';
import type { ApprovalDesk } from '../approval-desk.ts';
import { createOffice } from '../../messages/use/open-office.ts';
import { createTrustChecks } from '../../../core/app/trust.ts';
import { openProjectHealth, loadAgents, loadConfig, openWorkspace } from '../../../core/app/workspace.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import type { TaskNews } from './news.ts';

export const openTaskStore = (app: StorageApp, workspace: Pick<Workspace, 'project'>): Tasks =>
  createTaskStore(openDocuments(app, workspace, 'tasks'));

export const openRegistryBook = (app: StorageApp, workspace: Pick<Workspace, 'project'>): RegistryBook =>
  createRegistryBook(openDocuments(app, workspace, 'registry'));

/** The ports for playing tasks. */
export interface TaskPorts {
  tasks: Tasks;
  registry: RegistryBook;
  office: MessageService;
  agents: AgentRegistry;
  /** Temporary agents that have expired, as far as the registry was read. */
  over: Agent[];
  health: AgentHealth;
  duty: LaunchCounter;
  approvals: ApprovalDesk;
  reports: Reports;
  config: Config;
  audit: AuditTrail;
  project: Project;
  clock: Clock;
  random: Random;
  /** The launching process, as named in leases; with the heartbeat's id if it is one. */
  self: ProcessIdentity & { heartbeat?: string };
  heartbeats: Heartbeats;
  /** The labels of the launching machine, for workers with `runs-on`. */
  labels: readonly string[];
  env: NodeJS.ProcessEnv;
  features: App['features'];
  /** What launching an agent runs there, and if that is allowed. */
  runs(agent: Agent): Runnable | undefined;
  mayRun(what: Runnable): boolean;
  /** True if several machines launch tasks: an agent paused on this one may run on another. */
  isLent?: boolean;
  /** Prints a message in addition to the result. */
  note(message: string): void;
  tell(news: TaskNews): void;
}

export async function openTasking(
  app: App,
  tell: (news: TaskNews) => void,
  {
    concurrency,
    labels = [],
  }: { concurrency?: number | undefined; labels?: readonly string[] | undefined } = {},
): Promise<TaskPorts> {
  const workspace = openWorkspace(app);
  const config = await loadConfig(app, workspace, { concurrency });
  const over: Agent[] = [];
  return {
    tasks: openTaskStore(app, workspace),
    registry: openRegistryBook(app, workspace),
    office: createOffice(app, workspace),
    agents: await loadAgents(app, workspace, config, { onOver: (agent) => over.push(agent) }),
    over,
    health: openProjectHealth(workspace),
    duty: createLaunchCounter(openDocuments(app, workspace, 'duty')),
    approvals: openApprovalDesk(app, workspace, config),
    reports: reportFiles(workspace.project.root),
    config,
    audit: openAuditTrail(app, workspace),
    project: workspace.project,
    clock: workspace.keeping.clock,
    random: systemRandom,
    self: identifyThisProcess(),
    heartbeats: workspace.keeping.heartbeats(),
    labels,
    env: app.env,
    features: app.features,
    runs: buildAgentRunnable,
    mayRun: createTrustChecks(app, workspace.project.root).mayRun,
    note: (message) => app.note(message),
    tell,
  };
}
