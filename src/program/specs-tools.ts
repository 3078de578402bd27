// Specs of the commands that let agents use council (data).
import { inviteFields, openFields, tokenFields } from '../server/input/access.ts';
import { mcpFields, serveFields, skillFields } from '../core/app/input/project.ts';
import { protocolFields } from '../team/input/protocol.ts';
import { command } from '../core/cli/spec.ts';
import type { CommandSpec } from '../core/cli/spec.ts';

/** The commands by which agents use council themselves. */
export const toolSpecs: CommandSpec[] = [
  command({
    name: 'mcp',
    fields: mcpFields,
    summary: 'a tool server (Model Context Protocol) for agents, on stdin and stdout',
    details:
      'Serves these tools: list, start, view, respond, status, tick, search, show, send, inbox, ack, nack and sent. With --http it listens on 127.0.0.1 instead and asks for a bearer token: COUNCIL_MCP_TOKEN, or one that is made and printed. See docs/mcp.md.',
    examples: ['claude mcp add council -- council mcp', 'council mcp --http 7411'],
    load: async () => (await import('../server/commands/mcp.ts')).mcpCommand,
  }),
  command({
    name: 'serve',
    fields: serveFields,
    summary: 'an HTTP server: the pages for people, the API for other machines, MCP over HTTP',
    hasEvents: true,
    details:
      'Serves councils, messages and tasks of this project until SIGTERM: POST /api/v1/CALL takes the input of a tool and answers with the document that --json prints, /mcp speaks MCP, /openapi.json describes it all; / has the pages for people. With --heartbeat, COUNCIL_LABELS names what this machine has. Until the first token is made it listens on the loopback address only. See docs/serve.md and docs/web.md.',
    examples: ['council serve', 'council serve --port 8080 --json'],
    load: async () => (await import('../server/commands/serve.ts')).serveCommand,
  }),
  command({
    name: 'open',
    fields: openFields,
    summary: 'open the pages of this project in a browser',
    details:
      'Starts council serve --heartbeat where no server of this project runs here. The link works once, for one minute; the browser gets it in a file that only you can read. From the first time on, this machine is asked for a code or a token like every other one. See docs/web.md.',
    examples: ['council open', 'council open billing', 'council open --print'],
    load: async () => (await import('../server/commands/open.ts')).openCommand,
  }),
  command({
    name: 'invite',
    fields: inviteFields,
    summary: 'a link by which a person takes their seat in the browser',
    details:
      'The link opens this one seat of this one council, for a week or until --revoke. Whoever has it speaks as that participant. See docs/web.md.',
    examples: ['council invite ana', 'council invite ana --revoke'],
    load: async () => (await import('../server/commands/invite.ts')).inviteCommand,
  }),
  command({
    name: 'token',
    fields: tokenFields,
    summary: 'make, list and revoke the tokens by which a server lets somebody in',
    details:
      'Actions: list (default), create --role ROLE, revoke ID. A participant needs --name and --as, and opens exactly that seat; a member sees what the command line shows, and speaks as --as; a worker is a machine that launches agents; an admin runs councils. From the first token on a server asks everybody for one. Only hashes are kept, outside of the project or in its database. See docs/serve.md.',
    examples: [
      'council token create --role admin',
      'council token create --role participant --name billing --as ana --expires 7d',
      'council token revoke 3f9a01c2',
    ],
    load: async () => (await import('../server/commands/token.ts')).tokenCommand,
  }),
  command({
    name: 'skill',
    fields: skillFields,
    summary: 'install a skill: how an agent convenes a council and takes part in one',
    details:
      'The only action is install. It writes SKILL.md, and HEARTBEAT-COUNCIL.md for assistants that are woken at intervals, into .claude/skills/council and .agents/skills/council of this project. A file that was changed is left alone without --force.',
    examples: ['council skill install', 'council skill install --for claude'],
    load: async () => (await import('../core/cli/commands/skill.ts')).skillCommand,
  }),
  command({
    name: 'protocol',
    fields: protocolFields,
    summary: 'read, check, convert and explain messages between agents',
    details:
      'Reads messages of five versions of a compact line, of the files of a channel, and envelopes. parse shows what each one says, validate also reads them as one conversation, convert writes them in another format and tells what that cannot carry, explain says what every part means, sign gives lines of V5 the signature that validate --key asks for. check-worker -- COMMAND plays the conversations of the specification with a worker program and says what it got wrong. With --json it prints one result a line. Ends with 1 when a message is not valid, or a worker got something wrong. See docs/protocol.md.',
    examples: [
      'council protocol validate < agents.log',
      "echo 'M1|O1>W1|R|T1|P1|N|-|0|S1|B500|call=web_search' | council protocol explain",
      'council protocol convert --from v5 --to v4 lines.txt',
      'council protocol convert --from v4 --to v5 --session S1 --key key.txt lines.txt',
      'council protocol sign --key key.txt < agents.log | council protocol validate --key key.txt',
      'council protocol check-worker -- node worker.js',
      'council protocol check-worker --input line --timeout 10s --json -- python3 worker.py',
      'council protocol parse --json lines.txt | jq -r .message.body',
    ],
    load: async () => (await import('../team/commands/protocol.ts')).protocolCommand,
  }),
];
