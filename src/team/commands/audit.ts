// Command `audit`: its result in words.
import { audit } from '../audit/audit.ts';
import type { AuditEntry } from '../audit/audit.ts';
import type { AuditInput } from '../input/audit.ts';
import { formatCount, oneLine } from '../../core/base/text.ts';
import { localTime } from '../../core/base/local-time.ts';
import { foldForTerminal } from '../../core/cli/fold.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';

export const auditCommand: Command<AuditInput> = async (cli, input) => {
  const result = await audit(cli, input);
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
    .map(([key, value]) => `${oneLine(key, 20)} ${inShort(value)}`);
  const where = task === null ? '' : ` ${oneLine(task, 40)}`;
  return `${seq} ${localTime(at, now)} ${oneLine(what, 30)}${where} by ${oneLine(by, 64)}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`;
}

/** Of a hash the beginning is enough to find it. */
const inShort = (value: unknown): string =>
  typeof value !== 'string'
    ? oneLine(JSON.stringify(value), 60)
    : /^[0-9a-f]{64}$/.test(value)
      ? value.slice(0, 12)
      : oneLine(value, 60);
