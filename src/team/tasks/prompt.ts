// What a worker is told: how to answer, what came before, the line of the request, and the task last. Pure.
import { LIMITS } from '../messages/policy.ts';
import type { ExchangeLine, Task } from './task.ts';
import { wireTask } from './task-names.ts';
import { EXAMPLES, inOrder, encodeTaskLine } from './wire-lines.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { fill } from '../../core/base/words/words.ts';

/** A text that goes with a task: the result of another one, or a file. */
export interface Enclosed {
  /** `#REF:T1:S`, or the path. */
  name: string;
  text: string;
}

export interface Prompting {
  task: Task;
  wire: string;
  line: ExchangeLine;
  version: 'V5' | 'V4';
  /** Who the worker is, for programs without a place of their own for that. */
  persona: string;
  enclosed: readonly Enclosed[];
  capabilities: readonly string[];
  lang: 'en' | 'fr';
  /** How to work: the text of a template, and its name for errors. */
  template: { name: string; text: string };
  /** How often it may be handed on, and to how many. */
  limits: { depth: number; children: number };
  /** What an orchestrator knows beside its task; a worker gets its task only. */
  overview?:
    { houseRules: string; lines: readonly ExchangeLine[]; workers: readonly ListedWorker[] } | undefined;
}

interface ListedWorker {
  wire: string;
  id: string;
  capabilities: readonly string[];
}

/** Messages of the session that an orchestrator is shown. */
const MOST_LINES = 20;

/** What the task itself brings along, in tokens: four characters each. The frame around it is not counted. */
export const estimate = (task: Task, enclosed: readonly Enclosed[]): number =>
  Math.ceil([task.text, ...enclosed.map(({ text }) => text)].reduce((sum, text) => sum + text.length, 0) / 4);

/** The whole prompt; the task is its last part, the line of the request stands alone. */
export function workerPrompt(prompting: Prompting): string {
  const { task, line, version, persona, enclosed, lang, template, overview } = prompting;
  const words = WORDS[lang];
  const said = overview ? inOrder(overview.lines).slice(-MOST_LINES) : task.exchange;
  const before = inOrder(said.filter(({ id }) => id !== line.id)).map((one) => encodeTaskLine(one, version));
  const shared = [
    overview?.houseRules ?? '',
    task.isolate === 'worktree' ? words.worktree : '',
    task.simpler ? words.simpler : '',
    before.length === 0 ? '' : `${words.before}\n${before.join('\n')}`,
    ...enclosed.map(({ name, text }) => `${words.enclosed} ${name}:\n<<<\n${text.trim()}\n>>>`),
  ];
  return composePrompt({
    system: persona,
    shared: shared.filter((part) => part !== '').join('\n\n'),
    template: fillTemplate(template.text, buildPromptValues(prompting), template.name),
    task: `${words.request}\n${encodeTaskLine(line, version)}\n\n${words.task}\n${task.text.trim()}`,
  });
}

/** What a template may ask for. */
function buildPromptValues({ task, wire, lang, capabilities, limits, overview }: Prompting): PromptValues {
  const words = WORDS[lang];
  const forms = EXAMPLES[lang];
  const listed = (overview?.workers ?? []).map(
    (one) => `- ${one.wire} (${one.id}): ${one.capabilities.join(', ') || '-'}`,
  );
  return {
    worker: wire,
    task: wireTask(task),
    session: task.session,
    capabilities: capabilities.join(', ') || words.nothing,
    line_done: `S ${forms.S}`,
    line_ask: `C ${forms.C}`,
    line_fail: `E E33 ${forms.E}`,
    line_hand_on: `X ${forms.X}`,
    questions: Math.max(0, LIMITS.clarifications - task.clarifications),
    depth: task.depth,
    max_depth: limits.depth,
    budget: task.budget ?? words.unlimited,
    workers: listed.join('\n') || words.nobody,
    sub_agents: limits.children,
  };
}

const WORDS = {
  en: {
    nothing: 'nothing in particular',
    nobody: 'There are none.',
    unlimited: 'no limit',
    worktree:
      'You are in a git worktree of your own and may change its files. Do not commit: what you leave there is kept in a branch.',
    simpler: 'A simple version is wanted: answer briefly. What goes with the task may be cut.',
    before: 'So far:',
    enclosed: 'Enclosed,',
    request: 'The request:',
    task: 'The task:',
  },
  fr: {
    nothing: 'rien de particulier',
    nobody: 'Il n’y en a pas.',
    unlimited: 'sans limite',
    worktree:
      'Vous êtes dans un arbre de travail git à vous et pouvez en modifier les fichiers. Ne validez rien : ce que vous y laissez est gardé dans une branche.',
    simpler:
      'Une version simple suffit : répondez brièvement. Ce qui accompagne la tâche peut être raccourci.',
    before: 'Jusqu’ici :',
    enclosed: 'Ci-joint,',
    request: 'La demande :',
    task: 'La tâche :',
  },
} as const;

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
type PromptValues = Record<(typeof PROMPT_VARIABLES)[PromptName][number], string | number>;

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
interface PromptParts {
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
