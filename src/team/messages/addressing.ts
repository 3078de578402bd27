// For whom a message is: by its recipient, by a mention, or by the name that it begins with.
import { rememberingLast } from '../../core/base/memoize.ts';
import type { Message } from './message.ts';

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
export const isAddressed = (agent: string, { to = '' }: Addressed, groups = ALONE): boolean =>
  to === agent || groups.has(to) || ALL.includes(to);

/**
 * Exactly so written, as a word of its own: `@codex-1` is not in `@codex-10`, in `me@codex-1`, nor in `@codex-1/core@2`. A name in
 * code or in a quotation mentions no agent, and neither does `\\@codex-1`.
 */
export function isMentioned(agent: string, text: string): boolean {
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
