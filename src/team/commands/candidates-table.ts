// Who could do a task, as a table: its own file, because what measures the columns is large and few ask for it.
import type { TaskResult } from '../tasks/use/task.ts';
import { localTime } from '../../core/base/local-time.ts';
import type { Cli } from '../../core/cli/io.ts';
import { pageOptions } from '../../core/cli/page-options.ts';
import { tableLines } from '../../core/cli/render-table.ts';

export function candidatesTable(
  rows: Extract<TaskResult, { candidates: unknown }>['candidates'],
  cli: Cli,
): string {
  if (rows.length === 0) return 'There are no workers: add one with council agents add NAME -- COMMAND.';
  const cells = rows.map(({ worker, score, matched, load, lastUsed, out }, at) => [
    worker,
    score.toFixed(2),
    matched.join(', ') || '-',
    load.toFixed(2),
    lastUsed === null ? 'never' : localTime(lastUsed, Date.now()),
    out ?? (at === 0 ? 'chosen' : 'could do it'),
  ]);
  const all = [['worker', 'score', 'matched', 'load', 'last used', 'why'], ...cells];
  return tableLines(
    all.map((row) => row.map((text) => [{ text, styles: [] }])),
    pageOptions(cli),
  )
    .map((line) => line.trimEnd())
    .join('\n');
}
