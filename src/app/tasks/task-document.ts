// A task as machines get it.
import type { Task } from '../../tasks/task.ts';
import { howItStands } from './news.ts';
import { usageOf } from '../../tasks/task.ts';

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
  /** How it stands, in a few words. */
  standing: string;
  [key: string]: unknown;
}

/** `attempts` counts launches. */
export function taskDocument(task: Task): TaskDocument {
  const { id, session, text, state, worker, result, error, launches, after, needs } = task;
  const {
    priority,
    budget,
    depth,
    parent,
    question,
    approval,
    report,
    branch,
    createdAt,
    startedAt,
    endedAt,
  } = task;
  const beside = {
    priority,
    budget,
    depth,
    parent,
    question,
    approval,
    report,
    branch,
    createdAt,
    startedAt,
    endedAt,
  };
  const usage = usageOf(task);
  const standing = howItStands(task);
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
    ...beside,
    usage,
  };
}
