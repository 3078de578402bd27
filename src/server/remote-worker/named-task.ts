// A task by the name that a worker knows it by: S1/T1.
import { isTaskId } from '../../team/tasks/task-names.ts';

/** Undefined for what names none. */
export function taskNamed(name: string): { session: string; id: string } | undefined {
  const [, session = '', id = ''] = /^(S[a-z0-9]{1,7})\/(T\S+)$/.exec(name) ?? [];
  return isTaskId(id) ? { session, id } : undefined;
}
