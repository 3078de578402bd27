// The tools that council gives to models, and the names of tools in an agent file that do not exist.
import type { Agent } from './agent.ts';

/** By the names that an agent file uses. */
export const OWN_TOOLS = ['memory', 'todo', 'calculator'] as const;
export type OwnTool = (typeof OWN_TOOLS)[number];

/** Also as "MemoryTool". */
const plainName = (name: string): string => name.toLowerCase().replace(/tool$/, '');

/** Those that an agent's file names; what else it names is for programs that have tools of their own. */
export function pickOwnTools({ tools }: Pick<Agent, 'tools'>): OwnTool[] {
  const named = tools.map(plainName);
  return OWN_TOOLS.filter((tool) => named.includes(tool));
}

/**
 * Tools of an agent's list that it never gets: a model has council's tools and those of its MCP
 * servers, a command only council's.
 */
export function findUnknownTools({
  runner,
  tools,
  mcp_servers,
}: Pick<Agent, 'runner' | 'tools' | 'mcp_servers'>): string[] {
  if ((runner !== 'model' && runner !== 'command') || mcp_servers.length > 0) return [];
  return tools.filter((name) => !OWN_TOOLS.some((own) => own === plainName(name)));
}

export const sayUnknownTools = (unknown: readonly string[]): string =>
  `There is no tool ${unknown.join(', ')}: council has ${OWN_TOOLS.join(', ')}, and MCP servers bring theirs (mcp_servers).`;
