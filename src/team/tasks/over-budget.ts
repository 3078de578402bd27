// A task refused for its small budget: the question to a person, and cutting its attachments.
import type { Enclosed } from './prompt.ts';
import type { Task, TaskQuestion } from './task.ts';
import { USER } from './wire-lines.ts';

export const BUDGET_CHOICES = ['raise', 'simplify', 'abandon'] as const;

/** What it would take: what was said, else twice as much. */
function enough({ error, budget }: Task): number {
  const said = Number(/(\d+)$/.exec(error?.text ?? '')?.[1] ?? 0);
  return said > (budget ?? 0) ? said : (budget || 500) * 2;
}

/** What a person is asked about it, and the budget that the first option gives; undefined where nothing is to be decided. */
export function budgetQuestion(task: Task): { question: TaskQuestion; budget: number } | undefined {
  const { state, error, parent, exchange } = task;
  if (state !== 'F' || error?.code !== 'E17' || parent !== null) return undefined;
  const last = exchange.at(-1);
  // They have given it up.
  if (last?.from === USER && last.kind === 'clarify') return undefined;
  const budget = enough(task);
  const options = [
    `raise the budget to ${budget} tokens`,
    'simplify: a short answer, what goes with it cut to what fits',
    'abandon',
  ];
  // The question has no time limit: unanswered, the task stays refused.
  return {
    question: { text: `${error.text}. What now?`, options, of: 'human', until: null, message: null },
    budget,
  };
}

/** What goes with a task, each part cut to its share of what the budget leaves beside the instruction. */
export function cutToBudget({ text, budget }: Task, enclosed: Enclosed[]): Enclosed[] {
  if (budget === null || enclosed.length === 0) return enclosed;
  const share = Math.floor((budget * 4 - text.length) / enclosed.length);
  return share < 2 ? [] : enclosed.map((one) => ({ ...one, text: truncateText(one.text, share) }));
}

const truncateText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
