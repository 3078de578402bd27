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
