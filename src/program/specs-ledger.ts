// Specs of the commands `ledger` and `metrics` (data).
import { ledgerFields, metricsFields } from '../core/app/input/archive.ts';
import { command } from '../core/cli/spec.ts';
import type { CommandSpec } from '../core/cli/spec.ts';

/** The commands that show what a deliberation was worth. */
export const ledgerSpecs: CommandSpec[] = [
  command({
    name: 'ledger',
    fields: ledgerFields,
    summary: 'claims, challenges and changes of position of a council or an archive',
    details:
      'The argument is the name of an active council, or an archive: its stem, path, conversationId or name. While an anonymous council goes on, labels stand for names.',
    examples: ['council ledger', 'council ledger 2026-11-21-build-or-buy --json'],
    load: async () => (await import('../core/cli/commands/ledger.ts')).ledgerCommand,
  }),
  command({
    name: 'metrics',
    fields: metricsFields,
    summary: 'measures of a council: response rates, changes of position, quotes, independent votes, time',
    details:
      'The argument is the name of an active council, or an archive: its stem, path, conversationId or name. Unknown values are null, never 0. With --messages it is what the log of messages says: sent, received, latency, errors, retries, timeouts, by type and agent.',
    examples: [
      'council metrics',
      'council metrics 2026-11-21-build-or-buy --json',
      'council metrics --messages --since 24h',
    ],
    load: async () => (await import('../team/commands/metrics.ts')).metricsCommand,
  }),
];
