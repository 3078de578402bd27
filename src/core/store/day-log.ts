// Ports of files that lines are added to.
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

/** What is kept of the lines of a day log. */
export const DAY_LOG_LIMITS = {
  /** A file that has grown to this is followed by another one of the same day. */
  fileBytes: 8 * 1024 * 1024,
  /** The oldest files go when all together have more, or when they are older. */
  allBytes: 256 * 1024 * 1024,
  days: 30,
} as const;

/**
 * Lines by UTC day: only ever added, and the oldest forgotten. It tells what happened and is no part of it: what cannot be
 * kept is told as a warning, and stops nothing. One contract suite runs on every implementation.
 */
export interface DayLog {
  /** Adds a line (without its end) to the day of `at`, in milliseconds since the epoch; whole, also among many writers. Never rejects. */
  append(at: number, line: string): Promise<void>;
  /** The lines from a day on (`2026-01-11`), in the order they came; from the last one back with `newest`. */
  read(options?: { from?: string; newest?: boolean }): AsyncIterable<string>;
  /** Calls `onLine` with each line that is added from now on. Keeps the process alive until the returned function stops it. */
  follow(onLine: (line: string) => void): () => void;
}

/** The day of a time, as `2026-01-11`. */
export const formatUtcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
