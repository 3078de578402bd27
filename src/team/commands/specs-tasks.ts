// Specs of the command by which workers are given tasks (data).
import { taskFields } from '../input/tasks.ts';
import { command } from '../../core/cli/spec.ts';
import type { CommandSpec } from '../../core/cli/spec.ts';

/** The commands of tasks. */
export const taskSpecs: CommandSpec[] = [
  command({
    name: 'task',
    fields: taskFields,
    summary: 'have agents do tasks: alone, or those of a plan in their order',
    details:
      'Actions: run "INSTRUCTION", plan FILE (a list of tasks, or the archive of a council), list (default), show ID (show S1: one report of all tasks of a session), watch [ID], play ID (goes on with one that waits, as run does; S1: with all of a session), cancel ID, pause ID and resume ID, answer ID ANSWER, retry ID, log ID, trace ID (its launches and parts, and where the time went). run and plan play in the foreground until all is over; what is unfinished when they are interrupted is played by tick and heartbeat. The worker is the agent whose capabilities fit best, then the least busy; --explain shows the table. A plan is a list: "- T1: text", below it, indented: "- needs: a, b", "- after: T1", "- to: agent", "- priority: P0", "- budget: 500", "- timeout: 10m", "- risk: medium", "- isolate: worktree". Exit codes: 0 done, 1 failed or cancelled, 124 out of time. See docs/tasks.md.',
    examples: [
      'council task run "Sum up docs/guide.md in five lines" --needs summarize',
      'council task run "Write a test for src/queue.ts" --to coder --budget 20000 --timeout 10m',
      'council task plan PLAN.md --concurrency 8',
      'council task log T1 --format line',
    ],
    load: async () => (await import('./task.ts')).taskCommand,
  }),
];
