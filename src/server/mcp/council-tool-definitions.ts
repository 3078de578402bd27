// The groups of tools, and the definitions of the tools ask, verdict and archives.
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { Fields } from '../../core/app/input/fields.ts';
import { askFields } from '../../core/app/input/ask.ts';
import { LAUNCH, LOOK, OTHERS } from '../remote/call.ts';
import type { Call } from '../remote/call.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { toOneLine } from '../../core/base/text.ts';
import type { CallName } from '../remote/calls.ts';

export const FIELDS = {
  ask: {
    question: { kind: 'text', required: true, help: 'the whole question, in a sentence' },
    context: {
      kind: 'document',
      limit: askFields.brief.limit,
      help: 'facts, options and what an answer must respect, as Markdown; no opinion of yours',
    },
    seats: {
      ...askFields.agents,
      asArgument:
        'participants: agents, PROGRAM:MODEL or PROVIDER/MODEL, with a persona or not (claude:opus@law)',
      otherwise: 'all that are there',
    },
    table: { ...askFields.table, help: 'personas for this kind of question, one for each seat' },
    debate: { kind: 'flag', help: 'they challenge each other after the blind answers; takes longer' },
  },
  verdict: {
    name: { kind: 'text', longest: 200, help: 'the council', otherwise: 'the one you asked last' },
  },
  archives: {
    action: { kind: 'choice', choices: ['list', 'search', 'show'], default: 'list', help: 'what to do' },
    query: { kind: 'text', help: 'search: words and "phrases"' },
    archive: { kind: 'text', help: 'show: its id', otherwise: 'the newest' },
    cursor: { kind: 'text', longest: 2000, help: 'as the page before named it' },
  },
} as const satisfies Record<string, Fields>;

/** Tools that are not calls, but combine several. */
export type CouncilTool = keyof typeof FIELDS;
export const COUNCIL_TOOLS = Object.keys(FIELDS) as CouncilTool[];

type Effects = Pick<Call, 'readOnly' | 'idempotent' | 'openWorld'>;

/** Returns the effects as protocol annotations, without default values. */
export const describeEffects = ({ readOnly, idempotent, openWorld }: Effects): ToolAnnotations => ({
  readOnlyHint: readOnly,
  ...(!readOnly && { destructiveHint: false }),
  ...(!readOnly && idempotent && { idempotentHint: true }),
  ...(!openWorld && { openWorldHint: false }),
});

/** The descriptions sent to clients. */
export const DESCRIPTIONS: Record<CouncilTool, { title: string; description: string } & Effects> = {
  ask: {
    title: 'Ask the council',
    description:
      'Use it for a decision that deserves several independent opinions, or when the user wants a council, a debate or a second opinion. Seats agents, has them answer blind, and returns the verdict, or after 50 s that they still deliberate: then call verdict.',
    ...LAUNCH,
  },
  verdict: {
    title: 'Get the verdict',
    description:
      'Use it after ask, until it gives the verdict: decision, how it came about, dissent, who was not heard, archive. Waits up to 50 s.',
    ...LAUNCH,
  },
  archives: {
    title: 'Read earlier councils',
    description: `Use it to see whether something was decided before, and to read a council in full. ${OTHERS}`,
    ...LOOK,
  },
};

export type Tool = CallName | CouncilTool;

/** Every tool belongs to one group: the list of tools takes up an agent's context in each conversation. */
export const TOOL_GROUPS = {
  council: ['ask', 'verdict', 'view', 'respond', 'archives'],
  steps: ['start', 'tick', 'status', 'read', 'history', 'continue'],
  records: ['list', 'search', 'show', 'outcome'],
  messages: ['send', 'inbox', 'ack', 'nack', 'sent'],
  tasks: ['task', 'approvals'],
  files: ['reserve', 'release', 'reservations'],
} as const satisfies Record<string, readonly Tool[]>;

type ToolGroup = keyof typeof TOOL_GROUPS;
const GROUPS = Object.keys(TOOL_GROUPS) as ToolGroup[];

/** The groups for a client that requests none. */
const DEFAULT_GROUPS: readonly string[] = ['council'];

/** Lists the tools of the groups. Throws `usage` for an unknown group. */
export function listGroupTools(groups: readonly string[] = DEFAULT_GROUPS): Set<Tool> {
  const unknown = groups.find((group) => group !== 'all' && !Object.hasOwn(TOOL_GROUPS, group));
  if (unknown !== undefined)
    throw new CouncilError('usage', `There is no group of tools "${toOneLine(unknown, 80)}".`, {
      hint: `Groups: ${GROUPS.join(', ')}, and all. Several are separated by commas.`,
    });
  const chosen = groups.includes('all') ? GROUPS : (groups as ToolGroup[]);
  return new Set(chosen.flatMap((group): readonly Tool[] => TOOL_GROUPS[group]));
}
