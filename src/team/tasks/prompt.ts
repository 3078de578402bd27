// Builds a worker's prompt: how to answer, earlier lines, the line of the request, and the task last. Pure.
import { LIMITS } from '../messages/policy.ts';
import type { ExchangeLine, Task } from './task.ts';
import { getWireTaskId } from './task.ts';
import { EXAMPLES, sortLines, encodeTaskLine } from './wire-lines.ts';
import { fill } from '../../core/base/words/words.ts';

/** A text enclosed with a task: the result of another task, or a file. */
export interface Enclosure {
  /** `#REF:T1:S`, or the path. */
  name: string;
  text: string;
}

export interface WorkerPromptInput {
  task: Task;
  wire: string;
  line: ExchangeLine;
  version: 'V5' | 'V4';
  /** The worker's persona, for programs that do not get it separately. */
  persona: string;
  enclosures: readonly Enclosure[];
  capabilities: readonly string[];
  lang: 'en' | 'fr';
  /** Instructions on how to work, with variables. */
  template: string;
  /** Maximum depth of handoffs, and number of parts. */
  limits: { depth: number; children: number };
  /** What an orchestrator sees besides its task; a worker sees its task only. */
  overview?:
    { houseRules: string; lines: readonly ExchangeLine[]; workers: readonly ListedWorker[] } | undefined;
}

interface ListedWorker {
  wire: string;
  id: string;
  capabilities: readonly string[];
}

/** Number of the session's messages that an orchestrator sees. */
const MOST_LINES = 20;

/** Estimates the tokens of the task itself, at four characters each. The rest of the prompt is not counted. */
export const estimatePromptTokens = (task: Task, enclosures: readonly Enclosure[]): number =>
  Math.ceil(
    [task.text, ...enclosures.map(({ text }) => text)].reduce((sum, text) => sum + text.length, 0) / 4,
  );

/** Builds the whole prompt; the task is its last part, and the line of the request is on its own. */
export function renderWorkerPrompt(prompting: WorkerPromptInput): string {
  const { task, line, version, persona, enclosures, lang, template, overview } = prompting;
  const words = PROMPT_WORDS[lang];
  const said = overview ? sortLines(overview.lines).slice(-MOST_LINES) : task.exchange;
  const before = sortLines(said.filter(({ id }) => id !== line.id)).map((one) =>
    encodeTaskLine(one, version),
  );
  const parts = [
    persona,
    overview?.houseRules ?? '',
    task.isolate === 'worktree' ? words.worktree : '',
    task.simpler ? words.simpler : '',
    before.length === 0 ? '' : `${words.before}\n${before.join('\n')}`,
    ...enclosures.map(({ name, text }) => `${words.enclosed} ${name}:\n<<<\n${text.trim()}\n>>>`),
    // Values are inserted verbatim: braces in them mean nothing.
    fill(template, buildPromptValues(prompting)),
    `${words.request}\n${encodeTaskLine(line, version)}`,
    // The last part of a prompt is remembered best.
    `${words.task}\n${task.text.trim()}`,
  ];
  return `${parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

function buildPromptValues({ task, wire, lang, capabilities, limits, overview }: WorkerPromptInput) {
  const words = PROMPT_WORDS[lang];
  const forms = EXAMPLES[lang];
  const listed = (overview?.workers ?? []).map(
    (one) => `- ${one.wire} (${one.id}): ${one.capabilities.join(', ') || '-'}`,
  );
  return {
    worker: wire,
    task: getWireTaskId(task),
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

const PROMPT_WORDS = {
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

/** The names of the prompt templates in templates/agents/prompts/. */
export type PromptName = 'orchestrator' | 'worker' | 'research';

/** Selects the template for an agent. */
export function selectPromptName(agent: {
  role: string | null;
  capabilities: readonly string[];
}): PromptName {
  if (agent.role === 'orchestrator') return 'orchestrator';
  return agent.capabilities.some((one) => one === 'web_search' || one === 'web_fetch')
    ? 'research'
    : 'worker';
}
