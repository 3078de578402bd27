// Command `task`: renders the outcome of tasks.
import { watchTasksElsewhere } from '../tasks/use/watch-tasks.ts';
import { formatMoney, loadWords } from '../../core/base/words/words.ts';
import type { TaskInput } from '../input/tasks.ts';
import { manageTasks } from '../tasks/use/manage-tasks.ts';
import type { TaskResult } from '../tasks/use/manage-tasks.ts';
import type { TaskDocument } from '../tasks/use/task-documents.ts';
import { toOneLine } from '../../core/base/text.ts';
import { formatLocalTime } from '../../core/base/local-time.ts';
import { foldForTerminal } from '../../core/cli/stdout.ts';
import type { Cli } from '../../core/cli/io.ts';
import { performHereOrAtServer } from '../../core/cli/spec.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';
import { formatDuration } from '../../core/base/duration.ts';

export const performTask: Command<TaskInput> = async (cli, input) => {
  const result =
    cli.serverUrl !== undefined && input.action === 'watch'
      ? await watchTasksElsewhere(cli, cli.serverUrl, input.text)
      : await performHereOrAtServer(cli, () => manageTasks(cli, input));
  return toTextOutcome(result, await renderTaskResult(result.document, input, cli));
};

async function renderTaskResult(document: TaskResult, input: TaskInput, cli: Cli): Promise<string> {
  if ('task' in document)
    return input.action === 'show' ? renderWholeTask(document.task) : renderTaskOutcome(document.task, input);
  if ('report' in document) return document.report;
  if ('tasks' in document) return foldForTerminal(renderTaskList(document.tasks, input));
  if ('trace' in document) return foldForTerminal(renderTrace(document.trace));
  if ('candidates' in document)
    return (await import('./worker-tables.ts')).renderCandidatesTable(document.candidates, cli);
  if (input.format === 'line') return document.lines.map(({ line }) => line).join('\n');
  return foldForTerminal(
    document.lines
      .map(({ time, from, to, kind, text }) => {
        const head = `${formatLocalTime(time, Date.now())} ${from} to ${to} (${kind})`;
        return `${cli.paint('bold', head)}\n  ${toOneLine(text, 400)}`;
      })
      .join('\n') || 'Nothing was said yet.',
  );
}

const formatTaskLine = (one: TaskDocument): string =>
  `${one.session}/${one.id}: ${toOneLine(one.standing, 160)}: ${toOneLine(one.text, 80)}`;

/** Lists all tasks, and the commands to retry those that block others. */
function renderTaskList(tasks: TaskDocument[], { action }: TaskInput): string {
  if (tasks.length === 0)
    return action === 'watch'
      ? 'No task is open. Those that are over: council task list --all'
      : 'No tasks yet. Have one done: council task run "…"';
  const lost = tasks.filter(
    ({ id, session, state }) =>
      (state === 'F' || state === 'X') &&
      tasks.some((one) => one.session === session && one.state === 'N' && one.after.includes(id)),
  );
  const again = lost.map(({ id, session }) => `council task retry ${session}/${id}`);
  return [
    ...tasks.map(formatTaskLine),
    ...(lost.length > 0 ? [`What waits goes on after: ${again.join(', ')}`] : []),
  ].join('\n');
}

/** The actions that play a task and report its outcome. */
const PLAYED: readonly TaskInput['action'][] = ['run', 'play', 'retry', 'answer'];

/** Renders the outcome: the result, or what to do next. The reason of a failure was reported when it happened. */
async function renderTaskOutcome(one: TaskDocument, { action }: TaskInput): Promise<string> {
  if (one.state === 'D') return one.result ?? '';
  const name = `${one.session}/${one.id}`;
  if (action === 'answer' && one.state !== 'F')
    return foldForTerminal(
      `${name}: answered. It goes on at once where somebody plays it, else with the next tick.`,
    );
  if (!PLAYED.includes(action)) return foldForTerminal(`${name}: ${one.standing}`);
  if (action === 'answer' && !one.question && one.error?.code === 'E17') return `${name}: given up`;
  const said = one.worker === null ? [] : [`What was said: council task log ${name}`];
  // Tasks after a failed one would wait for it for ever.
  if (one.state !== 'F' && one.state !== 'X')
    return foldForTerminal([`${name}: ${one.standing}`, 'How it goes on: council task list'].join('\n'));
  const again = one.question ? [] : [`To try again: council task retry ${name}`];
  return foldForTerminal([...toDo(one), ...said, ...again].join('\n'));
}

function toDo({ error, needs, session, id, question }: TaskDocument): string[] {
  if (question)
    return [
      ...question.options.map((one, at) => `${at + 1} ${one}`),
      `Answer with: council task answer ${session}/${id} 1`,
    ];
  if (error?.code !== 'E19') return [];
  const flags = needs.map((one) => ` --capability ${one}`).join('');
  return [`Add somebody who can: council agents add NAME${flags} -- COMMAND`];
}

async function renderWholeTask(one: TaskDocument): Promise<string> {
  const facts = [
    `${one.session}/${one.id}: ${one.standing}`,
    ...(one.needs.length > 0 ? [`needs ${one.needs.join(', ')}`] : []),
    ...(one.after.length > 0 ? [`after ${one.after.join(', ')}`] : []),
  ];
  if (typeof one.report === 'string') facts.push(`report ${toOneLine(one.report)}`);
  if (typeof one.branch === 'string') facts.push(`branch ${toOneLine(one.branch)}`);
  if (typeof one.patch === 'string') facts.push(`patch ${toOneLine(one.patch)}`);
  if (typeof one.diff === 'string') facts.push(one.diff);
  if (one.state === 'F' && one.question) facts.push(...toDo(one));
  const parts = [
    await foldForTerminal(facts.join('\n')),
    one.text,
    ...(one.result === null ? [] : [`Result:\n${one.result}`]),
  ];
  return parts.join('\n\n');
}

// The tree of calls of a task, rendered as lines of text.

type ShownTrace = Extract<TaskResult, { trace: unknown }>['trace'];
type ShownSpan = ShownTrace['root'];

/** The states of tasks; those of launches are words already. */
const STANDS: Record<string, string> = {
  N: 'new',
  R: 'at work',
  D: 'done',
  F: 'failed',
  X: 'cancelled',
};

function renderTrace({ root, time, slowest }: ShownTrace): string {
  const workers = Object.entries(time.by_worker).map(
    ([worker, ms]) => `${toOneLine(worker, 64)} ${formatDuration(ms)}`,
  );
  return [
    ...formatSpanLines(root, '', ''),
    '',
    `${formatDuration(time.total)} in all, ${formatDuration(time.waiting)} of it nobody was at work${workers.length > 0 ? `. At work: ${workers.join(', ')}` : ''}.`,
    ...(slowest
      ? [`Longest: ${slowest.id}, ${toOneLine(slowest.name, 64)}, ${formatDuration(slowest.ms)}.`]
      : []),
  ].join('\n');
}

function formatSpanLines(span: ShownSpan, first: string, rest: string): string[] {
  const { id, name, state, ms, usage, error, children } = span;
  const used = usage && [
    ...(usage.inputTokens === null && usage.outputTokens === null
      ? []
      : [`${(usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)} tokens`]),
    ...(usage.costUsd === null ? [] : [formatMoney(usage.costUsd, loadWords('en').common)]),
  ];
  const facts = [
    STANDS[state] ?? toOneLine(state.replace('_', ' '), 20),
    formatDuration(ms),
    ...(used ?? []),
    ...(error === null ? [] : [error]),
  ];
  return [
    `${first}${toOneLine(id, 40)} ${toOneLine(name, 80)} (${facts.join(', ')})`,
    ...children.flatMap((child, at) => {
      const isLast = at === children.length - 1;
      return formatSpanLines(child, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`);
    }),
  ];
}
