// A task as machines get it.
import type { Task } from '../task.ts';
import { budgetQuestion } from '../answer-question.ts';
import type { WaitsForHeartbeat } from '../../../core/app/missing-heartbeats.ts';
import { formatLabels } from '../../../core/app/missing-heartbeats.ts';
import { howItStands } from './news.ts';
import { sumTaskUsage } from '../task-trace.ts';

export interface TaskDocument {
  id: string;
  session: string;
  text: string;
  state: Task['state'];
  worker: string | null;
  result: string | null;
  error: Task['error'];
  attempts: number;
  after: string[];
  needs: string[];
  /** What a person is asked, or its orchestrator. */
  question: Task['question'];
  /** How it stands, in a few words. */
  standing: string;
  [key: string]: unknown;
}

/** What machines get besides, as the task has it. */
const BESIDE = [
  'priority',
  'progress',
  'budget',
  'depth',
  'parent',
  'approval',
  'report',
  'branch',
  'diff',
  'patch',
  'createdAt',
  'startedAt',
  'endedAt',
] as const satisfies (keyof Task)[];

/** What decides how tasks stand, beside themselves. */
export interface Surroundings {
  /** For whom no heartbeat is there. */
  waiting?: ReadonlyMap<Task, WaitsForHeartbeat[]>;
  /** The ids of requests that have been approved. */
  approved?: ReadonlySet<string>;
}

/** Several tasks, each with what it waits for. */
export const taskDocuments = (
  tasks: readonly Task[],
  { waiting, approved }: Surroundings = {},
): TaskDocument[] =>
  tasks.map((task) =>
    taskDocument(task, tasks, waiting?.get(task), task.approval !== null && approved?.has(task.approval)),
  );

/** Says which labels are missing, for a task no running heartbeat can do. */
const describeMissingHeartbeat = (waiting: readonly WaitsForHeartbeat[]): string => {
  const labels = [...new Set(waiting.map((one) => formatLabels(one.labels)))];
  return `waits: no heartbeat has ${labels.join(', or ')}`;
};

/** `attempts` counts launches. */
export function taskDocument(
  task: Task,
  among: readonly Task[] = [],
  waiting: readonly WaitsForHeartbeat[] = [],
  isApproved = false,
): TaskDocument {
  const { id, session, text, state, worker, result, error, launches, after, needs } = task;
  const usage = sumTaskUsage(task);
  const missing = waiting.length === 0 ? undefined : describeMissingHeartbeat(waiting);
  const standing = howItStands(isApproved ? { ...task, approval: null } : task, among, missing);
  return {
    id,
    standing,
    session,
    text,
    state,
    worker,
    result,
    error,
    attempts: launches.length,
    after,
    needs,
    ...Object.fromEntries(BESIDE.map((key) => [key, task[key]])),
    ...(waiting.length > 0 && { waiting }),
    question: task.question ?? budgetQuestion(task)?.question ?? null,
    usage,
  };
}
