// Approval requests: what may wait for a person, and how it is decided, used once, replaced or ends. Pure.
import * as z from 'zod/mini';
import { RISKS } from '../../core/agents/work-settings.ts';
import { iso } from '../../core/base/clock.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { sha256, sha256OfParts } from '../../core/base/ids.ts';
import { COUNT, soundItems, TEXT_OR_NULL } from '../messages/book.ts';

export type Risk = (typeof RISKS)[number];

/** What an agent asks leave for. */
const request = z.object({
  kind: z.enum(['tool', 'sub_agent', 'mcp', 'file_op', 'db_op']),
  /** What would be done, in one line: "launch w1", "shell: rm -rf build". */
  operation: z.string(),
  /** Everything that is asked, as the person who decides reads it. */
  details: z.catch(z.record(z.string(), z.unknown()), {}),
  risk: z.enum(RISKS),
  /** The agent whose operation it is. */
  requester: z.string(),
  /** Hash of everything that is asked (`hashBoundLaunch`): the approval is valid for nothing else. */
  hash: z.string(),
  /** The task that it belongs to, where there is one. */
  task: TEXT_OR_NULL,
});
export type ApprovalRequest = z.infer<typeof request>;

/** A request and what became of it. Times are ISO 8601 UTC. */
const approval = z.extend(request, {
  id: z.string(),
  status: z.enum(['pending', 'approved', 'used', 'rejected', 'expired', 'replaced']),
  /** Why it was rejected, as the person said. */
  reason: TEXT_OR_NULL,
  at: z.string(),
  /** When it expires: as a request, and once approved anew as an approval. */
  until: z.string(),
  /** Who approved or rejected it, and when. */
  by: TEXT_OR_NULL,
  /** The token with which that was decided at a server: "admin token 3f9a01c2". */
  token: TEXT_OR_NULL,
  decidedAt: TEXT_OR_NULL,
  /** Where it was approved: at a terminal by a person, or elsewhere, such as in a script. */
  via: z.catch(z.nullable(z.enum(['terminal', 'elsewhere'])), null),
  /** The attempt that it was used for, so that the same attempt need not ask again after a crash. */
  usedFor: TEXT_OR_NULL,
});
export type Approval = z.infer<typeof approval>;

/** All requests of a project; `last` counts those that there ever were. What is no request is left out: it allows nothing. */
export const approvalsDocument = z.object({ last: COUNT, all: soundItems(approval) });
export type Approvals = z.infer<typeof approvalsDocument>;

/** Whether it may run. */
export type Verdict =
  | { verdict: 'allowed'; approval: Approval }
  | { verdict: 'waiting'; approval: Approval }
  | { verdict: 'rejected'; approval: Approval; reason: string }
  | { verdict: 'expired'; approval: Approval };

/** What an approval is bound to: everything that changes what runs, and what a person reads before it does. */
export interface Bound {
  agent: string;
  /** The command line, and a hash over all that decides what is run. */
  command: readonly string[];
  program: string | null;
  /** Names of the variables that it gets beside the usual ones. */
  env: readonly string[];
  /** The folder that it runs in; whether that is a git worktree of its own, and whether it is kept from writing. */
  cwd: string;
  isolate: string;
  readOnly: boolean;
  tools: readonly string[];
  /** SHA-256 of what it is told about itself. */
  persona: string;
  instruction: string;
  /** By path, with the SHA-256 of their bytes. */
  files: readonly { path: string; sha256: string }[];
}

/** One hash over all of it: the order of files, variables and tools does not count, the order of the words of a command does. */
export function hashBoundLaunch({ files, env, tools, ...rest }: Bound): string {
  const sets = {
    env: [...env].sort(),
    tools: [...tools].sort(),
    files: files.map(({ path, sha256: hash }) => sha256OfParts([path, hash])).sort(),
  };
  const parts = Object.entries({ ...rest, ...sets }).map(([key, value]) => JSON.stringify([key, value]));
  return sha256OfParts(parts.sort());
}

/** The bytes of a file, as `Bound` wants them. */
export const boundFile = (path: string, bytes: Uint8Array): Bound['files'][number] => ({
  path,
  sha256: sha256(bytes),
});

/** Whether a risk has to wait where everything from `threshold` on does. */
export const mustWait = (risk: Risk, threshold: Risk): boolean =>
  RISKS.indexOf(risk) >= RISKS.indexOf(threshold);

const isActiveApproval = ({ status }: Approval): boolean => status === 'pending' || status === 'approved';

/** With those expired whose time is over. */
export const expireApprovals = ({ last, all }: Approvals, now: number): Approvals => ({
  last,
  all: all.map((one) =>
    isActiveApproval(one) && Date.parse(one.until) <= now ? { ...one, status: 'expired' } : one,
  ),
});

/** The same place to ask from: of it, one request is open at the most. */
const isSamePlace = (one: ApprovalRequest, asked: ApprovalRequest): boolean =>
  one.kind === asked.kind &&
  one.operation === asked.operation &&
  one.requester === asked.requester &&
  one.task === asked.task;

export interface AskOptions {
  now: number;
  /** Milliseconds until a request, and an approval, expires. */
  timeout: number;
  /** Names the attempt; the one that an approval was used for may go on with it. */
  attempt?: string | undefined;
  /** A rejection, or an expiry, of before this time counts no more: a person wants it to be asked again. Milliseconds. */
  since?: number | undefined;
}

/**
 * "May this run?" An approval is used up by the answer `allowed`. What was asked differently before is replaced, approved or
 * not; who asks for the same again gets the same answer, and no second request.
 */
export function requestApproval(
  before: Approvals,
  asked: ApprovalRequest,
  options: AskOptions,
): { next: Approvals; result: Verdict } {
  const { last, all } = expireApprovals(before, options.now);
  const earlier = all.findLast((one) => one.hash === asked.hash && isSamePlace(one, asked));
  const answer = earlier && findEarlierVerdict(earlier, options);
  if (answer) return { next: { last, all: replaceApproval(all, answer.approval) }, result: answer };
  const approval: Approval = {
    ...asked,
    id: `a${last + 1}`,
    status: 'pending',
    reason: null,
    at: iso(options.now),
    until: iso(options.now + options.timeout),
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

/** What an earlier request for the same answers; undefined where a new one is due. */
function findEarlierVerdict(
  earlier: Approval,
  { attempt, since = -Infinity }: AskOptions,
): Verdict | undefined {
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

/** What a person decides. */
export interface Decision {
  id: string;
  by: string;
  token?: string | undefined;
  /** Undefined approves. */
  reason: string | undefined;
  via?: Approval['via'];
}

/**
 * The requests with a decision; deciding the same once more changes nothing. An approval that was not used yet can be taken
 * back by rejecting it. Throws `forbidden` for the requester itself, `failed` for what cannot be decided any more.
 */
export function decide(
  before: Approvals,
  { id, by, token, reason, via = null }: Decision,
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
    decidedAt: iso(now),
    via,
    until: status === 'approved' ? iso(now + timeout) : found.until,
  };
  return { next: { ...current, all: replaceApproval(current.all, decided) }, result: decided };
}

/** Normalizes a name for comparison: ignores case, letter forms and invisible characters. */
export const asName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\p{DI}\s]+/gu, '')
    .toLowerCase();

/** Throws `usage` where there is none with that id. */
export function requireApproval({ all }: Approvals, id: string): Approval {
  const found = all.find((one) => one.id === id);
  if (found) return found;
  throw new CouncilError('usage', `There is no approval request ${JSON.stringify(id.slice(0, 40))}.`, {
    hint: 'All that there are: council approvals list',
  });
}
