// Adds to the audit trail: the end is one document, changed by compare-and-set, and decides where the next line stands in the file.
import type { Clock } from '../base/clock.ts';
import { keysOf } from '../base/objects.ts';
import type { Documents } from '../store/documents.ts';
import { jsonDocument, jsonStamp, readJsonDocument } from '../store/json-document.ts';
import type { LineFile } from '../store/line-file.ts';
import { entryIn, firstBreak, nextEntry, NO_ENTRY } from './audit.ts';
import type { AuditEnd, AuditEvent, Break } from './audit.ts';

export interface AuditTrail {
  /** Adds an entry; durable when it resolves. Of several who add at once each has a place of its own. */
  add(event: AuditEvent): Promise<void>;
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
/** So often a trail that others are adding to is looked at before what seems broken counts as broken. */
const LOOKS = 20;
/** The stamp that the store checks. */
export const readAuditStamp = jsonStamp('audit');

interface Parts {
  store: Pick<Documents, 'read' | 'update'>;
  file: LineFile;
  clock: Pick<Clock, 'now'>;
}

/** On any driver of documents, in a place of its own, and one file. */
export function auditTrail({ store, file, clock }: Parts): AuditTrail {
  return {
    async add(event) {
      let end: End | undefined;
      await store.update(KEY, async (current, revision) => {
        const recorded = endIn(current?.text);
        const before = recorded ?? endOf(await file.read());
        const { line, end: next } = nextEntry(before, event, clock.now());
        // Behind whatever somebody else may have written there.
        const offset = recorded ? Math.max(before.offset, await file.size()) : before.offset;
        const recent = [...before.recent, { offset, line }].slice(-RECENT);
        end = { ...next, offset: offset + Buffer.byteLength(line) + 1, recent };
        return jsonDocument(end, revision);
      });
      if (end) await mend(end);
    },
    async verify() {
      for (let looks = 1; ; looks++) {
        const before = await store.read(KEY);
        const text = await file.read();
        const recorded = endIn(before?.text);
        const broken = firstBreak(text, recorded);
        // Whoever adds an entry meanwhile has changed the one and not yet the other.
        const isStill = (await store.read(KEY))?.revision === before?.revision;
        if (broken === undefined || isStill || looks === LOOKS)
          return { text, broken, entries: recorded?.seq ?? text.split('\n').length - 1 };
      }
    },
  };

  /** Writes the newest line, and those before it that the file does not reach yet. */
  async function mend({ recent }: End): Promise<void> {
    const size = await file.size();
    const wanted = recent.filter(
      ({ offset, line }, at) => at === recent.length - 1 || offset + Buffer.byteLength(line) + 1 > size,
    );
    for (const { offset, line } of wanted) await file.writeAt(offset, Buffer.from(`${line}\n`));
  }
}

/** The end of a file whose record is not there, as in a fresh clone: behind its last whole line. */
function endOf(text: string): End {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const last = entryIn(whole.trimEnd().slice(whole.trimEnd().lastIndexOf('\n') + 1)) ?? NO_ENTRY;
  return { seq: last.seq, hash: last.hash, offset: Buffer.byteLength(whole), recent: [] };
}

function endIn(text: string | undefined): End | undefined {
  const { seq, hash, offset, recent } = readJsonDocument(text);
  if (typeof seq !== 'number' || typeof hash !== 'string' || typeof offset !== 'number') return undefined;
  const placed = Array.isArray(recent) ? recent.map(keysOf) : [];
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
