// Command `task`: what became of tasks, in words.
import type { TaskInput } from '../../app/input/tasks.ts';
import { task } from '../../app/tasks/task.ts';
import type { TaskResult } from '../../app/tasks/task.ts';
import type { TaskDocument } from '../../app/tasks/task-document.ts';
import { oneLine } from '../../base/text.ts';
import { localTime } from '../../base/when.ts';
import type { Cli } from '../io.ts';
import { told } from '../print.ts';
import { traceLines } from '../trace-lines.ts';
import type { Command } from '../spec.ts';

export const taskCommand: Command<TaskInput> = async (cli, input) => {
  const result = await task(cli, input);
  return told(result, inWords(result.document, input, cli));
};

function inWords(document: TaskResult, input: TaskInput, cli: Cli): string {
  if ('task' in document) return input.action === 'show' ? whole(document.task) : outcome(document.task);
  if ('report' in document) return document.report;
  if ('tasks' in document)
    return document.tasks.map(taskLine).join('\n') || 'No tasks yet. Have one done: council task run "…"';
  if ('trace' in document) return traceLines(document.trace);
  if ('candidates' in document) return table(document.candidates);
  if (input.format === 'line') return document.lines.map(({ line }) => line).join('\n');
  return (
    document.lines
      .map(({ time, from, to, kind, text }) => {
        const head = `${localTime(time, Date.now())} ${from} to ${to} (${kind})`;
        return `${cli.paint('bold', head)}\n  ${oneLine(text, 400)}`;
      })
      .join('\n') || 'Nothing was said yet.'
  );
}

const taskLine = (one: TaskDocument): string =>
  `${one.session}/${one.id}: ${oneLine(one.standing, 160)}: ${oneLine(one.text, 80)}`;

/** What a command that ran it says: the result itself, or how it stands. */
const outcome = (one: TaskDocument): string =>
  one.state === 'D' ? (one.result ?? '') : `${one.id}: ${one.standing}`;

function whole(one: TaskDocument): string {
  const facts = [
    `${one.session}/${one.id}: ${one.standing}`,
    ...(one.needs.length > 0 ? [`needs ${one.needs.join(', ')}`] : []),
    ...(one.after.length > 0 ? [`after ${one.after.join(', ')}`] : []),
  ];
  if (typeof one.report === 'string') facts.push(`report ${oneLine(one.report)}`);
  if (typeof one.branch === 'string') facts.push(`branch ${oneLine(one.branch)}`);
  if (typeof one.patch === 'string') facts.push(`patch ${oneLine(one.patch)}`);
  if (typeof one.diff === 'string') facts.push(one.diff);
  const parts = [facts.join('\n'), one.text, ...(one.result === null ? [] : [`Result:\n${one.result}`])];
  return parts.join('\n\n');
}

function table(rows: Extract<TaskResult, { candidates: unknown }>['candidates']): string {
  if (rows.length === 0) return 'There are no workers: add one with council agents add.';
  const cells = rows.map(({ worker, score, matched, load, lastUsed, out }, at) => [
    worker,
    score.toFixed(2),
    matched.join(', ') || '-',
    load.toFixed(2),
    lastUsed === null ? 'never' : localTime(lastUsed, Date.now()),
    out ?? (at === 0 ? 'chosen' : 'could do it'),
  ]);
  const header = ['worker', 'score', 'matched', 'load', 'last used', ''];
  const all = [header, ...cells];
  const widths = header.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
