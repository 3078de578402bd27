// Where the messages of a project are kept, and who is awake in it.
import { authenticLog } from '../../messages/authentic.ts';
import type { OnRefused } from '../../messages/authentic.ts';
import { poster } from '../../messages/channel.ts';
import { createDeliveries, readDeliveriesStamp } from '../../messages/deliveries.ts';
import { NO_DIRECTORY } from '../../messages/directory.ts';
import type { Directory } from '../../messages/directory.ts';
import { createMailboxes, readMailStamp } from '../../messages/mailbox.ts';
import type { Office } from '../../messages/office.ts';
import { readReservationStamp, createReservations } from '../../messages/reservations.ts';
import type { Reservations } from '../../messages/reservations.ts';
import type { AgentKeys } from '../../store/agent-keys.ts';
import { agentKeyFiles } from '../../store/file/agent-keys.ts';
import { isAlive } from '../../store/local/liveness.ts';
import { sharingProject } from '../../store/local/project.ts';
import type { Project } from '../../store/local/project.ts';
import { systemClock } from '../../store/local/system.ts';
import type { Presences } from '../../store/presences.ts';
import type { App } from '../app.ts';
import { openProjectStorage } from '../keeping/keeping.ts';
import type { KeepingApp } from '../keeping/ports.ts';
import { tellingOnce } from '../telling-once.ts';
import type { Workspace } from '../workspace.ts';
import { logEachPost, recorder } from './announcer.ts';
import { enforceRoles } from './permitted.ts';

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
