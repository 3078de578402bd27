/** Texts that councils were started with, by their hash: never changed, and never removed. */
export interface Pins {
  /** Durable when it resolves, to the hash of the text. */
  keep(text: string): Promise<string>;
  /** Rejects with `corrupt` for a text that is not there, or is not what was kept. */
  read(hash: string): Promise<string>;
}
