// What a worker is told: how to answer, what came before, the line of the request, and the task last. Pure.
import { LIMITS } from '../messages/policy.ts';
import type { ExchangeLine, Task } from './task.ts';
import { wireTask } from './task.ts';
import { EXAMPLES, inOrder, encodeTaskLine } from './wire-lines.ts';
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
  /** How to work: a text with variables. */
  template: string;
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
  const parts = [
    persona,
    overview?.houseRules ?? '',
    task.isolate === 'worktree' ? words.worktree : '',
    task.simpler ? words.simpler : '',
    before.length === 0 ? '' : `${words.before}\n${before.join('\n')}`,
    ...enclosed.map(({ name, text }) => `${words.enclosed} ${name}:\n<<<\n${text.trim()}\n>>>`),
    // Values go in as they are: braces in them mean nothing.
    fill(template, buildPromptValues(prompting)),
    `${words.request}\n${encodeTaskLine(line, version)}`,
    // What is read last is forgotten least.
    `${words.task}\n${task.text.trim()}`,
  ];
  return `${parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

/** What a template may ask for. */
function buildPromptValues({ task, wire, lang, capabilities, limits, overview }: Prompting) {
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
export type PromptName = 'orchestrator' | 'worker' | 'research';

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
