// Puts the tree of calls of a task into lines for people.
import type { TaskResult } from '../tasks/use/task.ts';
import { formatDuration } from '../../core/base/duration.ts';
import { oneLine } from '../../core/base/text.ts';

type Trace = Extract<TaskResult, { trace: unknown }>['trace'];
type Span = Trace['root'];

/** The states of tasks; those of launches are words. */
const STANDS: Record<string, string> = {
  N: 'new',
  R: 'at work',
  D: 'done',
  F: 'failed',
  X: 'cancelled',
};

export function traceLines({ root, time, slowest }: Trace): string {
  const workers = Object.entries(time.by_worker).map(
    ([worker, ms]) => `${oneLine(worker, 64)} ${formatDuration(ms)}`,
  );
  return [
    ...spanLines(root, '', ''),
    '',
    `${formatDuration(time.total)} in all, ${formatDuration(time.waiting)} of it nobody was at work${workers.length > 0 ? `. At work: ${workers.join(', ')}` : ''}.`,
    ...(slowest
      ? [`Longest: ${slowest.id}, ${oneLine(slowest.name, 64)}, ${formatDuration(slowest.ms)}.`]
      : []),
  ].join('\n');
}

function spanLines(span: Span, first: string, rest: string): string[] {
  const { id, name, state, ms, usage, error, children } = span;
  const used = usage && [
    ...(usage.inputTokens === null && usage.outputTokens === null
      ? []
      : [`${(usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)} tokens`]),
    ...(usage.costUsd === null ? [] : [`${Number(usage.costUsd.toFixed(6))} US$`]),
  ];
  const facts = [
    STANDS[state] ?? oneLine(state.replace('_', ' '), 20),
    formatDuration(ms),
    ...(used ?? []),
    ...(error === null ? [] : [error]),
  ];
  return [
    `${first}${oneLine(id, 40)} ${oneLine(name, 80)} (${facts.join(', ')})`,
    ...children.flatMap((child, at) => {
      const isLast = at === children.length - 1;
      return spanLines(child, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`);
    }),
  ];
}
