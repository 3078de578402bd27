// Specs of the commands for messages, reservations, approvals and tasks (data).
import {
  ackFields,
  channelFields,
  inboxFields,
  logFields,
  nackFields,
  sendFields,
  sentFields,
  watchChannelFields,
  whoFields,
  releaseFields,
  reservationsFields,
  reserveFields,
} from '../input/messages.ts';
import { createCommand } from '../../core/cli/spec.ts';
import type { CommandSpec } from '../../core/cli/spec.ts';
import { approvalsFields, auditFields, taskFields } from '../input/tasks.ts';

export const taskSpecs: CommandSpec[] = [
  createCommand({
    name: 'task',
    fields: taskFields,
    summary: 'have agents do tasks: alone, or those of a plan in their order',
    details:
      'Actions: run "INSTRUCTION", plan FILE (a list of tasks, or the archive of a council), list (default), show ID (show S1: one report of all tasks of a session), watch [ID], play ID (goes on with one that waits, as run does; S1: with all of a session), cancel ID, pause ID and resume ID, answer ID ANSWER, retry ID, log ID, trace ID (its launches and parts, and where the time went). run and plan play in the foreground until all is over; what is unfinished when they are interrupted is played by tick and heartbeat. The worker is the agent whose capabilities fit best, then the least busy; --explain shows the table. A plan is a list: "- T1: text", below it, indented: "- needs: a, b", "- after: T1", "- to: agent", "- priority: P0", "- budget: 500", "- timeout: 10m", "- risk: medium", "- isolate: worktree". Exit codes: 0 done, 1 failed or cancelled, 124 out of time. See docs/team/tasks.md.',
    examples: [
      'council task run "Sum up docs/guide.md in five lines" --needs summarize',
      'council task run "Write a test for src/queue.ts" --to coder --budget 20000 --timeout 10m',
      'council task plan PLAN.md --concurrency 8',
      'council task log T1 --format line',
    ],
    load: async () => (await import('./task.ts')).performTask,
  }),
];

export const reservationSpecs: CommandSpec[] = [
  createCommand({
    name: 'reserve',
    fields: reserveFields,
    summary: 'reserve files before changing them; refused where somebody else has them',
    details:
      'Patterns are relative to the project folder: * and ? stay in one folder, ** goes through folders, [abc] and {a,b} are choices; a folder stands for all that is in it. Several patterns are reserved all or none. The same again renews. Nothing keeps anybody from writing: it is an agreement, which --check enforces as a pre-commit hook of git. See docs/team/reservations.md.',
    examples: [
      'council reserve "src/queue/**" test/queue.test.ts --as codex-1 --why "retries"',
      'council reserve docs --as ana --for 30m --shared',
      'council reserve src --as claude-1 --pid $PPID --ask',
      'council reserve --check --as claude-1',
    ],
    load: async () => (await import('./messages.ts')).performReserve,
  }),
  createCommand({
    name: 'release',
    fields: releaseFields,
    summary: 'give up reservations',
    examples: ['council release --as codex-1', 'council release r3 r4 --as codex-1'],
    load: async () => (await import('./messages.ts')).performRelease,
  }),
  createCommand({
    name: 'reservations',
    fields: reservationsFields,
    summary: 'who has reserved which files, what for, and for how long',
    examples: ['council reservations', 'council reservations --json'],
    load: async () => (await import('./messages.ts')).performReservations,
  }),
];

export const approvalSpecs: CommandSpec[] = [
  createCommand({
    name: 'approvals',
    fields: approvalsFields,
    summary: 'list, show, approve or reject what agents have to ask for',
    details:
      'Actions: list (default), show ID, approve ID, reject ID --reason TEXT. An approval holds for exactly what was asked, once, and expires after approvalTimeout of COUNCIL.md. A person decides, never an agent; with approveAt: terminal in COUNCIL.md, at a terminal only. See docs/team/approvals.md.',
    examples: [
      'council approvals',
      'council approvals show a1',
      'council approvals approve a1 --as ana',
      'council approvals reject a2 --reason "not on a Friday"',
    ],
    load: async () => (await import('./approvals.ts')).performApprovals,
  }),
  createCommand({
    name: 'audit',
    fields: auditFields,
    summary: 'who asked, who allowed it, what ran; and whether that record is whole',
    details:
      'Actions: list (default), verify. verify checks the hash of every entry, and that each names the one before it; exit 1 with the first entry that was altered, removed or put elsewhere, and for a last one that was cut off. See docs/team/approvals.md.',
    examples: ['council audit', 'council audit list --task S1/T1', 'council audit verify --json'],
    load: async () => (await import('./approvals.ts')).performAudit,
  }),
];

export const messageSpecs: CommandSpec[] = [
  createCommand({
    name: 'send',
    fields: sendFields,
    summary: 'send a message to an agent, a person or all',
    details:
      'The first word is the recipient, unless --to names it: an agent of this project, all, human, supervisor, a name such as codex-1, a group of COUNCIL.md, or W* for every worker. The message lies in memory/shared/channels/CHANNEL when the command ends. @NAME in the text draws the attention of others. With --wait it is a request: the answer is printed; a refusal, or that nobody acknowledged it, ends with 1, --timeout with 124.',
    examples: [
      'council send codex-1 "Please review src/queue.ts"',
      'council send codex-1 "Are the tests green?" --wait --timeout 5m',
      'council send all "Phase 1 is complete. @gemini-1 please check the figures"',
      'council send --to codex-1 --code @patch.diff --reply-to msg-20260111-163315-codex-1-0000 "Like this?"',
    ],
    load: async () => (await import('./messages.ts')).performSend,
  }),
  createCommand({
    name: 'inbox',
    fields: inboxFields,
    summary: 'the messages to an agent, to a person or to all; marks nothing read',
    examples: [
      'council inbox codex-1',
      'council inbox codex-1 --unread --json',
      'council inbox human --since 2h',
    ],
    load: async () => (await import('./messages.ts')).performInbox,
  }),
  createCommand({
    name: 'ack',
    fields: ackFields,
    summary: 'acknowledge messages: they are handled',
    examples: ['council ack msg-20260111-163315-claude-1-0000 --as codex-1'],
    load: async () => (await import('./messages.ts')).performAnswer('ack'),
  }),
  createCommand({
    name: 'nack',
    fields: nackFields,
    summary: 'refuse messages; their senders are told why',
    examples: ['council nack msg-20260111-163315-claude-1-0000 --as codex-1 --reason "not my part"'],
    load: async () => (await import('./messages.ts')).performAnswer('nack'),
  }),
  createCommand({
    name: 'sent',
    fields: sentFields,
    summary: 'what became of the messages that somebody sent',
    details:
      'For every recipient: stored (nobody has seen it), delivered (shown in a turn that really began), acknowledged, answered, or dead (refused, too old, or acknowledged by nobody), since when, how often it was sent, and to whom it was passed on.',
    examples: ['council sent', 'council sent --open', 'council sent --from claude-1 --json'],
    load: async () => (await import('./messages.ts')).performSent,
  }),
  createCommand({
    name: 'channel',
    fields: channelFields,
    summary: 'list, show, follow or create channels of messages',
    details:
      'Actions: list (default), show NAME, follow NAME (until Ctrl-C), create NAME. Without a name it is general. A channel is also made by its first message.',
    examples: [
      'council channel',
      'council channel show general --limit 10',
      'council channel follow general',
    ],
    load: async () => (await import('./messages.ts')).performChannel,
  }),
  createCommand({
    name: 'log',
    fields: logFields,
    summary:
      'what happened, in the order of time: messages, launches, questions, approvals, attempts and results',
    details:
      'Of everything, or of a council, a session (S1), a task (T3, with its parts), an agent or a channel. It tells who did what and when, not in which words, and of a phase that is sealed what status shows; an agent in its turn sees its own alone. Parts of it: council task log and task trace (one task), council audit (asked, allowed, run, with hashes), council logs (what programs printed).',
    examples: [
      'council log --since 2h',
      'council log T3',
      'council log plan --kind result',
      'council log --agent codex-1 --follow',
      'council log --format line --limit 1000',
    ],
    load: async () => (await import('./log.ts')).performLog,
  }),
  createCommand({
    name: 'who',
    fields: whoFields,
    summary: 'which agents are awake, and whether they are at work',
    examples: ['council who', 'council who --json'],
    load: async () => (await import('./messages.ts')).performWho,
  }),
  createCommand({
    name: 'watch-channel',
    fields: watchChannelFields,
    summary: 'have a program answer the messages to an agent',
    details:
      'Waits for messages to the agent and launches the program for each, or once for all that have waited: the messages and what was said before on stdin, its output is posted as the answer. Without a program it is that of the agent file. Goes on until Ctrl-C. The program finds COUNCIL_MESSAGE_ID, COUNCIL_CHANNEL and COUNCIL_AGENT in its environment. A program that fails is logged and, without --retries, not tried again; two watchers that answer each other stop after 8 answers, and an agent gives at most 20 answers in one conversation and hour.',
    examples: [
      'council watch-channel codex-1 -- codex exec -',
      'council watch-channel claude --channel team-a --retries 2 --reply-errors',
    ],
    load: async () => (await import('./messages.ts')).performWatchChannel,
  }),
];
