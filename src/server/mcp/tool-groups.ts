// Which tools a client gets: groups of them by name, as data.
import { CouncilError } from '../../core/base/errors.ts';
import { oneLine } from '../../core/base/text.ts';
import type { CallName } from '../remote/calls.ts';
import type { CouncilTool } from './council-tool-definitions.ts';

export type Tool = CallName | CouncilTool;

/** Every tool is in one group: the list of tools costs an agent context in each of its conversations. */
export const TOOL_GROUPS = {
  council: ['ask', 'verdict', 'view', 'respond', 'archives'],
  steps: ['start', 'tick', 'status', 'read', 'history', 'continue'],
  records: ['list', 'search', 'show'],
  messages: ['send', 'inbox', 'ack', 'nack', 'sent'],
  tasks: ['task', 'approvals'],
  files: ['reserve', 'release', 'reservations'],
} as const satisfies Record<string, readonly Tool[]>;

type ToolGroup = keyof typeof TOOL_GROUPS;
const GROUPS = Object.keys(TOOL_GROUPS) as ToolGroup[];

/** The groups that a client gets where nothing is said. */
export const DEFAULT_GROUPS: readonly string[] = ['council'];

/** The tools of these groups. Throws `usage` for a group that there is not. */
export function listGroupTools(groups: readonly string[] = DEFAULT_GROUPS): Set<Tool> {
  const unknown = groups.find((group) => group !== 'all' && !Object.hasOwn(TOOL_GROUPS, group));
  if (unknown !== undefined)
    throw new CouncilError('usage', `There is no group of tools "${oneLine(unknown, 80)}".`, {
      hint: `Groups: ${GROUPS.join(', ')}, and all. Several are separated by commas.`,
    });
  const chosen = groups.includes('all') ? GROUPS : (groups as ToolGroup[]);
  return new Set(chosen.flatMap((group): readonly Tool[] => TOOL_GROUPS[group]));
}
