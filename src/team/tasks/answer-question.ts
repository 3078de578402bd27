// A person's decisions about a task: the answer to its question, and the choices if its budget is too small.
import { formatIso } from '../../core/base/clock.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { failTask } from './transitions.ts';
import type { ExchangeLine, Task, TaskQuestion } from './task.ts';
import { asValue, buildTaskLine, ORCHESTRATOR, USER } from './wire-lines.ts';
import type { MessageNumber, LineDraft } from './wire-lines.ts';
import type { Enclosure } from './prompt.ts';

interface AnswerContext {
  now: number;
  number(): MessageNumber;
  /** The wire id of the agent that asked. */
  wire: string;
}

/** Finds the chosen option by number (`2`, `opt2`) or unique prefix; any text if it is open. Throws `usage`. */
export function findChosenOption(
  { options, of }: TaskQuestion,
  answer: string,
): { text: string; at: number } {
  const text = answer.trim();
  const [, digits] = /^(?:opt)?([1-9]\d?)$/i.exec(text) ?? [];
  const at = digits === undefined ? findOptionIndex(options, text.toLowerCase()) : Number(digits) - 1;
  const option = options[at];
  if (option !== undefined) return { text: option, at };
  if (of === 'orchestrator' && text !== '') return { text, at: -1 };
  throw new CouncilError(
    'usage',
    text === '' ? 'The answer is missing.' : `${JSON.stringify(answer)} is none of the options.`,
    {
      hint: `Options: ${options.map((one, index) => `${index + 1} ${one}`).join(', ')}`,
    },
  );
}

function findOptionIndex(options: readonly string[], text: string): number {
  const all = options.map((one) => one.toLowerCase());
  const whole = all.indexOf(text);
  const begun = text === '' ? [] : all.filter((one) => one.startsWith(text));
  return whole === -1 && begun.length === 1 ? all.indexOf(begun[0]!) : whole;
}

/** Returns a task's question and the chosen option. Throws `failed` without a question, `usage` for no option. */
export function requireChosenOption(
  { id, session, question }: Task,
  answer: string,
): { question: TaskQuestion; option: { text: string; at: number } } {
  if (!question)
    throw new CouncilError('failed', `${id} asks nothing.`, {
      hint: `See: council task show ${session}/${id}`,
    });
  return { question, option: findChosenOption(question, answer) };
}

/** Records the answer, so that the task can go on. Throws like `requireChosenOption`. */
export function answerQuestion(task: Task, answer: string, answering: AnswerContext): Task {
  const { question, option } = requireChosenOption(task, answer);
  const lines: ExchangeLine[] = [];
  const say = (saying: Omit<LineDraft, 'id' | 'time'>): void => {
    lines.push(buildTaskLine(task, { ...answering.number(), time: formatIso(answering.now), ...saying }));
  };
  if (question.of === 'human')
    say({ from: USER, to: ORCHESTRATOR, kind: 'clarify', state: 'R', body: `choice=opt${option.at + 1}` });
  if (answering.wire !== ORCHESTRATOR)
    say({
      from: ORCHESTRATOR,
      to: answering.wire,
      kind: 'clarify',
      state: 'R',
      body: `answer=${asValue(option.text, 180)}`,
    });
  return {
    ...task,
    question: null,
    clarifications: task.clarifications + 1,
    exchange: [...task.exchange, ...lines],
  };
}

/** Handles a question that timed out: the first option counts (E23). Without options the worker decides. */
export function expireQuestion(task: Task, answering: AnswerContext): Task {
  const [first] = task.question?.options ?? [];
  if (first === undefined && task.question?.of === 'human')
    return failTask(task, { code: 'E23', text: 'nobody has answered' }, answering.now);
  return answerQuestion(task, first ?? 'decide for yourself', answering);
}

export const BUDGET_CHOICES = ['raise', 'simplify', 'abandon'] as const;

/** Returns the required budget: the one stated in the error, else twice the current one. */
function estimateNeededBudget({ error, budget }: Task): number {
  const said = Number(/(\d+)$/.exec(error?.text ?? '')?.[1] ?? 0);
  return said > (budget ?? 0) ? said : (budget || 500) * 2;
}

/** Returns the question for a person, and its first option's budget; undefined if there is nothing to decide. */
export function createBudgetQuestion(task: Task): { question: TaskQuestion; budget: number } | undefined {
  const { state, error, parent, exchange } = task;
  if (state !== 'F' || error?.code !== 'E17' || parent !== null) return undefined;
  const last = exchange.at(-1);
  // The person has abandoned it.
  if (last?.from === USER && last.kind === 'clarify') return undefined;
  const budget = estimateNeededBudget(task);
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

/** Truncates the enclosed files equally to what the budget leaves besides the instruction. */
export function cutToBudget({ text, budget }: Task, enclosures: Enclosure[]): Enclosure[] {
  if (budget === null || enclosures.length === 0) return enclosures;
  const share = Math.floor((budget * 4 - text.length) / enclosures.length);
  return share < 2 ? [] : enclosures.map((one) => ({ ...one, text: truncateText(one.text, share) }));
}

const truncateText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
