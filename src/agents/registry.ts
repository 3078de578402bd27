// Registry of agents over several folders, with precedence, shadowed agents and broken files.
import { basename, parse as parsePath } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import { rememberingNewest } from '../base/remember.ts';
import { unknown } from '../base/unknown.ts';
import { PRESETS } from './runner-kind.ts';
import { parseAgent } from './agent.ts';
import type { Agent, AgentSource } from './agent.ts';

/** One folder of agent files. `files` is called once, at the first question. */
export interface AgentFiles {
  source: AgentSource;
  files: () => ({ path: string; text: string } | { path: string; problem: CouncilError })[];
}

/** A file that is no agent, and why. */
export interface AgentProblem {
  path: string;
  source: AgentSource;
  message: string;
}

/** An agent that another file of the same id hides. */
export interface ShadowedAgent {
  id: string;
  path: string;
  /** The file that wins. */
  by: string;
}

interface LoadOptions {
  launchTimeout?: number | undefined;
  isOver?: (agent: Agent) => boolean;
}

/** Who exists. */
export interface AgentRegistry {
  /** The agents in the order of the sources, then of their files. */
  list(): Agent[];
  find(id: string): Agent | undefined;
  /** Like `find`; throws `unknown_agent` with the nearest id and all valid ones. */
  require(id: string): Agent;
  problems(): AgentProblem[];
  shadowed(): ShadowedAgent[];
}

/**
 * The agents of several folders, in order of precedence: the first file with an id wins. A file that cannot be
 * read or parsed becomes a problem and hides no other. Whatever `files` throws passes through.
 * `launchTimeout` (ms) holds for agents whose file gives none. An agent that `isOver` is as good as not there.
 */
export function agentRegistry(
  sources: AgentFiles[],
  { launchTimeout, isOver = () => false }: LoadOptions = {},
): AgentRegistry {
  let loaded: Loaded | undefined;
  const known = (): Loaded => (loaded ??= load(sources, { launchTimeout, isOver }));
  const find = (id: string): Agent | undefined => known().agents.get(id);
  return {
    list: () => [...known().agents.values()],
    find,
    require: (id) => find(id) ?? refuse(id, known()),
    problems: () => [...known().problems],
    shadowed: () => [...known().shadowed],
  };
}

interface Loaded {
  agents: Map<string, Agent>;
  problems: AgentProblem[];
  shadowed: ShadowedAgent[];
}

/** A command looks at the same files several times, and a heartbeat in each of its passes. */
const readBefore = rememberingNewest<Agent>(2000);

const readAgent = (
  ...file: [text: string, path: string, source: AgentSource, launchTimeout?: number]
): Agent => readBefore(JSON.stringify(file), () => parseAgent(...file));

function load(
  sources: AgentFiles[],
  { launchTimeout, isOver }: LoadOptions & { isOver(agent: Agent): boolean },
): Loaded {
  const loaded: Loaded = { agents: new Map(), problems: [], shadowed: [] };
  for (const { source, files } of sources) {
    for (const file of files()) {
      const { path } = file;
      // It tells people about the folder.
      if (/^readme\.md$/i.test(basename(path))) continue;
      try {
        if ('problem' in file) throw file.problem;
        const agent = readAgent(file.text, path, source, launchTimeout);
        if (isOver(agent)) continue;
        const winner = loaded.agents.get(agent.id);
        if (winner) loaded.shadowed.push({ id: agent.id, path, by: winner.path });
        else loaded.agents.set(agent.id, agent);
      } catch (error) {
        if (!(error instanceof CouncilError)) throw error;
        loaded.problems.push({ path, source, message: error.message });
      }
    }
  }
  return loaded;
}

function refuse(id: string, { agents, problems }: Loaded): never {
  const ids = [...agents.keys()];
  const broken = problems.find(({ path }) => parsePath(path).name === id);
  if (broken) throw unknown('agent', id, ids, { why: `Its file cannot be read: ${broken.message}` });
  const isProgram = PRESETS.some((name) => name === id);
  throw unknown(
    'agent',
    id,
    ids,
    isProgram ? { why: `Seat the program with: council agents add ${id} --runner ${id}.` } : {},
  );
}
