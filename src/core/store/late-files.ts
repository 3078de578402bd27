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
