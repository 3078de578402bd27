// Port: documents and their revisions, imported histories, and JSON documents.
import { CouncilError } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { toUnknownRecord, parseJsonSafely } from '../base/text.ts';
import type { UnusedCopy } from './census.ts';

/** A revision from another store. Without a text it was pruned, or was a tombstone. */
export interface ArrivingRevision {
  revision: number;
  /** ISO 8601 UTC. */
  at: string;
  text: string | undefined;
}

/** The histories of documents, for moving them to another store. */
export interface Histories {
  /** All keys that ever had a document, including ended ones, sorted. */
  keys(): Promise<string[]>;
  /** SHA-256 of a revision's text; undefined if unknown. */
  hash(key: string, revision: number): Promise<string | undefined>;
  /**
   * Makes this the history of a key without a live document, which then ends with the last of these
   * revisions; they start at 1. It appears at once and durably, after every text was read back and compared.
   * Idempotent. Rejects with `conflict` if a document of that name was started meanwhile, and `corrupt` if a
   * text differs.
   */
  receive(key: string, revisions: readonly ArrivingRevision[]): Promise<void>;
}

export interface Stored {
  text: string;
  /** 1 for the first revision, plus one for every commit; never reused for a key. */
  revision: number;
}

/** One kept revision of a document. */
export interface Version {
  revision: number;
  /** ISO 8601 UTC. */
  at: string;
  /** Size in bytes; 0 if the revision was pruned or is a tombstone. */
  bytes: number;
}

/** How many revisions of a key keep their text, including the newest. */
export const KEPT_VERSIONS = 50;

/** Size in bytes above which fewer are kept, the older the fewer: fifty of 16 MB would take 800 MB. */
const THINNED_FROM = 512 * 1024;

/** Whether a document is so large that most of its old revisions lose their text. */
export const isThinned = (bytes: number): boolean => bytes >= THINNED_FROM;

/**
 * Whether a revision keeps its text while `newest`, of `bytes` bytes, is the head. Of a large document, the
 * two newest are kept, and one each of those that are 2 to 3, 4 to 7, 8 to 15 revisions old, and so on. A
 * dropped revision is never needed again.
 */
export function isKept(revision: number, newest: number, bytes: number): boolean {
  const age = newest - revision;
  if (age >= KEPT_VERSIONS) return false;
  return !isThinned(bytes) || age < 2 || revision % 2 ** Math.floor(Math.log2(age)) === 0;
}

/**
 * A durable document store with history: compare-and-set on a revision. A commit that returned is durable.
 * Keys are ids (`isId`). One contract suite runs on every implementation.
 */
export interface Documents {
  /** The live text; undefined if the key was never created or was removed. */
  read(key: string): Promise<Stored | undefined>;
  /** The number of the newest revision, including tombstones; 0 if the key never existed. */
  revision(key: string): Promise<number>;
  /**
   * Makes `text` revision `expectedRevision + 1`. Committing over a key without live text creates it. Throws
   * `conflict` if the head is not `expectedRevision`, `commit_uncertain` if it may or may not be durable.
   */
  commit(key: string, text: string, expectedRevision: number): Promise<number>;
  /**
   * The keys with live text that start with `prefix`, sorted. With `look: false` a key whose removal was
   * interrupted may be included: cheaper if every key is read anyway.
   */
  list(prefix?: string, options?: { look?: boolean }): Promise<string[]>;
  /**
   * Calls `onChange(key)` soon after a commit or removal of a key with that prefix; may call more often than
   * needed. Returns the stop function.
   */
  watch(prefix: string, onChange: (key: string) => void): () => void;
  /** The revisions of a key, oldest first. */
  versions(key: string): Promise<Version[]>;
  /** The text of an old revision; undefined if it never existed, was pruned, or is a tombstone. */
  readVersion(key: string, revision: number): Promise<string | undefined>;
  /**
   * Ends the live text with a tombstone; numbering continues. Throws `conflict` like `commit`. Returns the
   * tombstone's revision.
   */
  remove(key: string, expectedRevision: number): Promise<number>;
  /**
   * The only write path of the use cases: lock (for fairness), read, `change`, commit, and again after a
   * conflict. `change` gets the live document (or undefined) and the revision to write, and returns the new
   * text or undefined for no change. It may be called several times, must not have side effects, and must
   * never wait for an agent. Throws `conflict` only after repeated conflicts, and whatever `change` throws.
   */
  update(key: string, change: Change): Promise<Updated>;
}

export type Change = (
  current: Stored | undefined,
  nextRevision: number,
) => string | undefined | Promise<string | undefined>;

export interface Updated {
  /** The current revision. */
  revision: number;
  /** False if `change` returned undefined. */
  committed: boolean;
}

/** What the store must know about a document's own text to distinguish a stale projection from a hand edit. */
export interface Stamp {
  /** The document's identity (conversationId). */
  id: string;
  revision: number;
  /** True if the text is exactly what the engine wrote. */
  intact: boolean;
  /** The key it belongs to, if the text contains it. */
  name?: string;
  /** Its own hash, and that of the text it was made from: if both are given, they show the order of texts. */
  hash?: string;
  previous?: string;
}

/** Reads the stamp of a text; `bytes` are its UTF-8. Returns undefined if there is none that can be read. */
export type ReadStamp = (text: string, bytes: Uint8Array) => Stamp | undefined;

/** Makes only the first `update` throw `conflict`, if the document is not at that revision. */
export function pinDocuments<D extends Documents>(store: D, revision: number): D {
  let isPinned = true;
  return {
    ...store,
    async update(key, change) {
      if (!isPinned) return store.update(key, change);
      let stands: number | null | undefined;
      const updated = await store.update(key, (current, nextRevision) => {
        // Thrown at the end: a conflict thrown here would be retried.
        stands = current?.revision === revision ? undefined : (current?.revision ?? null);
        return stands === undefined ? change(current, nextRevision) : undefined;
      });
      if (stands !== undefined)
        throw new CouncilError('conflict', `Revision ${revision} of "${key}" is not the newest one.`, {
          hint: 'Look at what has changed, and decide again.',
          details: { revision: stands },
        });
      isPinned = false;
      return updated;
    },
  };
}

const UNHASHED = '0'.repeat(64);

/** Formats a JSON document: its revision and hash first, then its data. */
export function renderJsonDocument(data: object, revision: number): string {
  const text = `${JSON.stringify({ schema: 1, revision, textSha256: UNHASHED, ...data }, null, 1)}\n`;
  return text.replace(UNHASHED, sha256(text));
}

/** Parses a JSON document; empty for an invalid or damaged one. */
export function readJsonDocument(text: string | undefined): Record<string, unknown> {
  try {
    return text === undefined ? {} : toUnknownRecord(parseJsonSafely(text));
  } catch (error) {
    // A RangeError: nested too deeply.
    if (error instanceof SyntaxError || error instanceof RangeError) return {};
    throw error;
  }
}

/** Rewrites the document as another revision, replacing `keys`; undefined ones are removed. */
export function replaceJsonKeys(text: string, keys: Record<string, unknown>, revision: number): string {
  const { schema: _schema, revision: _revision, textSha256: _hash, ...data } = readJsonDocument(text);
  const rest = Object.entries(data).filter(([key]) => !(key in keys));
  return renderJsonDocument({ ...keys, ...Object.fromEntries(rest) }, revision);
}

/** Creates a function that reads the stamp for the store; `id` identifies the kind of documents. */
export const createJsonStampReader =
  (id: string) =>
  (text: string): Stamp | undefined => {
    const { revision, textSha256: hash } = readJsonDocument(text);
    if (typeof revision !== 'number' || typeof hash !== 'string') return undefined;
    return { id, revision, intact: hash.length === 64 && sha256(text.replace(hash, UNHASHED)) === hash };
  };

/**
 * A document with conflict copies of a sync program, after two machines changed it. `line` are the texts that
 * led to the newest revision, itself first; `aside` those that did not, with their files.
 */
export interface Branches {
  key: string;
  line: string[];
  aside: { path: string; text: string }[];
  /** Every conflict copy, including unreadable ones. */
  copies: UnusedCopy[];
  /** The paths of the copies that could be read completely. */
  whole: string[];
}

/** Where to look for conflict copies. */
export interface WantedBranches {
  /** Only one document. */
  key?: string | undefined;
  /** A text from elsewhere to compare with that document. */
  given?: { path: string; text: string } | undefined;
  /** Looks into a history only if its state file has copies: for passes over very many documents. */
  isBrief?: boolean;
}

/**
 * Hand edits of the text that a driver shows for a document. A hand edit is no revision: commits continue and
 * leave it alone, until it is adopted or dropped.
 */
export interface HandEdits {
  /** The file that people open; nothing is looked up. */
  projectionPath(key: string): string;
  /** True while that file has a hand edit. */
  isEdited(key: string): Promise<boolean>;
  /** True if that file has a readable state block: without one a hand edit cannot be adopted. */
  holdsState(key: string): Promise<boolean>;
  /**
   * The text of the hand edit, for adopting it: commit it (with a new stamp), then `dropEdit`. Rejects with
   * `invalid_text` if it is not UTF-8.
   */
  editedText(key: string): Promise<string | undefined>;
  /** Shows the head again. A hand edit is kept first; resolves to its path. */
  dropEdit(key: string): Promise<string | undefined>;
  /** The documents with conflict copies. */
  branches(wanted?: WantedBranches): Promise<Branches[]>;
}
