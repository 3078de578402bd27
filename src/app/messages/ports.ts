// Where the messages of a project are kept, and who is awake in it.
import { join } from 'node:path';
import { authenticLog } from '../../messages/authentic.ts';
import type { OnRefused } from '../../messages/authentic.ts';
import { poster } from '../../messages/channel.ts';
import { deliveriesIn, readDeliveriesStamp } from '../../messages/deliveries.ts';
import { NO_DIRECTORY } from '../../messages/directory.ts';
import type { Directory } from '../../messages/directory.ts';
import { mailboxesIn, readMailStamp } from '../../messages/mailbox.ts';
import type { Office } from '../../messages/office.ts';
import { readReservationStamp, reservationsIn } from '../../messages/reservations.ts';
import type { Reservations } from '../../messages/reservations.ts';
import type { AgentKeys } from '../../store/agent-keys.ts';
import { agentKeyFiles } from '../../store/file/agent-keys.ts';
import { fileStore } from '../../store/file/file-store.ts';
import { messageFiles } from '../../store/file/message-files.ts';
import { presenceFiles } from '../../store/file/presence-files.ts';
import { privateDir } from '../../store/file/private-dir.ts';
import { isAlive } from '../../store/local/liveness.ts';
import type { Project } from '../../store/local/project.ts';
import { systemClock } from '../../store/local/system.ts';
import type { Presences } from '../../store/presences.ts';
import type { App } from '../app.ts';
import { recorded, recorder } from './announcer.ts';
import { permitted } from './permitted.ts';

interface InProject {
  project: Project;
}

/**
 * Where messages are kept, and what their recipients have seen of them; `directory` says who is in which group. Posting keeps
 * to the roles of the agents.
 */
export function postOffice(
  app: Pick<App, 'note' | 'env'>,
  { project }: InProject,
  directory: Directory = NO_DIRECTORY,
): Office {
  const { root, shared } = project;
  const warn = (message: string): void => app.note(message);
  const kept = (folder: string, readStamp: typeof readMailStamp) =>
    fileStore({ dir: join(shared, '.versions', folder), root, prefix: '', readStamp, warn });
  const record = recorder(app, project);
  const files = messageFiles({ dir: shared, root, warn });
  const log = authenticLog(files, agentKeysOf(app, { project }), tellRefused({ warn, record }));
  const privateFiles = privateDir({ env: app.env, projectRoot: root });
  const office = { log, warn, clock: systemClock, record, privateFiles, directory };
  const add = permitted(app, project, office, poster(log, systemClock));
  return {
    log,
    boxes: mailboxesIn(kept('.mail', readMailStamp)),
    deliveries: deliveriesIn(kept('.deliveries', readDeliveriesStamp)),
    directory,
    post: recorded(add, record),
    clock: systemClock,
    record,
    isAlive,
    warn,
  };
}

/** Tells of a message that is not believed every time, and logs it once. */
const tellRefused =
  ({ warn, record }: Pick<Office, 'warn' | 'record'>): OnRefused =>
  async ({ channel, name }, { id, from, to, type }, why, isNew) => {
    warn(`The message ${name} of "${channel}" is left out: ${why}.`);
    const message = { id: String(id), from: String(from), to: String(to), kind: String(type), channel };
    if (isNew) await record('rejected', message, { reason: why });
  };

/** What the agents of a project sign their messages with. */
export const agentKeysOf = ({ env }: Pick<App, 'env'>, { project: { root } }: InProject): AgentKeys =>
  agentKeyFiles({ env, projectRoot: root }, systemClock);

/** Who is awake in a project. */
export const presencesOf = ({ project }: InProject): Presences => presenceFiles(project.shared, project.root);

/** Who has reserved which paths of a project. */
export function reservationsOf(app: Pick<App, 'note'>, { project }: InProject): Reservations {
  const { root, shared } = project;
  const dir = join(shared, '.versions', '.reservations');
  const warn = (message: string): void => app.note(message);
  return reservationsIn(fileStore({ dir, root, prefix: '', readStamp: readReservationStamp, warn }));
}
