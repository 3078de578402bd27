// Commands `approvals` and `audit`: render their results.
import { manageApprovals, readAuditTrail } from '../approvals/approvals.ts';
import type { Approval, ApprovalsResult, AuditEntry } from '../approvals/approvals.ts';
import type { ApprovalsInput, AuditInput } from '../input/tasks.ts';
import { createFence, formatCount, toOneLine } from '../../core/base/text.ts';
import { cleanForTerminal } from '../../core/base/terminal.ts';
import { formatTimeDistance, formatLocalTime } from '../../core/base/local-time.ts';
import { foldForTerminal } from '../../core/cli/stdout.ts';
import { performHereOrAtServer } from '../../core/cli/spec.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';

export const performApprovals: Command<ApprovalsInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => manageApprovals(cli, input),
    // An id alone means `show`.
    () => ({ action: input.action === 'list' && input.id !== undefined ? 'show' : input.action }),
  );
  return toTextOutcome(result, await renderApprovalsResult(result, Date.now()));
};

async function renderApprovalsResult(result: ApprovalsResult, now: number): Promise<string> {
  if (result.action === 'list') return foldForTerminal(renderApprovalsList(result.document.approvals, now));
  const { approval } = result.document;
  const id = toOneLine(approval.id, 20);
  switch (result.action) {
    case 'show':
      return renderApprovalDetails(approval, now);
    case 'approve':
      return foldForTerminal(renderApproved(approval, now));
    case 'reject':
      return foldForTerminal(`Rejected ${id}: ${toOneLine(approval.operation, 200)}`);
  }
}

const renderApproved = ({ id, until, operation, task }: Approval, now: number): string =>
  [
    `Approved ${toOneLine(id, 20)}, once, for what was asked, to be used ${formatTimeDistance(until, now)} at the latest: ${toOneLine(operation, 200)}`,
    ...(task === null
      ? []
      : [`${toOneLine(task, 40)} goes on at once where somebody plays it, else with the next tick.`]),
  ].join('\n');

/** Maximum number of decided or expired requests in the list. */
const OVER = 10;

function renderApprovalsList(all: Approval[], now: number): string {
  const waiting = all.filter(({ status }) => status === 'pending');
  const others = all.filter(({ status }) => status !== 'pending');
  const lines = [...others.slice(-OVER), ...waiting].map((one) => formatApprovalLine(one, now));
  if (others.length > OVER) lines.unshift(`${others.length - OVER} older ones: --json`);
  if (waiting.length === 0) return [...lines, 'Nothing waits for approval.'].join('\n');
  return [
    ...lines,
    `${formatCount(waiting.length, 'request waits', 'requests wait')}. Read one: council approvals show ${toOneLine(waiting[0]?.id ?? 'ID', 20)}`,
  ].join('\n');
}

const formatApprovalLine = (
  { id, status, risk, requester, operation, until, reason }: Approval,
  now: number,
): string =>
  `${toOneLine(id, 20)} ${status}${status === 'pending' ? ` (expires ${formatTimeDistance(until, now)})` : ''} ${risk} risk, ${toOneLine(requester, 64)}: ${toOneLine(operation, 120)}${reason === null ? '' : ` (${toOneLine(reason, 120)})`}`;

/** Renders a request. Its details are between two fences that cannot occur in them. */
async function renderApprovalDetails(approval: Approval, now: number): Promise<string> {
  const details = cleanForTerminal(
    Object.entries(approval.details)
      .filter(([, value]) => !isNothing(value))
      .map(([key, value]) => formatDetail(toOneLine(key, 80), value))
      .join('\n'),
  );
  const fence = createFence([approval.id, approval.hash], details);
  const { id, status, kind, risk, requester, operation, task, at, by, token, decidedAt, via, reason, hash } =
    approval;
  const head = [
    `${toOneLine(id, 20)} ${status}: ${toOneLine(operation, 200)}`,
    `${kind}, ${risk} risk, asked for by ${toOneLine(requester, 64)}${task === null ? '' : ` in ${toOneLine(task, 40)}`}, ${formatLocalTime(at, now)}`,
    ...(by === null
      ? []
      : [
          `decided by ${toOneLine(by, 100)}${token === null ? '' : ` with ${toOneLine(token, 100)}`}, ${formatLocalTime(decidedAt ?? at, now)}${via === 'elsewhere' ? ', not at a terminal' : ''}${reason === null ? '' : `: ${toOneLine(reason, 500)}`}`,
        ]),
    `hash ${hash}`,
    'What is asked, as the agent wrote it; nothing in it speaks for council:',
  ];
  const end = [
    `Allow it once: council approvals approve ${id}`,
    `Or not: council approvals reject ${id} --reason TEXT`,
  ];
  // The details are not folded: they are shown as written.
  const parts = [await foldForTerminal(head.join('\n')), fence(details)];
  return [...parts, ...(status === 'pending' ? [await foldForTerminal(end.join('\n'))] : [])].join('\n');
}

const isNothing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Puts a text of several lines below its key, and anything else beside it. */
function formatDetail(key: string, value: unknown): string {
  if (typeof value !== 'string') return `${key}: ${JSON.stringify(value)}`;
  const lines = value.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/);
  return lines.length === 1 ? `${key}: ${value}` : [`${key}:`, ...lines.map((one) => `  ${one}`)].join('\n');
}

export const performAudit: Command<AuditInput> = async (cli, input) => {
  const result = await readAuditTrail(cli, input);
  if (result.action === 'verify') {
    const { broken, entries } = result.document;
    return toTextOutcome(
      result,
      broken?.message ?? `${formatCount(entries, 'entry', 'entries')}, all as they were written.`,
    );
  }
  const { entries, total } = result.document;
  const now = Date.now();
  const more = total > entries.length ? [`${total - entries.length} older ones: --limit ${total}`] : [];
  return toTextOutcome(
    result,
    (await foldForTerminal([...more, ...entries.map((one) => formatAuditLine(one, now))].join('\n'))) ||
      'Nothing is recorded yet.',
  );
};

function formatAuditLine({ seq, at, what, by, task, details }: AuditEntry, now: number): string {
  const facts = Object.entries(details)
    .filter(([, value]) => value !== null && value !== '')
    .map(([key, value]) => `${toOneLine(key, 20)} ${shortenValue(value)}`);
  const where = task === null ? '' : ` ${toOneLine(task, 40)}`;
  return `${seq} ${formatLocalTime(at, now)} ${toOneLine(what, 30)}${where} by ${toOneLine(by, 64)}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`;
}

/** Shortens a hash: its first digits are enough to find it. */
const shortenValue = (value: unknown): string =>
  typeof value !== 'string'
    ? toOneLine(JSON.stringify(value), 60)
    : /^[0-9a-f]{64}$/.test(value)
      ? value.slice(0, 12)
      : toOneLine(value, 60);
