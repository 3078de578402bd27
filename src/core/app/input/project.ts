// Fields and input types of the use cases for managing a project.
import { INPUTS, RUNNERS } from '../../agents/runner-kind.ts';
import { CAPABILITIES, WORK_SETTINGS } from '../../agents/work-settings.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import type { Fields, InputOf } from './fields.ts';

// Input of use cases for a whole project rather than one council.

export const initFields = {
  lang: { kind: 'choice', choices: ['en', 'fr'], help: 'en or fr', otherwise: 'that of the environment' },
  detect: { kind: 'flag', default: true, help: 'write no agent files' },
  yes: { kind: 'flag', help: 'prepare a folder that is not empty without being asked' },
} as const satisfies Fields;
export type InitInput = InputOf<typeof initFields>;

export const doctorFields = {
  probe: { kind: 'flag', help: 'ask every agent of agents/ for one word, 60 s each' },
} as const satisfies Fields;
export type DoctorInput = InputOf<typeof doctorFields>;

export const agentsFields = {
  action: {
    kind: 'choice',
    choices: [
      'list',
      'show',
      'add',
      'edit',
      'remove',
      'check',
      'personas',
      'key',
      'register',
      'metrics',
      'health',
    ],
    default: 'list',
    argument: true,
    help: 'what to do',
  },
  id: {
    kind: 'id',
    of: 'an agent id',
    argument: true,
    help: 'the agent; for personas, which one',
    hint: 'Ids have no spaces or capitals. Try: council agents add {id} --title {name}',
  },
  command: { kind: 'texts', program: true, argument: true, help: 'the program and its arguments' },
  runner: {
    kind: 'choice',
    choices: RUNNERS,
    help: RUNNERS.join(', '),
    otherwise: 'command if there is one, else what the id, --model or --base-url names',
    hint: `Runners: ${RUNNERS.join(', ')}.`,
  },
  model: { kind: 'text', help: 'the model, by the name the runner knows', otherwise: 'its own' },
  baseUrl: {
    kind: 'text',
    placeholder: 'url',
    help: 'the address of a server that speaks like OpenAI, such as http://127.0.0.1:8080/v1',
    otherwise: "the provider's",
  },
  apiKey: {
    kind: 'text',
    placeholder: 'variable',
    help: 'the name of the variable that holds the key of its model, never the key itself',
    otherwise: "the provider's usual one",
  },
  title: { kind: 'text', help: 'the name that is shown' },
  description: { kind: 'text', help: 'what it is for, in a line' },
  emoji: { kind: 'text', help: 'one emoji' },
  input: {
    kind: 'choice',
    choices: INPUTS,
    help: 'prompt or json on stdin, or line by line in tasks',
    otherwise: 'prompt',
  },
  timeout: { kind: 'duration', help: 'how long one launch may take' },
  env: {
    kind: 'texts',
    placeholder: 'name',
    help: 'an environment variable passed to the program',
  },
  capability: {
    kind: 'texts',
    placeholder: 'name',
    help: 'what the agent is good at',
    suggestions: CAPABILITIES,
  },
  tools: { kind: 'texts', option: 'tool', placeholder: 'name', help: 'a tool that it may use' },
  ...WORK_SETTINGS,
  persona: {
    kind: 'document',
    limit: READ_LIMITS.contribution,
    placeholder: 'persona',
    help: 'who the agent is: a persona by name, a file, or a sentence',
    asArgument: 'who the agent is: the name of a persona, or a text',
  },
  lines: {
    kind: 'document',
    limit: READ_LIMITS.contribution,
    pipe: true,
    help: 'register: what the worker says, lines of version 5; otherwise stdin',
  },
  as: {
    kind: 'id',
    of: 'an agent id',
    placeholder: 'agent',
    help: 'register: which agent the worker is',
    speaks: true,
  },
  unset: { kind: 'texts', placeholder: 'key', help: 'edit: take a key out of the file' },
  yes: { kind: 'flag', help: 'remove: do not ask' },
  rotate: { kind: 'flag', help: 'key: replace the key by a new one' },
  removed: { kind: 'flag', option: 'remove', help: 'key: remove it; unsigned messages are believed again' },
} as const satisfies Fields;
export type AgentsInput = InputOf<typeof agentsFields>;

export const trustFields = {
  yes: { kind: 'flag', help: 'trust without being asked, for scripts' },
  list: { kind: 'flag', help: 'show what is trusted and what is not, and change nothing' },
  revoke: { kind: 'flag', help: 'forget it all: nothing of this project runs any more' },
} as const satisfies Fields;
export type TrustInput = InputOf<typeof trustFields>;

export const modesFields = {
  mode: { kind: 'text', argument: true, help: 'show this one' },
} as const satisfies Fields;
export type ModesInput = InputOf<typeof modesFields>;

export const installFields = {
  systemd: { kind: 'flag', help: 'a systemd user timer instead of a crontab block' },
  every: {
    kind: 'text',
    placeholder: 'cron',
    help: 'the schedule',
    otherwise: '"*/5 * * * *"; systemd: every 5 minutes',
  },
  env: {
    kind: 'text',
    placeholder: 'names',
    help: 'variables to write, separated by commas; none for none',
  },
  yes: { kind: 'flag', help: 'write all variables that agents use and that are set here, unasked' },
  dryRun: { kind: 'flag', help: 'print what would be written' },
} as const satisfies Fields;
export type InstallInput = InputOf<typeof installFields>;

export const uninstallFields = {
  systemd: { kind: 'flag', help: 'the systemd user timer' },
  dryRun: { kind: 'flag', help: 'print what would be removed' },
} as const satisfies Fields;
export type UninstallInput = InputOf<typeof uninstallFields>;

export const skillFields = {
  action: {
    kind: 'choice',
    choices: ['install'],
    required: true,
    argument: true,
    help: 'install is the only one',
  },
  for: {
    kind: 'choice',
    choices: ['claude', 'codex', 'gemini', 'opencode', 'openclaw'],
    placeholder: 'agent',
    help: 'only the folder that this one reads: claude, codex, gemini, opencode, openclaw',
  },
  force: { kind: 'flag', help: 'overwrite a file that was changed' },
} as const satisfies Fields;
export type SkillInput = InputOf<typeof skillFields>;

/** A demonstration has no input. */
export const demoFields = {} as const satisfies Fields;
export type DemoInput = InputOf<typeof demoFields>;

// Only on the command line.

export const mcpFields = {
  http: {
    kind: 'number',
    min: 0,
    max: 65_535,
    placeholder: 'port',
    help: 'listen on this port of 127.0.0.1; 0 for any that is free',
  },
  tools: {
    kind: 'ids',
    of: 'groups of tools',
    placeholder: 'groups',
    help: 'which tools it offers: council, steps, records, messages, tasks, files, or all',
    otherwise: 'council',
  },
} as const satisfies Fields;
export type McpInput = InputOf<typeof mcpFields>;

export const serveFields = {
  host: {
    kind: 'text',
    placeholder: 'address',
    default: '127.0.0.1',
    help: 'listen on this address of this machine',
  },
  port: {
    kind: 'number',
    min: 0,
    max: 65_535,
    default: 7333,
    placeholder: 'n',
    help: '0 for any that is free',
  },
  heartbeat: { kind: 'flag', help: 'move the councils on as well, like council heartbeat' },
  publicUrl: {
    kind: 'text',
    placeholder: 'url',
    help: 'the HTTPS address that people know it by, where something in front ends TLS',
  },
} as const satisfies Fields;
export type ServeInput = InputOf<typeof serveFields>;

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completionFields = {
  action: {
    kind: 'choice',
    choices: [...SHELLS, 'install', 'uninstall'],
    required: true,
    argument: true,
    help: 'a shell, whose script is printed; or install or uninstall',
    hint: `Shells: ${SHELLS.join(', ')}. Or: council completion install`,
  },
  shell: {
    kind: 'choice',
    choices: SHELLS,
    argument: true,
    help: 'the shell',
    otherwise: 'the one in $SHELL',
    hint: `Shells: ${SHELLS.join(', ')}.`,
  },
  yes: { kind: 'flag', help: 'add what the shell needs to its start file without being asked' },
  line: { kind: 'text', help: 'print what may come next on this line, not the script' },
} as const satisfies Fields;
export type CompletionInput = InputOf<typeof completionFields>;
