// Whom a group stands for, and who is above whom. Pure.
import { isId } from '../../core/base/ids.ts';
import { ALL, isAddressed, isFor, isMentioned, isPerson, PERSON, wakes } from './addressing.ts';
import type { Posted } from './channel.ts';
import { escalation, wantsAck } from './delivery.ts';
import type { Role } from './policy.ts';

/** Everybody who may be written to together. */
export interface Directory {
  /**
   * The project's agents, and every agent that was ever awake. Without a role it counts as a
   * worker.
   */
  agents: readonly { id: string; role?: Role | undefined }[];
  /** By name: `G1`. */
  groups: Readonly<Record<string, readonly string[]>>;
}

/** Names under which council itself speaks. */
export const SPEAKERS = ['council', 'orchestrator'];

/** Every worker. */
export const WORKERS = 'W*';

/** An empty directory: messages reach only the recipients they name. */
export const NO_DIRECTORY: Directory = { agents: [], groups: {} };

/** The recipients of several that stand for an agent too. */
export function listAgentGroups({ agents, groups }: Directory, agent: string): ReadonlySet<string> {
  const own = Object.keys(groups).filter((name) => groups[name]?.includes(agent));
  const isWorker = agents.some(({ id, role }) => id === agent && role === 'worker');
  return new Set([...own, ...(isWorker ? [WORKERS] : [])]);
}

/** Whether a name is that of a program: every agent with a role, and everybody unknown who is no person by name. */
export function isProgram({ agents }: Directory, name: string): boolean {
  const known = agents.find(({ id }) => id === name);
  return known ? known.role !== undefined : !isPerson(name) && !SPEAKERS.includes(name);
}

/** Whether a recipient is a group of this project. */
export const isGroup = ({ groups }: Directory, name: string): boolean =>
  name === WORKERS || Object.hasOwn(groups, name);

/** Everybody and every group that a message can be sent to by name, in the order of help. */
export const listRecipientNames = ({ agents, groups }: Directory): string[] => [
  ...agents.map(({ id }) => id),
  ...Object.keys(groups),
  WORKERS,
  'all',
  PERSON,
  'supervisor',
];

/** All recipients of a message: matching agents of the project, and the names in it. */
export function listRecipients(directory: Directory, message: Posted): string[] {
  const { agents, groups } = directory;
  const known = [...agents.map(({ id }) => id), ...Object.values(groups).flat()];
  const meant = known.filter((agent) => isFor(agent, message, listAgentGroups(directory, agent)));
  // A person reads what is for all, and is not waited for.
  const person = wakes(PERSON, message) ? [PERSON] : [];
  return [...new Set([...(isOne(message) ? [message.to] : []), ...meant, ...person])];
}

/** The recipients whose ACK is waited for. */
export const listAwaitedRecipients = (directory: Directory, message: Posted): string[] =>
  listRecipients(directory, message).filter((agent) => awaitsAck(directory, agent, message));

/** Whether a message waits for that recipient's ACK. */
export const awaitsAck = (directory: Directory, agent: string, message: Posted): boolean =>
  isAddressed(agent, message, listAgentGroups(directory, agent)) &&
  wantsAck(message, isMentioned(agent, message.body ?? ''));

/** Whether the recipient is a single agent, known or not. A channel's own messages have none. */
const isOne = ({ to, channel }: Posted): boolean => isId(to) && !ALL.includes(to) && to !== channel;

/**
 * The escalation chain of a recipient: itself, one agent of each higher role, then a person. Agents
 * that share a group with it come first. The sender is left out.
 */
export function buildEscalationChain(
  directory: Directory,
  recipient: string,
  sender: string,
): readonly [string, ...string[]] {
  const { agents } = directory;
  const role =
    recipient === PERSON ? 'person' : (agents.find(({ id }) => id === recipient)?.role ?? 'worker');
  const near = listAgentGroups(directory, recipient);
  const nearness = (id: string): number =>
    [...listAgentGroups(directory, id)].some((one) => near.has(one)) ? 0 : 1;
  const above = escalation(role)
    .slice(1)
    .flatMap((wanted) => {
      if (wanted === 'person') return [PERSON];
      const able = agents.filter(({ id, role: own }) => own === wanted && id !== sender && id !== recipient);
      return able
        .toSorted((a, b) => nearness(a.id) - nearness(b.id) || (a.id < b.id ? -1 : 1))
        .slice(0, 1)
        .map(({ id }) => id);
    });
  return [recipient, ...above.filter((name) => name !== sender && name !== recipient)];
}
