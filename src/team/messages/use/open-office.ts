// Opens the office of a project for those who look into it: with its groups and roles, and a round over what is due.
import { CouncilError } from '../../../core/base/errors.ts';
import { isWellKnown, isGroup } from '../addressing.ts';
import { COUNCIL, isLive, isOfCouncil } from '../channel.ts';
import type { Agent } from '../../../core/agents/agent.ts';
import type { Directory } from '../addressing.ts';
import type { Office } from '../message-service.ts';
import type { Role } from '../policy.ts';
import { makeRound } from '../delivery-round.ts';
import { overrideApp } from '../../../core/app/app.ts';
import type { App } from '../../../core/app/app.ts';
import { loadAgents, loadConfig } from '../../../core/app/workspace.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { postOffice, openPresences } from './ports.ts';

/** The office, with everybody of the project as they are now. */
export const openOffice = async (app: App, workspace: Workspace): Promise<Office> =>
  postOffice(app, workspace, await loadMailDirectory(app, workspace));

/**
 * The agents of the project and everyone who was ever awake in it, their roles, and the groups of
 * COUNCIL.md.
 */
export async function loadMailDirectory(app: App, workspace: Workspace): Promise<Directory> {
  // What is wrong with the settings is told by the commands that they are for.
  const quiet: App = overrideApp(app, { note: () => undefined });
  const [agents, { groups }, presences] = await Promise.all([
    loadAgents(quiet, workspace),
    loadConfig(quiet, workspace, {}),
    openPresences(workspace).list(),
  ]);
  const own = agents.own().filter(({ source }) => source === 'project');
  const ids = new Set([...own.map(({ id }) => id), ...presences.map(({ agent }) => agent)]);
  return { agents: [...ids].map((id) => ({ id, role: resolveMailRole(agents.find(id)) })), groups };
}

/**
 * Checks that a name can have mail: an agent or person of the project, a group, or a name that needs no file. Throws `unknown_agent`,
 * as the registry does.
 */
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
 * Does what is due in these channels: retries, escalates or gives up messages. Resolves to when
 * something is due next (ms since the epoch). A failed round is only reported; the next one catches
 * up.
 */
export async function makeRounds(office: Office, channels: readonly string[]): Promise<number | undefined> {
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
 * Makes a round over every channel where messages are delivered; nothing is read where there is none. In the channel of a
 * council only where something is on its way: what councils tell wants no ACK, and there may be a thousand of them.
 */
export async function makeRoundsEverywhere(app: App, workspace: Workspace): Promise<number | undefined> {
  const { log, deliveries } = postOffice(app, workspace);
  const known = new Set(await deliveries.channels());
  const channels = (await log.channels()).filter(
    (channel) => isLive(channel) && (known.has(channel) || !isOfCouncil(channel)),
  );
  return channels.length === 0 ? undefined : makeRounds(await openOffice(app, workspace), channels);
}
