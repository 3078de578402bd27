// Port of heartbeats: which processes launch agents now, their capabilities, and when they were last seen.

export interface Heartbeat {
  /** A unique id, which leases refer to. */
  id: string;
  /** Identity of its process, as in leases. */
  host: string;
  bootId: string;
  pid: number;
  startTime: string;
  labels: readonly string[];
  /** Agents that it may launch, by id, with the hash of what that runs. */
  agents: Readonly<Record<string, string>>;
  /** Its council's version, and its protocol version: see `SPEAKS`. */
  version: string;
  speaks: number;
  /** The id of the token by which a remote worker renews it; not set for a process in the project itself. */
  token?: string;
}

/**
 * Names the place of agent health and leases. A token's worker is not trusted about hosts of others, nor
 * about this machine: no host name contains a space, so its pids are not compared with local ones.
 */
export const nameHeartbeatPlace = ({ host, token }: Pick<Heartbeat, 'host' | 'token'>): string =>
  token === undefined || host.endsWith(` ${token}`) ? host : `${host} ${token}`;

/** Returns the host of "HOST TOKEN"; a text without a token is unchanged. */
export const parseHostOfPlace = (place: string): string => place.replace(/ \S*$/, '');

/** A heartbeat and its age in milliseconds, by the shared clock. */
export interface SeenHeartbeat extends Heartbeat {
  ageMs: number;
}

/** Heartbeats of a project, one row each. They may be lost: they are soon written again. */
export interface Heartbeats {
  /** Writes its row with the current time. Rejects with `invalid_id`, `unsafe_path`, `io`. */
  renew(heartbeat: Heartbeat): Promise<void>;
  /** Lists rows not removed and younger than a day, by id. Skips unreadable ones. */
  list(): Promise<SeenHeartbeat[]>;
  /** Deletes its row. */
  remove(id: string): Promise<void>;
}

/** Rows older than this are deleted. */
export const FORGOTTEN_MS = 86_400_000;

/** Parses a row; returns undefined for anything else. */
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
