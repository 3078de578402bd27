// The audit trail: entries that each carry the hash of the one before, what is wrong with a trail, and how it is added to.
import { iso } from '../../core/base/clock.ts';
import { sha256 } from '../../core/base/ids.ts';
import * as z from 'zod/mini';
import { readJsonDocument, jsonDocument, jsonStamp } from '../../core/store/documents.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Documents } from '../../core/store/documents.ts';
import type { LineFile } from '../../core/store/small-files.ts';
import { soundItems } from '../messages/book.ts';

/** What happened: who asked for what, who allowed it, what ran, how it ended. */
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
  /** The task, `S1/T1`; null where there is none. */
  task: string | null;
  /** The rest, in a form that stays small: hashes rather than texts. */
  details: Record<string, unknown>;
}

const auditEntry = z.object({
  /** 1 for the first. */
  seq: z.int(),
  /** ISO 8601 UTC. */
  at: z.string(),
  what: z.string(),
  by: z.string(),
  task: z.nullable(z.string()),
  details: z.catch(z.record(z.string(), z.unknown()), {}),
  /** The hash of the entry before; zeros for the first. */
  previous: z.string(),
  /** Of everything else in the entry, as it stands in its line. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Where a trail ends. */
export type AuditEnd = Pick<AuditEntry, 'seq' | 'hash'>;

export const NO_ENTRY: AuditEnd = { seq: 0, hash: '0'.repeat(64) };

/** The line of the next entry, and where the trail then ends. `now`: milliseconds. */
export function nextEntry(end: AuditEnd, event: AuditEvent, now: number): { line: string; end: AuditEnd } {
  const { what, by, task, details } = event;
  const seq = end.seq + 1;
  const content = JSON.stringify({ seq, at: iso(now), what, by, task, details, previous: end.hash });
  const hash = sha256(content);
  return { line: `${content.slice(0, -1)},"hash":"${hash}"}`, end: { seq, hash } };
}

const HASH = /,"hash":"([0-9a-f]{64})"\}$/;

/** An entry as it stands in a line, whether it is true or not; undefined for a line that holds none. */
export const parseAuditEntry = (line: string): AuditEntry | undefined =>
  auditEntry.safeParse(readJsonDocument(line)).data;

/** True where the hash of a line is that of the rest of it. */
function isTrue(line: string): boolean {
  const found = HASH.exec(line);
  return found !== null && sha256(`${line.slice(0, found.index)}}`) === found[1];
}

export interface Break {
  /** The entry that is not as it was, and the line where that shows; both count from 1. */
  entry: number;
  line: number;
  kind: 'altered' | 'removed' | 'reordered' | 'added' | 'torn';
}

/**
 * The first break of a trail, undefined where there is none. `end` is where it ends as it was recorded elsewhere: without it, entries
 * that are missing at the end, or were added there, cannot be noticed.
 */
export function firstBreak(text: string, end?: AuditEnd): Break | undefined {
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

function findBrokenEntry(lines: string[], end: AuditEnd | undefined): Break | undefined {
  let previous = NO_ENTRY.hash;
  for (const [at, line] of lines.entries()) {
    const seq = at + 1;
    const entry = parseAuditEntry(line);
    if (!entry) return { entry: seq, line: seq, kind: 'altered' };
    if (entry.seq !== seq)
      return { entry: seq, line: seq, kind: classifyMisplacedEntry(lines, seq, entry.seq, line) };
    if (!isTrue(line)) return { entry: seq, line: seq, kind: 'altered' };
    // It is whole itself, and names another one before it than the one that stands there.
    if (entry.previous !== previous) return { entry: Math.max(1, seq - 1), line: seq, kind: 'altered' };
    previous = entry.hash;
    if (end?.seq === seq && end.hash !== entry.hash) return { entry: seq, line: seq, kind: 'altered' };
  }
  return undefined;
}

/** The entry that should stand here stands elsewhere, or nowhere; or the one that stands here was given another number. */
function classifyMisplacedEntry(lines: string[], wanted: number, found: number, line: string): Break['kind'] {
  const isElsewhere = lines.some((other, at) => at + 1 !== wanted && parseAuditEntry(other)?.seq === wanted);
  if (isElsewhere || found < wanted) return 'reordered';
  return isTrue(line) ? 'removed' : 'altered';
}

export interface AuditTrail {
  /** Adds an entry; durable when it resolves. Of several who add at once each has a place of its own. */
  add(event: AuditEvent): Promise<void>;
  /** Writes what a writer that was stopped has left out at the end, as the next entry would. */
  mend(): Promise<void>;
  /** The text of the trail, what is broken in it first, and how many entries there should be. */
  verify(): Promise<{ text: string; broken: Break | undefined; entries: number }>;
}

const trailEnd = z.object({
  seq: z.number(),
  hash: z.string(),
  /** Where the next line begins, in bytes. */
  offset: z.number(),
  /** The newest lines, and where each stands: what a writer that was stopped has left out is written by the next one. */
  recent: soundItems(z.object({ offset: z.number(), line: z.string() })),
});
type End = z.infer<typeof trailEnd>;

const KEY = 'end';
const RECENT = 32;
/** So often a trail that others are adding to is looked at before what seems broken counts as broken. */
const LOOKS = 20;
/** The stamp that the store checks. */
export const readAuditStamp = jsonStamp('audit');

interface AuditTrailOptions {
  store: Pick<Documents, 'read' | 'update'>;
  file: LineFile;
  clock: Pick<Clock, 'now'>;
}

/** On any driver of documents, in a place of its own, and one file. */
export function auditTrail({ store, file, clock }: AuditTrailOptions): AuditTrail {
  return {
    async add(event) {
      const happened = { event, at: clock.now() };
      let end: End | undefined;
      let isAdded = false;
      await store.update(KEY, async (current, revision) => {
        const recorded = parseTrailEnd(current?.text);
        end = recorded ?? findTrailEnd(await file.read());
        // After anything that another process may have appended.
        if (recorded) end = { ...end, offset: Math.max(end.offset, await file.size()) };
        isAdded = !isRecorded(end, event);
        if (isAdded) end = appendAuditEntry(end, happened);
        return jsonDocument(end, revision);
      });
      if (end) await mend(end, isAdded);
    },
    async mend() {
      const end = parseTrailEnd((await store.read(KEY))?.text);
      if (end) await mend(end, false);
    },
    async verify() {
      for (let looks = 1; ; looks++) {
        const before = await store.read(KEY);
        const text = await file.read();
        const recorded = parseTrailEnd(before?.text);
        const broken = firstBreak(text, recorded);
        // A concurrent writer has updated one of the two and not yet the other.
        const isStill = (await store.read(KEY))?.revision === before?.revision;
        if (broken === undefined || isStill || looks === LOOKS)
          return { text, broken, entries: recorded?.seq ?? text.split('\n').length - 1 };
      }
    },
  };

  /** Writes the lines that the file does not reach yet, and one that was just added. */
  async function mend({ recent }: End, isAdded: boolean): Promise<void> {
    const size = await file.size();
    for (const [at, { offset, line }] of recent.entries()) {
      const bytes = Buffer.from(`${line}\n`);
      if ((isAdded && at === recent.length - 1) || offset + bytes.length > size)
        await file.writeAt(offset, bytes, { durable: true });
    }
  }
}

/** Something that happened, and when, in milliseconds. */
interface Happened {
  event: AuditEvent;
  at: number;
}

/** The end of a task stands there once: who cancels it and who plays it both see it end. */
const isRecorded = ({ recent }: End, { what, task, details }: AuditEvent): boolean =>
  what === 'task.ended' &&
  recent.some(({ line }) => {
    const entry = parseAuditEntry(line);
    return entry?.what === what && entry.task === task && entry.details.endedAt === details.endedAt;
  });

/** Where the trail ends with one entry more. */
function appendAuditEntry(before: End, { event, at }: Happened): End {
  const { line, end } = nextEntry(before, event, at);
  const recent = [...before.recent, { offset: before.offset, line }].slice(-RECENT);
  return { ...end, offset: before.offset + Buffer.byteLength(line) + 1, recent };
}

/** The end of a file whose record is not there, as in a fresh clone: behind its last whole line. */
function findTrailEnd(text: string): End {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const last = parseAuditEntry(whole.trimEnd().slice(whole.trimEnd().lastIndexOf('\n') + 1)) ?? NO_ENTRY;
  return { seq: last.seq, hash: last.hash, offset: Buffer.byteLength(whole), recent: [] };
}

const parseTrailEnd = (text: string | undefined): End | undefined =>
  trailEnd.safeParse(readJsonDocument(text)).data;
