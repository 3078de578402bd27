// What the index of the search keeps of an agent's report.
import type { SearchSource } from '../../core/archive/search.ts';
import { REPORTS_DIR, reportTime } from '../../core/store/reports.ts';
import type { SearchEntry } from '../../core/store/search-index.ts';
import { parseReport } from '../tasks/read-report.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import { openReports } from './ports.ts';

/** The reports of a project, for its search. */
export const reportSource = (workspace: Pick<Workspace, 'project'>): SearchSource => ({
  dir: REPORTS_DIR,
  kind: 'report',
  files: openReports(workspace),
  describe: async (text, path) => searchableReport(text, path),
});

/** Found by its task and by what its agent says; tools and metadata stand in every report. */
export function searchableReport(text: string, path: string): SearchEntry {
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
