// Records tasks permanently: entries in the audit trail, and a report when a task is over.
import type { Agent } from '../../../core/agents/agent.ts';
import { sha256 } from '../../../core/base/ids.ts';
import { parseAuditEntry } from '../audit.ts';
import { nameTask } from '../task.ts';
import type { Task } from '../task.ts';
import { isOver } from '../transitions.ts';
import { describeActor, getCallerName } from '../../../core/app/app.ts';
import type { App } from '../../../core/app/app.ts';
import { keepReport } from '../../reports/keep-report.ts';
import type { TaskPorts } from './ports.ts';
import { closeWorktree } from './worktree.ts';

/** Records who asked for a task or plan. An instruction is recorded by its hash: the task contains the text. */
export async function recordAsked(
  { audit }: Pick<TaskPorts, 'audit'>,
  app: Pick<App, 'caller' | 'via'>,
  what: Task | { session: string; plan: string; tasks: readonly Pick<Task, 'text'>[] },
): Promise<void> {
  const details =
    'plan' in what
      ? { plan: what.plan, tasks: what.tasks.length, instruction: sha256(JSON.stringify(what.tasks)) }
      : { instruction: sha256(what.text), to: what.to };
  await audit.add({
    what: 'task.asked',
    by: getCallerName(app),
    task: 'plan' in what ? what.session : nameTask(what),
    details: { ...details, place: describeActor(app) },
  });
}

/** Records a launch before it happens; the hash is the one that the owner trusts. */
export async function recordLaunch(
  { audit, runs }: Pick<TaskPorts, 'audit' | 'runs'>,
  task: Task,
  agent: Agent,
): Promise<void> {
  const what = runs(agent);
  await audit.add({
    what: 'task.launched',
    by: agent.id,
    task: nameTask(task),
    details: {
      runs: what?.runs ?? agent.runner,
      program: what?.sha256 ?? null,
      launch: task.launches.length,
    },
  });
}

type RecordingParts = Pick<
  TaskPorts,
  'audit' | 'agents' | 'config' | 'reports' | 'tasks' | 'project' | 'env' | 'note'
>;

/** Ensures that a finished task has its report, and records how it ended. */
export async function recordEnd(parts: RecordingParts, task: Task): Promise<Task> {
  if (!isOver(task)) return task;
  const closed = task.isolate === 'none' ? task : await closeWorktree(parts, task);
  const after = await withReport(parts, closed);
  const { state, error, result, report, endedAt } = after;
  // If this process dies first, the next run of the session finds it missing.
  await parts.audit.add({
    what: 'task.ended',
    by: task.worker ?? 'orchestrator',
    task: nameTask(task),
    details: {
      state,
      error: error?.code ?? null,
      result: result === null ? null : sha256(result),
      report,
      endedAt,
    },
  });
  return after;
}

async function withReport({ agents, config, reports, tasks }: RecordingParts, task: Task): Promise<Task> {
  const provider = (task.worker === null ? undefined : agents.find(task.worker))?.provider;
  const report = await keepReport(reports, task, { lang: config.lang, ...(provider && { provider }) });
  // Usually the path was reserved before, so that it is committed with the task's end.
  if (report === task.report) return task;
  const after = await tasks.change(task.session, task.id, (now) =>
    now && isOver(now) && now.report === task.report ? { ...now, report } : undefined,
  );
  return after ?? task;
}

/** Returns tasks whose end is missing in the audit trail: the process was stopped, or another one ended them. */
export async function filterUnrecordedTasks(
  { audit }: Pick<TaskPorts, 'audit'>,
  tasks: readonly Task[],
): Promise<Task[]> {
  const { text } = await readWholeTrail(audit);
  const recorded = new Set(
    text.split('\n').flatMap((line) => {
      const entry = line.includes('"task.ended"') ? parseAuditEntry(line) : undefined;
      return entry ? [`${entry.task} ${String(entry.details.endedAt)}`] : [];
    }),
  );
  return tasks.filter((task) => isOver(task) && !recorded.has(`${nameTask(task)} ${task.endedAt}`));
}

/** Reads the trail after adding entries that were decided but never written, so that none is added twice. */
async function readWholeTrail(audit: TaskPorts['audit']): ReturnType<TaskPorts['audit']['verify']> {
  const found = await audit.verify();
  if (found.broken === undefined) return found;
  await audit.mend();
  return audit.verify();
}
