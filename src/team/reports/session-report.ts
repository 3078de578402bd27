// The reports of a session put together as one.
import type { Language } from '../../core/base/words/words.ts';
import type { Reports } from '../../core/store/reports.ts';
import { aggregate } from '../tasks/merge-reports.ts';
import type { Source } from '../tasks/merge-reports.ts';
import { readReport } from './read-report.ts';
import { writeReport } from '../tasks/report.ts';
import type { Session } from '../tasks/store.ts';
import type { Task } from '../tasks/task.ts';

/** Who puts them together. */
const ORCHESTRATOR = 'orchestrator';

/** One report out of those of all tasks of a session, in Markdown; tasks that have none are named as missing. */
export async function sessionReport(
  reports: Pick<Reports, 'read'>,
  { id, plan }: Session,
  tasks: readonly Task[],
  { lang, note }: { lang: Language; note(line: string): void },
): Promise<string> {
  const sources: Source[] = [];
  const missing: string[] = [];
  for (const task of tasks) {
    const report = await readReport(reports, task.report, note);
    if (report === undefined) missing.push(`${task.id}: ${task.text}`);
    else sources.push({ from: `${task.id}, ${task.report}`, report });
  }
  const together = aggregate(sources, {
    agent: ORCHESTRATOR,
    task: plan ?? id,
    missing,
    duration: computeSessionDuration(tasks),
    lang,
  });
  return writeReport(together, lang);
}

/** Milliseconds from the first start to the last end; null where nothing has begun or something goes on. */
function computeSessionDuration(tasks: readonly Task[]): number | null {
  const starts = tasks.flatMap(({ startedAt }) => (startedAt === null ? [] : [Date.parse(startedAt)]));
  if (starts.length === 0 || tasks.some(({ endedAt }) => endedAt === null)) return null;
  const ends = tasks.map(({ endedAt }) => Date.parse(endedAt ?? ''));
  return Math.max(...ends) - Math.min(...starts);
}
