// Opens the approval requests and the audit trail of a project.
import { toOneLine } from '../core/base/text.ts';
import type { Config } from '../core/base/config.ts';
import { openDocuments } from './document-kinds.ts';
import { createApprovalDesk } from './tasks/approval-desk.ts';
import type { Approval } from './tasks/approvals.ts';
import type { ApprovalDesk, ApprovalEvent } from './tasks/approval-desk.ts';
import type { AuditEvent } from './tasks/audit.ts';
import type { AuditTrail } from './tasks/audit-trail.ts';
import { openProjectStorage } from '../core/app/storage/project-storage.ts';
import type { StorageApp } from '../core/app/storage/ports.ts';
import type { Workspace } from '../core/app/workspace.ts';
import { join } from 'node:path';
import { createJsonStampReader } from '../core/store/documents.ts';
import { fileStore } from '../core/store/file/file-store.ts';
import { openLineFile } from './tasks/use/line-file.ts';
import { systemClock } from '../core/store/local/system.ts';
import { createAuditTrail } from './tasks/audit-trail.ts';
import type { App } from '../core/app/app.ts';

/** Calls `onChange` soon after a request or decision; returns the stop function. */
export const watchApprovals = (
  app: StorageApp,
  workspace: Pick<Workspace, 'project'>,
  onChange: () => void,
): (() => void) => openDocuments(app, workspace, 'approvals').watch('', onChange);

/** Opens the desk where tasks and tools request approvals, and people decide. */
export function openApprovalDesk(
  app: StorageApp,
  { project }: Pick<Workspace, 'project'>,
  { approvalTimeout }: Pick<Config, 'approvalTimeout'>,
): ApprovalDesk {
  const trail = openAuditTrail(app, { project });
  return createApprovalDesk({
    store: openDocuments(app, { project }, 'approvals'),
    clock: openProjectStorage(app, project).clock,
    timeout: approvalTimeout,
    onEvent: ({ what, approval }) => trail.add(toApprovalAuditEvent(what, approval)),
  });
}

/** Converts an event to an audit entry. The requested details are recorded only by their hash. */
function toApprovalAuditEvent(what: ApprovalEvent['what'], approval: Approval): AuditEvent {
  const { id, kind, operation, risk, requester, hash, task, by, token, reason, via } = approval;
  const isDecided = what === 'approved' || what === 'rejected';
  return {
    what: `approval.${what}`,
    by: isDecided ? (by ?? '') : requester,
    task,
    details: {
      approval: id,
      kind,
      operation: toOneLine(operation),
      risk,
      asked: hash,
      ...(isDecided && { requester, reason, ...(token !== null && { token }) }),
      ...(what === 'approved' && via !== null && { via }),
    },
  };
}

/** Opens the audit trail of requests, approvals and runs: `memory/audit/trail.ndjson`. */
export function openAuditTrail(app: Pick<App, 'note'>, { project }: Pick<Workspace, 'project'>): AuditTrail {
  const { root, shared } = project;
  const dir = join(shared, '.versions', '.audit');
  const warn = (message: string): void => app.note(message);
  const readStamp = createJsonStampReader('audit');
  const store = fileStore({ dir, root, prefix: '', readStamp, isShown: () => false, warn });
  return createAuditTrail({
    store,
    file: openLineFile(root, join(root, 'memory', 'audit', 'trail.ndjson')),
    clock: systemClock,
  });
}
