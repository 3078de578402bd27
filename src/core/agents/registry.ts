// Registry of agents from several folders, with precedence, shadowed agents and broken files.
import { basename } from 'node:path';
import { catchRefusal, CouncilError } from '../base/errors.ts';
import { toSlug } from '../base/ids.ts';
import { toOneLine } from '../base/text.ts';
import { memoizeNewest } from '../base/memoize.ts';
import { createUnknownNameError } from '../base/unknown-name.ts';
import { takeCensus } from '../store/census.ts';
import type { UnusedCopy } from '../store/census.ts';
import { PRESETS } from './runner-kind.ts';
import { parseAgent, getAgentFileStem } from './agent.ts';
import type { Agent, AgentSource } from './agent.ts';

/** One folder of agent files. `files` is called once, on the first query. */
export interface AgentFiles {
  source: AgentSource;
  files: () => (
    { path: string; text: string; problem?: never } | { path: string; text?: never; problem: CouncilError }
  )[];
}

export interface AgentProblem {
  path: string;
  source: AgentSource;
  message: string;
  /** What to do if the file cannot be opened; if not set, the file has to be edited. */
  mend?: string;
}

/** A participant that cannot take part because its agent file cannot be read. */
export interface OutsideAgent {
  id: string;
  why: string;
}

/** Returns the broken agents of the project's folder, without paths of this machine. */
export const listOutsiders = ({ problems }: Pick<AgentRegistry, 'problems'>): OutsideAgent[] =>
  problems()
    .filter(({ source }) => source === 'project')
    .map(({ path, message }) => ({
      id: getAgentFileStem(path),
      why: toOneLine(message.replaceAll(`${path}: `, '').replaceAll(path, basename(path)), 300),
    }));

/** An agent hidden by one with the same id in another folder. */
export interface ShadowedAgent {
  id: string;
  path: string;
  /** The file that takes precedence. */
  by: string;
}

interface LoadOptions {
  launchTimeout?: number | undefined;
  isOver?: (agent: Agent) => boolean;
}

export interface AgentRegistry {
  /** All agents, ordered by source, then by file. */
  list(): Agent[];
  /** The same without the built-in agents. */
  listOwn(): Agent[];
  find(id: string): Agent | undefined;
  /** Like `find`, but throws `unknown_agent` with the nearest id and all valid ones. */
  require(id: string): Agent;
  /** Files that are not valid agents; built-in files are not checked. */
  problems(): AgentProblem[];
  listShadowed(): ShadowedAgent[];
  /** Further files for the same agent in the same folder; built-in files are not checked. */
  copies(): UnusedCopy[];
}

/**
 * Loads the agents of several folders, in order of precedence: the first folder with an id wins, and within
 * it the file named like the id. A file that cannot be read or parsed becomes a problem, and hides only
 * copies of itself. Errors of `files` are passed on. `launchTimeout` (ms) applies to agents without their
 * own. An agent for which `isOver` is true is ignored.
 */
export function agentRegistry(
  sources: AgentFiles[],
  { launchTimeout, isOver = () => false }: LoadOptions = {},
): AgentRegistry {
  const loaded: LoadedAgents = { agents: new Map(), problems: [], shadowed: [], copies: [] };
  const left = [...sources];
  /** Loads sources in order while `more` is true; stops early once the agent has been found. */
  const read = (more: (next: AgentFiles) => boolean): LoadedAgents => {
    for (let next = left[0]; next && more(next); next = left[0]) {
      loadSource(loaded, next, { launchTimeout, isOver });
      left.shift();
    }
    return loaded;
  };
  const readAll = (): LoadedAgents => read(() => true);
  const readOwn = (): LoadedAgents => read(({ source }) => source !== 'built-in');
  const find = (id: string): Agent | undefined => read(() => !loaded.agents.has(id)).agents.get(id);
  return {
    list: () => [...readAll().agents.values()],
    listOwn: () => [...readOwn().agents.values()].filter(({ source }) => source !== 'built-in'),
    find,
    require: (id) => find(id) ?? throwUnknownAgent(id, readAll()),
    problems: () => [...readOwn().problems],
    listShadowed: () => [...readAll().shadowed],
    copies: () => [...readOwn().copies],
  };
}

interface LoadedAgents {
  agents: Map<string, Agent>;
  problems: AgentProblem[];
  shadowed: ShadowedAgent[];
  copies: UnusedCopy[];
}

/** A command reads the same files several times, and a heartbeat in each pass. */
const readBefore = memoizeNewest<Agent>(2000);

const readAgent = (
  ...file: [text: string, path: string, source: AgentSource, launchTimeout?: number]
): Agent => readBefore(JSON.stringify(file), () => parseAgent(...file));

function loadSource(
  { agents, shadowed, problems, copies }: LoadedAgents,
  { source, files }: AgentFiles,
  { launchTimeout, isOver }: LoadOptions & { isOver(agent: Agent): boolean },
): void {
  const read = files().map((file) => ({
    path: file.path,
    mend: file.problem?.hint,
    ...parseAgentFile(file, source, launchTimeout),
  }));
  const pathOf = new Map(read.map(({ path }) => [basename(path), path]));
  const saidIn = new Map(read.map(({ path, agent }) => [basename(path), agent?.id]));
  const census = takeCensus([...pathOf.keys()], {
    parseKey: (name) => (name.endsWith('.md') ? toSlug(getAgentFileStem(name), '') : undefined),
    // An id derived from the file name does not show whose copy it is.
    readOwner: (name) =>
      saidIn.get(name) === toSlug(getAgentFileStem(name), '') ? undefined : saidIn.get(name),
  });
  for (const { path, agent, problem, mend } of read) {
    const { kind, of } = census.get(basename(path))!;
    const winner = [...census].find(([, one]) => one.kind === 'own' && one.of === of)?.[0];
    if (kind === 'copy' && winner !== undefined) copies.push({ path, of: pathOf.get(winner)! });
    else if (problem)
      problems.push({ path, source, message: problem.message, ...(mend !== undefined && { mend }) });
    else if (isOver(agent)) continue;
    else if (agents.has(agent.id)) shadowed.push({ id: agent.id, path, by: agents.get(agent.id)!.path });
    else agents.set(agent.id, agent);
  }
}

function parseAgentFile(
  file: ReturnType<AgentFiles['files']>[number],
  source: AgentSource,
  timeout?: number,
) {
  if (file.problem) return { problem: file.problem };
  const agent = catchRefusal(() => readAgent(file.text, file.path, source, timeout));
  return agent instanceof CouncilError ? { problem: agent } : { agent };
}

function throwUnknownAgent(id: string, { agents, problems }: LoadedAgents): never {
  // Built-in reviewers are seated with --panel, not by name.
  const ids = [...agents.values()].flatMap(({ id, source }) => (source === 'built-in' ? [] : [id]));
  const broken = problems.find(({ path }) => toSlug(getAgentFileStem(path), '') === id);
  if (broken) throw createUnknownNameError('agent', id, ids, `Its file cannot be read: ${broken.message}`);
  const isProgram = PRESETS.some((name) => name === id);
  throw createUnknownNameError(
    'agent',
    id,
    ids,
    isProgram ? `Seat the program with: council agents add ${id} --runner ${id}.` : '',
  );
}
