// Use case `audit`: shows the audit trail, and checks that it is whole.
import type { App, Result } from '../../core/app/app.ts';
import type { AuditInput } from '../input/tasks.ts';
import { openWorkspace } from '../../core/app/workspace.ts';
import { openAuditTrail } from '../ports.ts';
import type { AuditEntry, Break } from '../tasks/audit.ts';
import { resolveSubject } from '../log/log.ts';
import { isWanted, listAudited } from '../log/log-entry.ts';

export type { AuditEntry };

/** What became of an action, each with its own document. */
type AuditResult =
  | ({ action: 'list' } & Result<{ entries: AuditEntry[]; total: number }>)
  | ({ action: 'verify' } & Result<{ ok: boolean; entries: number; broken: Broken | null }>);

type Broken = Break & { message: string };

/** The newest entries, or the first one that is not as it was written. */
export async function audit(app: App, { action, task, agent, limit }: AuditInput): Promise<AuditResult> {
  const workspace = openWorkspace(app);
  const { text, broken, entries } = await openAuditTrail(app, workspace).verify();
  if (action === 'verify') {
    const ok = broken === undefined;
    const found = broken ? { ...broken, message: sentence(broken) } : null;
    return { action, document: { ok, entries, broken: found }, failed: ok ? undefined : 'failed' };
  }
  if (broken) app.note(`${sentence(broken)} See: council audit verify`);
  const wanted = { agent, about: await resolveSubject(app, workspace, task) };
  const all = listAudited(text).filter(({ told }) => isWanted(told, wanted));
  const shown = all.slice(-limit).map(({ entry }) => entry);
  return { action, document: { entries: shown, total: all.length } };
}

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
