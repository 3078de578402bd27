/** A file that lines are added to, written at places that its writers have agreed on. */
export interface LineFile {
  /** All of it; empty where there is none. */
  read(): Promise<string>;
  /** In bytes; 0 where there is none. */
  size(): Promise<number>;
  /** Writes bytes at an offset, durably. The same bytes at the same place again change nothing. */
  writeAt(offset: number, bytes: Uint8Array): Promise<void>;
}
