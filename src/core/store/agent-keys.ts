// The port of agents' keys: what their messages are signed with, and which signatures were seen.

/** A key of an agent; `until` (ISO 8601 UTC) for one that another has replaced. */
export interface AgentKey {
  /** The first eight hex digits of the key's SHA-256. */
  id: string;
  /** 32 bytes in hex. */
  key: string;
  since: string;
  until?: string;
}

/** The keys of a project's agents, where only their owner can read them. Everything throws `unsafe_private_dir`, `io`. */
export interface AgentKeys {
  /** False as long as no agent of the project has ever had a key. */
  isUsed(): boolean;
  /** An agent's keys, the newest last; undefined for an agent without one. A file that cannot be read holds no key: []. */
  of(agent: string): AgentKey[] | undefined;
  /** All agents with a key. */
  agents(): string[];
  /** Takes the place of those that the agent has; durable when it returns. Without any the agent is open again. */
  put(agent: string, keys: AgentKey[]): void;
  /** Where an agent's keys lie, or would lie. */
  path(agent: string): string;
  /** Random bytes, in hex. */
  random(bytes: number): string;
  /**
   * Remembers what a token was first used for (its `day` is YYYYMMDD), and tells it. What is older than the window is
   * forgotten, and then not remembered either.
   */
  firstUse(agent: string, day: string, token: string, use: string): { use: string; isNew: boolean };
}

/** How long it is remembered which signatures were seen. */
export const WINDOW_DAYS = 7;

/** The first day that is remembered, as in the names of messages. */
export const firstDay = (now: number): string =>
  new Date(now - WINDOW_DAYS * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
