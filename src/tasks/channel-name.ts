// The name of a task's channel, which says its session. Pure.
import { wireTask } from './task.ts';
import type { Task } from './task.ts';

/** The channel that shows a task's exchange. */
export const taskChannel = ({ id: own, session }: Pick<Task, 'id' | 'session'>): string =>
  `task-${session}-${wireTask({ id: own })}`.toLowerCase();

/** The session of a task, by the name of its channel; undefined for any other channel. */
export const sessionOfChannel = (channel: string): string | undefined =>
  /^task-(s[a-z0-9]+)-t\d+$/.exec(channel)?.[1]?.replace('s', 'S');
