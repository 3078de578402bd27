// Parses a plan (a Markdown list of tasks with their needs and dependencies), and fills placeholders.
import { RISKS } from '../../core/base/config-values.ts';
import { asDuration } from '../../core/base/duration.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { findNearest } from '../../core/base/unknown-name.ts';
import { PRIORITY_OF } from '../messages/codecs/grammar.ts';
import { PRIORITIES } from '../messages/message.ts';
import type { Priority } from '../messages/message.ts';
import { ISOLATIONS, isTaskId } from './task.ts';
import type { Task } from './task.ts';

export interface PlanItem extends Partial<Pick<Task, 'isolate' | 'risk' | 'timeout'>> {
  id: string;
  text: string;
  needs: string[];
  after: string[];
  to: string | null;
  priority: Priority;
  budget: number | null;
}

const ITEM = /^[-*] +(?:\[[ xX]\] +)?\**(T\d+)\**:\**\s*(.*)$/;
const KEYS = ['needs', 'after', 'to', 'priority', 'budget', 'isolate', 'risk', 'timeout'];
const OPTION = new RegExp(`^\\s+[-*] +(${KEYS.join('|')}): *(.*?)\\s*$`, 'i');
/** A list item that looks like an option. */
const LIKE_AN_OPTION = /^\s+[-*] +([a-z]{4,12}):/i;

/**
 * Parses the tasks of a plan. Throws `usage` with `path` and the line. Calls `note` for an apparent misspelling
 * of an option, which counts as text of its task.
 */
export function readPlan(
  text: string,
  path: string,
  note: (line: string) => void = () => undefined,
): PlanItem[] {
  const tasks: PlanItem[] = [];
  for (const [at, row] of text.split(/\r?\n/).entries()) {
    const refuse = createLineRefusal(path, at + 1);
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
    // Indented lines continue the text.
    else if (task && /^\s+\S/.test(row)) {
      const near = findNearest(LIKE_AN_OPTION.exec(row)?.[1] ?? '', KEYS);
      if (near !== undefined)
        note(`${path}, line ${at + 1}: read as text of ${task.id}. Was ${near}: meant?`);
      task.text = `${task.text}\n${row.trim()}`.trim();
    }
  }
  return requireValidPlan(tasks, path);
}

type Refuse = (what: string, hint?: string) => never;

const createLineRefusal =
  (path: string, line: number): Refuse =>
  (what, hint = 'See the form of a plan: council task --help') => {
    throw new CouncilError('usage', `${path}, line ${line}: ${what}.`, { hint });
  };

function setOption(task: PlanItem, key: string, value: string, refuse: Refuse): void {
  const list = (): string[] => [
    ...new Set(
      value
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    ),
  ];
  const requireChoice = <T extends string>(all: readonly T[]): T =>
    all.find((one) => one === value.toLowerCase()) ??
    refuse(`${key} is ${JSON.stringify(value)}, and none of ${all.join(', ')}`);
  if (key === 'needs') task.needs = list();
  else if (key === 'after') task.after = list();
  else if (key === 'to') task.to = value;
  else if (key === 'isolate') task.isolate = requireChoice(ISOLATIONS);
  else if (key === 'risk') task.risk = requireChoice(RISKS);
  else if (key === 'timeout')
    task.timeout =
      asDuration(value) ?? refuse(`the timeout ${JSON.stringify(value)} is no duration such as 90s or 10m`);
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

function requireValidPlan(tasks: PlanItem[], path: string): PlanItem[] {
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
  const stuck = findCircularTasks(tasks);
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

/** Returns the tasks that can never start: they wait for each other, or for such tasks. */
function findCircularTasks(tasks: PlanItem[]): string[] {
  let left = tasks;
  const placed = new Set<string>();
  for (;;) {
    const next = left.filter(({ after }) => after.every((id) => placed.has(id)));
    if (next.length === 0) return left.map(({ id }) => id);
    for (const { id } of next) placed.add(id);
    left = left.filter(({ id }) => !placed.has(id));
  }
}

const PLACEHOLDER = /\{\{([A-Za-z_][\w-]*)\}\}/g;

/** Parses `name=value` settings. Throws `usage`. */
export function readSettings(given: readonly string[]): Map<string, string> {
  const pairs = given.map((one): [string, string] => {
    const [, name, value] = /^([A-Za-z_][\w-]*)=([\s\S]*)$/.exec(one) ?? [];
    if (name !== undefined && value !== undefined) return [name, value];
    throw new CouncilError('usage', `--set takes NAME=VALUE, not ${JSON.stringify(one.slice(0, 80))}.`, {
      hint: 'For example: --set language=French',
    });
  });
  return new Map(pairs);
}

/** Replaces each `{{name}}` by its value. Throws `usage` for a placeholder without a value, or vice versa. */
export function fillPlaceholders(text: string, values: ReadonlyMap<string, string>, where: string): string {
  const asked = new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name));
  const missing = [...asked].filter((name) => !values.has(name));
  if (missing.length > 0)
    throw new CouncilError(
      'usage',
      `${where} has ${joinPlaceholders(missing)}, but --set gives no value for ${missing.length === 1 ? 'it' : 'them'}.`,
      {
        hint: `Give ${missing.length === 1 ? 'it' : 'each'} a value: ${missing.map((name) => `--set ${name}=…`).join(' ')}`,
      },
    );
  const unused = [...values.keys()].filter((name) => !asked.has(name));
  if (unused.length > 0)
    throw new CouncilError('usage', `${where} has no ${joinPlaceholders(unused)}.`, {
      hint:
        asked.size === 0
          ? 'It has no placeholder at all: leave --set out.'
          : `It has ${joinPlaceholders([...asked])}.`,
    });
  return text.replace(PLACEHOLDER, (_, name: string) => values.get(name) ?? '');
}

const joinPlaceholders = (names: readonly string[]): string => names.map((name) => `{{${name}}}`).join(', ');
