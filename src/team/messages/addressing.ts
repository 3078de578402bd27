// For whom a message is: by its recipient, by a mention, by its first name, or as a member of a group. Pure.
import { rememberingLast } from '../../core/base/memoize.ts';
import type { Message } from './message.ts';
import { isId } from '../../core/base/ids.ts';
import type { Posted } from './channel.ts';
import { escalation, wantsAck } from './delivery.ts';
import type { Role } from './policy.ts';

type Addressed = Pick<Message, 'from' | 'to' | 'body'>;

/** Everybody. */
export const ALL = ['all', '*'];

/** The person who runs the project: the default sender, and the last recipient of an escalation. */
export const PERSON = 'human';
/** Recipients that need no agent file. */
const PEOPLE = [PERSON, 'supervisor'];
const PATTERN = /^(?:claude|codex|gemini|ha-mgr|bags|qc|docs|triage)-\d+$/;

/** What may follow a name without being a part of it: anything but these. */
const IN_NAME = String.raw`[\p{L}\p{M}\p{N}_-]`;

/** Whether a name is that of people rather than of an agent. */
export const isPerson = (name: string): boolean => PEOPLE.includes(name);

/** Whether a name may receive messages although no agent file has it. */
export const isWellKnown = (name: string): boolean =>
  ALL.includes(name) || isPerson(name) || PATTERN.test(name);

/** An agent that is in no group. */
const ALONE: ReadonlySet<string> = new Set();

/**
 * Whether a message wakes an agent: it is addressed to it or one of its groups, mentions it
 * (`@codex-1`), or begins with its name. Messages to everyone wake only those they mention, and
 * never their own sender.
 */
export function wakes(agent: string, message: Addressed, groups = ALONE): boolean {
  const { from, to = '', body: text = '' } = message;
  if (from === agent) return false;
  return to === agent || groups.has(to) || isMentioned(agent, text) || startsWithName(agent, text);
}

/** Whether a message belongs into an agent's inbox: what wakes it, and what is for everybody. */
export const isFor = (agent: string, message: Addressed, groups = ALONE): boolean =>
  wakes(agent, message, groups) || (message.from !== agent && ALL.includes(message.to ?? ''));

/** Whether a message goes to an agent, by its recipient: who is only mentioned in what goes to others is told, and owes nothing. */
const isAddressed = (agent: string, { to = '' }: Addressed, groups = ALONE): boolean =>
  to === agent || groups.has(to) || ALL.includes(to);

/**
 * Exactly so written, as a word of its own: `@codex-1` is not in `@codex-10`, in `me@codex-1`, nor in `@codex-1/core@2`. A name in
 * code or in a quotation mentions no agent, and neither does `\\@codex-1`.
 */
function isMentioned(agent: string, text: string): boolean {
  if (!text.includes(`@${agent}`)) return false;
  const before = String.raw`(?<![\p{L}\p{M}\p{N}_@/\\])`;
  const after = String.raw`(?!${IN_NAME}|[@/]|\.[\p{L}\p{N}])`;
  return new RegExp(`${before}@${agent}${after}`, 'u').test(withoutCited(text));
}

/** Fenced and indented code, lines that quote, code spans, and what stands between quotation marks. */
const CITED: readonly RegExp[] = [
  /^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![^]))/gm,
  /(?<=^|\n[ \t]*\n)(?:(?: {4}|\t).*(?:\n|$))+/g,
  /^ {0,3}>.*$/gm,
  /(`+)(?!`)[^]*?(?<!`)\1(?!`)/g,
  /"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」/g,
];

const withoutCited = rememberingLast(
  (text: string): string => CITED.reduce((left, cited) => left.replace(cited, ' '), text),
  (text) => text,
);

/**
 * The first word of the first line, in upper or lower case. An id that may as well be an ordinary word is one only where a comma or a
 * colon follows.
 */
const startsWithName = (agent: string, text: string): boolean =>
  text.slice(0, agent.length).toLowerCase() === agent &&
  (/[\d-]/.test(agent)
    ? !new RegExp(`^${IN_NAME}`, 'u').test(text.slice(agent.length))
    : /^[,:]/.test(text.slice(agent.length)));

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
const WORKERS = 'W*';

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
