// Use case `doctor`: runs every check and collects the findings.
import { existsSync } from 'node:fs';
import { parseAgent } from '../../agents/agent.ts';
import type { Agent } from '../../agents/agent.ts';
import type { AgentRegistry } from '../../agents/registry.ts';
import { detectPrograms } from '../../agents/runners/detect-programs.ts';
import { createCommandFinder } from '../../agents/runners/find-command.ts';
import { CouncilError } from '../../base/errors.ts';
import type { Language } from '../../base/words/words.ts';
import { readStamp } from '../../council/document/document.ts';
import manifest from '../../../../package.json' with { type: 'json' };
import {
  findSyncedFolder,
  inspectCopies,
  inspectPrivate,
  inspectMount,
} from '../../store/file/inspect-folders.ts';
import { inspectStore, tryCommit } from '../../store/file/inspect-store.ts';
import type { StoreFacts } from '../../store/file/inspect-store.ts';
import { createJsonStampReader } from '../../store/documents.ts';
import { findProject, layOutProject } from '../../store/local/project.ts';
import { isReadable, isStoreAway, storeAway } from '../../store/availability.ts';
import { archiveFindings, checkAsideAnswers, readGitFacts, checkGit } from './foreign-changes.ts';
import { createFindingReporter, runGuardedCheck } from './finding.ts';
import type { Check, Finding } from './finding.ts';
import {
  checkHeartbeats,
  trustFindings,
  checkRegistry,
  checkConfig,
  checkModes,
  checkNode,
  checkTemplates,
} from './settings.ts';
import { probeAgents, probeTrusted, checkPrograms } from './programs.ts';
import { probeSchedule, readScheduleFacts, checkSchedule } from './schedule.ts';
import { checkFileSystem, checkPrivateFolder, storeFindings } from './storage.ts';
import { findAside } from '../conflict-answers.ts';
import { listAlive } from '../../heartbeat/launch/heartbeat-row.ts';
import { overrideApp } from '../app.ts';
import type { App, Result } from '../app.ts';
import type { DoctorPlace } from '../feature.ts';
import { findModes } from '../modes.ts';
import type { DoctorInput } from '../input/project.ts';
import {
  listProjectRunnables,
  listCouncilRunnables,
  createTrustChecks,
  listServerRunnables,
} from '../trust.ts';
import { openProjectHealth, loadAgents, loadConfig, openWorkspace } from '../workspace.ts';
import type { Workspace } from '../workspace.ts';

export interface DoctorDocument {
  ok: boolean;
  findings: Finding[];
}

/** Finds what prevents councils from working here, and how to fix it. Changes nothing. */
export async function diagnoseProject(
  app: App,
  { probe: launches }: DoctorInput,
): Promise<Result<DoctorDocument>> {
  const installation = [
    ...checkNode(process.versions.node, manifest.engines.node),
    ...(await runGuardedCheck('templates', checkTemplates)),
  ];
  const project = findProject({ cwd: app.cwd, env: app.env, root: app.root });
  const found = await (
    project ? checkProject(app, openWorkspace(app), launches) : checkOutsideProject(app, launches)
  ).catch((thrown: unknown) => checkWithoutStore(app, project?.root ?? app.cwd, thrown));
  const findings = [...installation, ...found];
  const ok = findings.every(({ level }) => level !== 'error');
  return { document: { ok, findings }, failed: ok ? undefined : 'failed' };
}

async function checkOutsideProject(app: App, launch: boolean): Promise<Finding[]> {
  // A user who has configured a database checks it before there is a project.
  const around = layOutProject(app.cwd);
  const found = await detectProgramsOrThrow(app, app.cwd);
  return [
    createFindingReporter('project').warning(
      `There is no council project in ${app.cwd} or above it.`,
      'council init',
    ),
    ...(await runGuardedCheck('file-system', () =>
      checkFileSystem(app.cwd, inspectMount(app.cwd), undefined),
    )),
    ...(await checkFeatures(app, { project: around, workspace: undefined, councils: [] })),
    ...(await runGuardedCheck('private', () => checkPrivateFolder(inspectPrivate(app.env, undefined)))),
    ...checkPrograms(found, true),
    ...(launch ? await runGuardedCheck('probe', () => probeDetected(app, found)) : []),
  ];
}

/** Probes what `run` would seat here: programs on PATH, outside of the folder, so that nothing in it is run. */
async function probeDetected(
  app: App,
  found: Awaited<ReturnType<typeof detectProgramsOrThrow>>,
): Promise<Finding[]> {
  const agents = found.flatMap(({ program: { preset }, model, problem }) => {
    if (problem !== null) return [];
    const settings = { runner: preset, ...(model !== null && { model }) };
    return [parseAgent(`---\ncouncil: ${JSON.stringify(settings)}\n---\n`, `${preset}.md`, 'built-in')];
  });
  return probeAgents(agents, { root: app.cwd, env: app.env, signal: app.interruption(), concurrency: 4 });
}

/** Runs the checks that need no store, also if the store fails during the checks. */
async function checkWithoutStore(app: App, root: string, thrown: unknown): Promise<Finding[]> {
  if (!isStoreAway(thrown)) throw thrown;
  return [
    createFindingReporter('database').error(thrown.message, thrown.hint),
    ...(await runGuardedCheck('file-system', () => checkFileSystem(root, inspectMount(root), undefined))),
    ...checkPrograms(await detectProgramsOrThrow(app, root), false),
  ];
}

async function checkProject(app: App, workspace: Workspace, launch: boolean): Promise<Finding[]> {
  const { project } = workspace;
  const { root, shared } = project;
  const trouble = await workspace.keeping.findTrouble();
  if (trouble && !isReadable(trouble)) throw storeAway(trouble);
  // Read-only checks come first: the others may sweep, import or repair.
  const stored = await checkStoredCouncils(app, workspace);
  const registry = await loadAgents(app, workspace);
  const {
    findings: config,
    concurrency,
    notify,
    lang,
  } = await checkProjectSettings(app, workspace, registry);
  const trusting = createTrustChecks(app, root);
  const launched = listOwnAgents(registry).filter(({ runner }) => runner !== 'human');
  const mayAsk = (agent: Agent): boolean =>
    listCouncilRunnables([agent], null).every((what) => trusting.mayRun(what)) || trusting.isOwn();
  const where = { root, env: app.env, signal: app.interruption(), concurrency };
  return [
    existsSync(shared)
      ? createFindingReporter('project').ok(root)
      : createFindingReporter('project').warning(`${root} is a project without ${shared}.`, 'council init'),
    ...config,
    ...(await runGuardedCheck('agents', async () =>
      checkRegistry(
        registry,
        {
          env: app.env,
          findCommand: createCommandFinder(root, app.env),
          health: { book: await openProjectHealth(workspace).read(), now: workspace.ports.clock.now() },
        },
        project.agents,
      ),
    )),
    ...(await runGuardedCheck('trust', () =>
      trustFindings(trusting, root, [
        ...listProjectRunnables(registry, notify),
        ...listServerRunnables(root, registry.list()),
      ]),
    )),
    ...(await runGuardedCheck('modes', () => checkModes(project))),
    ...stored.fileSystem,
    ...(await runGuardedCheck('git', async () => checkGit(await readGitFacts(root, app.env)))),
    ...stored.store,
    ...stored.aside,
    ...(await checkFeatures(app, { project, workspace, councils: stored.councils })),
    ...(await runGuardedCheck('archives', () => archiveFindings(workspace.ports.archives))),
    ...stored.secrets,
    ...checkPrograms(await detectProgramsOrThrow(app, root), launched.length === 0),
    ...(await runGuardedCheck('heartbeats', () => checkHeartbeats(workspace, registry, lang))),
    ...(launch ? await runGuardedCheck('probe', () => probeTrusted(launched, mayAsk, where)) : []),
    ...(await runGuardedCheck('schedule', async () => {
      const installed = await readScheduleFacts(app, root);
      const beating = listAlive(await workspace.keeping.heartbeats().list()).length;
      return [
        ...checkSchedule(installed, stored.councils.filter(isLive).length, beating),
        ...(launch ? await probeSchedule(app, installed, launched.filter(mayAsk), where) : []),
      ];
    })),
  ];
}

/** Runs the checks of the other rooms. */
async function checkFeatures(app: App, place: DoctorPlace): Promise<Finding[]> {
  const findings = [];
  for (const { doctorChecks } of app.features)
    for (const [name, check] of Object.entries(doctorChecks ?? {}))
      findings.push(...(await runGuardedCheck(name as Check, () => check(app, place))));
  return findings;
}

/** Checks the stored councils, and counts the live ones. */
async function checkStoredCouncils(app: App, workspace: Workspace) {
  const { root, shared } = workspace.project;
  const layout = { dir: shared, root, prefix: 'council-', readStamp };
  let facts: StoreFacts = { documents: [], unreadable: [], quarantined: [], edits: [] };
  // A sealed text is in the private folder before a revision refers to it, so that folder is read first.
  let files: string[] = [];
  const secrets = await runGuardedCheck('private', () => {
    const seen = inspectPrivate(app.env, root);
    ({ files } = seen);
    return checkPrivateFolder(seen);
  });
  const store = await runGuardedCheck('store', () =>
    storeFindings(shared, (facts = inspectStore(layout)), files),
  );
  const aside = await runGuardedCheck('store', async () => {
    return checkAsideAnswers(
      await findAside(workspace),
      inspectCopies(workspace.project, createJsonStampReader('')),
    );
  });
  const fileSystem = await runGuardedCheck('file-system', () =>
    checkFileSystem(
      root,
      { ...inspectMount(root), synced: findSyncedFolder(root) },
      existsSync(shared) ? tryCommit(layout) : undefined,
    ),
  );
  const isSound = aside.length === 0;
  const isTold = ({ message }: Finding): boolean => store.some((one) => one.message === message);
  return {
    ...{ secrets, fileSystem, councils: facts.documents },
    aside: aside.filter((one) => !isTold(one)),
    store: store.filter(({ level }) => isSound || level !== 'ok'),
  };
}

/** Checks COUNCIL.md, and returns the settings that other checks need. */
async function checkProjectSettings(app: App, workspace: Workspace, registry: AgentRegistry) {
  let concurrency = 4;
  let notify: string[] | null = null;
  let lang: Language = 'en';
  const findings = await runGuardedCheck('config', async () => {
    const settings = await loadConfig(overrideApp(app, { note: () => undefined }), workspace, {});
    ({ concurrency, notify, lang } = settings);
    const modes = findModes(workspace.project).map(({ name }) => name);
    return checkConfig(workspace.project, settings, registry, modes);
  });
  return { findings, concurrency, notify, lang };
}

const listOwnAgents = (registry: AgentRegistry) =>
  registry.listOwn().filter(({ source }) => source === 'project');
const isLive = ({ text }: StoreFacts['documents'][number]): boolean => text !== null;
async function detectProgramsOrThrow(app: App, cwd: string): ReturnType<typeof detectPrograms> {
  const signal = app.interruption();
  const found = await detectPrograms({ cwd, notIn: cwd, env: app.env, signal });
  if (signal.aborted)
    throw new CouncilError('interrupted', 'Interrupted while looking for agent programs.', {
      hint: 'Nothing was changed. Look again with: council doctor',
    });
  return found;
}
