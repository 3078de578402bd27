// Posts only what the roles of sender and recipients allow; the text of anything else is kept.
import type { AgentRegistry } from '../../../core/agents/registry.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { keepAnywhere } from '../../../core/council/use/refused-texts.ts';
import { isFor, isPerson } from '../addressing.ts';
import type { Draft, Post } from '../channel.ts';
import { listAgentGroups } from '../directory.ts';
import type { Directory } from '../directory.ts';
import { findMessages } from '../message-service.ts';
import type { Office } from '../message-service.ts';
import { findForbiddingRule } from '../policy.ts';
import type { Role } from '../policy.ts';
import type { Project } from '../../../core/store/local/project.ts';
import type { PrivateTexts } from '../../../core/store/private-texts.ts';
import type { App } from '../../../core/app/app.ts';
import { loadAgents } from '../../../core/app/load-agents.ts';

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
