// The report of `council agents check`: problems that prevent agents from speaking.
import type { Agent, AgentSource } from './agent.ts';
import { formatDuration } from '../base/duration.ts';
import { checkAdmission } from './circuit-breaker.ts';
import type { Health } from '../store/agent-health.ts';
import { chooseModel } from './providers.ts';
import type { AgentProblem, AgentRegistry } from './registry.ts';
import { isPreset } from './runner-kind.ts';
import { createProgramFailure, explainNotFound } from './runners/failure-classes.ts';
import { presets } from './runners/presets/preset-table.ts';

/** What the check needs to know about this machine. */
export interface CheckPorts {
  env: NodeJS.ProcessEnv;
  /** Returns the full path of a command's program, or undefined if it is missing or not executable. */
  findCommand(program: string): string | undefined;
  /** Agents whose latest launches failed, by id, as of `now` (milliseconds since the epoch). */
  health?: { book: Readonly<Record<string, Health>>; now: number };
}

export interface AgentFinding {
  /** An error prevents the agent from speaking; a warning does not. */
  level: 'error' | 'warning';
  message: string;
  /** The command that fixes it; if not set, the file has to be edited. */
  mend?: string;
}

export interface AgentCheck {
  id: string;
  path: string;
  source: AgentSource;
  /** False if any finding is an error. */
  ok: boolean;
  findings: AgentFinding[];
}

export interface AgentsReport {
  ok: boolean;
  agents: AgentCheck[];
  problems: AgentProblem[];
}

/**
 * Checks agents: files that cannot be parsed, missing programs, unset declared variables, shadowed ids,
 * meaningless keys. `ids` limits the report; an unknown id throws `unknown_agent`.
 */
export function checkAgents(registry: AgentRegistry, ports: CheckPorts, ids?: string[]): AgentsReport {
  const agents = (ids?.map((id) => registry.require(id)) ?? registry.list()).map((agent) => {
    const findings = [
      ...launchFindings(agent, ports),
      ...checkHealth(agent, ports),
      ...checkAgentFile(agent, registry),
    ];
    const { id, path, source } = agent;
    return { id, path, source, ok: findings.every(({ level }) => level !== 'error'), findings };
  });
  const problems = ids ? [] : registry.problems();
  return { ok: problems.length === 0 && agents.every(({ ok }) => ok), agents, problems };
}

function launchFindings(agent: Agent, { env, findCommand }: CheckPorts): AgentFinding[] {
  const findings: AgentFinding[] = [];
  const preset = isPreset(agent.runner) ? presets[agent.runner] : undefined;
  const program =
    agent.runner === 'human' || agent.runner === 'model' ? undefined : (agent.command[0] ?? preset?.program);
  if (program !== undefined && findCommand(program) === undefined) {
    const { says, mend } = createProgramFailure(program, explainNotFound(program), { agent, ways: preset });
    findings.push({ level: 'error', message: `${formatSentence(says)} ${formatSentence(mend, '')}` });
  }
  if (agent.runner === 'model') {
    const choice = chooseModel(agent, env);
    if ('problem' in choice) {
      findings.push({
        level: choice.about === 'key' ? 'warning' : 'error',
        message: `The model cannot be asked: ${choice.problem}.`,
      });
    }
  }
  if (agent.runner === 'ollama' && (agent.model ?? 'inherit') === 'inherit') {
    findings.push({ level: 'error', message: 'ollama needs a model: add a line such as "model: llama3.2".' });
  }
  // Files for Claude Code and others name its tools, and without a runner the agent is a person.
  const unknown = agent.runner === 'human' ? [] : findUnknownTools(agent);
  if (unknown.length > 0)
    findings.push({
      level: agent.runner === 'model' ? 'error' : 'warning',
      message: sayUnknownTools(unknown),
    });
  const unset = agent.env.filter((name) => (env[name] ?? '') === '');
  if (unset.length > 0) {
    findings.push({
      level: 'warning',
      message: `Declared under "env", but unset here: ${unset.join(', ')}.`,
    });
  }
  return findings;
}

const formatSentence = (words: string, end = '.'): string =>
  `${words[0]?.toUpperCase()}${words.slice(1)}${end}`;

function checkHealth({ id }: Agent, { health }: CheckPorts): AgentFinding[] {
  const entry = health && Object.hasOwn(health.book, id) ? health.book[id] : undefined;
  if (!health || !entry) return [];
  const failed =
    entry.failures === 1 ? 'The last launch failed' : `The last ${entry.failures} launches failed`;
  const admitted = checkAdmission(entry, health.now);
  const state = admitted.go
    ? 'the next council tries it again'
    : `no council launches it for another ${formatDuration(Math.max(1000, admitted.until - health.now))}`;
  return [
    { level: 'warning', message: `${failed} (${entry.reason}): ${state}.`, mend: 'council doctor --probe' },
  ];
}

function checkAgentFile(agent: Agent, registry: AgentRegistry): AgentFinding[] {
  const hidden = registry.listShadowed().filter(({ id }) => id === agent.id);
  const findings: AgentFinding[] = hidden.map(({ path }) => ({
    level: 'warning',
    message: `${path} has the same id and is not used.`,
  }));
  for (const message of agent.notes ?? []) findings.push({ level: 'warning', message });
  return findings;
}

/** The built-in tools, by their names in agent files. */
const OWN_TOOLS = ['memory', 'todo', 'calculator'] as const;
export type OwnTool = (typeof OWN_TOOLS)[number];

/** Accepts "MemoryTool", too. */
const normalizeToolName = (name: string): string => name.toLowerCase().replace(/tool$/, '');

/** Returns council's own tools named in an agent's file; other names are for programs with tools of their own. */
export function pickOwnTools({ tools }: Pick<Agent, 'tools'>): OwnTool[] {
  const named = tools.map(normalizeToolName);
  return OWN_TOOLS.filter((tool) => named.includes(tool));
}

/** Returns listed tools that the agent never gets: a model has only council's own and its MCP servers'. */
export function findUnknownTools({
  runner,
  tools,
  mcp_servers,
}: Pick<Agent, 'runner' | 'tools' | 'mcp_servers'>): string[] {
  const hasOthers = runner !== 'model' && runner !== 'command' && runner !== 'human';
  if (hasOthers || mcp_servers.length > 0) return [];
  return tools.filter((name) => !OWN_TOOLS.some((own) => own === normalizeToolName(name)));
}

export const sayUnknownTools = (unknown: readonly string[]): string =>
  `There is no tool ${unknown.join(', ')}: council has ${OWN_TOOLS.join(', ')}, and MCP servers bring theirs (mcp_servers).`;
