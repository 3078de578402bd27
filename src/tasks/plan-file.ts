// Reads a plan: a Markdown list of tasks with what they need and depend on.
import { CouncilError } from '../base/errors.ts';
import { PRIORITIES } from '../messages/message.ts';
import type { Priority } from '../messages/message.ts';
import { isTaskId } from './task.ts';

/** One task of a plan. */
export interface Planned {
  id: string;
  text: string;
  needs: string[];
  after: string[];
  to: string | null;
  priority: Priority;
  budget: number | null;
}

const ITEM = /^[-*] +(?:\[[ xX]\] +)?\**(T\d+)\**:\**\s*(.*)$/;
const OPTION = /^\s+[-*] +(needs|after|to|priority|budget): *(.*?)\s*$/i;
export const PRIORITY_OF: Record<string, Priority> = { P0: 'critical', P1: 'normal', P2: 'low' };

/** The tasks of a plan. Throws `usage` naming the line; `path` is for that. */
export function readPlan(text: string, path: string): Planned[] {
  const tasks: Planned[] = [];
  for (const [at, row] of text.split(/\r?\n/).entries()) {
    const refuse = refusal(path, at + 1);
    const [, id, begin = ''] = ITEM.exec(row) ?? [];
    if (id !== undefined) {
      if (!isTaskId(id)) refuse(`${id} is no id of a task`, 'Ids go from T1 to T999.');
      if (tasks.some((one) => one.id === id)) refuse(`${id} is there twice`);
      tasks.push({
        id,
        text: begin.trim(),
        needs: [],
        after: [],
        to: null,
        priority: 'normal',
        budget: null,
      });
      continue;
    }
    const task = tasks.at(-1);
    const [, key, value = ''] = OPTION.exec(row) ?? [];
    if (task && key !== undefined) setOption(task, key.toLowerCase(), value, refuse);
    // More of the same text, as long as it is indented below it.
    else if (task && /^\s+\S/.test(row)) task.text = `${task.text}\n${row.trim()}`.trim();
  }
  return checked(tasks, path);
}

type Refuse = (what: string, hint?: string) => never;

const refusal =
  (path: string, line: number): Refuse =>
  (what, hint = 'See the form of a plan: council task --help') => {
    throw new CouncilError('usage', `${path}, line ${line}: ${what}.`, { hint });
  };

function setOption(task: Planned, key: string, value: string, refuse: Refuse): void {
  const list = (): string[] => [
    ...new Set(
      value
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    ),
  ];
  if (key === 'needs') task.needs = list();
  else if (key === 'after') task.after = list();
  else if (key === 'to') task.to = value;
  else if (key === 'budget') {
    const budget = Number(value.replace(/^B/, ''));
    if (!Number.isSafeInteger(budget) || budget < 1)
      refuse(`the budget ${JSON.stringify(value)} is no whole number of tokens`);
    task.budget = budget;
  } else {
    const priority = PRIORITY_OF[value.toUpperCase()] ?? PRIORITIES.find((one) => one === value);
    task.priority = priority ?? refuse(`the priority ${JSON.stringify(value)} is none of P0, P1, P2`);
  }
}

function checked(tasks: Planned[], path: string): Planned[] {
  const hint = 'A task is a line such as: - T1: Read the parser. Below it, indented: - needs: code_read';
  if (tasks.length === 0) throw new CouncilError('usage', `${path} holds no task.`, { hint });
  const known = new Map(tasks.map((task) => [task.id, task]));
  for (const { id, text, after } of tasks) {
    if (text === '') throw new CouncilError('usage', `${path}: ${id} says nothing.`, { hint });
    const missing = after.find((one) => !known.has(one));
    if (missing !== undefined)
      throw new CouncilError('usage', `${path}: ${id} comes after ${missing}, which is not in the plan.`, {
        hint,
      });
  }
  const stuck = inCircles(tasks);
  if (stuck.length > 0)
    throw new CouncilError(
      'usage',
      `${path}: none of these can begin, they wait for each other: ${stuck.join(', ')}.`,
      {
        hint: 'Take one "after" out.',
      },
    );
  return tasks;
}

/** Tasks that no order can bring forward: they wait for each other, or for such ones. */
function inCircles(tasks: Planned[]): string[] {
  let left = tasks;
  const placed = new Set<string>();
  for (;;) {
    const next = left.filter(({ after }) => after.every((id) => placed.has(id)));
    if (next.length === 0) return left.map(({ id }) => id);
    for (const { id } of next) placed.add(id);
    left = left.filter(({ id }) => !placed.has(id));
  }
}
