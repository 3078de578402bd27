// A task as machines get it.
import type { Task } from '../../tasks/task.ts';
import { budgetQuestion } from '../../tasks/over-budget.ts';
import { howItStands } from './news.ts';
import { usageOf } from '../../tasks/usage.ts';

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

/** Several tasks, each with what it waits for among them. */
export const taskDocuments = (tasks: readonly Task[]): TaskDocument[] =>
  tasks.map((task) => taskDocument(task, tasks));

/** `attempts` counts launches. */
export function taskDocument(task: Task, among: readonly Task[] = []): TaskDocument {
  const { id, session, text, state, worker, result, error, launches, after, needs } = task;
  const usage = usageOf(task);
  const standing = howItStands(task, among);
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
    question: task.question ?? budgetQuestion(task)?.question ?? null,
    usage,
  };
}
