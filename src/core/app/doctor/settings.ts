// Doctor: the Node version, council's own templates, and the settings of the project.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkAgents } from '../../agents/check.ts';
import type { AgentsReport, CheckPorts } from '../../agents/check.ts';
import type { AgentRegistry } from '../../agents/registry.ts';
import { formatRunnableKey } from '../../agents/runnable-trust.ts';
import type { Runnable } from '../../agents/runnable-trust.ts';
import type { Config } from '../../base/config.ts';
import { CouncilError, catchRefusal } from '../../base/errors.ts';
import { loadWords } from '../../base/words/words.ts';
import type { Language } from '../../base/words/words.ts';
import { listAlive } from '../../heartbeat/launch/heartbeat-row.ts';
import type { Project } from '../../store/local/project.ts';
import { isDefaultCoordinator } from '../coordinator.ts';
import { hasHeartbeatWithLabels, explainMissingHeartbeats } from '../missing-heartbeats.ts';
import { listCopiedModes, findModes, readMode } from '../modes.ts';
import type { ProjectTrust } from '../trust.ts';
import type { Workspace } from '../workspace.ts';
import { createFindingReporter, createCopyFinding, formatFirstFew } from './finding.ts';
import type { Finding } from './finding.ts';
import { readMarkdownFiles, findPackageDir } from '../../store/local/project.ts';

/** Checks the settings of COUNCIL.md, and that the agents and the mode they name exist. */
export function checkConfig(
  project: Project,
  config: Config,
  registry: AgentRegistry,
  modes: string[],
): Finding[] {
  const { ok, warning, error } = createFindingReporter('config');
  const unknown = (config.warnings ?? []).map((message) => warning(message, `Edit ${project.councilFile}`));
  const named = [...(config.agents ?? []), ...(config.coordinator ? [config.coordinator] : [])];
  const strangers = named.filter(
    (id) => registry.find(id) === undefined && !isDefaultCoordinator(id, registry),
  );
  const findings = [
    ...unknown,
    ...strangers.map((id) =>
      error(`There is no agent ${JSON.stringify(id)}, but the settings name it.`, `council agents add ${id}`),
    ),
    ...(modes.includes(config.mode)
      ? []
      : [
          error(
            `There is no mode ${JSON.stringify(config.mode)}, but the settings name it.`,
            'council modes',
          ),
        ]),
  ];
  if (findings.length > 0) return findings;
  return [
    existsSync(project.councilFile)
      ? ok(`${project.councilFile} can be read (mode ${config.mode}, lang ${config.lang})`)
      : warning(`There is no ${project.councilFile}: no house rules, defaults everywhere.`, 'council init'),
  ];
}

/** Reports what prevents agents from speaking, like `council agents check`. */
export function checkRegistry(registry: AgentRegistry, ports: CheckPorts, ownFolder: string): Finding[] {
  const { ok, warning } = createFindingReporter('agents');
  const report = checkAgents(registry, ports);
  const findings = [
    ...fromReport(report),
    ...registry.copies().map((copy) => createCopyFinding('agents', copy)),
  ];
  const own = registry.listOwn().filter((agent) => agent.source === 'project');
  if (own.length === 0)
    findings.push(
      warning(
        `No agent in ${ownFolder}: "council run" seats what is on PATH, or checks a document with the offline panel.`,
        'council init, or: council agents add henry -- your-program',
      ),
    );
  else if (!findings.some(({ level }) => level === 'error'))
    findings.unshift(ok(`${own.length} in ${ownFolder}: ${formatFirstFew(own.map(({ id }) => id))}`));
  return findings;
}

function fromReport(report: AgentsReport): Finding[] {
  const { warning, error } = createFindingReporter('agents');
  return [
    ...report.problems.map(({ path, source, message, mend }) =>
      // An unreadable file for another tool is only a warning: council does not depend on it.
      (source === 'project' ? error : warning)(
        message.includes(path) ? message : `${path}: ${message}`,
        mend ?? `Edit ${path}`,
      ),
    ),
    ...report.agents.flatMap((agent) =>
      agent.findings
        // The built-in reviewers may be hidden on purpose.
        .filter(({ level }) => level === 'error' || agent.source === 'project')
        .map(({ level, message, mend }) =>
          (level === 'error' ? error : warning)(`${agent.id}: ${message}`, mend ?? `Edit ${agent.path}`),
        ),
    ),
  ];
}

export function checkModes(project: Project): Finding[] {
  const { ok, error } = createFindingReporter('modes');
  const modes = findModes(project);
  const copies = listCopiedModes(project).map((copy) => createCopyFinding('modes', copy));
  const broken = modes.flatMap((mode) => {
    const read = catchRefusal(() => readMode(mode));
    return read instanceof CouncilError ? [error(read.message, read.hint ?? `Edit ${mode.path}`)] : [];
  });
  const findings = [...broken, ...copies];
  return findings.length > 0 ? findings : [ok(modes.map(({ name }) => name).join(', '))];
}

/**
 * Reports what a tick would not run. In this user's own folder, new programs are trusted when seated by hand,
 * so only changed ones are reported.
 */
export function trustFindings(
  { isOwn, listWaiting }: ProjectTrust,
  root: string,
  items: Runnable[],
): Finding[] {
  const own = isOwn();
  const untrusted = listWaiting(items).filter(({ news }) => !own || news === 'changed');
  if (untrusted.length === 0) return [];
  const names = formatFirstFew(untrusted.map(({ key, news }) => `${formatRunnableKey(key)} (${news})`));
  return [
    createFindingReporter('trust').warning(
      `Waiting for trust in ${root}, and not run until then: ${names}.`,
      'council trust',
    ),
  ];
}

/** Returns nothing if no agent needs a label. */
export async function checkHeartbeats(
  { keeping }: Workspace,
  registry: AgentRegistry,
  lang: Language,
): Promise<Finding[]> {
  const needy = registry
    .list()
    .flatMap(({ id, 'runs-on': labels }) => (labels.length > 0 ? [{ participant: id, labels }] : []));
  if (needy.length === 0) return [];
  const there = listAlive(await keeping.heartbeats().list());
  const missing = needy.filter(({ labels }) => !hasHeartbeatWithLabels(labels, there));
  return explainMissingHeartbeats(missing, loadWords(lang)).map(({ sentence, command }) =>
    createFindingReporter('heartbeats').warning(sentence, command),
  );
}

/** Checks that the running Node satisfies package.json (`>=22.18`). */
export function checkNode(version: string, range: string): Finding[] {
  const { ok, error } = createFindingReporter('node');
  const [major = 0, minor = 0] = parseVersion(version);
  const [needsMajor = 0, needsMinor = 0] = parseVersion(range);
  const enough = major > needsMajor || (major === needsMajor && minor >= needsMinor);
  return enough
    ? [ok(`Node ${version} (needed: ${range})`)]
    : [error(`Node ${version} is too old: council needs ${range}.`, 'Install Node 24: https://nodejs.org')];
}

const parseVersion = (text: string): number[] =>
  (/\d+(?:\.\d+)*/.exec(text)?.[0] ?? '').split('.').map(Number);

/** Files of council's package that must exist. */
const NEEDED = [
  'templates/COUNCIL.md',
  'templates/COUNCIL.fr.md',
  'templates/agents/rapporteur.md',
  'templates/agents/prompts/worker.md',
  'dist/call.js',
  'dist/panel.js',
];

/** Checks that the files of council's package exist. Throws `failed` if the package is not found at all. */
export function checkTemplates(): Finding[] {
  const { ok, error } = createFindingReporter('templates');
  const home = findPackageDir();
  const missing = NEEDED.filter((path) => !existsSync(join(home, path)));
  const modes = readMarkdownFiles(join(home, 'templates', 'modes')).filter(({ text }) => text !== undefined);
  if (modes.length === 0) missing.push('templates/modes/*.md');
  return missing.length > 0
    ? [error(`Missing in ${home}: ${missing.join(', ')}.`, 'Install council again (in a clone: npm ci)')]
    : [ok(`${modes.length} modes, agents and house rules in ${join(home, 'templates')}`)];
}
