// The documents that the team room keeps beside the councils.
import { readDeliveriesStamp } from './messages/delivery.ts';
import { readMailStamp } from './messages/mailbox.ts';
import { readReservationStamp } from './messages/reservations.ts';
import { readApprovalStamp } from './tasks/approval-store.ts';
import { readDutyStamp } from './tasks/rate-limits.ts';
import { readRegistryStamp } from './tasks/registry-members.ts';
import type { DocumentSettings, DocumentKind } from '../core/app/storage/ports.ts';
import { TASK_SETTINGS } from './tasks/use/ports.ts';

export const KINDS: Partial<Record<DocumentKind, DocumentSettings>> = {
  approvals: { readStamp: readApprovalStamp },
  deliveries: { readStamp: readDeliveriesStamp },
  duty: { readStamp: readDutyStamp, isShown: () => false },
  mail: { readStamp: readMailStamp },
  registry: { readStamp: readRegistryStamp },
  reservations: { readStamp: readReservationStamp },
  tasks: TASK_SETTINGS,
};
