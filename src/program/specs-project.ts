// Specs of the commands that maintain a project, and of those that give agents and people access to it (data).
import {
  agentsFields,
  doctorFields,
  initFields,
  installFields,
  modesFields,
  trustFields,
  uninstallFields,
  mcpFields,
  serveFields,
  skillFields,
} from '../core/app/input/project.ts';
import { createCommand } from '../core/cli/spec.ts';
import type { CommandSpec } from '../core/cli/spec.ts';
import { storeFields } from '../postgres/input.ts';
import { inviteFields, openFields, tokenFields } from '../server/input.ts';
import { protocolFields } from '../team/input/tasks.ts';

/** Commands that maintain a project rather than one council. */
export const projectSpecs: CommandSpec[] = [
  createCommand({
    name: 'init',
    fields: initFields,
    summary: 'prepare this folder for councils',
    details:
      'Prepares this folder, and writes an agent file for each agent program on PATH that answers (claude, codex, gemini, opencode, openclaw, ollama, llm). Overwrites nothing. In a folder that is not empty and no project yet, it says what it will add and asks first, as run and start do; --yes, a script without a terminal and --json go on at once.',
    examples: ['council init', 'council init --lang fr', 'council init --no-detect'],
    load: async () => (await import('../core/cli/commands/project.ts')).performInit,
  }),
  createCommand({
    name: 'doctor',
    fields: doctorFields,
    summary: 'find what keeps councils from working here, and how to fix it',
    details:
      'Looks at Node, the project, its file system, the store, the private folder, agent programs and the schedule, and changes nothing. Exit 1 when there is an error among the findings. --probe launches the agents of agents/ with a one-word question, which may cost tokens; where a schedule is installed it does so a second time, with nothing but the variables that cron or systemd give them.',
    examples: ['council doctor', 'council doctor --probe', 'council doctor --json'],
    load: async () => (await import('../core/cli/commands/project.ts')).performDoctor,
  }),
  createCommand({
    name: 'agents',
    fields: agentsFields,
    summary: 'list, show, add, change, remove or check agents, and their keys',
    details:
      'Actions: list (default), show ID, add ID [-- COMMAND …], edit ID, remove ID, check [ID], personas [NAME] (parts that a model can play, and the tables of --table; or the text of one), key ID (a key to sign its messages with, outside the project), register (a worker joins, changes or leaves by lines of version 5 on stdin, and the answers are printed), metrics [ID] and health [ID] (how they do on tasks; health ends with 1 where one is Down). On a terminal, add and edit ask for what was not given, and remove asks first. edit changes what is given and leaves the rest of the file, comments too; an empty value or --unset takes a key out. Agents are Markdown files in agents/, .claude/agents/, ~/.claude/agents/ and .opencode/agents/.',
    examples: [
      'council agents',
      'council agents add henry --title Henry --emoji 🦉 -- node speak.mjs henry',
      'council agents add claude --runner claude',
      'council agents add ana --runner human --title Ana',
      'council agents add nova --runner claude --persona nova.md',
      'council agents add carl --runner codex --persona skeptic',
      'council agents personas',
      'council agents add scout --runner claude --role worker --capability web_search --max-depth 2',
      'council agents edit scout --concurrency 2 --unset max_depth',
      'council agents check',
      'council agents key codex-1',
      "echo 'M1|W1>O1|J|T0|-|-|-|0|S0|-|caps=plan' | council agents register --as scout",
      'council agents key codex-1 --rotate',
    ],
    load: async () => (await import('../team/commands/agents.ts')).performAgents,
  }),
  createCommand({
    name: 'trust',
    fields: trustFields,
    summary: 'allow the programs of a project from elsewhere to run',
    details:
      'Shows every command of this project that nobody has trusted (agents, and the notify command of COUNCIL.md) and asks. Until then nothing of it is run. Trust is kept outside the project, for this very folder and these very commands: a changed command, a moved folder and a copy ask again.',
    examples: ['council trust', 'council trust --list', 'council trust --yes', 'council trust --revoke'],
    load: async () => (await import('../core/cli/commands/project.ts')).performTrust,
  }),
  createCommand({
    name: 'modes',
    fields: modesFields,
    summary: 'the modes of this project, or one of them',
    details:
      'Which for which question: reasoning takes a vote (debate), knowledge a consensus (analysis), a text drafts (synthesis) or a ranking (rank), a change or a document one round across (code, review). docs/course.md has the sources.',
    examples: ['council modes', 'council modes debate'],
    load: async () => (await import('../core/cli/commands/project.ts')).performModes,
  }),
  createCommand({
    name: 'install',
    fields: installFields,
    summary: 'have cron or systemd call tick',
    details:
      'Writes a marked block into your crontab, or a systemd user timer. Agents that log in by a variable need it there: install lists those that are used and set, asks which of them to write, and puts them into a file of mode 0600 outside the project. Values are never shown.',
    examples: [
      'council install --dry-run',
      'council install --systemd --yes',
      'council install --env ANTHROPIC_API_KEY',
    ],
    load: async () => (await import('../core/cli/commands/project.ts')).performInstall,
  }),
  createCommand({
    name: 'uninstall',
    fields: uninstallFields,
    summary: 'remove what install wrote',
    examples: ['council uninstall'],
    load: async () => (await import('../core/cli/commands/project.ts')).performUninstall,
  }),
  createCommand({
    name: 'store',
    fields: storeFields,
    summary: 'prepare a PostgreSQL database that keeps the project, or move the project',
    details:
      'migrate makes the tables in the database that COUNCIL_DATABASE_URL (or store: in COUNCIL.md) names, or brings them up to date, as its owner; no other command does. --app-role names the role that council works as from day to day: it gets what that takes, and no more. Doing it twice, or from two machines at once, changes nothing. copy moves the project from its files into that database, or back: councils and all other documents with their kept revisions, archives, late texts and messages. Run it again after an interruption: it goes on where it was. A council in a blind phase goes with the user who holds its sealed texts, and never out of a database.',
    examples: [
      'COUNCIL_DATABASE_URL=postgres://owner@db.example/council council store migrate --app-role council_app',
      'council store migrate --dry-run',
      'council store copy --from files --to postgres --dry-run',
    ],
    load: async () => (await import('../postgres/commands/store.ts')).performStore,
  }),
];

/** Commands through which agents use council. */
export const toolSpecs: CommandSpec[] = [
  createCommand({
    name: 'mcp',
    fields: mcpFields,
    summary: 'a tool server (Model Context Protocol) for agents, on stdin and stdout',
    details:
      'Serves the tools ask, verdict, view, respond and archives; --tools offers other groups, or all. With --http it listens on 127.0.0.1 instead and asks for a bearer token: COUNCIL_MCP_TOKEN, or one that is made and printed. See docs/server/mcp.md.',
    examples: ['claude mcp add council -- council mcp', 'council mcp --http 7411'],
    load: async () => (await import('../server/commands/mcp.ts')).performMcp,
  }),
  createCommand({
    name: 'serve',
    fields: serveFields,
    summary: 'an HTTP server: the pages for people, the API for other machines, MCP over HTTP',
    hasEvents: true,
    details:
      'Serves councils, messages and tasks of this project until SIGTERM: POST /api/v1/CALL takes the input of a tool and answers with the document that --json prints, /mcp speaks MCP, /openapi.json describes it all; / has the pages for people. With --heartbeat, COUNCIL_LABELS names what this machine has. Until the first token is made it listens on the loopback address only. See docs/server/serve.md and docs/server/web.md.',
    examples: ['council serve', 'council serve --port 8080 --json'],
    load: async () => (await import('../server/commands/serve.ts')).performServe,
  }),
  createCommand({
    name: 'open',
    fields: openFields,
    summary: 'open the pages of this project in a browser',
    details:
      'Starts council serve --heartbeat where no server of this project runs here. The link works once, for one minute; the browser gets it in a file that only you can read. From the first time on, this machine is asked for a code or a token like every other one. See docs/server/web.md.',
    examples: ['council open', 'council open billing', 'council open --print'],
    load: async () => (await import('../server/commands/access.ts')).performOpen,
  }),
  createCommand({
    name: 'invite',
    fields: inviteFields,
    summary: 'a link by which a person takes their seat in the browser',
    details:
      'The link opens this one seat of this one council, for a week or until --revoke. Whoever has it speaks as that participant. See docs/server/web.md.',
    examples: ['council invite ana', 'council invite ana --revoke'],
    load: async () => (await import('../server/commands/access.ts')).performInvite,
  }),
  createCommand({
    name: 'token',
    fields: tokenFields,
    summary: 'make, list and revoke the tokens by which a server lets somebody in',
    details:
      'Actions: list (default), create --role ROLE, revoke ID. A participant needs --name and --as, and opens exactly that seat; a member sees what the command line shows, and speaks as --as; a worker is a machine that launches agents; an admin runs councils. From the first token on a server asks everybody for one. Only hashes are kept, outside of the project or in its database. See docs/server/serve.md.',
    examples: [
      'council token create --role admin',
      'council token create --role participant --name billing --as ana --expires 7d',
      'council token revoke 3f9a01c2',
    ],
    load: async () => (await import('../server/commands/access.ts')).performToken,
  }),
  createCommand({
    name: 'skill',
    fields: skillFields,
    summary: 'install a skill: how an agent convenes a council and takes part in one',
    details:
      'The only action is install. It writes SKILL.md, and HEARTBEAT-COUNCIL.md for assistants that are woken at intervals, into .claude/skills/council and .agents/skills/council of this project. A file that was changed is left alone without --force.',
    examples: ['council skill install', 'council skill install --for claude'],
    load: async () => (await import('../core/cli/commands/project.ts')).performSkill,
  }),
  createCommand({
    name: 'protocol',
    fields: protocolFields,
    summary: 'read, check, convert and explain messages between agents',
    details:
      'Reads messages of five versions of a compact line, of the files of a channel, and envelopes. parse shows what each one says, validate also reads them as one conversation, convert writes them in another format and tells what that cannot carry, explain says what every part means, sign gives lines of V5 the signature that validate --key asks for. check-worker -- COMMAND plays the conversations of the specification with a worker program and says what it got wrong. With --json it prints one result a line. Ends with 1 when a message is not valid, or a worker got something wrong. See docs/team/protocol.md.',
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
    load: async () => (await import('../team/commands/protocol.ts')).performProtocol,
  }),
];
