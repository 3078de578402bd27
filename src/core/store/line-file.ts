/** A file that lines are added to, written at places that its writers have agreed on. */
export interface LineFile {
  /** All of it; empty where there is none. */
  read(): Promise<string>;
  /** In bytes; 0 where there is none. */
  size(): Promise<number>;
  /**
   * Writes bytes at an offset. The same bytes at the same place again change nothing. `durable` (the default) waits for the disk, with
   * all that was written before.
   */
  writeAt(offset: number, bytes: Uint8Array, options?: { durable?: boolean }): Promise<void>;
}
