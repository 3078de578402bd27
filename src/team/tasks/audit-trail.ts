// Adds to the audit trail: the end is one document, changed by compare-and-set, and decides where the next line stands in the file.
import * as z from 'zod/mini';
import { readJsonDocument, jsonDocument, jsonStamp } from '../../core/store/documents.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Documents } from '../../core/store/documents.ts';
import type { LineFile } from '../../core/store/small-files.ts';
import { soundItems } from '../messages/book.ts';
import { NO_ENTRY, nextEntry, parseAuditEntry, firstBreak } from './audit.ts';
import type { AuditEvent, Break } from './audit.ts';

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
