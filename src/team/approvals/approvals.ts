// Use cases `approvals` and `audit`: pending requests, their decisions, and the trail of both.
import { isatty } from 'node:tty';
import type { Config } from '../../core/base/config.ts';
import { CouncilError, createUsageError } from '../../core/base/errors.ts';
import { toOneLine } from '../../core/base/text.ts';
import { asName, requireApproval } from '../tasks/approvals.ts';
import type { Approval } from '../tasks/approvals.ts';
import { describeCallerToken, getUserName } from '../../core/app/app.ts';
import type { App, Result } from '../../core/app/app.ts';
import type { ApprovalsInput, AuditInput } from '../input/tasks.ts';
import { loadAgents, loadConfig, openWorkspace } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import { openApprovalDesk, openAuditTrail } from '../ports.ts';
import type { AuditEntry, TrailBreak } from '../tasks/audit.ts';
import { resolveSubject } from '../log/log.ts';
import { isWanted, listAudited } from '../log/log-entry.ts';

export type { Approval };

/** The result of an action, each with its own document. */
export type ApprovalsResult =
  | ({ action: 'list' } & Result<{ approvals: Approval[] }>)
  | ({ action: 'show' | 'approve' | 'reject' } & Result<{ approval: Approval }>);

/** Lists, shows and decides requests. With an id alone, shows that request. */
export async function manageApprovals(app: App, input: ApprovalsInput): Promise<ApprovalsResult> {
  const { action, id, reason } = input;
  const workspace = openWorkspace(app);
  const config = await loadConfig(app, workspace, {});
  const desk = openApprovalDesk(app, workspace, config);
  if (action === 'list' && id === undefined) return { action, document: { approvals: await desk.list() } };
  const wanted = requireApprovalId(input);
  if (action === 'list' || action === 'show') {
    const all = await desk.list();
    return { action: 'show', document: { approval: requireApproval({ last: 0, all }, wanted) } };
  }
  if (action === 'approve' && reason !== undefined)
    throw createUsageError(
      'An approval needs no reason.',
      'Leave out --reason, or: council approvals reject ID --reason TEXT',
    );
  const why = action === 'reject' ? requireRejectReason(reason, wanted) : undefined;
  const by = await resolveApprover(app, workspace, input);
  const via = action === 'approve' ? resolveApprovalPlace(config, wanted) : null;
  return {
    action,
    document: {
      approval: await desk.decide({ id: wanted, by, token: describeCallerToken(app), reason: why, via }),
    },
  };
}

function requireApprovalId({ action, id }: ApprovalsInput): string {
  if (id !== undefined) return id;
  throw createUsageError(
    `Which request? council approvals ${action} needs an id.`,
    'What waits: council approvals',
  );
}

function requireRejectReason(given: string | undefined, id: string): string {
  const reason = toOneLine(given ?? '', 500);
  if (reason !== '') return reason;
  throw createUsageError(
    'Give a reason: the agent is told it.',
    `For example: council approvals reject ${id} --reason "not on a Friday"`,
  );
}

/** Returns who decides. Throws `forbidden` for a tool client, and for the name of an agent that is a program. */
async function resolveApprover(app: App, workspace: Workspace, { as }: ApprovalsInput): Promise<string> {
  if (app.via === 'mcp') throw createPersonOnlyError('An agent approves and rejects nothing: a person does.');
  // The user that runs a server is not its client.
  if (app.via === 'api' && as === undefined) throw createUsageError('Who decides?', 'Give a name as `as`.');
  const name = toOneLine(as ?? getUserName(), 100);
  if (asName(name) === '') throw createUsageError('--as needs a name.', 'Leave it out for your user name.');
  const agent = (await loadAgents(app, workspace)).find(asName(name));
  if (agent && agent.runner !== 'human')
    throw createPersonOnlyError(`${name} is an agent (runner ${agent.runner}), and a person decides.`);
  return name;
}

/** Returns where the approval is given. Throws `forbidden` if a terminal is required and there is none. */
function resolveApprovalPlace({ approveAt }: Pick<Config, 'approveAt'>, id: string): Approval['via'] {
  if (isatty(0)) return 'terminal';
  if (approveAt === 'anywhere') return 'elsewhere';
  throw new CouncilError('forbidden', 'Nobody is at a terminal here (COUNCIL.md says approveAt: terminal).', {
    hint: `A person approves on a terminal: council approvals approve ${id} --as NAME`,
  });
}

const createPersonOnlyError = (message: string): CouncilError =>
  new CouncilError('forbidden', message, {
    hint: 'On a terminal of their own: council approvals approve ID --as NAME',
  });

export type { AuditEntry };

/** The result of an action, each with its own document. */
type AuditResult =
  | ({ action: 'list' } & Result<{ entries: AuditEntry[]; total: number }>)
  | ({ action: 'verify' } & Result<{ ok: boolean; entries: number; broken: DescribedBreak | null }>);

type DescribedBreak = TrailBreak & { message: string };

/** Returns the newest entries, or the first one that is not as it was written. */
export async function readAuditTrail(
  app: App,
  { action, task, agent, limit }: AuditInput,
): Promise<AuditResult> {
  const workspace = openWorkspace(app);
  const { text, broken, entries } = await openAuditTrail(app, workspace).verify();
  if (action === 'verify') {
    const ok = broken === undefined;
    const found = broken ? { ...broken, message: describeBreak(broken) } : null;
    return { action, document: { ok, entries, broken: found }, failed: ok ? undefined : 'failed' };
  }
  if (broken) app.note(`${describeBreak(broken)} See: council audit verify`);
  const wanted = { agent, about: await resolveSubject(app, workspace, task) };
  const all = listAudited(text).filter(({ told }) => isWanted(told, wanted));
  const shown = all.slice(-limit).map(({ entry }) => entry);
  return { action, document: { entries: shown, total: all.length } };
}

function describeBreak({ entry, line, kind }: TrailBreak): string {
  switch (kind) {
    case 'altered':
      return `Entry ${entry} of the audit trail was altered: line ${line} does not fit its hash.`;
    case 'removed':
      return `Entry ${entry} of the audit trail is missing: it should stand in line ${line}.`;
    case 'reordered':
      return `Entry ${entry} of the audit trail does not stand in line ${line}: lines were put elsewhere.`;
    case 'added':
      return `Entry ${entry} of the audit trail was added by somebody else: line ${line} was not written by council.`;
    case 'torn':
      return `Entry ${entry}, the last of the audit trail, is cut off: its writer was stopped, and the next entry writes it again.`;
  }
}
