// The tool servers that agents of a project may use: those of its .mcp.json that their files name.
import { join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import { readMcpServers, serverRunnable } from '../agents/mcp-servers.ts';
import type { McpServer } from '../agents/mcp-servers.ts';
import type { Runnable } from '../agents/runnable-trust.ts';
import { readTextFile } from '../store/local/project.ts';

/** A server, and what using it would run. */
export interface NamedServer {
  server: McpServer;
  runnable: Runnable;
}

/** Those of .mcp.json in the project's folder. Throws `invalid_config`. */
export function mcpServers(root: string): NamedServer[] {
  const path = join(root, '.mcp.json');
  const text = readTextFile(path);
  if (text === undefined) return [];
  return readMcpServers(text, path).map((server) => ({ server, runnable: serverRunnable(server, path) }));
}

/** What the servers that these agents name would run: part of what the owner of a project trusts. */
export function serverRunnables(
  root: string,
  agents: readonly Pick<Agent, 'mcp_servers' | 'runner'>[],
): Runnable[] {
  const named = new Set(agents.filter(({ runner }) => runner === 'model').flatMap((one) => one.mcp_servers));
  if (named.size === 0) return [];
  return mcpServers(root).flatMap(({ server, runnable }) => (named.has(server.name) ? [runnable] : []));
}
