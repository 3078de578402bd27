import type { CommandSpec, OptionSpec } from './spec.ts';

const NAME: OptionSpec = {
  flags: '--name <name>',
  help: 'the active council (default: active-conversation, or the only active one; COUNCIL_NAME)',
};

/** The commands that show what a deliberation was worth. */
export const ledgerSpecs: CommandSpec[] = [
  {
    name: 'ledger',
    args: '[council]',
    summary: 'claims, challenges and changes of position of a council or an archive',
    details:
      'The argument is the name of an active council, or an archive: its stem, path, conversationId or name. While an anonymous council goes on, labels stand for names.',
    options: [NAME],
    examples: ['council ledger', 'council ledger 2026-11-21-build-or-buy --json'],
    load: async () => (await import('./commands/ledger.ts')).ledgerCommand,
  },
  {
    name: 'metrics',
    args: '[council]',
    summary: 'measures of a council: response rates, flips, quotes, independent votes, time',
    details:
      'The argument is the name of an active council, or an archive: its stem, path, conversationId or name. Unknown values are null, never 0.',
    options: [NAME],
    examples: ['council metrics', 'council metrics 2026-11-21-build-or-buy --json'],
    load: async () => (await import('./commands/metrics.ts')).metricsCommand,
  },
];
