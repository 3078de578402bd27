// Where the messages of a project are kept, and who is awake in it.
import { authenticLog } from '../signed-log.ts';
import type { OnRefused } from '../signed-log.ts';
import { poster } from '../channel.ts';
import { createDeliveries, readDeliveriesStamp } from '../deliveries.ts';
import { NO_DIRECTORY } from '../directory.ts';
import type { Directory } from '../directory.ts';
import { createMailboxes, readMailStamp } from '../mailbox.ts';
import type { Office } from '../message-service.ts';
import { readReservationStamp, createReservations } from '../reservations.ts';
import type { Reservations } from '../reservations.ts';
import type { AgentKeys } from '../../../core/store/agent-keys.ts';
import { agentKeyFiles } from '../../../core/store/file/agent-keys.ts';
import { isAlive } from '../../../core/store/local/liveness.ts';
import { sharingProject } from '../../../core/store/local/project.ts';
import type { Project } from '../../../core/store/local/project.ts';
import { systemClock } from '../../../core/store/local/system.ts';
import type { Presences } from '../../../core/store/presences.ts';
import type { App } from '../../../core/app/app.ts';
import { openProjectStorage } from '../../../core/app/storage/project-storage.ts';
import type { KeepingApp } from '../../../core/app/storage/ports.ts';
import { tellingOnce } from '../../../core/app/print-once.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { logEachPost, recorder } from './announcer.ts';
import { enforceRoles } from './role-check.ts';

interface InProject {
  project: Project;
}

/**
 * Where messages are kept, and what their recipients have seen of them; `directory` says who is in which group. Posting keeps
 * to the roles of the agents.
 */
export function postOffice(
  app: KeepingApp,
  { project }: InProject,
  directory: Directory = NO_DIRECTORY,
): Office {
  const keeping = openProjectStorage(app, project);
  const { clock } = keeping;
  const warn = tellingOnce(app.note);
  const record = recorder(app, project);
  const log = authenticLog(
    keeping.messages(),
    openAgentKeys(app, { project }),
    tellRefused({ warn, record }),
  );
  const office = { log, warn, clock, record, privateFiles: keeping.privateTexts(), directory };
  const add = enforceRoles(app, project, office, poster(log, clock));
  return {
    log,
    boxes: createMailboxes(keeping.documents('mail', { readStamp: readMailStamp })),
    deliveries: createDeliveries(keeping.documents('deliveries', { readStamp: readDeliveriesStamp })),
    directory,
    post: logEachPost(add, record),
    clock,
    record,
    isAlive,
    warn,
  };
}

/** Tells of a message that is not believed, and logs it. */
const tellRefused =
  ({ warn, record }: Pick<Office, 'warn' | 'record'>): OnRefused =>
  async ({ channel, name }, { id, from, to, type }, why, isNew) => {
    warn(`The message ${name} of "${channel}" is left out: ${why}.`);
    const message = { id: String(id), from: String(from), to: String(to), kind: String(type), channel };
    if (isNew) await record('rejected', message, { reason: why });
  };

/** What the agents of a project sign their messages with. */
export const openAgentKeys = ({ env }: Pick<App, 'env'>, { project }: InProject): AgentKeys =>
  agentKeyFiles({ env, projectRoot: sharingProject(project).root }, systemClock);

/** Who is awake in a project. */
export const openPresences = ({ keeping }: Pick<Workspace, 'keeping'>): Presences => keeping.presences();

/** Who has reserved which paths of a project. */
export const openReservations = (app: KeepingApp, { project }: InProject): Reservations =>
  createReservations(
    openProjectStorage(app, project).documents('reservations', { readStamp: readReservationStamp }),
  );
