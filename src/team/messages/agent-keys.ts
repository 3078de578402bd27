// Port: the keys with which agents sign their messages.

/** A key of an agent; `until` (ISO 8601 UTC) is set once it was replaced. */
export interface AgentKey {
  /** The first eight hex digits of the key's SHA-256. */
  id: string;
  /** 32 bytes in hex. */
  key: string;
  since: string;
  until?: string;
}

/** The keys of a project's agents, readable only by their owner. All calls throw `unsafe_private_dir`, `io`. */
export interface AgentKeys {
  /** False as long as no agent of the project has ever had a key. */
  isUsed(): boolean;
  /**
   * Returns an agent's keys, newest last; undefined for an agent without any. An unreadable file has no key:
   * [].
   */
  findKeys(agent: string): AgentKey[] | undefined;
  agents(): string[];
  /** Replaces the agent's keys; durable when it returns. An agent without keys need not sign. */
  put(agent: string, keys: AgentKey[]): void;
  /** Returns the path of an agent's keys, existing or not. */
  path(agent: string): string;
  /** Returns random bytes, in hex. */
  random(bytes: number): string;
  /**
   * Records the first use of a token (`day` is YYYYMMDD), and returns it. Uses older than the window are
   * dropped, and not recorded.
   */
  firstUse(agent: string, day: string, token: string, use: string): { use: string; isNew: boolean };
}

/** How long used signatures are remembered. */
const WINDOW_DAYS = 7;

/** Returns the first remembered day, in the format of message names. */
export const formatFirstDay = (now: number): string =>
  new Date(now - WINDOW_DAYS * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
