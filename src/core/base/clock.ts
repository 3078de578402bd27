// Port: the clocks of a machine.

/** Time as a port, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number;
  /** All clocks of the machine at one moment; undefined if it has only the wall clock. */
  clocks(): Clocks | undefined;
}

/** The wall clock and the monotonic clocks, in milliseconds. */
export interface Clocks {
  /** Since the epoch, as `now`. */
  wall: number;
  /** The boot that the other two count from. */
  bootId: string;
  /** Since the boot, including sleep. */
  uptime: number;
  /** Since the boot, excluding sleep. */
  awake: number;
}

export interface Random {
  /** A UUID version 4. */
  uuid(): string;
  /** `count` random bytes as lower-case hexadecimal. */
  hex(count: number): string;
}

/** Formats milliseconds as ISO 8601 UTC with milliseconds: the form of every timestamp in council's files. */
export function formatIso(ms: number): string {
  return new Date(ms).toISOString();
}
