// Reads a task's report for lists of many: an unreadable one is left out.
import { CouncilError } from '../../core/base/errors.ts';
import type { Reports } from '../../core/store/reports.ts';
import { parseReport } from '../tasks/read-report.ts';
import type { Report } from '../tasks/report.ts';

/** Undefined where there is none. `note` is told of one that is no file any more, or no text. */
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
