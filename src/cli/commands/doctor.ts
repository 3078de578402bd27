import { existsSync } from 'node:fs';
import type { AgentRegistry } from '../../agents/registry.ts';
import { detectPrograms } from '../../agents/runners/detect.ts';
import { commandFinder } from '../../agents/runners/find-command.ts';
import { oneLine } from '../../base/text.ts';
import { readStamp } from '../../council/document.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { inspectMount } from '../../store/inspect-mount.ts';
import { inspectPrivate } from '../../store/inspect-private.ts';
import { inspectStore, tryCommit } from '../../store/inspect-store.ts';
import type { StoreFacts } from '../../store/inspect-store.ts';
import { findProject, markdownFiles } from '../../store/project.ts';
import { about, guarded } from '../doctor/finding.ts';
import type { Finding } from '../doctor/finding.ts';
import { nodeFindings, templateFindings } from '../doctor/installation.ts';
import { probe, programFindings } from '../doctor/programs.ts';
import { scheduleFacts, scheduleFindings } from '../doctor/schedule.ts';
import { agentFindings, configFindings, modeFindings } from '../doctor/settings.ts';
import { fileSystemFindings, privateFindings, storeFindings } from '../doctor/storage.ts';
import type { Cli } from '../io.ts';
import { findModes } from '../modes.ts';
import type { Command, Outcome } from '../spec.ts';
import { loadAgents, loadConfig, openWorkspace } from '../wire.ts';
import type { Workspace } from '../wire.ts';

export const doctorCommand: Command = async (cli, _args, options) => {
  const findings = [
    ...nodeFindings(process.versions.node, manifest.engines.node),
    ...(await guarded('templates', templateFindings)),
  ];
  const project = findProject({ cwd: cli.cwd, env: cli.env, root: cli.root });
  if (project) findings.push(...(await inProject(cli, openWorkspace(cli), options.probe === true)));
  else findings.push(...(await outside(cli)));
  return report(cli, findings);
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
  const shelf = { dir: shared, prefix: 'council-', readStamp };
  // Everything that only looks comes first: what follows may sweep, import or repair.
  let facts: StoreFacts = { documents: [], staleTemps: [], quarantined: [], edits: [] };
  const store = await guarded('store', () => storeFindings(shared, (facts = inspectStore(shelf))));
  const secrets = await guarded('private', () => privateFindings(inspectPrivate(cli.env, root)));
  const fileSystem = await guarded('file-system', () =>
    fileSystemFindings(root, inspectMount(root), existsSync(shared) ? tryCommit(shelf) : undefined),
  );
  const registry = await loadAgents(cli, workspace);
  let concurrency = 4;
  const config = await guarded('config', async () => {
    const settings = await loadConfig({ ...cli, note: () => undefined }, workspace, {});
    concurrency = settings.concurrency;
    return configFindings(
      project,
      settings,
      registry,
      findModes(project).map(({ name }) => name),
    );
  });
  const launched = ownAgents(registry).filter(({ runner }) => runner !== 'human');
  const where = { root, env: cli.env, signal: cli.interruption(), concurrency };
  return [
    existsSync(shared)
      ? about('project').ok(root)
      : about('project').warning(`${root} is a project without ${shared}.`, 'council init'),
    ...config,
    ...(await guarded('agents', () =>
      agentFindings(registry, { env: cli.env, findCommand: commandFinder(root, cli.env) }, project.agents),
    )),
    ...unreadable(project.agents),
    ...(await guarded('modes', () => modeFindings(project))),
    ...fileSystem,
    ...store,
    ...secrets,
    ...programFindings(await detected(cli, root), launched.length === 0),
    ...(launch ? await probe(launched, where) : []),
    ...(await guarded('schedule', async () =>
      scheduleFindings(await scheduleFacts(cli, root), facts.documents.filter(isLive).length),
    )),
  ];
}

const ownAgents = (registry: AgentRegistry) => registry.list().filter(({ source }) => source === 'project');
/** Files of a folder that are no text at all; the registry never hears of them. */
function unreadable(folder: string): Finding[] {
  const findings: Finding[] = [];
  markdownFiles(folder, (message) => findings.push(about('agents').error(message, `Look into ${folder}`)));
  return findings;
}
const isLive = ({ text }: StoreFacts['documents'][number]): boolean => text !== null;
const detected = (cli: Cli, cwd: string) => detectPrograms({ cwd, env: cli.env, signal: cli.interruption() });

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
