// The documents that the team room keeps beside the councils.
import { readDeliveriesStamp } from '../messages/deliveries.ts';
import { readMailStamp } from '../messages/mailbox.ts';
import { readReservationStamp } from '../messages/reservations.ts';
import { readApprovalStamp } from '../tasks/approval-desk.ts';
import { readDutyStamp } from '../tasks/duty.ts';
import { readRegistryStamp } from '../tasks/registry-store.ts';
import type { DocumentSettings, DocumentKind } from './keeping/ports.ts';
import { TASK_SETTINGS } from './tasks/ports.ts';

export const KINDS: Partial<Record<DocumentKind, DocumentSettings>> = {
  approvals: { readStamp: readApprovalStamp },
  deliveries: { readStamp: readDeliveriesStamp },
  duty: { readStamp: readDutyStamp, isShown: () => false },
  mail: { readStamp: readMailStamp },
  registry: { readStamp: readRegistryStamp },
  reservations: { readStamp: readReservationStamp },
  tasks: TASK_SETTINGS,
};
