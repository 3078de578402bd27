// Where the reports of a project are kept.
import { reportFiles } from '../../store/file/report-files.ts';
import type { Reports } from '../../store/reports.ts';
import type { Workspace } from '../workspace.ts';

/** The reports of the agents of a project, in `memory/reports/`. */
export const openReports = ({ project }: Pick<Workspace, 'project'>): Reports => reportFiles(project.root);
