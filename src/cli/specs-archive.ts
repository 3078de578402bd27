import type { CommandSpec } from './spec.ts';
import { NAME } from './spec.ts';

/** The commands that look back: revisions of an active council, and finished ones. */
export const archiveSpecs: CommandSpec[] = [
  {
    name: 'history',
    args: '',
    summary: 'the kept revisions of a council',
    options: [NAME],
    examples: ['council history --name billing'],
    load: async () => (await import('./commands/history.ts')).historyCommand,
  },
  {
    name: 'restore',
    operator: true,
    args: '[revision]',
    summary: 'go back to a revision; without one, drop a hand edit',
    options: [NAME],
    examples: ['council restore', 'council restore 12'],
    load: async () => (await import('./commands/history.ts')).restoreCommand,
  },
  {
    name: 'adopt',
    operator: true,
    args: '',
    summary: 'take a hand edit of the state file as the next revision',
    options: [NAME],
    examples: ['council adopt'],
    load: async () => (await import('./commands/history.ts')).adoptCommand,
  },
  {
    name: 'list',
    args: '',
    summary: 'the archived councils',
    options: [],
    examples: ['council list', 'council list --json'],
    load: async () => (await import('./commands/archive.ts')).listCommand,
  },
  {
    name: 'show',
    args: '<archive>',
    summary: 'an archived council, rendered for the terminal',
    options: [],
    examples: ['council show 2026-11-21-build-or-buy'],
    load: async () => (await import('./commands/archive.ts')).showCommand,
  },
  {
    name: 'search',
    args: '<words...>',
    summary: 'find words and "phrases" in all archives',
    options: [{ flags: '--limit <n>', help: 'how many results (default: 10)' }],
    examples: ['council search rollback', 'council search \'"feature flags" rollout\''],
    load: async () => (await import('./commands/search.ts')).searchCommand,
  },
  {
    name: 'cost',
    args: '',
    summary: 'what launches have used up: tokens and US$',
    details:
      'Sums over active councils and archives what agents told of themselves. What a program did not tell is counted apart. The launches of a blind phase are counted when it has closed.',
    options: [
      {
        flags: '--by <key>',
        values: ['agent', 'model', 'council', 'day'],
        help: 'agent, model, council or day (default: agent)',
      },
      { flags: '--since <date>', help: 'only launches from this day on (UTC), such as 2026-11-01' },
    ],
    examples: ['council cost', 'council cost --by model --since 2026-11-01', 'council cost --by day --json'],
    load: async () => (await import('./commands/cost.ts')).costCommand,
  },
  {
    name: 'export',
    args: '<archive>',
    summary: 'an archive as Markdown, JSON or a decision record',
    options: [
      { flags: '--format <format>', values: ['md', 'json', 'adr'], help: 'md, json or adr (default: md)' },
      { flags: '--output <file>', help: 'write there instead of stdout' },
    ],
    examples: ['council export 2026-11-21-build-or-buy --format adr --output docs/adr/0007.md'],
    load: async () => (await import('./commands/archive.ts')).exportCommand,
  },
];
