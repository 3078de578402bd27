// Adds to the audit trail: the end is one document, changed by compare-and-set, and decides where the next line stands in the file.
import type { Clock } from '../../core/base/clock.ts';
import { toUnknownRecord } from '../../core/base/text.ts';
import type { Documents } from '../../core/store/documents.ts';
import { jsonDocument, jsonStamp, readJsonDocument } from '../../core/store/documents.ts';
import type { LineFile } from '../../core/store/small-files.ts';
import { parseAuditEntry, firstBreak, nextEntry, NO_ENTRY } from './audit.ts';
import type { AuditEnd, AuditEvent, Break } from './audit.ts';

export interface AuditTrail {
  /** Adds an entry; durable when it resolves. Of several who add at once each has a place of its own. */
  add(event: AuditEvent): Promise<void>;
  /** Adds an entry together with the next one, or soon, or when all is to be written down: for what can be found out again. */
  later(event: AuditEvent): void;
  /** Adds what waits; then the file is durable as well. */
  flush(): Promise<void>;
  /** Writes what a writer that was stopped has left out at the end, as the next entry would. */
  mend(): Promise<void>;
  /** The text of the trail, what is broken in it first, and how many entries there should be. */
  verify(): Promise<{ text: string; broken: Break | undefined; entries: number }>;
}

/** A line and where it stands in the file, in bytes. */
interface Placed {
  offset: number;
  line: string;
}

interface End extends AuditEnd {
  /** Where the next line begins, in bytes. */
  offset: number;
  /** The newest lines: what a writer that was stopped has left out is written by the next one. */
  recent: Placed[];
}

const KEY = 'end';
const RECENT = 32;
/** Of so many lines one waits for the disk: those since stand among the recent ones, which do. */
const SYNCED = 16;
/** Milliseconds that an entry waits for another one at the most. */
const SOON_MS = 250;
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
  const waiting: Happened[] = [];
  let soon: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  /** Lines stand in the file that the disk may not have yet; the document has them. */
  let isAhead = false;
  return {
    add: (event) => addAll([{ event, at: clock.now() }]),
    later(event) {
      waiting.push({ event, at: clock.now() });
      // Failed writes are retried by the next entry, and by `flush`, which reports the error.
      soon ??= setTimeout(() => void addAll([]).catch(() => undefined), SOON_MS).unref();
    },
    async flush() {
      await addAll([]);
      if (isAhead) await file.writeAt(0, new Uint8Array(), { durable: true });
      isAhead = false;
    },
    async mend() {
      const end = parseTrailEnd((await store.read(KEY))?.text);
      if (end) await mend(end, end.seq + 1);
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

  /** Writes one batch after another, so that `flush` covers all of them. */
  function addAll(events: readonly Happened[]): Promise<void> {
    clearTimeout(soon);
    soon = undefined;
    const adding = last.then(() => addWaiting(events));
    last = adding.catch(() => undefined);
    return adding;
  }

  async function addWaiting(events: readonly Happened[]): Promise<void> {
    const all = [...waiting.splice(0), ...events];
    try {
      for (; all.length > 0; all.splice(0, SYNCED)) await append(all.slice(0, SYNCED));
    } catch (error) {
      waiting.unshift(...all.filter((one) => !events.includes(one)));
      throw error;
    }
  }

  async function append(events: readonly Happened[]): Promise<void> {
    let end: End | undefined;
    let first = 0;
    await store.update(KEY, async (current, revision) => {
      const recorded = parseTrailEnd(current?.text);
      end = recorded ?? findTrailEnd(await file.read());
      first = end.seq + 1;
      // After anything that another process may have appended.
      if (recorded) end = { ...end, offset: Math.max(end.offset, await file.size()) };
      for (const one of events) if (!isRecorded(end, one)) end = appendAuditEntry(end, one);
      return jsonDocument(end, revision);
    });
    if (end) await mend(end, first);
  }

  /** Writes the lines from `first` on, and those before that the file does not reach yet. */
  async function mend({ seq, recent }: End, first: number): Promise<void> {
    const size = await file.size();
    const added = recent.length - (seq - first + 1);
    const wanted = recent.filter(
      ({ offset, line }, at) => at >= added || offset + Buffer.byteLength(line) + 1 > size,
    );
    const durable =
      wanted.length > seq - first + 1 || Math.floor(seq / SYNCED) > Math.floor((first - 1) / SYNCED);
    for (const { offset, text } of joinAdjacentLines(wanted))
      await file.writeAt(offset, Buffer.from(text), { durable });
    isAhead = !durable;
  }
}

/** Something that happened, and when, in milliseconds. */
interface Happened {
  event: AuditEvent;
  at: number;
}

/** The end of a task stands there once: who cancels it and who plays it both see it end. */
const isRecorded = ({ recent }: End, { event: { what, task, details } }: Happened): boolean =>
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

/** Lines that follow each other, to be written in one go. */
function joinAdjacentLines(lines: readonly Placed[]): { offset: number; text: string }[] {
  const blocks: { offset: number; text: string; end: number }[] = [];
  for (const { offset, line } of lines) {
    const last = blocks.at(-1);
    const text = `${line}\n`;
    const end = offset + Buffer.byteLength(text);
    if (last?.end === offset) Object.assign(last, { text: last.text + text, end });
    else blocks.push({ offset, text, end });
  }
  return blocks;
}

/** The end of a file whose record is not there, as in a fresh clone: behind its last whole line. */
function findTrailEnd(text: string): End {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const last = parseAuditEntry(whole.trimEnd().slice(whole.trimEnd().lastIndexOf('\n') + 1)) ?? NO_ENTRY;
  return { seq: last.seq, hash: last.hash, offset: Buffer.byteLength(whole), recent: [] };
}

function parseTrailEnd(text: string | undefined): End | undefined {
  const { seq, hash, offset, recent } = readJsonDocument(text);
  if (typeof seq !== 'number' || typeof hash !== 'string' || typeof offset !== 'number') return undefined;
  const placed = Array.isArray(recent) ? recent.map(toUnknownRecord) : [];
  return {
    seq,
    hash,
    offset,
    recent: placed.flatMap((one) =>
      typeof one.offset === 'number' && typeof one.line === 'string'
        ? [{ offset: one.offset, line: one.line }]
        : [],
    ),
  };
}
