// Use case `approvals`: what waits for a person, and the person's decision.
import { isatty } from 'node:tty';
import type { Config } from '../../core/base/config.ts';
import { CouncilError, createUsageError } from '../../core/base/errors.ts';
import { oneLine } from '../../core/base/text.ts';
import { asName, requireApproval } from '../tasks/approvals.ts';
import type { Approval } from '../tasks/approvals.ts';
import { describeCallerToken, userName } from '../../core/app/app.ts';
import type { App, Result } from '../../core/app/app.ts';
import type { ApprovalsInput } from '../input/tasks.ts';
import { loadAgents, loadConfig, openWorkspace } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import { openApprovalDesk } from '../ports.ts';

export type { Approval };

/** What became of an action, each with its own document. */
export type ApprovalsResult =
  | ({ action: 'list' } & Result<{ approvals: Approval[] }>)
  | ({ action: 'show' | 'approve' | 'reject' } & Result<{ approval: Approval }>);

/** Lists and shows requests, and decides them for a person. With an id alone it shows that one. */
export async function approvals(app: App, input: ApprovalsInput): Promise<ApprovalsResult> {
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
  const reason = oneLine(given ?? '', 500);
  if (reason !== '') return reason;
  throw createUsageError(
    'Give a reason: the agent is told it.',
    `For example: council approvals reject ${id} --reason "not on a Friday"`,
  );
}

/** Throws `forbidden` for a tool client. */
function refuseAgent({ via }: Pick<App, 'via'>): void {
  if (via === 'mcp') throw createPersonOnlyError('An agent approves and rejects nothing: a person does.');
}

/** Who decides. Throws `forbidden` for a tool client, and for the name of an agent that is a program. */
async function resolveApprover(app: App, workspace: Workspace, { as }: ApprovalsInput): Promise<string> {
  refuseAgent(app);
  // The user of a server is not who asks it.
  if (app.via === 'api' && as === undefined) throw createUsageError('Who decides?', 'Give a name as `as`.');
  const name = oneLine(as ?? userName(), 100);
  if (asName(name) === '') throw createUsageError('--as needs a name.', 'Leave it out for your user name.');
  const agent = (await loadAgents(app, workspace)).find(asName(name));
  if (agent && agent.runner !== 'human')
    throw createPersonOnlyError(`${name} is an agent (runner ${agent.runner}), and a person decides.`);
  return name;
}

/** Where it is approved. Throws `forbidden` where that has to be a terminal and is none. */
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
