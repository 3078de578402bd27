// Port: texts that only their owner may see, kept outside the project.

/**
 * What only the owner may see, by conversation, outside the project: sealed texts, spools, tokens, texts kept while a phase
 * is blind. Nothing is ever overwritten. Everything rejects with `invalid_id` for an id or a name that could lead elsewhere,
 * with `unsafe_private_dir` where others could read it, and `io`.
 */
export interface PrivateTexts {
  /**
   * Durable when it resolves, unless `durable` is false: then it outlives this process, but perhaps no power cut. A driver on
   * this machine has written it by the time the call returns, so that a process that is ending can leave word. The same
   * bytes under the same name again are fine; other bytes are refused with `failed`. Resolves to where the text lies.
   */
  write(
    conversationId: string,
    name: string,
    bytes: Uint8Array,
    options?: { durable?: boolean },
  ): Promise<string>;
  read(conversationId: string, name: string): Promise<Uint8Array | undefined>;
  /** The names of a conversation's texts, sorted. */
  list(conversationId: string): Promise<string[]>;
  /** Bytes of a text; undefined when there is none. */
  size(conversationId: string, name: string): Promise<number | undefined>;
  /** Where such a text lies, or would lie, as people are told; nothing is looked up. */
  path(conversationId: string, name: string): string;
  /** For a text that belongs to no known council; never swept. Resolves to where it lies. */
  keep(name: string, bytes: Uint8Array): Promise<string>;
  /** The texts that `keep` has kept, with their sizes in bytes. */
  listKept(): Promise<{ name: string; bytes: number }[]>;
  /** Starts the 30 days after which `sweep` deletes a conversation's texts; `at` is ISO 8601. A later mark changes nothing. */
  markArchived(conversationId: string, at: string): Promise<void>;
  /** Deletes what was marked more than 30 days before `now` (milliseconds since the epoch). Resolves to the conversation ids. */
  sweep(now: number): Promise<string[]>;
  /** Deletes a text, if it is there. */
  remove(conversationId: string, name: string): Promise<void>;
  /** What tells this folder from another one of the same user, as HOME or XDG_STATE_HOME name it; not set without such a folder. */
  readonly mark?: string;
  /** Set where sealed texts cannot be read by anybody before their round is closed in the store itself. */
  readonly sealing?: Sealing;
}

/** A store that guards sealed texts. Until a round is closed, `read` finds none of them; afterwards nothing more is sealed. */
export interface Sealing {
  /** Rejects with `unsafe_private_dir` where this connection could read sealed texts past the guard. */
  check(): Promise<void>;
  /** Closes a round, for ever; durable when it resolves. Closing it again changes nothing. */
  close(conversationId: string, tour: number, why: string): Promise<void>;
  isClosed(conversationId: string, tour: number): Promise<boolean>;
  /** Whether a sealed text is this one; undefined when there is none of that name. */
  same(conversationId: string, name: string, text: string): Promise<boolean | undefined>;
}

/** How long a conversation's private texts stay after its archive. */
export const KEPT_AFTER_ARCHIVE_MS = 30 * 86_400_000;

/** What a blind phase hides: contributions, refused texts, copies of what a restore has dropped, and what was asked with a key. */
export const isSealed = (name: string): boolean => /^(?:sealed|kept|dropped|asked)-/.test(name);

/** The round that a sealed text belongs to; every name of one says it. */
export const parseSealedRound = (name: string): number =>
  Number(/-(\d{1,9})-[0-9a-f]+(?:\.json)?$/.exec(name)?.[1] ?? 0);
