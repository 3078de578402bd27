// Opens the message ports of a project: storage, presence, groups and roles. Makes rounds over due messages.
import { CouncilError } from '../../../core/base/errors.ts';
import { isWellKnown, isGroup, NO_DIRECTORY, listAgentGroups, isFor, isPerson } from '../addressing.ts';
import { COUNCIL, isLive, isOfCouncil, poster } from '../channel.ts';
import type { Agent } from '../../../core/agents/agent.ts';
import type { Directory } from '../addressing.ts';
import type { MessageService } from '../message-service.ts';
import type { Role } from '../policy.ts';
import { makeRound } from '../delivery-round.ts';
import { overrideApp } from '../../../core/app/app.ts';
import type { App } from '../../../core/app/app.ts';
import { loadAgents, loadConfig } from '../../../core/app/workspace.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { createAuthenticLog } from '../signed-log.ts';
import type { OnRefused } from '../signed-log.ts';
import type { Draft, Post } from '../channel.ts';
import { createDeliveries } from '../delivery.ts';
import { createMailboxes } from '../mailbox.ts';
import { findMessages } from '../find-message.ts';
import { createReservations } from '../reservations.ts';
import type { Reservations } from '../reservations.ts';
import type { AgentKeys } from '../agent-keys.ts';
import { openAgentKeyFiles } from './agent-key-files.ts';
import { isAlive } from '../../../core/store/local/liveness.ts';
import { findSharingProject } from '../../../core/store/local/project.ts';
import type { Project } from '../../../core/store/local/project.ts';
import { systemClock } from '../../../core/store/local/system.ts';
import type { PrivateTexts } from '../../../core/store/small-files.ts';
import { openDocuments } from '../../document-kinds.ts';
import { openProjectStorage } from '../../../core/app/storage/project-storage.ts';
import type { StorageApp } from '../../../core/app/storage/ports.ts';
import { createOnceNote } from '../../../core/app/repeated-notices.ts';
import { logEachPost, createRecorder } from './announcer.ts';
import type { AgentRegistry } from '../../../core/agents/registry.ts';
import { keepUnplacedText } from '../../../core/council/use/refused-texts.ts';
import { findForbiddingRule } from '../policy.ts';

/** Opens the message ports, with the current agents and groups. */
export const openOffice = async (app: App, workspace: Workspace): Promise<MessageService> =>
  createOffice(app, workspace, await loadMailDirectory(app, workspace));

/** The agents of the project and everyone who was ever awake in it, their roles, and the groups of COUNCIL.md. */
export async function loadMailDirectory(app: App, workspace: Workspace): Promise<Directory> {
  // Faults in the settings are reported by the commands that they are for.
  const quiet: App = overrideApp(app, { note: () => undefined });
  const [agents, { groups }, presences] = await Promise.all([
    loadAgents(quiet, workspace),
    loadConfig(quiet, workspace, {}),
    workspace.keeping.presences().list(),
  ]);
  const own = agents.listOwn().filter(({ source }) => source === 'project');
  const ids = new Set([...own.map(({ id }) => id), ...presences.map(({ agent }) => agent)]);
  return { agents: [...ids].map((id) => ({ id, role: resolveMailRole(agents.find(id)) })), groups };
}

/** Requires a name that can have mail: an agent, person, group or well-known name. Throws `unknown_agent`. */
export async function requireCorrespondent(
  app: App,
  workspace: Workspace,
  { agents, groups }: Directory,
  name: string,
): Promise<void> {
  if (isWellKnown(name) || name === COUNCIL || isGroup({ agents, groups }, name)) return;
  if (agents.some(({ id }) => id === name)) return;
  (await loadAgents(overrideApp(app, { note: () => undefined }), workspace)).require(name);
}

/** Launched agents are workers by default; people have no default role. */
const resolveMailRole = (agent: Agent | undefined): Role | undefined =>
  agent?.role ?? (agent?.runner === 'human' ? undefined : 'worker');

/**
 * Does what is due in these channels: retries, escalates or gives up messages. Resolves to when something is
 * due next (ms since the epoch). A failed round is only reported; the next one catches up.
 */
export async function makeRounds(
  office: MessageService,
  channels: readonly string[],
): Promise<number | undefined> {
  let next = Infinity;
  for (const channel of channels)
    try {
      next = Math.min(next, (await makeRound(office, channel)) ?? Infinity);
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      office.warn(`What is due in "${channel}" was not done: ${error.message}`);
    }
  return Number.isFinite(next) ? next : undefined;
}

/**
 * Makes a round over every channel with deliveries; reads nothing if there is none. Channels of councils only
 * if they
 * have open deliveries: councils post no messages that need an ACK, and there may be a thousand of them.
 */
export async function makeRoundsEverywhere(app: App, workspace: Workspace): Promise<number | undefined> {
  const { log, deliveries } = createOffice(app, workspace);
  const known = new Set(await deliveries.channels());
  const channels = (await log.channels()).filter(
    (channel) => isLive(channel) && (known.has(channel) || !isOfCouncil(channel)),
  );
  return channels.length === 0 ? undefined : makeRounds(await openOffice(app, workspace), channels);
}

/** Opens the storage of messages and mailboxes; `directory` has the groups. Posting enforces the agents' roles. */
export function createOffice(
  app: StorageApp,
  { project }: Pick<Workspace, 'project'>,
  directory: Directory = NO_DIRECTORY,
): MessageService {
  const keeping = openProjectStorage(app, project);
  const { clock } = keeping;
  const warn = createOnceNote(app.note);
  const record = createRecorder(app, project);
  const log = createAuthenticLog(
    keeping.messages(),
    openAgentKeys(app, { project }),
    tellRefused({ warn, record }),
  );
  const office = { log, warn, clock, record, privateFiles: keeping.privateTexts(), directory };
  const add = enforceRoles(app, project, office, poster(log, clock));
  return {
    log,
    boxes: createMailboxes(openDocuments(app, { project }, 'mail')),
    deliveries: createDeliveries(openDocuments(app, { project }, 'deliveries')),
    directory,
    post: logEachPost(add, record),
    clock,
    record,
    isAlive,
    warn,
  };
}

const tellRefused =
  ({ warn, record }: Pick<MessageService, 'warn' | 'record'>): OnRefused =>
  async ({ channel, name }, { id, from, to, type }, why, isNew) => {
    warn(`The message ${name} of "${channel}" is left out: ${why}.`);
    const message = { id: String(id), from: String(from), to: String(to), kind: String(type), channel };
    if (isNew) await record('rejected', message, { reason: why });
  };

export const openAgentKeys = (
  { env }: Pick<App, 'env'>,
  { project }: Pick<Workspace, 'project'>,
): AgentKeys => openAgentKeyFiles({ env, projectRoot: findSharingProject(project).root }, systemClock);

export const openReservations = (app: StorageApp, workspace: Pick<Workspace, 'project'>): Reservations =>
  createReservations(openDocuments(app, workspace, 'reservations'));

// Posts only what the roles of sender and recipients allow; a forbidden text is kept.

/** How long roles are cached: a watcher runs for days. */
const KNOWN_MS = 1000;

/** Wraps `post`: rejects with `forbidden`, naming the rule, if a role may not send it. No roles, no limits. */
function enforceRoles(
  app: Pick<App, 'env'>,
  project: Project,
  office: Pick<MessageService, 'log' | 'warn' | 'clock' | 'record' | 'directory'> & {
    privateFiles: PrivateTexts;
  },
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
    const kept = await keepUnplacedText(office, owner, Buffer.from(`${draft.body ?? ''}\n`));
    throw new CouncilError('forbidden', refusal, {
      hint: `Roles stand in the agent files: council agents show ${draft.from}. Who may send what to whom: docs/team/protocol.md`,
      details: { kept },
    });
  };
}

async function findRoleViolation(
  agents: AgentRegistry,
  office: Pick<MessageService, 'log' | 'warn' | 'directory'>,
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

/** A person is known by name; an agent has the role of its file. */
const findRole = (agents: AgentRegistry, name: string): Role | undefined =>
  agents.find(name)?.role ?? (isPerson(name) ? 'person' : undefined);

/** Returns the recipient, and all others whose inbox would get the message. */
const listReachedRecipients = (agents: AgentRegistry, directory: Directory, draft: Draft): string[] => [
  draft.to,
  ...agents
    .list()
    .flatMap(({ id }) => (id !== draft.to && isFor(id, draft, listAgentGroups(directory, id)) ? [id] : [])),
];
