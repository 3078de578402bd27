// Where the approval requests of a project are kept.
import { join } from 'node:path';
import type { Config } from '../../base/config.ts';
import { fileStore } from '../../store/file/file-store.ts';
import { systemClock } from '../../store/local/system.ts';
import { approvalDesk, readApprovalStamp } from '../../tasks/approval-desk.ts';
import type { ApprovalDesk } from '../../tasks/approval-desk.ts';
import type { App } from '../app.ts';
import type { Workspace } from '../workspace.ts';

/** Where tasks and tools ask "may this run?", and people decide. */
export function approvalsOf(
  app: Pick<App, 'note'>,
  { project }: Pick<Workspace, 'project'>,
  { approvalTimeout }: Pick<Config, 'approvalTimeout'>,
): ApprovalDesk {
  const dir = join(project.shared, '.versions', '.approvals');
  const warn = (message: string): void => app.note(message);
  const store = fileStore({ dir, root: project.root, prefix: '', readStamp: readApprovalStamp, warn });
  return approvalDesk({ store, clock: systemClock, timeout: approvalTimeout });
}
