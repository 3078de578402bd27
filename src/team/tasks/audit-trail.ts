// Appends to the audit trail: the end is one document (compare-and-set), and gives the offset of the next line.
import * as z from 'zod/mini';
import { readJsonDocument, renderJsonDocument } from '../../core/store/documents.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Documents } from '../../core/store/documents.ts';
import { createItemsSchema } from '../messages/book.ts';
import { NO_ENTRY, buildNextEntry, parseAuditEntry, findFirstBreak } from './audit.ts';
import type { AuditEvent, TrailBreak } from './audit.ts';

/** A file that grows by writes at offsets its writers have agreed on. */
export interface LineFile {
  /** Reads all of it; empty if there is none. */
  read(): Promise<string>;
  /** Size in bytes; 0 if there is none. */
  size(): Promise<number>;
  /**
   * Writes bytes at an offset, idempotently. `durable` (the default) waits for the disk, including earlier
   * writes.
   */
  writeAt(offset: number, bytes: Uint8Array, options?: { durable?: boolean }): Promise<void>;
}

export interface AuditTrail {
  /** Adds an entry; durable when it resolves. Concurrent writers each get their own position. */
  add(event: AuditEvent): Promise<void>;
  /** Writes missing lines of an interrupted writer at the end, as the next entry would. */
  mend(): Promise<void>;
  /** Returns the text of the trail, its first break, and how many entries there should be. */
  verify(): Promise<{ text: string; broken: TrailBreak | undefined; entries: number }>;
}

const trailEnd = z.object({
  seq: z.number(),
  hash: z.string(),
  /** Byte offset of the next line. */
  offset: z.number(),
  /** The newest lines with their offsets: what an interrupted writer has not written, the next one writes. */
  recent: createItemsSchema(z.object({ offset: z.number(), line: z.string() })),
});
type TrailEnd = z.infer<typeof trailEnd>;

const END_KEY = 'end';
const RECENT = 32;
/** Maximum number of reads of a trail that others are writing, before an apparent break counts as one. */
const LOOKS = 20;

interface AuditTrailOptions {
  store: Pick<Documents, 'read' | 'update'>;
  file: LineFile;
  clock: Pick<Clock, 'now'>;
}

/** Opens the trail: its end in any document store, under its own key, and one file. */
export function createAuditTrail({ store, file, clock }: AuditTrailOptions): AuditTrail {
  return {
    async add(event) {
      const happened = { event, at: clock.now() };
      let end: TrailEnd | undefined;
      let isAdded = false;
      await store.update(END_KEY, async (current, revision) => {
        const recorded = parseTrailEnd(current?.text);
        end = recorded ?? findTrailEnd(await file.read());
        // Starts after anything that another process may have appended.
        if (recorded) end = { ...end, offset: Math.max(end.offset, await file.size()) };
        isAdded = !isRecorded(end, event);
        if (isAdded) end = appendAuditEntry(end, happened);
        return renderJsonDocument(end, revision);
      });
      if (end) await mend(end, isAdded);
    },
    async mend() {
      const end = parseTrailEnd((await store.read(END_KEY))?.text);
      if (end) await mend(end, false);
    },
    async verify() {
      for (let looks = 1; ; looks++) {
        const before = await store.read(END_KEY);
        const text = await file.read();
        const recorded = parseTrailEnd(before?.text);
        const broken = findFirstBreak(text, recorded);
        // A concurrent writer may have updated one of the two, but not the other.
        const isStill = (await store.read(END_KEY))?.revision === before?.revision;
        if (broken === undefined || isStill || looks === LOOKS)
          return { text, broken, entries: recorded?.seq ?? text.split('\n').length - 1 };
      }
    },
  };

  async function mend({ recent }: TrailEnd, isAdded: boolean): Promise<void> {
    const size = await file.size();
    for (const [at, { offset, line }] of recent.entries()) {
      const bytes = Buffer.from(`${line}\n`);
      if ((isAdded && at === recent.length - 1) || offset + bytes.length > size)
        await file.writeAt(offset, bytes, { durable: true });
    }
  }
}

/** An event, and its time in milliseconds. */
interface DatedEvent {
  event: AuditEvent;
  at: number;
}

/** True if the end of a task is recorded already: both its canceller and its player report it. */
const isRecorded = ({ recent }: TrailEnd, { what, task, details }: AuditEvent): boolean =>
  what === 'task.ended' &&
  recent.some(({ line }) => {
    const entry = parseAuditEntry(line);
    return entry?.what === what && entry.task === task && entry.details.endedAt === details.endedAt;
  });

function appendAuditEntry(before: TrailEnd, { event, at }: DatedEvent): TrailEnd {
  const { line, end } = buildNextEntry(before, event, at);
  const recent = [...before.recent, { offset: before.offset, line }].slice(-RECENT);
  return { ...end, offset: before.offset + Buffer.byteLength(line) + 1, recent };
}

/** Finds the end in a file without a record, as in a fresh clone: after its last complete line. */
function findTrailEnd(text: string): TrailEnd {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const last = parseAuditEntry(whole.trimEnd().slice(whole.trimEnd().lastIndexOf('\n') + 1)) ?? NO_ENTRY;
  return { seq: last.seq, hash: last.hash, offset: Buffer.byteLength(whole), recent: [] };
}

const parseTrailEnd = (text: string | undefined): TrailEnd | undefined =>
  trailEnd.safeParse(readJsonDocument(text)).data;
