// Reports of tasks: written when a task ends, read for lists and the search, and combined for a session.
import { loadReportWords } from '../tasks/words.ts';
import type { Language } from '../../core/base/words/words.ts';
import { REPORTS_DIR, reportFiles, reportTime } from './report-files.ts';
import type { Reports } from './report-files.ts';
import { makeReport, parseReport } from '../tasks/read-report.ts';
import type { Fact, ReportStatus, Report } from '../tasks/report.ts';
import { writeReport } from '../tasks/report.ts';
import { sumTaskUsage } from '../tasks/task-trace.ts';
import type { Task } from '../tasks/task.ts';
import { isOver } from '../tasks/transitions.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { mergeReports } from '../tasks/merge-reports.ts';
import type { ReportSource } from '../tasks/merge-reports.ts';
import type { Session } from '../tasks/store.ts';
import type { SearchSource } from '../../core/archive/search.ts';
import type { SearchEntry } from '../../core/store/archives.ts';
import type { Workspace } from '../../core/app/workspace.ts';

/**
 * Writes the report of a finished task from its result; resolves to the path, relative to the project.
 * Repeating it
 * gives the same report, at `task.report` if that is set. `provider`: who served the model, if known.
 */
export async function keepReport(
  reports: Reports,
  task: Task,
  { lang, provider = null }: { lang: Language; provider?: string | null },
): Promise<string> {
  const end = Date.parse(task.endedAt ?? task.createdAt);
  const known = {
    agent: getReportAuthor(task),
    task: task.text,
    status: STATUS[task.state],
    duration: task.startedAt === null ? null : end - Date.parse(task.startedAt),
    provider,
    ...sumTaskUsage(task),
    calls: task.launches.flatMap(({ calls = [] }) => calls),
    metadata: listReportMetadata(task, lang),
  };
  const report = makeReport(task.result ?? task.error?.text ?? '', known, lang);
  return reports.add(getReportAuthor(task), end, writeReport(report, lang), task.report ?? undefined);
}

const getReportAuthor = ({ worker }: Task): string => worker ?? 'orchestrator';

/** Returns the path for a finished task's report; null if it is not over, or its changes are not saved yet. */
export async function reserveReportPlace(reports: Reports, task: Task): Promise<string | null> {
  if (!isOver(task) || task.endedAt === null || task.isolate !== 'none') return task.report;
  return reports.reserve(getReportAuthor(task), Date.parse(task.endedAt));
}

function listReportMetadata(task: Task, lang: Language): Fact[] {
  const { report: words } = loadReportWords(lang);
  const { session, id, launches, branch, patch, diff, error, leftover } = task;
  return [
    { label: words.taskId, value: `${session}/${id}` },
    { label: words.launches, value: String(launches.length) },
    ...(branch === null || patch === null
      ? []
      : [
          { label: words.branch, value: branch },
          { label: words.changes, value: `${extractDiffSummary(diff)} (${patch})` },
        ]),
    ...(leftover === null ? [] : [{ label: words.leftover, value: leftover }]),
    ...(error === null ? [] : [{ label: words.error, value: `${error.code}: ${error.text}` }]),
  ];
}

/** Returns the last line of a diffstat: `2 files changed, 5 insertions(+)`. */
const extractDiffSummary = (diff: string | null): string => diff?.trimEnd().split('\n').at(-1)?.trim() ?? '';

const STATUS: Record<Task['state'], ReportStatus> = {
  N: 'In Progress',
  R: 'In Progress',
  D: 'Success',
  F: 'Failed',
  X: 'Failed',
};

/** Returns undefined if there is no report. Calls `note` for one that is missing or unreadable. */
export async function readReport(
  reports: Pick<Reports, 'read'>,
  path: string | null,
  note: (line: string) => void,
): Promise<Report | undefined> {
  if (path === null) return undefined;
  try {
    const text = await reports.read(path);
    return text === undefined ? undefined : parseReport(text);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    note(`${path} is left out: ${error.message}`);
    return undefined;
  }
}

/** The author of combined reports. */
const ORCHESTRATOR = 'orchestrator';

/** Combines the reports of all tasks of a session, in Markdown; lists tasks without a report as missing. */
export async function buildSessionReport(
  reports: Pick<Reports, 'read'>,
  { id, plan }: Session,
  tasks: readonly Task[],
  { lang, note }: { lang: Language; note(line: string): void },
): Promise<string> {
  const sources: ReportSource[] = [];
  const missing: string[] = [];
  for (const task of tasks) {
    const report = await readReport(reports, task.report, note);
    if (report === undefined) missing.push(`${task.id}: ${task.text}`);
    else sources.push({ from: `${task.id}, ${task.report}`, report });
  }
  const together = mergeReports(sources, {
    agent: ORCHESTRATOR,
    task: plan ?? id,
    missing,
    duration: computeSessionDuration(tasks),
    lang,
  });
  return writeReport(together, lang);
}

/** Milliseconds from the first start to the last end; null if nothing has started or something is running. */
function computeSessionDuration(tasks: readonly Task[]): number | null {
  const starts = tasks.flatMap(({ startedAt }) => (startedAt === null ? [] : [Date.parse(startedAt)]));
  if (starts.length === 0 || tasks.some(({ endedAt }) => endedAt === null)) return null;
  const ends = tasks.map(({ endedAt }) => Date.parse(endedAt ?? ''));
  return Math.max(...ends) - Math.min(...starts);
}

export const createReportSource = ({ project }: Pick<Workspace, 'project'>): SearchSource => ({
  dir: REPORTS_DIR,
  kind: 'report',
  files: reportFiles(project.root),
  describe: async (text, path) => toReportSearchEntry(text, path),
});

/** Indexes the task and the agent's text; tools and metadata are similar in every report. */
function toReportSearchEntry(text: string, path: string): SearchEntry {
  const { agent, task, results, sections, next } = parseReport(text);
  const said = [
    results,
    ...sections.flatMap(({ heading, body }) => [heading, body]),
    ...next.map((one) => one.text),
    agent ?? '',
  ];
  return {
    topic: (task ?? agent ?? '').replaceAll('**', ''),
    endedAt: reportTime(path) ?? '',
    body: said.join('\n\n').replaceAll('**', ''),
  };
}
