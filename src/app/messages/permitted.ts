// Posts only what the roles of sender and recipients allow; the text of anything else is kept.
import type { AgentRegistry } from '../../agents/registry.ts';
import { CouncilError } from '../../base/errors.ts';
import { keepAnywhere } from '../../council/use/refused-texts.ts';
import { isFor, isPerson } from '../../messages/addressing.ts';
import type { Draft, Post } from '../../messages/channel.ts';
import { listAgentGroups } from '../../messages/directory.ts';
import type { Directory } from '../../messages/directory.ts';
import { findMessages } from '../../messages/office.ts';
import type { Office } from '../../messages/office.ts';
import { findForbiddingRule } from '../../messages/policy.ts';
import type { Role } from '../../messages/policy.ts';
import type { Project } from '../../store/local/project.ts';
import type { PrivateTexts } from '../../store/private-texts.ts';
import type { App } from '../app.ts';
import { loadAgents } from '../load-agents.ts';

/** How long it is kept in mind who has which role: a watcher runs for days. */
const KNOWN_MS = 1000;

/** Like `post`. Rejects with `forbidden`, naming the rule, where a role may not send that. Without roles everything is open. */
export function enforceRoles(
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
      hint: `Roles stand in the agent files: council agents show ${draft.from}. Who may send what to whom: docs/protocol.md`,
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
