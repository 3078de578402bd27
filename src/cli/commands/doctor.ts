import { existsSync } from 'node:fs';
import type { Agent } from '../../agents/agent.ts';
import type { AgentRegistry } from '../../agents/registry.ts';
import { detectPrograms } from '../../agents/runners/detect.ts';
import { commandFinder } from '../../agents/runners/find-command.ts';
import { CouncilError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { readStamp } from '../../council/document/document.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { inspectMount } from '../../store/file/inspect-mount.ts';
import { inspectPrivate } from '../../store/file/inspect-private.ts';
import { inspectStore, tryCommit } from '../../store/file/inspect-store.ts';
import type { StoreFacts } from '../../store/file/inspect-store.ts';
import { findProject } from '../../store/local/project.ts';
import { about, guarded } from '../../app/doctor/finding.ts';
import type { Finding } from '../../app/doctor/finding.ts';
import { gitFacts, gitFindings } from '../../app/doctor/git.ts';
import { nodeFindings, templateFindings } from '../../app/doctor/installation.ts';
import { probeTrusted, programFindings } from '../../app/doctor/programs.ts';
import { probeSchedule } from '../../app/doctor/schedule-probe.ts';
import { trustFindings } from '../../app/doctor/trust.ts';
import { scheduleFacts, scheduleFindings } from '../../app/doctor/schedule.ts';
import { agentFindings, configFindings, modeFindings } from '../../app/doctor/settings.ts';
import { fileSystemFindings, privateFindings, storeFindings } from '../../app/doctor/storage.ts';
import { inTurn } from '../../app/app.ts';
import type { Cli } from '../io.ts';
import { findModes } from '../../app/modes.ts';
import type { Outcome } from '../print.ts';
import type { LegacyCommand } from '../spec.ts';
import { projectRunnables, runnablesOf, trustIn } from '../../app/trust.ts';
import { loadAgents, loadConfig, openWorkspace } from '../../app/workspace.ts';
import type { Workspace } from '../../app/workspace.ts';

export const doctorCommand: LegacyCommand = async (cli, _args, options) => {
  const installation = [
    ...nodeFindings(process.versions.node, manifest.engines.node),
    ...(await guarded('templates', templateFindings)),
  ];
  const project = findProject({ cwd: cli.cwd, env: cli.env, root: cli.root });
  const found = project
    ? await inProject(cli, openWorkspace(cli), options.probe === true)
    : await outside(cli);
  return report(cli, [...installation, ...found]);
};

async function outside(cli: Cli): Promise<Finding[]> {
  return [
    about('project').warning(`There is no council project in ${cli.cwd} or above it.`, 'council init'),
    ...(await guarded('file-system', () => fileSystemFindings(cli.cwd, inspectMount(cli.cwd), undefined))),
    ...(await guarded('private', () => privateFindings(inspectPrivate(cli.env, undefined)))),
    ...programFindings(await detected(cli, cli.cwd), true),
  ];
}

async function inProject(cli: Cli, workspace: Workspace, launch: boolean): Promise<Finding[]> {
  const { project } = workspace;
  const { root, shared } = project;
  const shelf = { dir: shared, root, prefix: 'council-', readStamp };
  // Everything that only looks comes first: what follows may sweep, import or repair.
  let facts: StoreFacts = { documents: [], unreadable: [], staleTemps: [], quarantined: [], edits: [] };
  // Sealed texts lie in the private folder before a revision refers to them, so that it comes first.
  let files: string[] = [];
  const secrets = await guarded('private', () => {
    const seen = inspectPrivate(cli.env, root);
    ({ files } = seen);
    return privateFindings(seen);
  });
  const store = await guarded('store', () => storeFindings(shared, (facts = inspectStore(shelf)), files));
  const fileSystem = await guarded('file-system', () =>
    fileSystemFindings(root, inspectMount(root), existsSync(shared) ? tryCommit(shelf) : undefined),
  );
  const registry = await loadAgents(cli, workspace);
  const trusting = trustIn(cli, root);
  let concurrency = 4;
  let notify: string[] | null = null;
  const config = await guarded('config', async () => {
    const settings = await loadConfig({ ...cli, note: () => undefined }, workspace, {});
    ({ concurrency, notify } = settings);
    return configFindings(
      project,
      settings,
      registry,
      findModes(project).map(({ name }) => name),
    );
  });
  const launched = ownAgents(registry).filter(({ runner }) => runner !== 'human');
  const mayAsk = (agent: Agent): boolean =>
    runnablesOf([agent], null).every((what) => trusting.mayRun(what)) ||
    (trusting.isOwn() && !inTurn(cli.env));
  const where = { root, env: cli.env, signal: cli.interruption(), concurrency };
  return [
    existsSync(shared)
      ? about('project').ok(root)
      : about('project').warning(`${root} is a project without ${shared}.`, 'council init'),
    ...config,
    ...(await guarded('agents', () =>
      agentFindings(registry, { env: cli.env, findCommand: commandFinder(root, cli.env) }, project.agents),
    )),
    ...(await guarded('trust', () => trustFindings(trusting, root, projectRunnables(registry, notify)))),
    ...(await guarded('modes', () => modeFindings(project))),
    ...fileSystem,
    ...(await guarded('git', async () => gitFindings(await gitFacts(root, cli.env)))),
    ...store,
    ...secrets,
    ...programFindings(await detected(cli, root), launched.length === 0),
    ...(launch ? await guarded('probe', () => probeTrusted(launched, mayAsk, where)) : []),
    ...(await guarded('schedule', async () => {
      const installed = await scheduleFacts(cli, root);
      return [
        ...scheduleFindings(installed, facts.documents.filter(isLive).length),
        ...(launch ? await probeSchedule(cli, installed, launched.filter(mayAsk), where) : []),
      ];
    })),
  ];
}

const ownAgents = (registry: AgentRegistry) => registry.list().filter(({ source }) => source === 'project');
const isLive = ({ text }: StoreFacts['documents'][number]): boolean => text !== null;
async function detected(cli: Cli, cwd: string): ReturnType<typeof detectPrograms> {
  const signal = cli.interruption();
  const found = await detectPrograms({ cwd, notIn: cwd, env: cli.env, signal });
  if (signal.aborted)
    throw new CouncilError('interrupted', 'Interrupted while looking for agent programs.', {
      hint: 'Nothing was changed. Look again with: council doctor',
    });
  return found;
}

const MARKS = { ok: 'ok     ', warning: 'warning', error: 'error  ' } as const;
const COLOURS = { ok: 'green', warning: 'yellow', error: 'red' } as const;

function report(cli: Cli, findings: Finding[]): Outcome {
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length;
  const lines = findings.flatMap(({ level, check, message, fix }) => [
    `${cli.paint(COLOURS[level], MARKS[level])}  ${check.padEnd(11)}  ${oneLine(message, 1000)}`,
    ...(fix === null ? [] : [`${' '.repeat(22)}-> ${oneLine(fix, 1000)}`]),
  ]);
  const [errors, warnings] = [count('error'), count('warning')];
  return {
    json: { ok: errors === 0, findings },
    text: [
      ...lines,
      '',
      errors + warnings === 0 ? 'All is well.' : `${errors} error(s), ${warnings} warning(s).`,
    ].join('\n'),
    exitCode: errors === 0 ? 0 : 1,
  };
}
