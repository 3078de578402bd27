// What tasks tell the log: launches and how they ended, results, and what a person was asked to approve.
import { oneLine } from '../../base/text.ts';
import { entryIn } from '../../tasks/audit.ts';
import type { Task } from '../../tasks/task.ts';
import { isOver } from '../../tasks/transitions.ts';
import type { App } from '../app.ts';
import { auditOf } from '../audit/ports.ts';
import { sessionsOf, tasksIn } from '../tasks/find.ts';
import { tasksOf } from '../tasks/ports.ts';
import type { Workspace } from '../workspace.ts';
import { happened } from './log-entry.ts';
import type { LogEntry } from './log-entry.ts';

const ORCHESTRATOR = 'orchestrator';
const MOST_OF_SUMMARY = 80;
const ENDS = { D: 'done', F: 'failed', X: 'cancelled' } as const;

/** Of all tasks, the newest sessions first, until there are `enough` of them. */
export async function taskEntries(
  app: App,
  workspace: Workspace,
  isEnough: (found: readonly LogEntry[]) => boolean,
): Promise<LogEntry[]> {
  const tasks = tasksOf(app, workspace);
  const { open } = await tasks.numbers();
  const found: LogEntry[] = [];
  for await (const session of sessionsOf(tasks)) {
    // What is still open may be older than what is over.
    if (!open.includes(session) && isEnough(found)) continue;
    found.push(...(await tasksIn(tasks, session)).flatMap(listTaskEntries));
  }
  return found;
}

function listTaskEntries(task: Task): LogEntry[] {
  const about = { task: task.id, context: task.session };
  const launches = task.launches.flatMap(({ worker, at, endedAt, outcome, error }, index) => {
    const own = { ...about, agent: worker, attempt: index + 1 };
    const begun = happened('launch', {
      ...{ ...own, timestamp: at, event: 'begun', from: ORCHESTRATOR, to: worker },
    });
    if (endedAt === null || outcome === null) return [begun];
    const ended = happened('attempt', {
      ...{ ...own, timestamp: endedAt, event: outcome, from: worker, to: ORCHESTRATOR },
      ...(error && { error: `${error.code} ${error.text}` }),
      status: outcome === 'failed' ? 'failed' : 'success',
    });
    return [begun, ended];
  });
  const { state, endedAt, worker, result, error } = task;
  if (!isOver(task) || endedAt === null) return launches;
  const from = worker ?? ORCHESTRATOR;
  const end = happened('result', {
    ...{ ...about, timestamp: endedAt, event: ENDS[state as keyof typeof ENDS], from, to: ORCHESTRATOR },
    ...(worker !== null && { agent: worker }),
    ...(result !== null && { summary: oneLine(result, MOST_OF_SUMMARY) }),
    ...(error && { error: `${error.code} ${error.text}` }),
    status: state === 'D' ? 'success' : 'failed',
  });
  return [...launches, end];
}

/** What was asked of people, and what they said, as the audit trail has it. */
export async function approvalEntries(app: App, workspace: Workspace): Promise<LogEntry[]> {
  const { text } = await auditOf(app, workspace).verify();
  return text.split('\n').flatMap((line) => {
    const entry = line.includes('"approval.') ? entryIn(line) : undefined;
    if (!entry) return [];
    const { at, what, by, task, details } = entry;
    const [, context, id] = /^(?:(.+)\/)?(.+)$/.exec(task ?? '') ?? [];
    return [
      happened('approval', {
        ...{ timestamp: at, event: what.replace('approval.', ''), from: by, to: ORCHESTRATOR },
        ...(context && { context }),
        ...(id && { task: id }),
        summary: oneLine(`${String(details.approval)}: ${String(details.operation)}`, MOST_OF_SUMMARY),
      }),
    ];
  });
}
