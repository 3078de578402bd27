// Where the messages of a project are kept, and who is awake in it.
import { authenticLog } from '../signed-log.ts';
import type { OnRefused } from '../signed-log.ts';
import { poster } from '../channel.ts';
import type { Draft, Post } from '../channel.ts';
import { createDeliveries, readDeliveriesStamp } from '../deliveries.ts';
import { NO_DIRECTORY, listAgentGroups, isFor, isPerson } from '../addressing.ts';
import type { Directory } from '../addressing.ts';
import { createMailboxes, readMailStamp } from '../mailbox.ts';
import { findMessages } from '../find-message.ts';
import type { Office } from '../message-service.ts';
import { readReservationStamp, createReservations } from '../reservations.ts';
import type { Reservations } from '../reservations.ts';
import type { AgentKeys } from '../../../core/store/keys.ts';
import { agentKeyFiles } from '../../../core/store/file/agent-keys.ts';
import { isAlive } from '../../../core/store/local/liveness.ts';
import { sharingProject } from '../../../core/store/local/project.ts';
import type { Project } from '../../../core/store/local/project.ts';
import { systemClock } from '../../../core/store/local/system.ts';
import type { Presences } from '../../../core/store/small-files.ts';
import type { App } from '../../../core/app/app.ts';
import { openProjectStorage } from '../../../core/app/storage/project-storage.ts';
import type { KeepingApp } from '../../../core/app/storage/ports.ts';
import { tellingOnce } from '../../../core/app/report-conflict-copies.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { logEachPost, recorder } from './announcer.ts';
import type { AgentRegistry } from '../../../core/agents/registry.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { keepAnywhere } from '../../../core/council/use/refused-texts.ts';
import { findForbiddingRule } from '../policy.ts';
import type { Role } from '../policy.ts';
import type { PrivateTexts } from '../../../core/store/private-texts.ts';
import { loadAgents } from '../../../core/app/load-agents.ts';

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

// Posts only what the roles of sender and recipients allow; the text of anything else is kept.

/** How long it is kept in mind who has which role: a watcher runs for days. */
const KNOWN_MS = 1000;

/** Like `post`. Rejects with `forbidden`, naming the rule, where a role may not send that. Without roles everything is open. */
function enforceRoles(
  app: Pick<App, 'env'>,
  project: Project,
  office: Pick<Office, 'log' | 'warn' | 'clock' | 'record' | 'directory'> & { privateFiles: PrivateTexts },
  post: Post,
): Post {
  let known: { agents: AgentRegistry; at: number } | undefined;
  return async (draft, how) => {
    const now = office.clock.now();
    if (known === undefined || Math.abs(now - known.at) > KNOWN_MS)
      known = { agents: await loadAgents(app, { project }), at: now };
    const refusal = await findRoleViolation(known.agents, office, draft, how);
    if (refusal === undefined) return post(draft, how);
    await office.record('rejected', draft, { reason: refusal });
    const owner = { participant: `message-${draft.from}`, isSeated: true };
    const kept = await keepAnywhere(office, owner, Buffer.from(`${draft.body ?? ''}\n`));
    throw new CouncilError('forbidden', refusal, {
      hint: `Roles stand in the agent files: council agents show ${draft.from}. Who may send what to whom: docs/team/protocol.md`,
      details: { kept },
    });
  };
}

async function findRoleViolation(
  agents: AgentRegistry,
  office: Pick<Office, 'log' | 'warn' | 'directory'>,
  draft: Draft,
  how: Parameters<Post>[1],
): Promise<string | undefined> {
  const { from, kind, replyTo } = draft;
  const role = findRole(agents, from);
  if (role === undefined) return undefined;
  const answered = replyTo === undefined ? [] : await findMessages(office, replyTo);
  const groups = listAgentGroups(office.directory, from);
  for (const to of listReachedRecipients(agents, office.directory, draft)) {
    const isAnswer = answered.some((one) => one.from === to && isFor(from, one, groups));
    const other = findRole(agents, to);
    const rule = findForbiddingRule(role, other, kind, { ...how, isAnswer });
    if (rule !== undefined) return `${from} may not send ${to} a message of the type ${kind}. ${rule}.`;
  }
  return undefined;
}

/** A person is one by name; an agent has the role of its file. */
const findRole = (agents: AgentRegistry, name: string): Role | undefined =>
  agents.find(name)?.role ?? (isPerson(name) ? 'person' : undefined);

/** The recipient, and everybody else in whose inbox the message would be. */
const listReachedRecipients = (agents: AgentRegistry, directory: Directory, draft: Draft): string[] => [
  draft.to,
  ...agents
    .list()
    .flatMap(({ id }) => (id !== draft.to && isFor(id, draft, listAgentGroups(directory, id)) ? [id] : [])),
];
