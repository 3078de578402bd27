// Ports of small texts: late ones, pinned ones, and private ones, which only their owner may read.

/** Late texts, by conversation, in the project, where everyone may read them: raw bytes, never overwritten. */
export interface LateFiles {
  /**
   * Durable when it resolves; idempotent for the same bytes. Resolves to the path. Rejects with `invalid_id`,
   * `io`, and `failed` if there is another text of that name.
   */
  keep(conversationId: string, name: string, bytes: Uint8Array): Promise<string>;
  /** Lists the late texts of a conversation, sorted by name. */
  list(conversationId: string): Promise<{ name: string; path: string; bytes: Uint8Array }[]>;
  /** The same with sizes in bytes, without reading the texts. */
  sizes(conversationId: string): Promise<{ name: string; path: string; bytes: number }[]>;
}

/** Texts that councils were started with, by hash: never changed or removed. */
export interface Pins {
  /** Durable when it resolves, to the hash of the text. */
  keep(text: string): Promise<string>;
  /** Rejects with `corrupt` for a missing or altered text. */
  read(hash: string): Promise<string>;
}

/** Which agents are awake: one small text per agent. They may be lost: they are soon written again. */
export interface Presences {
  /** Replaces an agent's text. Rejects with `invalid_id`, `unsafe_path`, `io`. */
  write(agent: string, text: string): Promise<void>;
  /** Lists all of them, sorted by agent. Skips unreadable ones. */
  list(): Promise<{ agent: string; text: string }[]>;
}

/**
 * Texts for the owner only, by conversation, outside the project: sealed texts, spools, tokens, texts kept
 * during a blind phase. Nothing is ever overwritten. All calls reject with `invalid_id` for an id or a name
 * that could lead elsewhere, with `unsafe_private_dir` if others could read it, and `io`.
 */
export interface PrivateTexts {
  /**
   * Durable when it resolves, unless `durable` is false: then it survives this process, but perhaps no power
   * failure. A local driver has written it when the call returns, so that a process can still write while it
   * exits. Idempotent for the same bytes; other bytes under the name are refused with `failed`. Resolves to
   * the path.
   */
  write(
    conversationId: string,
    name: string,
    bytes: Uint8Array,
    options?: { durable?: boolean },
  ): Promise<string>;
  read(conversationId: string, name: string): Promise<Uint8Array | undefined>;
  /** Lists the names of a conversation's texts, sorted. */
  list(conversationId: string): Promise<string[]>;
  /** Returns the size of a text in bytes; undefined if there is none. */
  size(conversationId: string, name: string): Promise<number | undefined>;
  /** Returns the path of such a text for people, existing or not; nothing is looked up. */
  path(conversationId: string, name: string): string;
  /** Keeps a text that belongs to no known council; never swept. Resolves to its path. */
  keep(name: string, bytes: Uint8Array): Promise<string>;
  /** Lists the texts kept by `keep`, with their sizes in bytes. */
  listKept(): Promise<{ name: string; bytes: number }[]>;
  /**
   * Starts the 30 days after which `sweep` deletes a conversation's texts; `at` is ISO 8601. A later mark
   * changes nothing.
   */
  markArchived(conversationId: string, at: string): Promise<void>;
  /**
   * Deletes texts marked more than 30 days before `now` (ms since the epoch). Resolves to the conversation
   * ids.
   */
  sweep(now: number): Promise<string[]>;
  /** Deletes a text, if it exists. */
  remove(conversationId: string, name: string): Promise<void>;
  /**
   * Distinguishes this folder from another one of the same user, by HOME or XDG_STATE_HOME; not set without a
   * folder.
   */
  readonly mark?: string;
  /** Set if sealed texts are unreadable for everyone until their round is closed in the store itself. */
  readonly sealing?: SealGuard;
}

/**
 * A store that guards sealed texts. Until a round is closed, `read` finds none of them; after that, none can
 * be added.
 */
export interface SealGuard {
  /** Rejects with `unsafe_private_dir` if this connection could bypass the guard. */
  check(): Promise<void>;
  /** Closes a round permanently; durable when it resolves. Idempotent. */
  close(conversationId: string, round: number, why: string): Promise<void>;
  isClosed(conversationId: string, round: number): Promise<boolean>;
  /** Whether a sealed text equals this one; undefined if there is none of that name. */
  same(conversationId: string, name: string, text: string): Promise<boolean | undefined>;
}

/** How long a conversation's private texts are kept after it was archived. */
export const KEPT_AFTER_ARCHIVE_MS = 30 * 86_400_000;

/**
 * Matches texts hidden by a blind phase: contributions, refused texts, copies dropped by a restore, and
 * requests with a key.
 */
export const isSealed = (name: string): boolean => /^(?:sealed|kept|dropped|asked)-/.test(name);

/** Returns the round of a sealed text, which is part of its name. */
export const parseSealedRound = (name: string): number =>
  Number(/-(\d{1,9})-[0-9a-f]+(?:\.json)?$/.exec(name)?.[1] ?? 0);
