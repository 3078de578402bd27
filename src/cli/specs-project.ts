import { RUNNERS } from '../agents/runner-kind.ts';
import type { CommandSpec } from './spec.ts';

/** The commands that look after a project rather than one council. */
export const projectSpecs: CommandSpec[] = [
  {
    name: 'init',
    args: '',
    summary: 'prepare this folder for councils',
    details:
      'Prepares this folder, and writes an agent file for each agent program on PATH that answers (claude, codex, gemini, opencode, openclaw, ollama, llm). Overwrites nothing.',
    options: [
      { flags: '--lang <lang>', values: ['en', 'fr'], help: 'en or fr (default: en)' },
      { flags: '--no-detect', help: 'write no agent files' },
    ],
    examples: ['council init', 'council init --lang fr', 'council init --no-detect'],
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  {
    name: 'doctor',
    args: '',
    summary: 'find what keeps councils from working here, and how to fix it',
    details:
      'Looks at Node, the project, its file system, the store, the private folder, agent programs and the schedule, and changes nothing. Exit 1 when there is an error among the findings. --probe launches the agents of agents/ with a one-word question, which may cost tokens; where a schedule is installed it does so a second time, with nothing but the variables that cron or systemd give them.',
    options: [{ flags: '--probe', help: 'ask every agent of agents/ for one word, 60 s each' }],
    examples: ['council doctor', 'council doctor --probe', 'council doctor --json'],
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    name: 'agents',
    args: '[action] [id] [command...]',
    summary: 'list, show, add, remove or check agents',
    actions: ['list', 'show', 'add', 'remove', 'check'],
    details:
      'Actions: list (default), show ID, add ID [-- COMMAND …], remove ID, check [ID]. Agents are Markdown files in agents/, .claude/agents/, ~/.claude/agents/ and .opencode/agents/.',
    options: [
      {
        flags: '--runner <runner>',
        values: RUNNERS,
        help: `${RUNNERS.join(', ')} (default: command if there is one, else human)`,
      },
      { flags: '--model <model>', help: 'the model, by the name the runner knows (default: its own)' },
      { flags: '--title <title>', help: 'shown name' },
      { flags: '--emoji <emoji>', help: 'one emoji' },
      { flags: '--input <input>', values: ['prompt', 'json'], help: 'prompt or json, on stdin' },
      { flags: '--timeout <duration>', help: 'how long one launch may take' },
      {
        flags: '--env <name>',
        help: 'an environment variable passed to the program; may be repeated',
        repeat: true,
      },
      { flags: '--capability <name>', help: 'what the agent is good at; may be repeated', repeat: true },
      { flags: '--persona <file>', help: 'who the agent is; - for stdin' },
    ],
    examples: [
      'council agents',
      'council agents add henry --title Henry --emoji 🦉 -- node speak.mjs henry',
      'council agents add claude --runner claude',
      'council agents add ana --title Ana',
      'council agents add nova --runner claude --persona nova.md',
      'council agents check',
    ],
    load: async () => (await import('./commands/agents.ts')).agentsCommand,
  },
  {
    name: 'trust',
    operator: true,
    args: '',
    summary: 'allow the programs of a project from elsewhere to run',
    details:
      'Shows every command of this project that nobody has trusted (agents, and the notify command of COUNCIL.md) and asks. Until then nothing of it is run. Trust is kept outside the project, for this very folder and these very commands: a changed command, a moved folder and a copy ask again.',
    options: [
      { flags: '--yes', help: 'trust without being asked, for scripts' },
      { flags: '--list', help: 'show what is trusted and what is not, and change nothing' },
      { flags: '--revoke', help: 'forget it all: nothing of this project runs any more' },
    ],
    examples: ['council trust', 'council trust --list', 'council trust --yes', 'council trust --revoke'],
    load: async () => (await import('./commands/trust.ts')).trustCommand,
  },
  {
    name: 'modes',
    args: '[mode]',
    summary: 'the modes of this project, or one of them',
    options: [],
    examples: ['council modes', 'council modes debate'],
    load: async () => (await import('./commands/modes.ts')).modesCommand,
  },
  {
    name: 'install',
    args: '',
    summary: 'have cron or systemd call tick',
    details:
      'Writes a marked block into your crontab, or a systemd user timer. Agents that log in by a variable need it there: install lists those that are used and set, asks which of them to write, and puts them into a file of mode 0600 outside the project. Values are never shown.',
    options: [
      { flags: '--systemd', help: 'a systemd user timer instead of a crontab block' },
      { flags: '--every <cron>', help: 'the schedule (default: "*/5 * * * *"; systemd: every 5 minutes)' },
      { flags: '--env <names>', help: 'variables to write, separated by commas; none for none' },
      { flags: '--yes', help: 'write all variables that agents use and that are set here, unasked' },
      { flags: '--dry-run', help: 'print what would be written' },
    ],
    examples: [
      'council install --dry-run',
      'council install --systemd --yes',
      'council install --env ANTHROPIC_API_KEY',
    ],
    load: async () => (await import('./commands/install.ts')).installCommand,
  },
  {
    name: 'uninstall',
    args: '',
    summary: 'remove what install wrote',
    options: [
      { flags: '--systemd', help: 'the systemd user timer' },
      { flags: '--dry-run', help: 'print what would be removed' },
    ],
    examples: ['council uninstall'],
    load: async () => (await import('./commands/install.ts')).uninstallCommand,
  },
];
