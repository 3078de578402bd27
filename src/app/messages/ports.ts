// Where the messages of a project are kept, and who is awake in it.
import { join } from 'node:path';
import { poster } from '../../messages/channel.ts';
import { mailboxesIn, readMailStamp } from '../../messages/mailbox.ts';
import type { Office } from '../../messages/office.ts';
import { readReservationStamp, reservationsIn } from '../../messages/reservations.ts';
import type { Reservations } from '../../messages/reservations.ts';
import { fileStore } from '../../store/file/file-store.ts';
import { messageFiles } from '../../store/file/message-files.ts';
import { presenceFiles } from '../../store/file/presence-files.ts';
import type { Project } from '../../store/local/project.ts';
import { systemClock } from '../../store/local/system.ts';
import type { Presences } from '../../store/presences.ts';
import type { App } from '../app.ts';

interface InProject {
  project: Project;
}

/** Where messages are kept, and what their recipients have seen of them. */
export function postOffice(app: Pick<App, 'note'>, { project }: InProject): Office {
  const { root, shared } = project;
  const warn = (message: string): void => app.note(message);
  const log = messageFiles({ dir: shared, root, warn });
  const dir = join(shared, '.versions', '.mail');
  const boxes = mailboxesIn(fileStore({ dir, root, prefix: '', readStamp: readMailStamp, warn }));
  return { log, boxes, post: poster(log, systemClock), clock: systemClock, warn };
}

/** Who is awake in a project. */
export const presencesOf = ({ project }: InProject): Presences => presenceFiles(project.shared, project.root);

/** Who has reserved which paths of a project. */
export function reservationsOf(app: Pick<App, 'note'>, { project }: InProject): Reservations {
  const { root, shared } = project;
  const dir = join(shared, '.versions', '.reservations');
  const warn = (message: string): void => app.note(message);
  return reservationsIn(fileStore({ dir, root, prefix: '', readStamp: readReservationStamp, warn }));
}
