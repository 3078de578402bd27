// Use case `audit`: shows the audit trail, and checks that it is whole.
import { entryIn } from '../../tasks/audit.ts';
import type { AuditEntry, Break } from '../../tasks/audit.ts';
import type { App, Result } from '../app.ts';
import type { AuditInput } from '../input/audit.ts';
import { openWorkspace } from '../workspace.ts';
import { auditOf } from './ports.ts';

export type { AuditEntry };

/** What became of an action, each with its own document. */
export type AuditResult =
  | ({ action: 'list' } & Result<{ entries: AuditEntry[]; total: number }>)
  | ({ action: 'verify' } & Result<{ ok: boolean; entries: number; broken: Broken | null }>);

type Broken = Break & { message: string };

/** The newest entries, or the first one that is not as it was written. */
export async function audit(app: App, { action, task, limit }: AuditInput): Promise<AuditResult> {
  const trail = auditOf(app, openWorkspace(app));
  const { text, broken, entries } = await trail.verify();
  if (action === 'verify') {
    const ok = broken === undefined;
    const found = broken ? { ...broken, message: sentence(broken) } : null;
    return { action, document: { ok, entries, broken: found }, failed: ok ? undefined : 'failed' };
  }
  if (broken) app.note(`${sentence(broken)} See: council audit verify`);
  const all = text.split('\n').flatMap((line) => entryIn(line) ?? []);
  const wanted = task === undefined ? all : all.filter((one) => isOf(one, task));
  return { action, document: { entries: wanted.slice(-limit), total: wanted.length } };
}

/** `T1` means it in every session; what concerns a session concerns its tasks. */
const isOf = ({ task }: AuditEntry, wanted: string): boolean =>
  task !== null && (task === wanted || task.endsWith(`/${wanted}`) || wanted.startsWith(`${task}/`));

function sentence({ entry, line, kind }: Break): string {
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
