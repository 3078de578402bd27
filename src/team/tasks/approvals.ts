// Approval requests: what may need approval, and how it is decided, used once, replaced or expires. Pure.
import * as z from 'zod/mini';
import { RISKS } from '../../core/agents/work-settings.ts';
import { formatIso } from '../../core/base/clock.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { sha256, sha256OfParts } from '../../core/base/ids.ts';
import { COUNT, createItemsSchema, TEXT_OR_NULL } from '../messages/book.ts';

export type Risk = (typeof RISKS)[number];

/** An agent's request for permission. */
const request = z.object({
  kind: z.enum(['tool', 'sub_agent', 'mcp', 'file_op', 'db_op']),
  /** The operation in one line: "launch w1", "shell: rm -rf build". */
  operation: z.string(),
  /** The complete request, as shown to the person who decides. */
  details: z.catch(z.record(z.string(), z.unknown()), {}),
  risk: z.enum(RISKS),
  /** The agent that requests the operation. */
  requester: z.string(),
  /** Hash of the complete request (`hashBoundLaunch`): the approval is valid for nothing else. */
  hash: z.string(),
  /** The task that it belongs to, if any. */
  task: TEXT_OR_NULL,
});
export type ApprovalRequest = z.infer<typeof request>;

/** A request and its outcome. Times are ISO 8601 UTC. */
const approval = z.extend(request, {
  id: z.string(),
  status: z.enum(['pending', 'approved', 'used', 'rejected', 'expired', 'replaced']),
  /** The person's reason for rejecting it. */
  reason: TEXT_OR_NULL,
  at: z.string(),
  /** When it expires: first as a request, and once approved as an approval, with a new time. */
  until: z.string(),
  /** Who approved or rejected it, and when. */
  by: TEXT_OR_NULL,
  /** The token used for the decision at a server: "admin token 3f9a01c2". */
  token: TEXT_OR_NULL,
  decidedAt: TEXT_OR_NULL,
  /** Where it was approved: at a terminal by a person, or elsewhere, such as in a script. */
  via: z.catch(z.nullable(z.enum(['terminal', 'elsewhere'])), null),
  /** The attempt that it was used for, so that the same attempt need not ask again after a crash. */
  usedFor: TEXT_OR_NULL,
});
export type Approval = z.infer<typeof approval>;

/** All requests of a project; `last` counts all ever made. Invalid entries are dropped: they allow nothing. */
export const approvalsDocument = z.object({ last: COUNT, all: createItemsSchema(approval) });
export type Approvals = z.infer<typeof approvalsDocument>;

/** The answer to "may this run?" */
export type ApprovalVerdict =
  | { verdict: 'allowed'; approval: Approval }
  | { verdict: 'waiting'; approval: Approval }
  | { verdict: 'rejected'; approval: Approval; reason: string }
  | { verdict: 'expired'; approval: Approval };

/** What an approval is bound to: all that affects what runs, and what a person reads before it does. */
export interface LaunchToApprove {
  agent: string;
  /** The command line, and a hash of everything that determines the program. */
  command: readonly string[];
  program: string | null;
  /** Names of the variables that it gets in addition to the usual ones. */
  env: readonly string[];
  /** The working directory; whether it is a separate git worktree, and read-only. */
  cwd: string;
  isolate: string;
  readOnly: boolean;
  tools: readonly string[];
  /** SHA-256 of its persona. */
  persona: string;
  instruction: string;
  /** Paths with the SHA-256 of their bytes. */
  files: readonly { path: string; sha256: string }[];
}

/** Hashes all of it. The order of files, variables and tools is ignored, the order of a command's words is not. */
export function hashBoundLaunch({ files, env, tools, ...rest }: LaunchToApprove): string {
  const sets = {
    env: [...env].sort(),
    tools: [...tools].sort(),
    files: files.map(({ path, sha256: hash }) => sha256OfParts([path, hash])).sort(),
  };
  const parts = Object.entries({ ...rest, ...sets }).map(([key, value]) => JSON.stringify([key, value]));
  return sha256OfParts(parts.sort());
}

/** Returns the entry of a file for `Bound`. */
export const bindFile = (path: string, bytes: Uint8Array): LaunchToApprove['files'][number] => ({
  path,
  sha256: sha256(bytes),
});

/** True if a risk needs approval, given the lowest risk that does. */
export const mustWait = (risk: Risk, threshold: Risk): boolean =>
  RISKS.indexOf(risk) >= RISKS.indexOf(threshold);

const isActiveApproval = ({ status }: Approval): boolean => status === 'pending' || status === 'approved';

/** Marks requests and approvals as expired when their time is over. */
export const expireApprovals = ({ last, all }: Approvals, now: number): Approvals => ({
  last,
  all: all.map((one) =>
    isActiveApproval(one) && Date.parse(one.until) <= now ? { ...one, status: 'expired' } : one,
  ),
});

/** True for requests from the same place, which may have only one open request. */
const isSamePlace = (one: ApprovalRequest, asked: ApprovalRequest): boolean =>
  one.kind === asked.kind &&
  one.operation === asked.operation &&
  one.requester === asked.requester &&
  one.task === asked.task;

export interface AskOptions {
  now: number;
  /** Milliseconds until a request, or an approval, expires. */
  timeout: number;
  /** Names the attempt; the one that an approval was used for may continue with it. */
  attempt?: string | undefined;
  /** Rejections and expiries before this time are ignored: a person wants to be asked again. Milliseconds. */
  since?: number | undefined;
}

/**
 * Answers "may this run?". The answer `allowed` uses up the approval. A different request from the same place
 * is replaced, approved or not; the same request again gets the same answer, and no second request.
 */
export function requestApproval(
  before: Approvals,
  asked: ApprovalRequest,
  options: AskOptions,
): { next: Approvals; result: ApprovalVerdict } {
  const { last, all } = expireApprovals(before, options.now);
  const earlier = all.findLast((one) => one.hash === asked.hash && isSamePlace(one, asked));
  const answer = earlier && findEarlierVerdict(earlier, options);
  if (answer) return { next: { last, all: replaceApproval(all, answer.approval) }, result: answer };
  const approval: Approval = {
    ...asked,
    id: `a${last + 1}`,
    status: 'pending',
    reason: null,
    at: formatIso(options.now),
    until: formatIso(options.now + options.timeout),
    by: null,
    token: null,
    decidedAt: null,
    via: null,
    usedFor: null,
  };
  const others = all.map((one) =>
    isActiveApproval(one) && isSamePlace(one, asked) ? { ...one, status: 'replaced' as const } : one,
  );
  return { next: { last: last + 1, all: [...others, approval] }, result: { verdict: 'waiting', approval } };
}

/** Returns the answer of an earlier, equal request; undefined if a new one is needed. */
function findEarlierVerdict(
  earlier: Approval,
  { attempt, since = -Infinity }: AskOptions,
): ApprovalVerdict | undefined {
  switch (earlier.status) {
    case 'pending':
      return { verdict: 'waiting', approval: earlier };
    case 'approved':
      return { verdict: 'allowed', approval: { ...earlier, status: 'used', usedFor: attempt ?? null } };
    case 'used':
      return attempt !== undefined && earlier.usedFor === attempt
        ? { verdict: 'allowed', approval: earlier }
        : undefined;
    case 'rejected':
      return Date.parse(earlier.decidedAt ?? earlier.at) < since
        ? undefined
        : { verdict: 'rejected', approval: earlier, reason: earlier.reason ?? '' };
    case 'expired':
      return Date.parse(earlier.until) < since ? undefined : { verdict: 'expired', approval: earlier };
    case 'replaced':
      return undefined;
  }
}

const replaceApproval = (all: Approval[], one: Approval): Approval[] =>
  all.map((other) => (other.id === one.id ? one : other));

/** A person's decision. */
export interface ApprovalDecision {
  id: string;
  by: string;
  token?: string | undefined;
  /** Undefined approves. */
  reason: string | undefined;
  via?: Approval['via'];
}

/**
 * Records a decision; repeating it changes nothing. An unused approval can be withdrawn by rejecting it. Throws
 * `forbidden` for the requester itself, `failed` if it can no longer be decided.
 */
export function decide(
  before: Approvals,
  { id, by, token, reason, via = null }: ApprovalDecision,
  { now, timeout }: { now: number; timeout: number },
): { next: Approvals; result: Approval } {
  const current = expireApprovals(before, now);
  const found = requireApproval(current, id);
  if (asName(found.requester) === asName(by))
    throw new CouncilError('forbidden', `${by} asked for ${id}, and somebody else decides it.`, {
      hint: 'A person decides: council approvals approve ID --as NAME',
    });
  const status = reason === undefined ? 'approved' : 'rejected';
  if (found.status === status) return { next: current, result: found };
  if (found.status !== 'pending' && !(found.status === 'approved' && status === 'rejected'))
    throw new CouncilError('failed', `${id} cannot be decided any more: it is ${found.status}.`, {
      hint: 'What waits: council approvals',
    });
  const decided: Approval = {
    ...found,
    status,
    by,
    token: token ?? null,
    reason: reason ?? null,
    decidedAt: formatIso(now),
    via,
    until: status === 'approved' ? formatIso(now + timeout) : found.until,
  };
  return { next: { ...current, all: replaceApproval(current.all, decided) }, result: decided };
}

/** Normalizes a name for comparison: ignores case, letter forms and invisible characters. */
export const asName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\p{DI}\s]+/gu, '')
    .toLowerCase();

/** Returns a request by id. Throws `usage` if there is none. */
export function requireApproval({ all }: Approvals, id: string): Approval {
  const found = all.find((one) => one.id === id);
  if (found) return found;
  throw new CouncilError('usage', `There is no approval request ${JSON.stringify(id.slice(0, 40))}.`, {
    hint: 'All that there are: council approvals list',
  });
}
