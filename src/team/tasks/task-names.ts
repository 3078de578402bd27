// Names of tasks: ids, whole names, channels. Pure.
/** A task's id: `T1`, and `T1.2` for the second one that was handed on out of T1. */
export const TASK_ID = /^T[1-9]\d{0,2}(?:\.[1-9]\d?)*$/;
export const SESSION_ID = /^S[a-z0-9]{1,7}$/;
export const isTaskId = (value: string): boolean => TASK_ID.test(value);
export const isSessionId = (value: string): boolean => SESSION_ID.test(value);

interface TaskNameParts {
  id: string;
  session: string;
}

/** The whole name of a task, `S2/T1`. It never names another task. */
export const nameTask = ({ session, id }: TaskNameParts): string => `${session}/${id}`;

/** On the wire a part has the id of its first ancestor. */
export const wireTask = ({ id }: Pick<TaskNameParts, 'id'>): string => id.replace(/\..*$/, '');

/** The channel that shows a task's exchange. */
export const taskChannel = (task: TaskNameParts): string =>
  `task-${task.session}-${wireTask(task)}`.toLowerCase();

/** The session of a task, by the name of its channel; undefined for any other channel. */
export const sessionOfChannel = (channel: string): string | undefined =>
  /^task-(s[a-z0-9]+)-t\d+$/.exec(channel)?.[1]?.replace('s', 'S');
