// Puts the prompt of a task together: who is asked, what everybody knows, how to work, and the task itself. Pure.
import { CouncilError } from '../../core/base/errors.ts';
import { fill } from '../../core/base/words/words.ts';

/** How a worker is told to work: the names of the templates in templates/agents/prompts/. */
export const PROMPTS = ['orchestrator', 'worker', 'research'] as const;
export type PromptName = (typeof PROMPTS)[number];

/** What a template may ask for, by prompt. A text of a template may use some of it, and nothing else. */
const WORKER_VARIABLES = [
  'worker',
  'task',
  'session',
  'capabilities',
  'line_done',
  'line_ask',
  'line_fail',
  'line_hand_on',
  'questions',
  'depth',
  'max_depth',
  'budget',
] as const;
const ORCHESTRATOR_VARIABLES = ['worker', 'workers', 'budget', 'sub_agents', 'max_depth'] as const;
export const PROMPT_VARIABLES = {
  orchestrator: ORCHESTRATOR_VARIABLES,
  worker: WORKER_VARIABLES,
  research: WORKER_VARIABLES,
} as const satisfies Record<PromptName, readonly string[]>;

/** A value for each variable that a template may have. */
export type PromptValues = Record<(typeof PROMPT_VARIABLES)[PromptName][number], string | number>;

/** Which of them an agent gets. */
export function selectPromptName(agent: {
  role: string | null;
  capabilities: readonly string[];
}): PromptName {
  if (agent.role === 'orchestrator') return 'orchestrator';
  return agent.capabilities.some((one) => one === 'web_search' || one === 'web_fetch')
    ? 'research'
    : 'worker';
}

/**
 * A template with its values. Values go in as they are: braces in them mean nothing. Throws `invalid_config` for a variable
 * that there is not, naming those that there are; `where` names the template in the error.
 */
export function fillTemplate(
  template: string,
  values: Readonly<Record<string, string | number>>,
  where: string,
): string {
  const asked = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const unknown = [...new Set(asked.filter((name) => !Object.hasOwn(values, name)))];
  if (unknown.length === 0) return fill(template, values);
  const named = (names: string[]): string => names.map((name) => `{${name}}`).join(', ');
  throw new CouncilError(
    'invalid_config',
    `${where} asks for ${named(unknown)}, which ${unknown.length === 1 ? 'is no variable' : 'are no variables'} there.`,
    { hint: `There are: ${named(Object.keys(values).sort())}.` },
  );
}

/** The parts of a prompt, in the order in which they are read; an empty one is left out. */
export interface PromptParts {
  /** Who is asked: the body of the agent's file. Empty where the program has a place of its own for it. */
  system: string;
  /** What everybody at work on this knows: house rules, results, messages. */
  shared?: string;
  /** How to work, filled in (`fillTemplate`). */
  template: string;
  /** What is to be done, last: what is read last is forgotten least. */
  task: string;
}

export const composePrompt = ({ system, shared = '', template, task }: PromptParts): string =>
  `${[system, shared, template, task]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
