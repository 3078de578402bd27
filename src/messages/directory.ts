// Whom a group stands for, and who is above whom. Pure.
import { isId } from '../base/ids.ts';
import { ALL, isAddressed, isFor, isMentioned, isPerson, PERSON, wakes } from './addressing.ts';
import type { Posted } from './channel.ts';
import { escalation, wantsAck } from './delivery.ts';
import type { Role } from './policy.ts';

/** Everybody who may be written to together. */
export interface Directory {
  /** The agents of the project, and whoever was ever awake in it. Whoever has no role is tried like a worker. */
  agents: readonly { id: string; role?: Role | undefined }[];
  /** By name: `G1`. */
  groups: Readonly<Record<string, readonly string[]>>;
}

/** Names under which council itself speaks. */
export const SPEAKERS = ['council', 'orchestrator'];

/** Every worker. */
export const WORKERS = 'W*';

/** Where nobody is known, messages reach those whom they name. */
export const NO_DIRECTORY: Directory = { agents: [], groups: {} };

/** The recipients of several that stand for an agent too. */
export function groupsOf({ agents, groups }: Directory, agent: string): ReadonlySet<string> {
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

/** Everybody whom a message is for: those of the project, and whoever it names. */
export function recipientsOf(directory: Directory, message: Posted): string[] {
  const { agents, groups } = directory;
  const known = [...agents.map(({ id }) => id), ...Object.values(groups).flat()];
  const meant = known.filter((agent) => isFor(agent, message, groupsOf(directory, agent)));
  // A person reads what is for all, and is not waited for.
  const person = wakes(PERSON, message) ? [PERSON] : [];
  return [...new Set([...(isOne(message) ? [message.to] : []), ...meant, ...person])];
}

/** The recipients whose ACK is waited for. */
export const awaitedOf = (directory: Directory, message: Posted): string[] =>
  recipientsOf(directory, message).filter((agent) => awaitsAck(directory, agent, message));

/** Whether a message waits for that recipient's ACK. */
export const awaitsAck = (directory: Directory, agent: string, message: Posted): boolean =>
  isAddressed(agent, message, groupsOf(directory, agent)) &&
  wantsAck(message, isMentioned(agent, message.body ?? ''));

/** The name of one agent, whether it is known or not; a channel's own messages are for nobody. */
const isOne = ({ to, channel }: Posted): boolean => isId(to) && !ALL.includes(to) && to !== channel;

/**
 * Who is tried in turn for a recipient: it, then one of each role above it, and a person at last. Whoever is in a group with
 * it comes first; the sender is told in another way.
 */
export function chainOf(
  directory: Directory,
  recipient: string,
  sender: string,
): readonly [string, ...string[]] {
  const { agents } = directory;
  const role =
    recipient === PERSON ? 'person' : (agents.find(({ id }) => id === recipient)?.role ?? 'worker');
  const near = groupsOf(directory, recipient);
  const nearness = (id: string): number =>
    [...groupsOf(directory, id)].some((one) => near.has(one)) ? 0 : 1;
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
