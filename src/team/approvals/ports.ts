// Where the approval requests of a project are kept.
import { oneLine } from '../../core/base/text.ts';
import type { Config } from '../../core/base/config.ts';
import { approvalDesk, readApprovalStamp } from '../tasks/approval-store.ts';
import type { ApprovalDesk, ApprovalEvent } from '../tasks/approval-store.ts';
import type { Approval } from '../tasks/approvals.ts';
import type { AuditEvent } from '../tasks/audit.ts';
import { openProjectStorage } from '../../core/app/storage/project-storage.ts';
import type { Keeping, KeepingApp } from '../../core/app/storage/ports.ts';
import type { Documents } from '../../core/store/documents.ts';
import { openAuditTrail } from '../audit/ports.ts';
import type { Workspace } from '../../core/app/workspace.ts';

const openApprovalDocuments = (keeping: Keeping): Documents =>
  keeping.documents('approvals', { readStamp: readApprovalStamp });

/** Calls `onChange` soon after something was asked or decided; returns the stop function. */
export const watchApprovals = (
  app: KeepingApp,
  { project }: Pick<Workspace, 'project'>,
  onChange: () => void,
): (() => void) => openApprovalDocuments(openProjectStorage(app, project)).watch('', onChange);

/** Where tasks and tools ask "may this run?", and people decide. */
export function openApprovalDesk(
  app: KeepingApp,
  { project }: Pick<Workspace, 'project'>,
  { approvalTimeout }: Pick<Config, 'approvalTimeout'>,
): ApprovalDesk {
  const keeping = openProjectStorage(app, project);
  const trail = openAuditTrail(app, { project });
  return approvalDesk({
    store: openApprovalDocuments(keeping),
    clock: keeping.clock,
    timeout: approvalTimeout,
    onEvent: ({ what, approval }) => trail.add(toApprovalAuditEvent(what, approval)),
  });
}

/** What was asked is recorded as its hash. */
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
      operation: oneLine(operation),
      risk,
      asked: hash,
      ...(isDecided && { requester, reason, ...(token !== null && { token }) }),
      ...(what === 'approved' && via !== null && { via }),
    },
  };
}
