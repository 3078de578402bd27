// The port of heartbeats: which processes launch agents now, what their machines have, and since when nothing was heard of them.

export interface Heartbeat {
  /** An id that no other heartbeat has; leases name it. */
  id: string;
  /** What tells its process from every other, as leases name it. */
  host: string;
  bootId: string;
  pid: number;
  startTime: string;
  labels: readonly string[];
  /** Whom it may launch, by id: the hash of what that runs. */
  agents: Readonly<Record<string, string>>;
  /** Its council's version, and what it speaks: see `SPEAKS`. */
  version: string;
  speaks: number;
  /** The id of the token by which a worker elsewhere renews it; what works on the project itself has none. */
  token?: string;
}

/**
 * Where its agents fare well or badly, and who holds a lease. What one token's worker says of a host says nothing about another's, nor of
 * this machine: no host has a space in its name, so its pids are not compared with those here.
 */
export const nameHeartbeatPlace = ({ host, token }: Pick<Heartbeat, 'host' | 'token'>): string =>
  token === undefined || host.endsWith(` ${token}`) ? host : `${host} ${token}`;

/** The host of "HOST TOKEN"; a text without a token stays as it is. */
export const parseHostOfPlace = (place: string): string => place.replace(/ \S*$/, '');

/** A heartbeat, and how long ago it was renewed, in milliseconds of the clock that all share. */
export interface Beating extends Heartbeat {
  ageMs: number;
}

/** Heartbeats of a project, one row each. Nothing is lost with them: they are written again soon. */
export interface Heartbeats {
  /** Writes its row, as of now. Rejects with `invalid_id`, `unsafe_path`, `io`. */
  renew(heartbeat: Heartbeat): Promise<void>;
  /** All that were not removed and are younger than a day, by id. What cannot be read is left out. */
  list(): Promise<Beating[]>;
  /** Takes its row away. */
  remove(id: string): Promise<void>;
}

/** Rows older than this are swept. */
export const FORGOTTEN_MS = 86_400_000;

/** What a row says, from its text; undefined for anything else. */
export function readHeartbeat(value: unknown): Heartbeat | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, host, bootId, pid, startTime, labels, agents, version, speaks, token } =
    value as Partial<Heartbeat>;
  const isWhole =
    [id, host, bootId, startTime, version].every((one) => typeof one === 'string') &&
    [pid, speaks].every((one) => typeof one === 'number') &&
    Array.isArray(labels) &&
    typeof agents === 'object' &&
    (token === undefined || typeof token === 'string');
  return isWhole ? (value as Heartbeat) : undefined;
}
