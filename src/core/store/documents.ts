// Port: documents in a store and their revisions, the history of one from another store, and documents that are JSON.
import { CouncilError } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { toUnknownRecord, parseJsonSafely } from '../base/text.ts';
import type { Copy } from './census.ts';

/** A revision that comes from another store. Without a text it was pruned, or ended the document. */
export interface Arriving {
  revision: number;
  /** ISO 8601 UTC. */
  at: string;
  text: string | undefined;
}

/** The histories behind documents, for moving them into another store. */
export interface Histories {
  /** Every key that ever had a document, ended ones included, sorted. */
  keys(): Promise<string[]>;
  /** SHA-256 of a revision's text; undefined where nothing is known of it. */
  hash(key: string, revision: number): Promise<string | undefined>;
  /**
   * Makes this the history of a key that has no live document, which then has ended with the last of these revisions; they
   * begin at 1. It appears at once and durably, after every text was read back and compared. Doing it again changes nothing.
   * Rejects with `conflict` where a document of that name was begun meanwhile, and `corrupt` where a text differs.
   */
  receive(key: string, revisions: readonly Arriving[]): Promise<void>;
}

export interface Stored {
  text: string;
  /** 1 for the first revision, one more for every commit; never reused for a key. */
  revision: number;
}

/** One kept revision of a document. */
export interface Version {
  revision: number;
  /** ISO 8601 UTC. */
  at: string;
  /** Size in bytes; 0 when the revision was pruned or is a tombstone. */
  bytes: number;
}

/** How many revisions of a key keep their text, the newest included. */
export const KEPT_VERSIONS = 50;

/** Bytes of a document from which on fewer are kept, the older the fewer: fifty of 16 MB would be 800 MB. */
const THINNED_FROM = 512 * 1024;

/** Whether a document is so large that most of its old revisions lose their text. */
export const isThinned = (bytes: number): boolean => bytes >= THINNED_FROM;

/**
 * Whether a revision keeps its text while `newest`, of so many bytes, stands: of a large document the two newest, and one of
 * those that are 2 or 3, 4 to 7, 8 to 15 revisions old, and so on. A revision that was let go is never wanted again.
 */
export function isKept(revision: number, newest: number, bytes: number): boolean {
  const age = newest - revision;
  if (age >= KEPT_VERSIONS) return false;
  return !isThinned(bytes) || age < 2 || revision % 2 ** Math.floor(Math.log2(age)) === 0;
}

/**
 * A place that keeps documents safely: compare-and-set on a revision, and history.
 * A commit that returned is durable. Keys are ids (`isId`). One contract suite runs on every implementation.
 */
export interface Documents {
  /** The live text, or undefined when the key was never created or was removed. */
  read(key: string): Promise<Stored | undefined>;
  /** The number of the newest revision, tombstones included; 0 when the key never existed. */
  revision(key: string): Promise<number>;
  /**
   * Makes `text` revision `expectedRevision + 1`. Creating is committing over a key without live text.
   * Throws `conflict` when the head is not `expectedRevision`, `commit_uncertain` when it may or may not be durable.
   */
  commit(key: string, text: string, expectedRevision: number): Promise<number>;
  /**
   * The keys with live text that start with `prefix`, sorted. With `look: false` a key whose removal was interrupted may be
   * among them: cheaper where every key is read anyway.
   */
  list(prefix?: string, options?: { look?: boolean }): Promise<string[]>;
  /** Calls `onChange(key)` soon after a commit or removal of a key with that prefix; may call more often than needed. Returns the stop function. */
  watch(prefix: string, onChange: (key: string) => void): () => void;
  /** The revisions of a key, oldest first. */
  versions(key: string): Promise<Version[]>;
  /** The text of an old revision; undefined when it never existed, was pruned, or is a tombstone. */
  readVersion(key: string, revision: number): Promise<string | undefined>;
  /** Ends the live text with a tombstone; numbering goes on. Throws `conflict` like `commit`. Returns the tombstone's revision. */
  remove(key: string, expectedRevision: number): Promise<number>;
  /**
   * The only write path of the use cases: lock (fairness), read, `change`, commit, and again on a conflict.
   * `change` gets the live document (or undefined) and the revision to write, and returns the new text or undefined for no change.
   * It may be called several times, must not have effects, and must never wait for an agent.
   * Throws `conflict` only after repeated conflicts, and whatever `change` throws.
   */
  update(key: string, change: Change): Promise<Updated>;
}

export type Change = (
  current: Stored | undefined,
  nextRevision: number,
) => string | undefined | Promise<string | undefined>;

export interface Updated {
  /** The revision that now stands. */
  revision: number;
  /** False when `change` returned undefined. */
  committed: boolean;
}

/** What the store must know about a document's own text to tell a stale projection from a hand edit. */
export interface Stamp {
  /** The document's identity (conversationId). */
  id: string;
  revision: number;
  /** True when the text is exactly what the engine wrote. */
  intact: boolean;
  /** The key it belongs to, where the text says so. */
  name?: string;
  /** Its own hash, and that of the text it was made from: where both are given, they show what follows what. */
  hash?: string;
  previous?: string;
}

/** Reads the stamp of a text; `bytes` are its UTF-8; undefined when the text carries none that can be read. */
export type ReadStamp = (text: string, bytes: Uint8Array) => Stamp | undefined;

/** Throws `conflict` from the first `update` where the document is not at that revision; what follows it is not looked at. */
export function pinDocuments<D extends Documents>(store: D, revision: number): D {
  let isPinned = true;
  return {
    ...store,
    async update(key, change) {
      if (!isPinned) return store.update(key, change);
      let stands: number | null | undefined;
      const updated = await store.update(key, (current, nextRevision) => {
        // Told at the end: a conflict that is thrown here is tried again.
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

/** A document's text: its revision and hash first, then what it holds. */
export function jsonDocument(data: object, revision: number): string {
  const text = `${JSON.stringify({ schema: 1, revision, textSha256: UNHASHED, ...data }, null, 1)}\n`;
  return text.replace(UNHASHED, sha256(text));
}

/** What a document holds; nothing where it is none, or is damaged. */
export function readJsonDocument(text: string | undefined): Record<string, unknown> {
  try {
    return text === undefined ? {} : toUnknownRecord(parseJsonSafely(text));
  } catch (error) {
    // A RangeError: nested more deeply than can be gone through.
    if (error instanceof SyntaxError || error instanceof RangeError) return {};
    throw error;
  }
}

/** The same document as another revision, with these keys in place of those of that name; what is undefined goes. */
export function replaceJsonKeys(text: string, keys: Record<string, unknown>, revision: number): string {
  const { schema: _schema, revision: _revision, textSha256: _hash, ...data } = readJsonDocument(text);
  const rest = Object.entries(data).filter(([key]) => !(key in keys));
  return jsonDocument({ ...keys, ...Object.fromEntries(rest) }, revision);
}

/** Reads the stamp that the store checks; `id` says whose documents they are. */
export const jsonStamp =
  (id: string) =>
  (text: string): Stamp | undefined => {
    const { revision, textSha256: hash } = readJsonDocument(text);
    if (typeof revision !== 'number' || typeof hash !== 'string') return undefined;
    return { id, revision, intact: hash.length === 64 && sha256(text.replace(hash, UNHASHED)) === hash };
  };

/**
 * A document with conflict copies of a sync program: two machines went on with it. `line` are the texts that the newest
 * revision was made from, itself first; `aside` those that it was not made from, with the files that hold them.
 */
export interface Branches {
  key: string;
  line: string[];
  aside: { path: string; text: string }[];
  /** Every conflict copy, also those that cannot be read. */
  copies: Copy[];
  /** The paths of the copies that could be read whole. */
  whole: string[];
}

/** Where to look for what was kept aside. */
export interface WantedBranches {
  /** One document only. */
  key?: string | undefined;
  /** A text from elsewhere, which is compared with that document. */
  given?: { path: string; text: string } | undefined;
  /** Looks into a history only where something was kept aside of its state file: for what passes over very many. */
  isBrief?: boolean;
}

/**
 * What people have changed by hand in the text that a driver shows them of a document. A hand edit is no revision: commits go
 * on and leave it alone, until it is adopted or dropped.
 */
export interface HandEdits {
  /** The file that people open; nothing is looked up. */
  projectionPath(key: string): string;
  /** True while that file holds a hand edit. */
  isEdited(key: string): Promise<boolean>;
  /** True when a state block can be read in that file: without one a hand edit cannot be adopted. */
  holdsState(key: string): Promise<boolean>;
  /** The text of the hand edit, for adopting it: commit it (stamped anew), then `dropEdit`. Rejects with `invalid_text` when it is not UTF-8. */
  editedText(key: string): Promise<string | undefined>;
  /** Shows the head again. A hand edit is kept first; resolves to where. */
  dropEdit(key: string): Promise<string | undefined>;
  /** The documents that have conflict copies. */
  branches(wanted?: WantedBranches): Promise<Branches[]>;
}
