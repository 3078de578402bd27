// How messages are written down: the log of what happens to them, and what a council itself posts.
import { join } from 'node:path';
import { runInSpan } from '../../../core/base/trace.ts';
import { poster } from '../channel.ts';
import type { Post } from '../channel.ts';
import { entryLine, createLogEntry } from '../log-entry.ts';
import type { Office } from '../message-service.ts';
import type { DayLog } from '../../../core/store/day-log.ts';
import { dayLogFiles } from '../../../core/store/file/day-log.ts';
import type { Project } from '../../../core/store/local/project.ts';
import { systemClock } from '../../../core/store/local/system.ts';
import type { App } from '../../../core/app/app.ts';
import { openProjectStorage } from '../../../core/app/storage/project-storage.ts';
import type { KeepingApp } from '../../../core/app/storage/ports.ts';

interface InProject {
  project: Project;
}

/**
 * Posts the messages of council itself. No role check, and not durable: the state file holds the
 * same facts, so there is no need to wait for the disk.
 */
export function announcer(app: KeepingApp, { project }: InProject): Post {
  const { clock, messages } = openProjectStorage(app, project);
  const post = poster(messages(), clock);
  return logEachPost((draft) => post(draft, { durable: false }), recorder(app, project));
}

/** Adds to the log of a project what happened to a message. */
export function recorder(app: Pick<App, 'note'>, project: Project): Office['record'] {
  const days = openDayLog(app, { project });
  return (event, message, about) => {
    const at = systemClock.now();
    return days.append(at, entryLine(createLogEntry(event, message, at, about)));
  };
}

/** Every message that is added stands in the log. */
export const logEachPost =
  (post: Post, record: Office['record']): Post =>
  (draft, how) =>
    runInSpan(
      'council.send',
      { 'council.channel': draft.channel, 'council.type': draft.kind },
      async (tell) => {
        const message = await post(draft, how);
        tell({ 'council.message': message.id });
        await record('stored', message);
        return message;
      },
    );

/** What happened to the messages of a project. */
export const openDayLog = (app: Pick<App, 'note'>, { project: { root } }: InProject): DayLog =>
  dayLogFiles({ dir: join(root, 'memory', 'logs'), root, warn: (message) => app.note(message) });
