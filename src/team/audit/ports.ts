// Where the audit trail of a project is kept.
import { join } from 'node:path';
import { fileStore } from '../../core/store/file/file-store.ts';
import { lineFile } from '../../core/store/file/line-file.ts';
import { systemClock } from '../../core/store/local/system.ts';
import { auditTrail, readAuditStamp } from '../tasks/audit-trail.ts';
import type { AuditTrail } from '../tasks/audit-trail.ts';
import type { App } from '../../core/app/app.ts';
import type { Workspace } from '../../core/app/workspace.ts';

/** Who asked, who allowed it, what ran: `memory/audit/trail.ndjson`. */
export function openAuditTrail(app: Pick<App, 'note'>, { project }: Pick<Workspace, 'project'>): AuditTrail {
  const { root, shared } = project;
  const dir = join(shared, '.versions', '.audit');
  const warn = (message: string): void => app.note(message);
  const store = fileStore({ dir, root, prefix: '', readStamp: readAuditStamp, isShown: () => false, warn });
  return auditTrail({
    store,
    file: lineFile(root, join(root, 'memory', 'audit', 'trail.ndjson')),
    clock: systemClock,
  });
}
