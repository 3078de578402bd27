// Opens a project's store, ports, settings and agents, the first step of every use case.
import { join } from 'node:path';
import { openAgentHealth, readHealthStamp } from '../store/agent-health.ts';
import type { AgentHealth } from '../store/agent-health.ts';
import type { ToolServer } from '../agents/runners/turn-types.ts';
import type { Config } from '../base/config.ts';
import { CouncilError } from '../base/errors.ts';
import type { ArchivePorts } from '../archive/write.ts';
import { restrictArchives, reserveArchivePath } from '../archive/limit-archives.ts';
import { readStamp } from '../council/document/document.ts';
import type { HeartbeatPorts } from '../heartbeat/ports.ts';
import type { Notifier } from '../notify/notifier.ts';
import type { notifyCommand } from '../notify/notify-command.ts';
import type { Documents, HandEdits } from '../store/documents.ts';
import { pinDocuments } from '../store/documents.ts';
import { isAlive, identifyThisProcess } from '../store/local/liveness.ts';
import { findProject, findPackageDir, layOutProject, readTextFile } from '../store/local/project.ts';
import type { Project } from '../store/local/project.ts';
import { systemRandom } from '../store/local/system.ts';
import type { App } from './app.ts';
import { describeActor, nameUserAndHost } from './app.ts';
import { openProjectStorage } from './storage/project-storage.ts';
import type { StoragePorts } from './storage/ports.ts';
import { loadAgents } from './load-agents.ts';
import { createLaunchingProcess } from './launching-process.ts';
import type { LaunchingProcess } from './launching-process.ts';
import type { PlannedFiles } from './load-agents.ts';
import { turnRegister } from './permissions.ts';

export { AGENT_FOLDERS, loadAgents } from './load-agents.ts';

/** A project with its store and ports. */
export interface Workspace {
  project: Project;
  keeping: StoragePorts;
  store: Documents;
  edits: HandEdits;
  ports: ArchivePorts;
  /** Only before a council opens: files to write at its opening. */
  planned?: PlannedFiles;
}

/** Finds the project of the working folder; undefined if there is none. */
export function findWorkspace(app: App): Workspace | undefined {
  const project = findProject(app);
  return project && createWorkspace(app, project);
}

/** Finds the project of the working folder; throws `no_project`. */
export function openWorkspace(app: App): Workspace {
  const found = findWorkspace(app);
  if (found) return found;
  throw new CouncilError('no_project', `There is no council project in ${app.cwd} or above it.`, {
    hint: 'Prepare this folder with: council init (council ask, start and run do it as well), or name one with --root.',
  });
}

/** Finds the project of the working folder, or treats the folder as one; for read-only use cases. */
export function openWorkspaceHere(app: App): Workspace {
  return findWorkspace(app) ?? createWorkspace(app, layOutProject(app.cwd));
}

/** Opens the store and the ports of a project. */
export function createWorkspace(app: App, project: Project): Workspace {
  const keeping = openProjectStorage(app, project);
  const { store: all, edits } = keeping.councils(readStamp);
  const store = app.atRevision === undefined ? all : pinDocuments(all, app.atRevision);
  const archives = keeping.archives();
  const here = nameUserAndHost();
  const ownArchive = app.caller?.ownArchive;
  return {
    project,
    keeping,
    store,
    edits,
    ports: {
      store,
      clock: keeping.clock,
      random: systemRandom,
      privateFiles: keeping.privateTexts(),
      lateFiles: keeping.lateFiles(),
      processes: { self: identifyThisProcess, isAlive },
      archives: ownArchive === undefined ? archives : restrictArchives(archives, ownArchive),
      modeReading: async (mode) =>
        app.features.find(({ modeReadings }) => modeReadings?.[mode])?.modeReadings?.[mode]?.(),
      reserveArchive: (topic, endMs) => reserveArchivePath(archives, topic, endMs),
      actor: describeActor(app),
      ...(app.why && { why: app.why }),
      place: here,
    },
  };
}

/** Settings that a call may override. */
export interface Overrides {
  lang?: string | undefined;
  mode?: string | undefined;
  coordinator?: string | undefined;
  agents?: string[] | undefined;
  /** Milliseconds. */
  timeout?: number | undefined;
  concurrency?: number | undefined;
  budgetUsd?: number | undefined;
  budgetTokens?: number | undefined;
}

/** Loads COUNCIL.md, merged with the environment and the input. */
export async function loadConfig(
  app: App,
  { project, keeping, planned }: Workspace,
  { timeout, ...given }: Overrides,
): Promise<Config> {
  await keeping.ready();
  const { readConfig } = await import('../base/config.ts');
  const config = await readConfig({
    text: readTextFile(project.councilFile) ?? planned?.rules,
    path: project.councilFile,
    env: app.env,
    // A bare number means seconds there.
    flags: { ...given, timeout: timeout === undefined ? undefined : `${timeout}ms` },
  });
  for (const warning of config.warnings) app.note(warning);
  return config;
}

/** Opens the recent health of the project's agents on a host (default: this one). */
export const openProjectHealth = (
  { keeping }: Pick<Workspace, 'keeping'>,
  host = identifyThisProcess().host,
): AgentHealth => openAgentHealth(keeping.documents('health', { readStamp: readHealthStamp }), host);

/** Opens everything that a tick needs. */
export async function createHeartbeatPorts(
  app: App,
  workspace: Workspace,
  config: Config,
  { heart, labels, launches }: LaunchingProcess = createLaunchingProcess(app, workspace),
): Promise<HeartbeatPorts> {
  const [{ createPinPorts }, { tellCopies }, { createTrustChecks }, { tellAside }] = await Promise.all([
    import('./pinned-guidance.ts'),
    import('./modes.ts'),
    import('./trust.ts'),
    import('./conflict-answers.ts'),
  ]);
  const { root } = workspace.project;
  const { env } = app;
  const { mayRun } = createTrustChecks(app, root);
  const agents = await loadAgents(app, workspace, config);
  launches(agents, mayRun);
  tellCopies(app, workspace, agents);
  await tellAside(app, workspace);
  return {
    ...workspace.ports,
    agents,
    health: openProjectHealth(workspace),
    mayRun,
    ...createPinPorts(app, workspace, { agents, houseRules: config.houseRules }),
    repair: config.repair,
    prices: config.prices,
    notifiers: [
      ...(await notifyCommands(config.notify, { cwd: root, env, mayRun })),
      ...(await collectNotifiers(app, workspace, config)),
    ],
    root,
    env,
    turns: turnRegister(app, root),
    toolServers: [describeCouncilServer(app.env)],
    due: workspace.keeping.due(),
    heartbeats: workspace.keeping.heartbeats(),
    heart,
    labels,
    self: identifyThisProcess(),
  };
}

/** Loads the code that starts programs only if a notification is configured. Saves 1 of 48 ms of a `tick`. */
async function notifyCommands(
  command: Config['notify'],
  own: Omit<Parameters<typeof notifyCommand>[0], 'command'>,
): Promise<Notifier[]> {
  if (command === null) return [];
  return [(await import('../notify/notify-command.ts')).notifyCommand({ command, ...own })];
}

/** Collects the listeners of the other rooms. */
export async function collectNotifiers(
  app: App,
  workspace: Workspace,
  config: Pick<Config, 'lang'>,
): Promise<Notifier[]> {
  const listening = app.features.flatMap(({ notifiers }) => notifiers?.(app, workspace, config) ?? []);
  return (await Promise.all(listening)).flat();
}

/**
 * Describes how an agent starts council's own tool server. The server must find the sealed texts, the record of trust and the
 * database, and some agents pass only these variables to programs that they start.
 */
function describeCouncilServer(parent: NodeJS.ProcessEnv): ToolServer {
  const database = ['COUNCIL_DATABASE_URL', 'COUNCIL_DATABASE_LISTEN_URL', 'PGPASSWORD', 'PGPASSFILE'];
  const names = ['XDG_STATE_HOME', 'XDG_CONFIG_HOME', ...database];
  return {
    name: 'council',
    command: [process.execPath, join(findPackageDir(), 'dist', 'council.js'), 'mcp', '--tools', 'all'],
    env: Object.fromEntries(names.flatMap((name) => (parent[name] ? [[name, parent[name]]] : []))),
  };
}
