// The audit trail as data: entries that each contain the hash of the previous one, and its verification. Pure.
import { formatIso } from '../../core/base/clock.ts';
import { sha256 } from '../../core/base/ids.ts';
import * as z from 'zod/mini';
import { readJsonDocument } from '../../core/store/documents.ts';

/** An event: a request, a permission, a launch, or its end. */
export interface AuditEvent {
  what:
    | 'task.asked'
    | 'task.launched'
    | 'task.ended'
    | 'approval.requested'
    | 'approval.approved'
    | 'approval.rejected'
    | 'approval.used';
  /** The person or the agent that did it. */
  by: string;
  /** The task, `S1/T1`; null if there is none. */
  task: string | null;
  /** More data, kept small: hashes rather than texts. */
  details: Record<string, unknown>;
}

const auditEntry = z.object({
  /** Starts at 1. */
  seq: z.int(),
  /** ISO 8601 UTC. */
  at: z.string(),
  what: z.string(),
  by: z.string(),
  task: z.nullable(z.string()),
  details: z.catch(z.record(z.string(), z.unknown()), {}),
  /** The hash of the previous entry; zeros for the first. */
  previous: z.string(),
  /** The hash of the rest of the entry, as written in its line. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** The last entry of a trail. */
export type AuditEnd = Pick<AuditEntry, 'seq' | 'hash'>;

export const NO_ENTRY: AuditEnd = { seq: 0, hash: '0'.repeat(64) };

/** Returns the line of the next entry, and the new end. `now`: milliseconds. */
export function buildNextEntry(
  end: AuditEnd,
  event: AuditEvent,
  now: number,
): { line: string; end: AuditEnd } {
  const { what, by, task, details } = event;
  const seq = end.seq + 1;
  const content = JSON.stringify({ seq, at: formatIso(now), what, by, task, details, previous: end.hash });
  const hash = sha256(content);
  return { line: `${content.slice(0, -1)},"hash":"${hash}"}`, end: { seq, hash } };
}

const HASH = /,"hash":"([0-9a-f]{64})"\}$/;

/** Parses an entry without verifying it; undefined for any other line. */
export const parseAuditEntry = (line: string): AuditEntry | undefined =>
  auditEntry.safeParse(readJsonDocument(line)).data;

function isTrue(line: string): boolean {
  const found = HASH.exec(line);
  return found !== null && sha256(`${line.slice(0, found.index)}}`) === found[1];
}

export interface TrailBreak {
  /** The entry that was changed, and the line that shows it; both count from 1. */
  entry: number;
  line: number;
  kind: 'altered' | 'removed' | 'reordered' | 'added' | 'torn';
}

/**
 * Returns the first break of a trail, undefined if there is none. `end`: the end recorded elsewhere; without
 * it, entries removed or added at the end cannot be detected.
 */
export function findFirstBreak(text: string, end?: AuditEnd): TrailBreak | undefined {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  const found = findBrokenEntry(lines, end);
  if (found) return found;
  const beyond = (end?.seq ?? Infinity) + 1;
  if (lines.length >= beyond) return { entry: beyond, line: beyond, kind: 'added' };
  if (rest !== '') return { entry: lines.length + 1, line: lines.length + 1, kind: 'torn' };
  const last = lines.length;
  return end && end.seq > last ? { entry: last + 1, line: last + 1, kind: 'removed' } : undefined;
}

function findBrokenEntry(lines: string[], end: AuditEnd | undefined): TrailBreak | undefined {
  let previous = NO_ENTRY.hash;
  for (const [at, line] of lines.entries()) {
    const seq = at + 1;
    const entry = parseAuditEntry(line);
    if (!entry) return { entry: seq, line: seq, kind: 'altered' };
    if (entry.seq !== seq)
      return { entry: seq, line: seq, kind: classifyMisplacedEntry(lines, seq, entry.seq, line) };
    if (!isTrue(line)) return { entry: seq, line: seq, kind: 'altered' };
    // The entry is valid itself, but its previous one is not the one before it.
    if (entry.previous !== previous) return { entry: Math.max(1, seq - 1), line: seq, kind: 'altered' };
    previous = entry.hash;
    if (end?.seq === seq && end.hash !== entry.hash) return { entry: seq, line: seq, kind: 'altered' };
  }
  return undefined;
}

/** Classifies a misplaced entry: the expected one is elsewhere or missing, or this one was renumbered. */
function classifyMisplacedEntry(
  lines: string[],
  wanted: number,
  found: number,
  line: string,
): TrailBreak['kind'] {
  const isElsewhere = lines.some((other, at) => at + 1 !== wanted && parseAuditEntry(other)?.seq === wanted);
  if (isElsewhere || found < wanted) return 'reordered';
  return isTrue(line) ? 'removed' : 'altered';
}
