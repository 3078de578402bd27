// Ports of small texts: who is awake, what councils were started with, and what came too late.
/** Texts that came too late, by conversation, in the project, where everybody may read them: raw bytes, never overwritten. */
export interface LateFiles {
  /**
   * Durable when it resolves; the same bytes again are fine. Resolves to the path. Rejects with `invalid_id`, `io`, and
   * `failed` where there is another text of that name.
   */
  keep(conversationId: string, name: string, bytes: Uint8Array): Promise<string>;
  /** The late texts of a conversation, sorted by name. */
  list(conversationId: string): Promise<{ name: string; path: string; bytes: Uint8Array }[]>;
  /** The same with their sizes in bytes, without reading them. */
  sizes(conversationId: string): Promise<{ name: string; path: string; bytes: number }[]>;
}

/** Texts that councils were started with, by their hash: never changed, and never removed. */
export interface Pins {
  /** Durable when it resolves, to the hash of the text. */
  keep(text: string): Promise<string>;
  /** Rejects with `corrupt` for a text that is not there, or is not what was kept. */
  read(hash: string): Promise<string>;
}

/** Who is awake, by agent: a small text each, replaced as a whole. Nothing is lost with them: they are written again soon. */
export interface Presences {
  /** Replaces an agent's text. Rejects with `invalid_id`, `unsafe_path`, `io`. */
  write(agent: string, text: string): Promise<void>;
  /** All of them, sorted by agent. What cannot be read is left out. */
  list(): Promise<{ agent: string; text: string }[]>;
}
