import type { CommandSpec, OptionSpec } from './spec.ts';
import { NAME } from './spec.ts';
import { archiveSpecs } from './specs-archive.ts';
import { ledgerSpecs } from './specs-ledger.ts';
import { projectSpecs } from './specs-project.ts';
import { toolSpecs } from './specs-tools.ts';
import { TABLE } from './table-options.ts';
import { PHASES } from '../council/state/choices.ts';

const LAUNCH: OptionSpec = {
  flags: '--concurrency <n>',
  help: 'programs that run at the same time (default: 4)',
};

/** The commands that play a council; `specs` adds those that look back and those that look after a project. */
const councilSpecs: CommandSpec[] = [
  {
    name: 'run',
    args: '[topic]',
    summary: 'start a council and play it to the archive',
    details:
      'Starts a council, launches its agents phase by phase, waits for people until the deadline, and prints the synthesis and the path of the archive. Without agents of your own, those found on PATH take part, or the offline panel. Ctrl-C leaves the council where it is: run --resume or tick goes on.',
    options: [
      ...TABLE,
      NAME,
      LAUNCH,
      { flags: '--resume', help: 'go on with the active council of that name, if there is one' },
    ],
    examples: [
      'council run "Should we adopt feature flags?" --agents henry,sage,nova --coordinator maman',
      'council run --panel offline --brief README.md --mode review',
      'council run --resume',
    ],
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    name: 'start',
    args: '[topic]',
    summary: 'open a council; a heartbeat or people take it from there',
    options: [...TABLE, NAME],
    examples: [
      'council start "Build or buy the billing system?" --mode analysis --timeout 2h',
      'council start --brief question.md --name billing --agents henry,sage',
    ],
    load: async () => (await import('./commands/start.ts')).startCommand,
  },
  {
    name: 'respond',
    args: '<agent>',
    summary: 'contribute to the open phase, word for word',
    options: [
      {
        flags: '--file <file>',
        help: 'the contribution; - for stdin (default: stdin, or $EDITOR on a terminal)',
      },
      { flags: '--agree', help: 'you can live with what is on the table' },
      { flags: '--done', help: 'you have nothing to add in the coming phases' },
      { flags: '--block <text>', help: 'a problem that must be solved first; may be repeated', repeat: true },
      { flags: '--replace', help: 'replace what you said in this phase' },
      {
        flags: '--tour <n>',
        help: 'the turn the text was written for; refused if it is over (COUNCIL_TOUR)',
      },
      NAME,
    ],
    examples: [
      'council respond henry --file answer.md',
      'echo "Buy it." | council respond henry --agree',
      'council respond sage --block "No rollback plan" --file sage.md',
    ],
    load: async () => (await import('./commands/respond.ts')).respondCommand,
  },
  {
    name: 'view',
    args: '<agent>',
    summary: 'what a participant may see now: the prompt it would get',
    options: [NAME],
    examples: ['council view henry', 'council view henry --json | jq -r .prompt'],
    load: async () => (await import('./commands/view.ts')).viewCommand,
  },
  {
    name: 'status',
    args: '',
    summary: 'where the active councils stand',
    options: [{ ...NAME, help: 'only this council (default: every active one)' }],
    examples: ['council status', 'council status --name billing --json'],
    load: async () => (await import('./commands/status.ts')).statusCommand,
  },
  {
    name: 'watch',
    args: '',
    summary: 'follow a council live',
    options: [{ ...NAME, help: 'only this council (default: every active one)' }],
    examples: ['council watch', 'council watch --name billing | tee council.txt'],
    load: async () => (await import('./commands/watch.ts')).watchCommand,
  },
  {
    name: 'wait',
    args: '',
    summary: 'wait until something has happened',
    options: [
      NAME,
      {
        flags: '--for <what>',
        values: ['archived', ...PHASES.map((phase) => `phase:${phase}`)],
        help: 'turn:AGENT, phase:PHASE or archived (default: archived)',
      },
      { flags: '--timeout <duration>', help: 'give up after this long (exit 124)' },
    ],
    examples: [
      'council wait --for turn:henry --timeout 1h && council view henry',
      'council wait --for phase:RESOLVE',
    ],
    load: async () => (await import('./commands/wait.ts')).waitCommand,
  },
  {
    name: 'tick',
    args: '',
    summary: 'one pass of the heartbeat: close, launch, wait, record',
    options: [
      { ...NAME, help: 'only this council (default: every active one)' },
      { flags: '--no-launch', help: 'close phases, launch nobody' },
      { flags: '--until-idle', help: 'go on until there is nothing to close or launch' },
      LAUNCH,
    ],
    examples: ['council tick', 'council tick --no-launch --json', 'council tick --until-idle'],
    load: async () => (await import('./commands/tick.ts')).tickCommand,
  },
  {
    name: 'heartbeat',
    args: '',
    summary: 'tick on a schedule in the foreground, and when a contribution lands',
    options: [
      { flags: '--every <cron>', help: 'while nothing is active (default: "*/30 * * * *")' },
      { flags: '--active <cron>', help: 'while a council is active (default: "*/5 * * * *")' },
      LAUNCH,
    ],
    examples: ['council heartbeat', 'council heartbeat --every "0 * * * *" --active "* * * * *"'],
    load: async () => (await import('./commands/heartbeat.ts')).heartbeatCommand,
  },
  {
    name: 'extend',
    operator: true,
    args: '<duration>',
    summary: 'give the open phase more time',
    options: [NAME],
    examples: ['council extend 30m'],
    load: async () => (await import('./commands/manage.ts')).extendCommand,
  },
  {
    name: 'excuse',
    operator: true,
    args: '<agent>',
    summary: 'no longer wait for a participant in this phase',
    options: [NAME, { flags: '--why <text>', help: 'the reason, kept in the archive' }],
    examples: ['council excuse sage --why "on holiday"'],
    load: async () => (await import('./commands/manage.ts')).excuseCommand,
  },
  {
    name: 'cancel',
    operator: true,
    args: '',
    summary: 'end a council now: reveal and archive',
    options: [NAME, { flags: '--why <text>', help: 'the reason, kept in the archive' }],
    examples: ['council cancel --why "overtaken by events"'],
    load: async () => (await import('./commands/manage.ts')).cancelCommand,
  },
  {
    name: 'reveal',
    operator: true,
    args: '<agent>',
    summary: 'bring back a sealed text that is missing here',
    options: [NAME, { flags: '--file <file>', help: 'the sealed-….json file from the host where it lies' }],
    examples: ['council reveal henry --file sealed-henry-1-3f….json'],
    load: async () => (await import('./commands/manage.ts')).revealCommand,
  },
];

/** Every command, in the order of the help. */
export const specs: CommandSpec[] = [
  ...councilSpecs,
  ...archiveSpecs,
  ...ledgerSpecs,
  ...projectSpecs,
  ...toolSpecs([...councilSpecs, ...archiveSpecs]),
  {
    name: 'completion',
    args: '<shell>',
    summary: 'a completion script for bash, zsh or fish',
    options: [],
    examples: [
      'council completion bash > ~/.local/share/bash-completion/completions/council',
      'council completion fish > ~/.config/fish/completions/council.fish',
    ],
    load: async () => (await import('./commands/completion.ts')).completionOf(specs),
  },
];
