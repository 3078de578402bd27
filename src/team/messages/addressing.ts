// Decides who a message is for: by its recipient, a mention, its first word, or group membership. Pure.
import { memoizeLast } from '../../core/base/memoize.ts';
import type { Message } from './message.ts';
import { isId } from '../../core/base/ids.ts';
import type { Posted } from './channel.ts';
import { listEscalationRoles, wantsAck } from './delivery.ts';
import type { Role } from './policy.ts';

type Addressed = Pick<Message, 'from' | 'to' | 'body'>;

/** Recipients that mean everyone. */
export const ALL = ['all', '*'];

/** The person who runs the project: the default sender, and the last recipient of an escalation. */
export const PERSON = 'human';
/** Recipients that need no agent file. */
const PEOPLE = [PERSON, 'supervisor'];
const PATTERN = /^(?:claude|codex|gemini|ha-mgr|bags|qc|docs|triage)-\d+$/;

/** A character of a name: a name ends where none of these follows. */
const IN_NAME = String.raw`[\p{L}\p{M}\p{N}_-]`;

/** True if a name belongs to a person rather than an agent. */
export const isPerson = (name: string): boolean => PEOPLE.includes(name);

/** True if a name may receive messages even though no agent file has it. */
export const isWellKnown = (name: string): boolean =>
  ALL.includes(name) || isPerson(name) || PATTERN.test(name);

/** The groups of an agent that is in none. */
const ALONE: ReadonlySet<string> = new Set();

/**
 * True if a message wakes an agent: it is addressed to it or one of its groups, mentions it (`@codex-1`), or
 * begins with its name. Messages to everyone wake only those they mention, and never their own sender.
 */
export function wakes(agent: string, message: Addressed, groups = ALONE): boolean {
  const { from, to = '', body: text = '' } = message;
  if (from === agent) return false;
  return to === agent || groups.has(to) || isMentioned(agent, text) || hasLeadingName(agent, text);
}

/** True if a message belongs in an agent's inbox: those that wake it, and those to everyone. */
export const isFor = (agent: string, message: Addressed, groups = ALONE): boolean =>
  wakes(agent, message, groups) || (message.from !== agent && ALL.includes(message.to ?? ''));

/** True if a message is addressed to an agent. A mention in a message to others requires no ACK. */
const isAddressed = (agent: string, { to = '' }: Addressed, groups = ALONE): boolean =>
  to === agent || groups.has(to) || ALL.includes(to);

/**
 * Matches the exact name as a word of its own: `@codex-1` is not in `@codex-10`, `me@codex-1` or
 * `@codex-1/core@2`. A name in code or in a quotation mentions no agent, nor does `\\@codex-1`.
 */
function isMentioned(agent: string, text: string): boolean {
  if (!text.includes(`@${agent}`)) return false;
  const before = String.raw`(?<![\p{L}\p{M}\p{N}_@/\\])`;
  const after = String.raw`(?!${IN_NAME}|[@/]|\.[\p{L}\p{N}])`;
  return new RegExp(`${before}@${agent}${after}`, 'u').test(withoutCited(text));
}

/** Fenced and indented code, quoted lines, code spans, and text in quotation marks. */
const CITED: readonly RegExp[] = [
  /^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![^]))/gm,
  /(?<=^|\n[ \t]*\n)(?:(?: {4}|\t).*(?:\n|$))+/g,
  /^ {0,3}>.*$/gm,
  /(`+)(?!`)[^]*?(?<!`)\1(?!`)/g,
  /"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」/g,
];

const withoutCited = memoizeLast(
  (text: string): string => CITED.reduce((left, cited) => left.replace(cited, ' '), text),
  (text) => text,
);

/** Matches the first word, ignoring case. An id that could be an ordinary word needs a comma or colon after it. */
const hasLeadingName = (agent: string, text: string): boolean =>
  text.slice(0, agent.length).toLowerCase() === agent &&
  (/[\d-]/.test(agent)
    ? !new RegExp(`^${IN_NAME}`, 'u').test(text.slice(agent.length))
    : /^[,:]/.test(text.slice(agent.length)));

/** The agents and groups of a project. */
export interface Directory {
  /** The project's agents, and every agent that was ever awake. Agents without a role count as workers. */
  agents: readonly { id: string; role?: Role | undefined }[];
  /** Members by group name: `G1`. */
  groups: Readonly<Record<string, readonly string[]>>;
}

/** Names that council itself uses as a sender. */
export const SPEAKERS = ['council', 'orchestrator'];

/** The group of all workers. */
const WORKERS = 'W*';

/** An empty directory: messages reach only the recipients they name. */
export const NO_DIRECTORY: Directory = { agents: [], groups: {} };

export function listAgentGroups({ agents, groups }: Directory, agent: string): ReadonlySet<string> {
  const own = Object.keys(groups).filter((name) => groups[name]?.includes(agent));
  const isWorker = agents.some(({ id, role }) => id === agent && role === 'worker');
  return new Set([...own, ...(isWorker ? [WORKERS] : [])]);
}

/** True if a name is that of a program: an agent with a role, or an unknown name that is not a person's. */
export function isProgram({ agents }: Directory, name: string): boolean {
  const known = agents.find(({ id }) => id === name);
  return known ? known.role !== undefined : !isPerson(name) && !SPEAKERS.includes(name);
}

/** True if a recipient is a group of this project. */
export const isGroup = ({ groups }: Directory, name: string): boolean =>
  name === WORKERS || Object.hasOwn(groups, name);

/** Returns all agents and groups that a message can be sent to, in the order of the help. */
export const listRecipientNames = ({ agents, groups }: Directory): string[] => [
  ...agents.map(({ id }) => id),
  ...Object.keys(groups),
  WORKERS,
  'all',
  PERSON,
  'supervisor',
];

/** Returns all recipients of a message: matching agents of the project, and the name it is addressed to. */
export function listRecipients(directory: Directory, message: Posted): string[] {
  const { agents, groups } = directory;
  const known = [...agents.map(({ id }) => id), ...Object.values(groups).flat()];
  const meant = known.filter((agent) => isFor(agent, message, listAgentGroups(directory, agent)));
  // Messages to all need no ACK from a person.
  const person = wakes(PERSON, message) ? [PERSON] : [];
  return [...new Set([...(isOne(message) ? [message.to] : []), ...meant, ...person])];
}

/** Returns the recipients whose ACK is awaited. */
export const listAwaitedRecipients = (directory: Directory, message: Posted): string[] =>
  listRecipients(directory, message).filter((agent) => isAckAwaited(directory, agent, message));

/** True if a message awaits that recipient's ACK. */
export const isAckAwaited = (directory: Directory, agent: string, message: Posted): boolean =>
  isAddressed(agent, message, listAgentGroups(directory, agent)) &&
  wantsAck(message, isMentioned(agent, message.body ?? ''));

/** True if the recipient is a single agent, known or not. Messages to the channel itself have none. */
const isOne = ({ to, channel }: Posted): boolean => isId(to) && !ALL.includes(to) && to !== channel;

/**
 * Returns the escalation chain of a recipient: itself, one agent of each higher role, then a person.
 * Agents that share a group with it come first. The sender is left out.
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
  const rankNearness = (id: string): number =>
    [...listAgentGroups(directory, id)].some((one) => near.has(one)) ? 0 : 1;
  const above = listEscalationRoles(role)
    .slice(1)
    .flatMap((wanted) => {
      if (wanted === 'person') return [PERSON];
      const able = agents.filter(({ id, role: own }) => own === wanted && id !== sender && id !== recipient);
      return able
        .toSorted((a, b) => rankNearness(a.id) - rankNearness(b.id) || (a.id < b.id ? -1 : 1))
        .slice(0, 1)
        .map(({ id }) => id);
    });
  return [recipient, ...above.filter((name) => name !== sender && name !== recipient)];
}
