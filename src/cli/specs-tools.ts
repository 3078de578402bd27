// Specs of the commands that let agents use council (data).
import { mcpFields, skillFields } from '../app/input/project.ts';
import { command } from './spec.ts';
import type { CommandSpec } from './spec.ts';

/** The commands by which agents use council themselves. */
export const toolSpecs: CommandSpec[] = [
  command({
    name: 'mcp',
    fields: mcpFields,
    summary: 'a tool server (Model Context Protocol) for agents, on stdin and stdout',
    details:
      'Serves these tools: list, start, view, respond, status, tick, search and show. With --http it listens on 127.0.0.1 instead and asks for a bearer token: COUNCIL_MCP_TOKEN, or one that is made and printed. See docs/mcp.md.',
    examples: ['claude mcp add council -- council mcp', 'council mcp --http 7411'],
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
  }),
  command({
    name: 'skill',
    fields: skillFields,
    summary: 'install a skill: how an agent convenes a council and takes part in one',
    details:
      'The only action is install. It writes SKILL.md into .claude/skills/council and .agents/skills/council of this project. A file that was changed is left alone without --force.',
    examples: ['council skill install', 'council skill install --for claude'],
    load: async () => (await import('./commands/skill.ts')).skillCommand,
  }),
];
