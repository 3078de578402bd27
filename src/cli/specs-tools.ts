import type { CommandSpec } from './spec.ts';

/** The commands by which agents use council themselves. `commands` are those that become tools. */
export const toolSpecs = (commands: CommandSpec[]): CommandSpec[] => [
  {
    name: 'mcp',
    args: '',
    summary: 'a tool server (Model Context Protocol) for agents, on stdin and stdout',
    details:
      'Serves the tools list, start, view, respond, status, tick, search and show. With --http it listens on 127.0.0.1 instead and asks for a bearer token: COUNCIL_MCP_TOKEN, or one that is made and printed. See docs/mcp.md.',
    options: [{ flags: '--http <port>', help: 'listen on this port of 127.0.0.1; 0 for any that is free' }],
    examples: ['claude mcp add council -- council mcp', 'council mcp --http 7411'],
    load: async () => (await import('./commands/mcp.ts')).mcpOf(commands),
  },
  {
    name: 'skill',
    args: '<action>',
    actions: ['install'],
    summary: 'install a skill: how an agent convenes a council and takes part in one',
    details:
      'The only action is install. It writes SKILL.md into .claude/skills/council and .agents/skills/council of this project. A file that was changed is left alone without --force.',
    options: [
      {
        flags: '--for <agent>',
        values: ['claude', 'codex', 'gemini', 'opencode', 'openclaw'],
        help: 'only the folder that this one reads: claude, codex, gemini, opencode, openclaw',
      },
      { flags: '--force', help: 'overwrite a file that was changed' },
    ],
    examples: ['council skill install', 'council skill install --for claude'],
    load: async () => (await import('./commands/skill.ts')).skillCommand,
  },
];
