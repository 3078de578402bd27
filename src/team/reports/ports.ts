// Where the reports of a project are kept.
import { reportFiles } from '../../core/store/file/report-files.ts';
import type { Reports } from '../../core/store/small-files.ts';
import type { Workspace } from '../../core/app/workspace.ts';

/** The reports of the agents of a project, in `memory/reports/`. */
export const openReports = ({ project }: Pick<Workspace, 'project'>): Reports => reportFiles(project.root);
