// Port: the clocks of a machine.

/** Time as a port, so that every test can fix it. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number;
  /** All clocks of the machine at one moment; undefined where it has only the wall clock. */
  clocks(): Clocks | undefined;
}

/** The wall clock and the monotonic clocks, in milliseconds. */
export interface Clocks {
  /** Since the epoch, as `now`. */
  wall: number;
  /** Which boot the other two count from. */
  bootId: string;
  /** Since the boot, time asleep included. */
  uptime: number;
  /** Since the boot, without the time asleep. */
  awake: number;
}

export interface Random {
  /** A UUID version 4. */
  uuid(): string;
  /** `count` random bytes as lower-case hexadecimal. */
  hex(count: number): string;
}

/** A time in milliseconds as ISO 8601 UTC with milliseconds: the form of every timestamp in council's files. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
