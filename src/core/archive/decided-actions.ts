// Reads the decided actions from a council's synthesis.

export interface DecidedAction {
  /** T1, T2, …: its number in the section. */
  id: string;
  text: string;
  /** Capabilities. */
  needs: string[];
  /** Ids of actions that come before it. */
  after: string[];
  /** The named agent, if any. */
  to: string | null;
}

/** Headings of the section, in the languages of the modes. */
const SECTION =
  /^#{1,6}\s+(?:\d+[.)]\s*)?(?:next (?:actions|steps)|action items|actions|prochaines (?:actions|étapes)|actions (?:suivantes|à mener))\s*:?\s*$/i;
const DECISION = /^#{1,6}\s+(?:decision|décision)\s*:?\s*$/i;
const HEADING = /^#{1,6}\s/;
const ITEM = /^(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+)$/;
const DONE = /^(?:[-*+]|\d+[.)])\s+\[[xX]\]\s/;
const OPTION = /^\s+[-*+]\s+(needs|after):\s*(.+)$/i;
const WHO = /^\**@?([a-z0-9][a-z0-9-]*)\**\s*:\**\s+/i;

/** Returns the actions in the section, each assigned to the agent it names, if any. */
export function readDecidedActions(
  synthesis: string,
  topic: string,
  isAgent: (id: string) => boolean,
): DecidedAction[] {
  const lines = synthesis.split(/\r?\n/);
  const decision = cutSection(lines, DECISION).join(' ').replace(/\s+/g, ' ').trim();
  const tasks: DecidedAction[] = [];
  const done = new Set<string>();
  for (const row of cutSection(lines, SECTION)) {
    const begun = ITEM.exec(row)?.[1] ?? (tasks.length === 0 ? row.trim() : '');
    const task = tasks.at(-1);
    const [, key, value = ''] = OPTION.exec(row) ?? [];
    if (task && key !== undefined) {
      const list = value
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean);
      if (key.toLowerCase() === 'needs') task.needs = list;
      else task.after = list.filter((id) => tasks.some((one) => one.id === id && one !== task));
    } else if (begun !== '') {
      const next = toAction(`T${tasks.length + 1}`, begun.trim(), isAgent);
      if (DONE.test(row)) done.add(next.id);
      tasks.push(next);
    } else if (task && row.trim() !== '') task.text = `${task.text} ${row.trim()}`;
  }
  const because = decision === '' ? topic : `${topic}${/[?!.]$/.test(topic) ? '' : ':'} ${decision}`;
  // A checked item keeps its number, but is not done again.
  return tasks
    .filter(({ id }) => !done.has(id))
    .map((task) => ({
      ...task,
      after: task.after.filter((id) => !done.has(id)),
      text: `${task.text}\n\n(${because})`,
    }));
}

function toAction(id: string, text: string, isAgent: (id: string) => boolean): DecidedAction {
  const named = WHO.exec(text)?.[1]?.toLowerCase();
  const to = named !== undefined && isAgent(named) ? named : null;
  const own = to === null ? text : text.replace(WHO, '');
  return { id, text: own, needs: [], after: [], to };
}

function cutSection(lines: readonly string[], heading: RegExp): string[] {
  const start = lines.findIndex((line) => heading.test(line));
  if (start === -1) return [];
  const length = lines.slice(start + 1).findIndex((line) => HEADING.test(line));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
}
