// Storage of approval requests, where tasks and tools ask "may this run?": one document (compare-and-set).
import { CouncilError } from '../../core/base/errors.ts';
import { openBook } from '../messages/book.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Documents } from '../../core/store/documents.ts';
import { approvalsDocument, expireApprovals, requestApproval, decide } from './approvals.ts';
import type {
  ApprovalRequest,
  Approval,
  Approvals,
  ApprovalVerdict,
  AskOptions,
  ApprovalDecision,
} from './approvals.ts';

export interface ApprovalDesk {
  /**
   * "May this run?" `allowed` uses the approval up, for the first asker only; `waiting` returns the new or
   * pending request. `attempt` names the asker: the same attempt may ask again after a crash. With `since`,
   * earlier rejections and expiries are ignored. Throws `too_large` for details that are too long to read.
   */
  mayRun(asked: ApprovalRequest, options?: Pick<AskOptions, 'attempt' | 'since'>): Promise<ApprovalVerdict>;
  /** Approves, or rejects if a reason is given. Throws like `decide`. */
  decide(decision: ApprovalDecision): Promise<Approval>;
  /** All stored requests, oldest first. */
  list(): Promise<Approval[]>;
}

/** A change of a request, for the audit trail. */
export interface ApprovalEvent {
  what: 'requested' | 'used' | 'approved' | 'rejected';
  approval: Approval;
}

interface ApprovalDeskOptions {
  store: Pick<Documents, 'read' | 'update'>;
  clock: Pick<Clock, 'now'>;
  /** Milliseconds until a request, or an approval, expires. */
  timeout: number;
  /** Called after the change is durable. */
  onEvent?: (event: ApprovalEvent) => void | Promise<void>;
}

/** Number of closed requests to keep, the newest. The audit trail keeps all. */
const MOST_OVER = 500;
/** Maximum size of a request's details, in bytes of JSON. */
const MAX_DETAILS_BYTES = 64 * 1024;

/** Stores requests in any document store, under their own key. */
export function createApprovalDesk({ store, clock, timeout, onEvent }: ApprovalDeskOptions): ApprovalDesk {
  const book = openBook(store, 'requests', approvalsDocument);
  const change = async <T>(
    step: (before: Approvals) => { next: Approvals; result: T },
  ): Promise<DeskChange<T>> => {
    let changed: DeskChange<T> | undefined;
    await book.change((before) => {
      const { next, result } = step(before);
      changed = { before, result };
      const kept = withoutOldest(next);
      return JSON.stringify(kept) === JSON.stringify(before) ? undefined : kept;
    });
    return changed!;
  };
  return {
    async mayRun(asked, options = {}) {
      requireReadable(asked);
      const { before, result } = await change((all) =>
        requestApproval(all, asked, { ...options, timeout, now: clock.now() }),
      );
      const what = result.verdict === 'allowed' ? 'used' : 'requested';
      if (isChanged(before, result.approval)) await onEvent?.({ what, approval: result.approval });
      return result;
    },
    async decide(decision) {
      const { before, result } = await change((all) => decide(all, decision, { timeout, now: clock.now() }));
      const what = result.status === 'approved' ? 'approved' : 'rejected';
      if (isChanged(before, result)) await onEvent?.({ what, approval: result });
      return result;
    },
    list: async () => expireApprovals(await book.read(), clock.now()).all,
  };
}

interface DeskChange<T> {
  before: Approvals;
  result: T;
}

/** True if this call changed the request; a newly noticed expiry does not count. */
const isChanged = ({ all }: Approvals, one: Approval): boolean =>
  one.status !== 'expired' && all.find(({ id }) => id === one.id)?.status !== one.status;

function requireReadable({ details, operation, hash }: ApprovalRequest): void {
  const bytes = Buffer.byteLength(JSON.stringify(details));
  if (bytes > MAX_DETAILS_BYTES)
    throw new CouncilError(
      'too_large',
      `What waits for approval would have ${bytes} bytes of details; the limit is ${MAX_DETAILS_BYTES}: nobody could read it.`,
      { hint: 'Ask for less at once, or give long texts as files.' },
    );
  if (operation.trim() === '' || !/^[0-9a-f]{64}$/.test(hash))
    throw new CouncilError('failed', 'An approval request needs an operation and the hash of what is asked.');
}

function withoutOldest({ last, all }: Approvals): Approvals {
  const over = all.filter(({ status }) => status !== 'pending' && status !== 'approved');
  const dropped = new Set(over.slice(0, Math.max(0, over.length - MOST_OVER)));
  return { last, all: all.filter((one) => !dropped.has(one)) };
}
