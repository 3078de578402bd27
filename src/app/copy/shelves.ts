// What a project keeps as documents: councils, and every kind beside them.
import { readApprovalStamp } from '../../tasks/approval-desk.ts';
import { readDutyStamp } from '../../tasks/duty.ts';
import { readRegistryStamp } from '../../tasks/registry-store.ts';
import { readDeliveriesStamp } from '../../messages/deliveries.ts';
import { readMailStamp } from '../../messages/mailbox.ts';
import { readReservationStamp } from '../../messages/reservations.ts';
import { readStamp } from '../../council/document/document.ts';
import { readHealthStamp } from '../../store/agent-health.ts';
import type { Documents } from '../../store/documents.ts';
import type { Histories } from '../../store/histories.ts';
import { readTodoStamp } from '../../store/todo-lists.ts';
import type { DocumentSettings, Keeping, Kind } from '../keeping/ports.ts';
import { TASK_SETTINGS } from '../tasks/ports.ts';

const KINDS: Record<Kind, DocumentSettings> = {
  approvals: { readStamp: readApprovalStamp },
  deliveries: { readStamp: readDeliveriesStamp },
  duty: { readStamp: readDutyStamp, isShown: () => false },
  health: { readStamp: readHealthStamp },
  mail: { readStamp: readMailStamp },
  registry: { readStamp: readRegistryStamp },
  reservations: { readStamp: readReservationStamp },
  tasks: TASK_SETTINGS,
  todos: { readStamp: readTodoStamp },
};

/** Documents of one kind in one store, with their histories. */
export interface Shelf {
  documents: Documents;
  histories: Histories;
}

/** One kind, where it comes from and where it goes. */
export interface Move {
  kind: Kind | 'council';
  from: Shelf;
  to: Shelf;
}

const shelf = (keeping: Keeping, kind: Kind | 'council'): Shelf =>
  kind === 'council'
    ? { documents: keeping.councils(readStamp).store, histories: keeping.histories(kind, { readStamp }) }
    : {
        documents: keeping.documents(kind, KINDS[kind]),
        histories: keeping.histories(kind, KINDS[kind]),
      };

const ALL: Move['kind'][] = ['council', ...(Object.keys(KINDS) as Kind[])];

/** Everything that a project keeps as documents, councils first. */
export const shelvesOf = (keeping: Keeping): (Shelf & Pick<Move, 'kind'>)[] =>
  ALL.map((kind) => ({ kind, ...shelf(keeping, kind) }));

/** Everything that is to be moved, councils first. */
export const movesBetween = (from: Keeping, to: Keeping): Move[] =>
  ALL.map((kind) => ({ kind, from: shelf(from, kind), to: shelf(to, kind) }));
