// Specs of the commands about the past: revisions, archives, search, cost, ledger and metrics (data).
import {
  adoptFields,
  archivesFields,
  costFields,
  exportFields,
  historyFields,
  listFields,
  logsFields,
  outcomeFields,
  restoreFields,
  showFields,
  ledgerFields,
  metricsFields,
} from '../core/app/input/archive.ts';
import { createCommand } from '../core/cli/spec.ts';
import type { CommandSpec } from '../core/cli/spec.ts';
import * as hot from './specs-hot.ts';

/** Commands about the past: revisions of an active council, and finished councils. */
export const archiveSpecs: CommandSpec[] = [
  createCommand({
    name: 'history',
    fields: historyFields,
    summary: 'the kept revisions of a council',
    examples: ['council history --name billing'],
    load: async () => (await import('../core/cli/commands/history.ts')).performHistory,
  }),
  createCommand({
    name: 'restore',
    fields: restoreFields,
    summary: 'go back to a revision; without one, drop a hand edit',
    examples: ['council restore', 'council restore 12'],
    load: async () => (await import('../core/cli/commands/history.ts')).performRestore,
  }),
  createCommand({
    name: 'adopt',
    fields: adoptFields,
    summary: 'take a hand edit of the state file, or of a copy, as the next revision',
    examples: ['council adopt', 'council adopt --file edited.md'],
    load: async () => (await import('../core/cli/commands/history.ts')).performAdopt,
  }),
  createCommand({
    name: 'list',
    fields: listFields,
    summary: 'the archived councils',
    examples: ['council list', 'council list --json'],
    load: async () => (await import('../core/cli/commands/archive.ts')).performList,
  }),
  createCommand({
    name: 'show',
    fields: showFields,
    summary: 'an archived council, rendered for the terminal',
    examples: ['council show 2026-11-21-build-or-buy'],
    load: async () => (await import('../core/cli/commands/archive.ts')).performShow,
  }),
  hot.search,
  createCommand({
    name: 'outcome',
    fields: outcomeFields,
    summary: 'record what turned out to be right after a council',
    details:
      'The record lies beside the archive, which never changes, and is shown wherever the archive is. A later record replaces the one before, which is kept. How often each participant was right: council agents metrics.',
    examples: [
      'council outcome last --right P2',
      'council outcome build-or-buy --right other --note "We rented it." --on 2026-11-01',
    ],
    load: async () => (await import('../core/cli/commands/archive.ts')).performOutcome,
  }),
  createCommand({
    name: 'archives',
    fields: archivesFields,
    summary: 'write the archives of a project in PostgreSQL into this checkout',
    details:
      'pull writes every archive into conseils/, and the texts that came too late into memory/shared/.late/, byte for byte as a project in files has them. What stands there already is left alone; another text under the same name is told, and the exit code is 1.',
    examples: ['council archives pull', 'council archives pull --json'],
    load: async () => (await import('../postgres/commands/store.ts')).performArchives,
  }),
  createCommand({
    name: 'logs',
    fields: logsFields,
    summary: 'everything an agent printed in its last launches',
    details:
      'Shows stdout, stderr, exit code, duration and attempt of the last launch, or of the last N. It lies in your own private folder, the last 20 launches of each participant of a council, until 30 days after the archive. While COLLECT is blind it shows what is sealed: an agent in its turn sees its own alone. Without a council it is the active one, else the newest archive. What happened to messages is another thing: council log.',
    examples: [
      'council logs codex',
      'council logs codex --last 3',
      'council logs claude 2026-11-21-build-or-buy --json',
    ],
    load: async () => (await import('../team/commands/log.ts')).performLogs,
  }),
  createCommand({
    name: 'cost',
    fields: costFields,
    summary: 'what councils have cost: tokens and US$',
    details:
      'Adds up what agents reported, over active councils and archives. Launches that reported nothing are counted separately, and those of a blind phase once it has closed.',
    examples: [
      'council cost',
      'council cost 2026-11-21-build-or-buy',
      'council cost --by model --since 2026-11-01',
      'council cost --by day --json',
    ],
    load: async () => (await import('../core/cli/commands/archive.ts')).performCost,
  }),
  createCommand({
    name: 'export',
    fields: exportFields,
    summary: 'a council as a page, a picture, Markdown, JSON or a decision record',
    details:
      'A page (html) is one file in the language of the council: the decision with its dissent, how positions moved, the ledger as threads, the timeline with its cost, and every contribution, each with an address of its own. It has no script, loads nothing, opens from a folder and prints. A picture (svg) shows how positions moved. Both can be had of a council that goes on: they show the rounds that have closed, and nobody whom the council does not name.',
    examples: [
      'council export 2026-11-21-build-or-buy --format html --output build-or-buy.html',
      'council export 2026-11-21-build-or-buy --format svg --output positions.svg',
      'council export 2026-11-21-build-or-buy --format adr --output docs/adr/0007.md',
    ],
    load: async () => (await import('../core/cli/commands/archive.ts')).performExport,
  }),
];

/** Commands that show what a deliberation was worth. */
export const ledgerSpecs: CommandSpec[] = [
  createCommand({
    name: 'ledger',
    fields: ledgerFields,
    summary: 'claims, challenges and changes of position of a council or an archive',
    details:
      'The argument is the name of an active council, or an archive: its stem, path, conversationId or name. While an anonymous council goes on, labels stand for names.',
    examples: ['council ledger', 'council ledger 2026-11-21-build-or-buy --json'],
    load: async () => (await import('../core/cli/commands/archive.ts')).performLedger,
  }),
  createCommand({
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
    load: async () => (await import('../team/commands/log.ts')).performMetrics,
  }),
];
