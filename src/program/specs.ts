// Specs of all commands in the order of the help (data).
import {
  cancelFields,
  excuseFields,
  retryFields,
  extendFields,
  heartbeatFields,
  revealFields,
  startFields,
  statusFields,
} from '../core/app/input/council.ts';
import { askFields, continueFields, rerunFields } from '../core/app/input/ask.ts';
import { completionFields, demoFields } from '../core/app/input/project.ts';
import {
  readFields,
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
import { evalFields } from '../eval/input.ts';
import { reviewFields } from '../review/input.ts';
import { createCommand } from '../core/cli/spec.ts';
import type { CommandSpec } from '../core/cli/spec.ts';
import * as hot from './specs-hot.ts';
import { messageSpecs, approvalSpecs, reservationSpecs, taskSpecs } from '../team/commands/specs.ts';
import { projectSpecs, toolSpecs } from './specs-project.ts';

/** Commands about the past: revisions of an active council, and finished councils. */
const archiveSpecs: CommandSpec[] = [
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
const ledgerSpecs: CommandSpec[] = [
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

/** Commands that play a council; `specs` adds those about the past and those that maintain a project. */
const councilSpecs: CommandSpec[] = [
  createCommand({
    name: 'ask',
    fields: askFields,
    summary: 'ask every agent once, blind, and see who disagrees; go on from there',
    details:
      'Asks each agent of the table without showing it what the others say, and prints each answer when it comes, then where they agree and where they differ. On a terminal it asks how to go on: a debate, a synthesis, a note of yours, the same question anew, or done. Elsewhere it ends there, or goes on with --debate or --synthesis. It is a council like any other: it has a state file and an archive, and no agent is asked twice.',
    examples: [
      'council ask "Should we adopt feature flags?"',
      'council ask question.md --agents claude,codex',
      'council ask "Is this right?" --diff main..HEAD --debate',
      'council ask --after last "And for the mobile app?"',
    ],
    load: async () => (await import('../core/cli/commands/ask.ts')).performAsk,
  }),
  hot.run,
  createCommand({
    name: 'review',
    fields: reviewFields,
    summary: 'have a table review a change: findings that are checked, and a verdict by rule',
    details:
      'Each reviewer reads the change alone and writes findings with the code quoted. Council looks every quote up: what stands nowhere in the change is refuted. The others then confirm or reject what is left, and a rule gives the verdict: a finding blocks if it is severe enough, was verified, and two hold it against fewer who reject it. Nothing of the change is executed. --pr reviews a pull request of GitHub, which git fetches without a checkout; --post writes what came of it there, after a yes. --since last reviews what is new since the last review, and goes on with what that left open. Exit code 0: nothing blocks; 1: something does; 3: too few reviewers could be read.',
    examples: [
      'council review',
      'council review main..HEAD --agents claude,codex,gemini',
      'council review --staged --table code --fail-on blocker',
      'git diff main | council review --from-diff - --format json',
      'council review --pr 12 --post',
      'council review --since last',
      'council review main..HEAD --output review.sarif',
    ],
    load: async () => (await import('../review/commands/review.ts')).performReview,
  }),
  createCommand({
    name: 'eval',
    fields: evalFields,
    summary: 'ask questions whose answers are known, and see whether a debate is worth its launches',
    details:
      'Plays each question blind once, and from these same answers goes on in several ways: the vote, a debate, each seat reconsidering alone, and more blind answers; the last three ask equally often. The report says how often each way was right, and whether the debate beats as many blind answers. A line of QUESTIONS is {"id": "q1", "question": "Is 91 prime?", "options": ["yes", "no"], "answer": "no"}; a Markdown brief has options and answer in its front matter, which nobody is shown. Every answer is recorded when it comes: the same command goes on after an interruption and asks nobody twice, and --replay reports anew without launching anybody.',
    examples: [
      'council eval questions.jsonl --agents claude,codex,gemini',
      'council eval questions/ --limit 10 --budget-usd 2',
      'council eval questions.jsonl --repeat 3 --record runs/monday',
      'council eval --record runs/monday',
      'council eval --replay runs/monday --json',
    ],
    load: async () => (await import('../eval/commands/eval.ts')).performEval,
  }),
  createCommand({
    name: 'demo',
    fields: demoFields,
    summary: 'watch a scripted debate, in a temporary folder',
    details:
      'Plays a debate about a job queue, from the blind answers to the archive, in less than ten seconds. The characters follow a script: no model is asked. Everything is in a temporary folder, whose path it prints.',
    examples: ['council demo'],
    load: async () => (await import('../core/cli/commands/run.ts')).performDemo,
  }),
  createCommand({
    name: 'rerun',
    fields: rerunFields,
    summary: 'put the brief of an archived council to another table, and compare',
    details:
      'Plays a new council on the same brief, and shows both outcomes beside each other: positions, who changed their mind, and what it took.',
    examples: ['council rerun last --agents gemini,codex', 'council rerun last --mode analysis'],
    load: async () => (await import('../core/cli/commands/ask.ts')).performRerun,
  }),
  createCommand({
    name: 'start',
    fields: startFields,
    summary: 'open a council; a heartbeat or people take it from there',
    examples: [
      'council start "Build or buy the billing system?" --mode analysis --timeout 2h',
      'council start --brief question.md --name billing --agents henry,sage',
    ],
    load: async () => (await import('../core/cli/commands/run.ts')).performStart,
  }),
  hot.respond,
  hot.view,
  createCommand({
    name: 'read',
    fields: readFields,
    summary: 'what is read in a text, and what it lacks, before or without contributing it',
    examples: [
      'council read answer.md --phase COLLECT',
      'council read - --as henry --json < answer.md | jq .read.missing',
    ],
    load: async () => (await import('../core/cli/commands/read.ts')).performRead,
  }),
  hot.status,
  createCommand({
    name: 'watch',
    fields: statusFields,
    summary: 'follow a council live',
    hasEvents: true,
    examples: ['council watch', 'council watch --name billing | tee council.txt'],
    load: async () => (await import('../core/cli/commands/watch.ts')).performWatch,
  }),
  hot.wait,
  hot.tick,
  createCommand({
    name: 'heartbeat',
    fields: heartbeatFields,
    summary: 'tick on a schedule in the foreground, and when a contribution lands',
    details:
      'With --server URL (COUNCIL_SERVER) and the token of a worker in COUNCIL_TOKEN it launches the trusted agents of this folder for the councils of that server, and needs no database. See docs/server/heartbeats.md.',
    hasEvents: true,
    examples: [
      'council heartbeat',
      'council heartbeat --every "0 * * * *" --active "* * * * *"',
      'council heartbeat --server https://council.example --labels gpu',
    ],
    load: async () => (await import('../core/cli/commands/tick.ts')).performHeartbeat,
  }),
  createCommand({
    name: 'continue',
    fields: continueFields,
    summary: 'let a council go on that waits behind its blind answers',
    details:
      'A council that was opened by council ask on a terminal waits there until the person who asked has chosen. This chooses from elsewhere, once: debate, synthesis or end. A note joins every later prompt.',
    examples: [
      'council continue debate --name feature-flags',
      'council continue synthesis --note "We have two weeks."',
      'council continue end',
    ],
    load: async () => (await import('../core/cli/commands/ask.ts')).performContinue,
  }),
  createCommand({
    name: 'extend',
    fields: extendFields,
    summary: 'give the open phase more time',
    examples: ['council extend 30m'],
    load: async () => (await import('../core/cli/commands/manage.ts')).performExtend,
  }),
  createCommand({
    name: 'excuse',
    fields: excuseFields,
    summary: 'no longer wait for a participant in this phase',
    examples: ['council excuse sage --why "on holiday"'],
    load: async () => (await import('../core/cli/commands/manage.ts')).performExcuse,
  }),
  createCommand({
    name: 'retry',
    fields: retryFields,
    summary: 'launch an agent again that failed',
    details:
      'An agent that is not logged in, whose model is unknown, or whose limit lasts is launched once in a council, and then no more until its login has changed or the limit is over. This forgets what is known of it.',
    examples: ['council retry codex'],
    load: async () => (await import('../core/cli/commands/manage.ts')).performRetry,
  }),
  createCommand({
    name: 'cancel',
    fields: cancelFields,
    summary: 'end a council now: reveal and archive',
    examples: ['council cancel --why "overtaken by events"'],
    load: async () => (await import('../core/cli/commands/manage.ts')).performCancel,
  }),
  createCommand({
    name: 'reveal',
    fields: revealFields,
    summary: 'bring back a sealed text that is missing here',
    examples: ['council reveal henry --file sealed-henry-1-3f….json'],
    load: async () => (await import('../core/cli/commands/manage.ts')).performReveal,
  }),
];

/** All commands, in the order of the help. */
export const specs: CommandSpec[] = [
  ...councilSpecs,
  ...archiveSpecs,
  ...ledgerSpecs,
  ...messageSpecs,
  ...taskSpecs,
  ...reservationSpecs,
  ...approvalSpecs,
  ...projectSpecs,
  ...toolSpecs,
  createCommand({
    name: 'completion',
    fields: completionFields,
    summary: 'commands, options and names by the Tab key, in bash, zsh and fish',
    details:
      'With the name of a shell it prints the script. install writes it where that shell looks, and says where; what has to stand in the start file of the shell (.bashrc, .zshrc) is added after a question, or with --yes, or else printed. Doing it twice changes nothing; uninstall takes both away.',
    examples: [
      'council completion install',
      'council completion install zsh --yes',
      'source <(council completion bash)',
    ],
    load: async () => (await import('../core/cli/commands/completion.ts')).createCompletionCommand(specs),
  }),
];
